// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>

/// Sets of ports, virtual channels and registers as bit masks.
namespace muster::golden {

inline constexpr std::uint32_t kMaxPorts = 16, kMaxVcs = 4, kMaxRegisters = 16;

/// A lane is one virtual channel of one port, 4 * port + vc: an input queue on the one side of a
/// switch, an output channel on the other. The numbers are those of the bits in a `back` word.
inline constexpr std::uint32_t kMaxLanes = kMaxPorts * kMaxVcs;
constexpr std::uint32_t lane_of(std::uint32_t port, std::uint32_t vc) { return 4 * port + vc; }
constexpr std::uint32_t port_of(std::uint32_t lane) { return lane / 4; }
constexpr std::uint32_t vc_of(std::uint32_t lane) { return lane % 4; }

constexpr std::uint64_t bit(std::uint32_t i) { return std::uint64_t{1} << i; }
constexpr bool has(std::uint64_t mask, std::uint32_t i) { return (mask >> i) & 1; }

constexpr bool has_one(std::uint64_t mask) { return mask != 0 && (mask & (mask - 1)) == 0; }

/// Number of the lowest set bit; `mask` is not 0.
constexpr std::uint32_t lowest(std::uint64_t mask) {
  return static_cast<std::uint32_t>(std::countr_zero(mask));
}

inline void prefetch_lines(const void* from, std::size_t bytes) {
  for (std::size_t at = 0; at < bytes; at += 64)
    __builtin_prefetch(static_cast<const char*>(from) + at);
}

/// Calls f(i) for every set bit i, lowest first.
template <typename F>
constexpr void for_each_bit(std::uint64_t mask, F&& f) {
  for (; mask != 0; mask &= mask - 1) f(lowest(mask));
}

/// Round robin: the first set bit at or after `pointer` (< 64), cyclic; `mask` is not 0.
constexpr std::uint32_t round_robin(std::uint64_t mask, std::uint32_t pointer) {
  const std::uint64_t behind = mask & (~std::uint64_t{0} << pointer);
  return lowest(behind != 0 ? behind : mask);
}

/// How long `port` waits for its turn in the same order: less is earlier.
constexpr std::uint32_t turn_of(std::uint32_t port, std::uint32_t pointer) {
  return port < pointer ? port + kMaxPorts : port;
}

}  // namespace muster::golden
