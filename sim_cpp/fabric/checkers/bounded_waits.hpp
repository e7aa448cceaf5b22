// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <vector>

#include "fabric/checkers/delivery.hpp"
#include "fabric/checkers/link_checker.hpp"
#include "fabric/checkers/owed_messages.hpp"

namespace muster::checkers {

/// What switches that cut data for a barrier message promise: docs/systems/preempting-switches.md.
struct HopWait {
  std::uint32_t data = 0;  ///< W, cycles that a message waits for data at a hop
  std::uint32_t gap = 0;   ///< after a message in which an output takes none
};

/// The longest times anything may take inside the network, in cycles. A run derives close ones from
/// its network and load (run/wait_bounds.hpp); the defaults catch only what stands still for
/// good.
struct Bounds {
  std::uint64_t packet = 10'000'000;   ///< from injection of the head to ejection of the tail
  std::uint64_t barrier = 10'000'000;  ///< of a barrier message in a switch of its tree
  std::optional<HopWait> hop = {};     ///< none: barrier messages wait for data
};

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

  std::uint64_t longest_packet() const { return longest_packet_; }    ///< cycles
  std::uint64_t longest_barrier() const { return longest_barrier_; }  ///< cycles

 private:
  Bounds bounds_;
  const Delivery& delivery_;
  std::vector<OwedMessages*> owed_;
  std::uint64_t longest_packet_ = 0, longest_barrier_ = 0;
};

}  // namespace muster::checkers
