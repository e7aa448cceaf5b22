// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <bit>

#include "muster/fabric/barrier_message.hpp"

namespace muster::mpi {

/// Rounds of one call, at most; longer data go to MPI.
inline constexpr std::uint32_t kMostRounds = 64;

/// A reduction of `count` numbers of `bits` bits over barriers that carry fewer: a barrier is a
/// round, and all members take the same rounds. Bits of OR, AND and XOR are independent. A SUM goes
/// from its low bits on, in parts so small that the members' parts cannot overflow a message; each
/// member adds the carry itself. MIN and MAX go from the high bits on: a member whose part was not
/// the result brings what changes nothing from then on.
class Segments {
 public:
  Segments() = default;
  /// `width`: bits of a message, 0 if it has none; `numbers` below 2^bits each.
  Segments(fabric::ReduceOp op, std::uint32_t bits, std::vector<std::uint64_t> numbers,
           unsigned width, std::uint32_t members)
      : op_(op), bits_(bits), part_(part(op, bits, width, members)), mine_(std::move(numbers)) {
    result_.resize(mine_.size());
  }

  /// Rounds of `count` numbers; 1 without data, 0 if messages have no room.
  static std::uint64_t rounds(fabric::ReduceOp op, std::uint32_t bits, std::uint64_t count,
                              unsigned width, std::uint32_t members) {
    if (bits == 0 || count == 0) return 1;
    const unsigned each = part(op, bits, width, members);
    return each == 0 ? 0 : (bits + each - 1) / each * count;
  }
  bool done() const { return round_ >= rounds(); }
  /// What the member brings to this round.
  fabric::Payload next() const {
    if (part_ == 0 || done()) return {};
    return fabric::payload_of(leads_ ? mine()
                                     : fabric::Wide{op_ == fabric::ReduceOp::kMin} * mask());
  }
  /// What all members have made of this round.
  void take(const fabric::Payload& data) {
    if (part_ != 0 && !done()) {
      const fabric::Wide all = fabric::wide(data) + carry_;
      if (descends()) leads_ = leads_ && mine() == all;
      result_[element()] |= static_cast<std::uint64_t>((all & mask()) << shift());
      carry_ = op_ == fabric::ReduceOp::kSum ? all >> part_ : 0;
    }
    ++round_;
    if (part_ != 0 && round_ % of_each() == 0) {
      result_[(round_ - 1) / of_each()] &= ~std::uint64_t{0} >> (64 - bits_);
      leads_ = true;
      carry_ = 0;
    }
  }
  const std::vector<std::uint64_t>& numbers() const { return mine_; }
  const std::vector<std::uint64_t>& result() const { return result_; }
  /// The result of all members' numbers, without rounds.
  void settle(std::vector<std::uint64_t> result) { result_ = std::move(result); }

 private:
  static unsigned part(fabric::ReduceOp op, std::uint32_t bits, unsigned width,
                       std::uint32_t members) {
    if (bits == 0) return 0;
    const unsigned guard =
        op == fabric::ReduceOp::kSum ? static_cast<unsigned>(std::bit_width(members - 1)) : 0;
    return width <= guard ? 0 : std::min(width - guard, bits);
  }
  std::uint32_t of_each() const { return (bits_ + part_ - 1) / part_; }
  std::uint64_t rounds() const { return part_ == 0 ? 1 : of_each() * mine_.size(); }
  std::size_t element() const { return round_ / of_each(); }
  bool descends() const { return op_ == fabric::ReduceOp::kMin || op_ == fabric::ReduceOp::kMax; }
  unsigned shift() const {
    const std::uint32_t place = round_ % of_each();
    return (descends() ? of_each() - 1 - place : place) * part_;
  }
  fabric::Wide mask() const { return (fabric::Wide{1} << part_) - 1; }
  fabric::Wide mine() const { return fabric::Wide{mine_[element()] >> shift()} & mask(); }

  fabric::ReduceOp op_ = fabric::ReduceOp::kOr;
  std::uint32_t bits_ = 0;
  unsigned part_ = 0;  ///< bits of a round, 0: no data
  std::vector<std::uint64_t> mine_, result_;
  std::uint32_t round_ = 0;
  bool leads_ = true;       ///< of MIN and MAX: the parts so far were the results
  fabric::Wide carry_ = 0;  ///< of SUM
};

}  // namespace muster::mpi
