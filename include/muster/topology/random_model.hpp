// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace muster::topology {

/// How a random connected graph is drawn.
enum class RandomModel : std::uint8_t {
  kUniform,     ///< every connected simple graph (nearly) equally likely
  kAttachment,  ///< each vertex joins a random earlier one, then random links are added
};

}  // namespace muster::topology
