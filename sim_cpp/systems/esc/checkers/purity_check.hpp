// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "systems/esc/scheme/cycle_view.hpp"
#include "systems/esc/scheme/fault_routing.hpp"
#include "systems/esc/scheme/spec.hpp"

namespace muster::esc {

/// What the policies promise of the reserved boxes, those of stages m - 1 .. 1 whose links have
/// digit 0 = 0 (sections 4.2 to 4.4), for packets that left their PE's queue while its own flag was
/// set: under isolated background none enters one; under isolated hot spot only those for the PE's
/// hot spot; under hot section only those, and those for another section from input 0. And all
/// synchronization messages do. With a fault, what has no other way is exempt. The links into stage
/// m - 1 are watched: no later stage changes digit 0.
class PurityCheck final : public Check {
 public:
  explicit PurityCheck(const Spec& spec);
  std::string name() const override { return "purity"; }
  void start(const SessionPlan& plan) override;
  void observe(const CycleView& view) override;

 private:
  /// A queue is FIFO, so what left it under the flag is an interval of cycles of generation.
  struct Flagged {
    std::uint64_t from = kNever, to = 0;
  };
  bool allowed(BoxPacket packet) const;
  bool has_no_other_way(BoxPacket packet) const;

  Cube cube_;
  InputPolicy policy_;
  std::uint32_t section_mask_;
  FaultRouting routing_;
  std::vector<std::uint32_t> places_;  ///< rx of stage m - 1, by link; none if m = 1
  std::vector<Flagged> flagged_;       ///< background of each PE
  SessionPlan plan_;
};

}  // namespace muster::esc
