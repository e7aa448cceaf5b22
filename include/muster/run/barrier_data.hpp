// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <bit>
#include <cstdint>
#include <optional>

#include "muster/core/rng.hpp"
#include "muster/fabric/barrier_message.hpp"

namespace muster::run {

/// The synchronization data that members bring to their barriers: random bits that depend on seed,
/// group, member and barrier only, so that both ends can compute them. A bit is 1 with a
/// probability of about 1 / members (a 0 with AND and MIN), or the result for a large group would
/// be all ones and hide a member that was left out.
/// Of the bits of a message it may use the low ones only, so that sums of them have room.
class BarrierData {
 public:
  /// `data_width` in bits, Formats::data_width(); a member brings `bits` of them, at most that, or
  /// all.
  BarrierData(std::uint64_t seed, unsigned data_width, fabric::ReduceOp op = fabric::ReduceOp::kOr,
              std::optional<unsigned> bits = std::nullopt)
      : seed_(seed), width_(data_width), bits_(bits.value_or(data_width)), op_(op) {}

  /// What member `member` of `members` brings to barrier `barrier` of group `group`.
  fabric::Payload of(std::uint32_t group, std::uint32_t members, std::uint32_t member,
                     std::uint64_t barrier) const {
    Rng rng(mix64(seed_ ^ kStream) ^ barrier, (std::uint64_t{group} << 32) | member);
    fabric::Payload data{~std::uint64_t{0}, 0xffff};
    const unsigned draws = std::bit_width(members - 1u);  // the AND of d words: one bit in 2^d
    for (unsigned i = 0; i < draws; ++i) {
      data.lo &= rng.next();
      data.hi = static_cast<std::uint16_t>(data.hi & rng.next());
    }
    if (op_ == fabric::ReduceOp::kAnd || op_ == fabric::ReduceOp::kMin)
      data = {~data.lo, static_cast<std::uint16_t>(~data.hi)};
    return fabric::Formats::low_bits(data, bits_);
  }

  /// What all members must be released with: what their data make together.
  /// `takes_part(member)` tells who is a member for this barrier.
  template <class TakesPart = bool (*)(std::uint32_t)>
  fabric::Payload of_all(
      std::uint32_t group, std::uint32_t members, std::uint64_t barrier,
      const TakesPart& takes_part = [](std::uint32_t) { return true; }) const {
    fabric::Payload data = fabric::neutral(op_, width_);
    for (std::uint32_t m = 0; m < members; ++m)
      if (takes_part(m)) data = both(data, of(group, members, m, barrier));
    return data;
  }

  /// What two data make together.
  fabric::Payload both(const fabric::Payload& a, const fabric::Payload& b) const {
    return fabric::reduce(op_, a, b, width_);
  }

 private:
  /// Sets these numbers apart from those of the arrivals, which have the same seed.
  static constexpr std::uint64_t kStream = 0x64617461;

  std::uint64_t seed_;
  unsigned width_;  ///< bits of a message
  unsigned bits_;   ///< of a member's data
  fabric::ReduceOp op_;
};

}  // namespace muster::run
