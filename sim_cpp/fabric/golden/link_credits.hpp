// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>

#include "fabric/link_config.hpp"

namespace muster::golden {

/// Flits and credits of a session as a link end counts them, by class, each modulo 2^bits.
class LinkCredits {
 public:
  static constexpr std::uint32_t kClasses = 4;
  using Counts = std::array<std::uint32_t, kClasses>;

  explicit LinkCredits(const fabric::LinkConfig& config)
      : classes_(config.backs()), depth_(config.depth), mask_((1u << config.count_w()) - 1) {}

  /// A class that there is not counts nothing.
  void take(std::uint32_t c) { rise(taken_, c); }
  void deliver(std::uint32_t c) { rise(delivered_, c); }
  /// `credits`: a bit for each class.
  void add(unsigned credits) { count_ = count_with(credits); }

  /// A credit of some class.
  bool any(unsigned credits) const { return (credits & ((1u << classes_) - 1)) != 0; }
  /// `count` with the credits of this cycle.
  Counts count_with(unsigned credits) const {
    Counts now = count_;
    for (std::uint32_t c = 0; c < classes_; ++c) now[c] = (now[c] + (credits >> c & 1)) & mask_;
    return now;
  }
  void see(const Counts& count) { seen_ = count; }

  /// Gives a credit of each class of which the other end has given back more, or in a link that is
  /// down, of which the block has spent more. The bits of the classes.
  unsigned give_seen() { return give(seen_); }
  unsigned give_taken() { return give(taken_); }

  bool all_seen_given() const { return given_ == seen_; }
  bool all_taken_given() const { return given_ == taken_; }
  bool all_delivered_back() const { return delivered_ == count_; }
  /// The block has a place for a flit of this class.
  bool room(std::uint32_t c) const { return ((delivered_[c] - count_[c]) & mask_) < depth_; }

  const Counts& taken() const { return taken_; }
  const Counts& given() const { return given_; }
  const Counts& seen() const { return seen_; }
  const Counts& delivered() const { return delivered_; }
  const Counts& count() const { return count_; }

 private:
  void rise(Counts& counts, std::uint32_t c) const {
    if (c < classes_) counts[c] = (counts[c] + 1) & mask_;
  }
  unsigned give(const Counts& limit) {
    unsigned credits = 0;
    for (std::uint32_t c = 0; c < classes_; ++c) {
      if (given_[c] == limit[c]) continue;
      rise(given_, c);
      credits |= 1u << c;
    }
    return credits;
  }

  std::uint32_t classes_, depth_, mask_;
  Counts taken_{}, given_{}, seen_{}, delivered_{}, count_{};
};

}  // namespace muster::golden
