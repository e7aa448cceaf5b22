// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "muster/core/observer.hpp"
#include "muster/core/rng.hpp"

namespace muster::core {

/// A hash of everything that was on the links. The sum over all events does not depend on their
/// order within a cycle, nor on cycles in which nothing happens, so it is equal for equal command
/// and seed on every engine, with and without skipping, on any number of threads.
class Digest : public Observer {
 public:
  /// Adds the events of a cycle, in any order.
  void observe(std::uint64_t cycle, std::span<const FlitEvent> flits,
               std::span<const CreditEvent> credits) override {
    for (const FlitEvent& e : flits) {
      const std::uint64_t rest =
          (std::uint64_t{e.flit.hi} << 16) | (std::uint64_t{e.flit.vc} << 8) | e.flit.kind;
      sum_ += mix64(mix64(place(cycle, e.channel) ^ rest) ^ e.flit.lo);
    }
    for (const CreditEvent& e : credits) sum_ += mix64(~place(cycle, e.channel) ^ e.credits);
    flits_ += flits.size();
    if (!flits.empty() || !credits.empty()) last_event_ = cycle;
  }

  std::uint64_t value() const { return mix64(sum_); }       ///< the hash so far
  std::uint64_t flits() const { return flits_; }            ///< flits put on any link so far
  std::uint64_t last_event() const { return last_event_; }  ///< cycle; 0 if there was none

 private:
  /// One word for a channel in a cycle; the odd factors spread both over all bits.
  static std::uint64_t place(std::uint64_t cycle, ChannelId channel) {
    return (cycle + 1) * 0x9E3779B97F4A7C15u + std::uint64_t{channel} * 0xD6E8FEB86659FD93u;
  }
  std::uint64_t sum_ = 0, flits_ = 0, last_event_ = 0;
};

}  // namespace muster::core
