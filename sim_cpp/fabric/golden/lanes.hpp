// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <bit>

#include "muster/core/bits.hpp"
#include "muster/core/error.hpp"

namespace muster::golden {

/// Sets of ports, virtual channels and registers as bit masks.

inline constexpr std::uint32_t kMaxPorts = 16, kMaxVcs = 4, kMaxRegisters = 16;

/// A lane is one virtual channel of one port, 4 * port + vc: an input queue on the one side of a
/// switch, an output channel on the other. The numbers are those of the bits in a `back` word.
inline constexpr std::uint32_t kMaxLanes = kMaxPorts * kMaxVcs;
constexpr std::uint32_t lane_of(std::uint32_t port, std::uint32_t vc) { return 4 * port + vc; }
constexpr std::uint32_t port_of(std::uint32_t lane) { return lane / 4; }
constexpr std::uint32_t vc_of(std::uint32_t lane) { return lane % 4; }
/// All lanes of a port.
constexpr std::uint64_t lanes_of(std::uint32_t port) {
  return std::uint64_t{0xf} << lane_of(port, 0);
}

constexpr std::uint64_t bit(std::uint32_t i) { return std::uint64_t{1} << i; }
constexpr bool has(std::uint64_t mask, std::uint32_t i) { return (mask >> i) & 1; }

/// Number of the lowest set bit; `mask` is not 0.
constexpr std::uint32_t lowest(std::uint64_t mask) {
  return static_cast<std::uint32_t>(std::countr_zero(mask));
}

inline void prefetch_lines(const void* from, std::size_t bytes) {
  for (std::size_t at = 0; at < bytes; at += 64)
    __builtin_prefetch(static_cast<const char*>(from) + at);
  __asm__ volatile("");  // GCC drops calls of a function that does nothing but prefetch
}

using core::for_each_bit;

/// Calls f(port) for every port of which a lane is in the set, lowest first.
template <typename F>
void for_each_port(std::uint64_t lanes, F&& f) {
  const std::uint64_t two = lanes | lanes >> 2;
  for_each_bit((two | two >> 1) & 0x1111111111111111u,
               [&](std::uint32_t first) { f(port_of(first)); });
}

/// Round robin: the first set bit at or after `pointer` (< 64), cyclic; `mask` is not 0.
constexpr std::uint32_t round_robin(std::uint64_t mask, std::uint32_t pointer) {
  const std::uint64_t behind = mask & (~std::uint64_t{0} << pointer);
  return lowest(behind | (behind == 0 ? mask : 0));
}

/// How long `port` waits for its turn in the same order: less is earlier.
constexpr std::uint32_t turn_of(std::uint32_t port, std::uint32_t pointer) {
  return port < pointer ? port + kMaxPorts : port;
}

/// The credit counters of all output channels of a switch, each 0..depth, as what is missing: bit k
/// of what the counter of lane l lacks to `depth` is bit l of planes_[k]. So a cycle's changes on
/// all lanes are a few word operations and no branch depends on the traffic.
class Credits {
 public:
  explicit Credits(std::uint32_t depth) : depth_(depth), few_(depth < 1u << kFew) {
    for (std::uint32_t k = 0; k < kBits; ++k) all_[k] = has(depth, k) ? ~std::uint64_t{0} : 0;
  }

  /// Lanes whose counter is not 0.
  std::uint64_t at_least_one() const {
    const std::uint64_t low =
        (planes_[0] ^ all_[0]) | (planes_[1] ^ all_[1]) | (planes_[2] ^ all_[2]);
    return few_ ? low : low | (planes_[3] ^ all_[3]) | (planes_[4] ^ all_[4]);
  }
  std::uint32_t count(std::uint32_t lane) const {
    std::uint32_t missing = 0;
    for (std::uint32_t k = 0; k < kBits; ++k) missing += std::uint32_t{has(planes_[k], lane)} << k;
    return depth_ - missing;
  }

  /// Takes one credit of each lane of `spent`, which must have one, and adds one to those of
  /// `returned`. Throws InternalError if more come back than were spent before.
  void update(std::uint64_t spent, std::uint64_t returned) {
    if (few_)
      update_planes<kFew>(spent, returned);
    else
      update_planes<kBits>(spent, returned);
  }

 private:
  static constexpr std::uint32_t kBits = 5;  // counts to 16
  static constexpr std::uint32_t kFew = 3;   // enough for the usual depths
  template <std::uint32_t kUsed>
  void update_planes(std::uint64_t spent, std::uint64_t returned) {
    for (std::uint32_t k = 0; k < kUsed; ++k) {
      std::uint64_t plane = planes_[k] ^ returned;
      returned &= plane;  // borrow where the bit was 0
      plane ^= spent;
      spent &= ~plane;  // carry where the bit was 1
      planes_[k] = plane;
    }
    if (returned != 0) [[unlikely]]
      throw InternalError("a credit without a flit");
  }

  std::uint32_t depth_;
  bool few_;  // the first kFew planes are enough; the others stay 0
  std::array<std::uint64_t, kBits> planes_{}, all_{};
};

}  // namespace muster::golden
