// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "muster/run/run.hpp"
#include "muster/systems/btin.hpp"
#include "run/configurations.hpp"
#include "sim_cpp/run/run_fixture.hpp"
#include "topology/routes/route_walk.hpp"

namespace muster::test {

/// A square of switches with two nodes each, and a third at switch 0: groups that share no switch
/// or only some, and ways past any of the switches.
inline topology::Graph square() {
  topology::Graph graph;
  for (int s = 0; s < 4; ++s) graph.add_switch(5);
  for (std::uint32_t s = 0; s < 4; ++s) graph.add_link({s, 0}, {(s + 1) % 4, 1});
  for (std::uint32_t s = 0; s < 4; ++s)
    for (std::uint32_t p = 2; p < 4; ++p) graph.add_node({s, p});
  return graph;
}

/// Data everywhere, a group within each switch, and one of all.
inline run::RunSpec death_spec(const Subject& subject, std::uint64_t seed) {
  run::RunSpec spec = subject.spec({"n0,n1", "n2,n3", "n4,n5", "n6,n7", "all"}, seed);
  spec.config = run::configuration("sw8");
  spec.links.retry = true;
  spec.load_flits = 0.3 * subject.route_bound();
  spec.barriers = 12;
  spec.spread = 60;
  spec.max_wait = 3000;
  return spec;
}

/// The same with registers that repeat, of which the survivors go on; without waiting for long.
inline run::RunSpec recovery_spec(const Subject& subject, std::uint64_t seed, bool reflect) {
  run::RunSpec spec = death_spec(subject, seed);
  spec.config = run::configuration("sw8r");
  spec.max_wait = 20'000;
  btin::Spec& own = spec.parts.make<btin::Spec>();
  own.retry = true;
  own.reflect = reflect;
  own.retries = {.period = 30, .suspect_after = 400};
  return spec;
}

/// The group has a member that dies, or a tree through a switch that does. All switches are in the
/// tree of the last group, each other group has one.
inline bool loses(const run::RunSpec& spec, const topology::Graph& graph, std::size_t group,
                  const run::Death& death) {
  if (group + 1 == spec.groups.size()) return true;
  const auto& members = spec.groups[group].members;
  return std::any_of(members.begin(), members.end(), [&](topology::NodeId n) {
    return death.node ? n == death.id : graph.node(n).at.sw == death.id;
  });
}

/// How a run without violations ends: not well if a group that was hit has not done its barriers.
inline run::End end_of(const run::RunResult& result) {
  const auto& hit = result.casualties.groups_hit;
  return std::all_of(hit.begin(), hit.end(), [](const auto& group) { return group.complete; })
             ? run::End::kComplete
             : run::End::kStopped;
}

}  // namespace muster::test
