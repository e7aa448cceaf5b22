// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "systems/esc/checkers/buffer_counts.hpp"
#include "systems/esc/scheme/session_plan.hpp"
#include "systems/esc/scheme/spec.hpp"

namespace muster::esc {

/// The wires on which boxes tell PEs what their output buffers hold, docs/systems/injection.md: the
/// feedback wire of each coordinator under throttling, the fill counts of the input stage under the
/// adaptive choice. In a cycle: show(), the network settles, clock().
class Feedback {
 public:
  Feedback(const Spec& spec, const Cube& cube);

  void start(const SessionPlan& plan);
  /// Writes busy, by PE, or fill, by link of the input stage; the other is left as it is.
  void show(std::span<std::uint8_t> busy, std::span<std::uint8_t> fill) const;
  void clock(const CycleView& view);

 private:
  std::uint32_t limit_;  ///< T; 0: not throttled
  BufferCounts counts_;  ///< of the stage that is looked at
  SessionPlan plan_;
  std::vector<std::uint8_t> wire_;  ///< by group: its coordinator is busy
};

}  // namespace muster::esc
