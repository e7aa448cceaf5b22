// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

namespace muster {

/// What a result file says about where it comes from, so that it can be made again.
struct Provenance {
  std::string command;     ///< as typed
  std::string version;     ///< of muster
  std::uint64_t seed = 0;  ///< of everything random
};

}  // namespace muster
