// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "systems/esc/checkers/buffer_counts.hpp"
#include "systems/esc/scheme/session_plan.hpp"
#include "systems/esc/scheme/spec.hpp"

namespace muster::esc {

/// Injection throttling on feedback, of all PEs: synchronization messages wait beside their queues
/// while the hot spot says that it is busy. docs/systems/esc-references.md. In a cycle: offer(),
/// the network settles, clock().
class Throttle {
 public:
  Throttle(const Spec& spec, const Cube& cube);

  void start(const SessionPlan& plan);
  /// `offers` by PE: in, the heads of the queues; out, what the PEs offer.
  void offer(std::uint64_t cycle, std::span<BoxPacket> offers);
  /// The edge. Returns by PE: the head leaves its queue, into the network or the hold register.
  std::span<const std::uint8_t> clock(const CycleView& view);

 private:
  bool turn(std::uint32_t pe, std::uint64_t cycle) const {
    return (cycle & (cube_.boxes_per_stage() - 1)) == pe / cube_.size();
  }

  Cube cube_;
  std::uint32_t limit_;  ///< T
  BufferCounts counts_;  ///< of the output stage
  SessionPlan plan_;
  std::vector<std::uint8_t> wire_;       ///< by group: its coordinator is busy
  std::vector<BoxPacket> held_;          ///< hold registers, 0 for empty
  std::vector<BoxPacket> aside_;         ///< goes into them at this edge
  std::vector<std::uint8_t> from_held_;  ///< the offer is the held message
  std::vector<std::uint8_t> leaves_;
};

}  // namespace muster::esc
