// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>

namespace muster::topology {

/// Told how far long work is: its step, what is counted ("switches"), how many are done and how
/// many there are. May be empty.
using Steps = std::function<void(const char* step, const char* parts, std::uint32_t done,
                                 std::uint32_t total)>;

}  // namespace muster::topology
