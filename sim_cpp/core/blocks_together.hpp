// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace muster::core {

/// Ports of a block: a `back` word of BlockWires has a nibble for each.
inline constexpr unsigned kMaxPorts = 16;
inline constexpr std::uint32_t kTogether = 4;  ///< blocks whose ports fit in one word
static_assert(kTogether * kMaxPorts == 64);

}  // namespace muster::core
