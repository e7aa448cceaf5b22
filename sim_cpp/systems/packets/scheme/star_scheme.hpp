// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "systems/packets/scheme/unicast_scheme.hpp"

namespace muster::packets {

/// The star (section 4.2 of the paper on preempting switches): all members straight to the center
/// and back. The unicast scheme with the center of docs/systems/bsr-tree.md for its root node.
class StarPlan : public UnicastPlan {
 public:
  explicit StarPlan(const run::ResolvedRun& run) : UnicastPlan(run, "star", center) {}

 private:
  static topology::NodeId center(const run::RunSpec& spec, std::uint32_t g) {
    return topology::choose_center(*spec.graph, *spec.routes, spec.groups[g].members,
                                   spec.center.value_or(topology::CenterChoice::kNearest),
                                   spec.seed + g);
  }
};

}  // namespace muster::packets
