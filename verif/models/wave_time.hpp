// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

/// Time in a waveform, in nanoseconds of a 10 ns clock: cycle c lasts from 10 c to 10 c + 10,
/// inputs change at its beginning, the rising edge is in its middle.
namespace muster::verif {

constexpr std::uint64_t input_time(std::uint64_t cycle) { return 10 * cycle; }
constexpr std::uint64_t edge_time(std::uint64_t cycle) { return 10 * cycle + 5; }

}  // namespace muster::verif
