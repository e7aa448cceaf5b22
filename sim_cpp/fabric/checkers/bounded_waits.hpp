// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "fabric/checkers/delivery.hpp"
#include "muster/fabric/checkers/bounds.hpp"
#include "muster/fabric/checkers/link_checker.hpp"
#include "muster/fabric/checkers/owed_messages.hpp"

namespace muster::checkers {

/// No packet is in the network, and no switch owes a barrier message, for longer than the bounds.
/// What is under way is known to the checkers that this one asks in every cycle.
class BoundedWaits : public LinkChecker {
 public:
  /// `delivery` outlives this.
  BoundedWaits(const Subject& subject, const Bounds& bounds, const Delivery& delivery);
  /// These messages too are bounded. `owed` outlives this.
  void watch(OwedMessages& owed) { owed_.push_back(&owed); }

  Sees sees() const override { return {.cycles = true}; }
  /// After those that are asked have seen the cycle.
  void end_cycle(std::uint64_t cycle) override;

  std::uint64_t longest_packet() const { return longest_packet_; }  ///< cycles
  /// Cycles; none if the messages that are watched were never owed.
  std::optional<std::uint64_t> longest_barrier() const { return longest_barrier_; }

 private:
  Bounds bounds_;
  const Delivery& delivery_;
  std::vector<OwedMessages*> owed_;
  std::uint64_t longest_packet_ = 0;
  std::optional<std::uint64_t> longest_barrier_;
};

}  // namespace muster::checkers
