// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim_cpp/run/run_fixture.hpp"

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

inline const Subject& square_subject() {
  static const Subject subject{square()};
  return subject;
}

/// Data everywhere, a group within each switch, and one of all.
inline run::RunSpec death_spec(const Subject& subject, std::uint64_t seed = muster_seed()) {
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
  btin::Spec& own = run::own<btin::Spec>(spec);
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
  return std::ranges::any_of(members, [&](topology::NodeId n) {
    return death.node ? n == death.id : graph.node(n).at.sw == death.id;
  });
}

/// By switch, a number that switches have in common that are connected by what these deaths leave.
inline std::vector<std::uint32_t> parts_of(const topology::Graph& graph,
                                           const std::vector<run::Death>& deaths) {
  std::vector<std::uint32_t> part(graph.switches());
  for (std::uint32_t s = 0; s < part.size(); ++s) part[s] = s;
  const auto lost = [&](bool link, std::size_t id) {
    return std::ranges::any_of(deaths, [&](const run::Death& d) {
      return !d.reset && !d.node && d.link == link && d.id == id;
    });
  };
  for (std::uint32_t round = 0; round < graph.switches(); ++round)
    for (std::size_t l = 0; l < graph.links().size(); ++l) {
      const topology::Link& link = graph.links()[l];
      if (lost(true, l) || lost(false, link.a.sw) || lost(false, link.b.sw)) continue;
      part[link.a.sw] = part[link.b.sw] = std::min(part[link.a.sw], part[link.b.sw]);
    }
  return part;
}

/// Neither it, nor its switch, nor its link is dead.
inline bool lives(const topology::Graph& graph, const std::vector<run::Death>& deaths,
                  topology::NodeId n) {
  return std::ranges::none_of(deaths, [&](const run::Death& d) {
    if (d.reset) return false;
    return d.node ? d.id == n : d.id == (d.link ? graph.links().size() + n : graph.node(n).at.sw);
  });
}

/// The parts of the network in which members of the group live.
inline std::set<std::uint32_t> inhabited_parts(const topology::Graph& graph,
                                               const std::vector<run::Death>& deaths,
                                               const std::vector<topology::NodeId>& members) {
  const std::vector<std::uint32_t> parts = parts_of(graph, deaths);
  std::set<std::uint32_t> inhabited;
  for (const topology::NodeId n : members)
    if (lives(graph, deaths, n)) inhabited.insert(parts[graph.node(n).at.sw]);
  return inhabited;
}

/// Members of the group survive and are connected, whichever of the deaths have come.
inline bool stays_connected(const topology::Graph& graph, const std::vector<run::Death>& deaths,
                            const std::vector<topology::NodeId>& members) {
  for (std::uint32_t chosen = 0; chosen < 1u << deaths.size(); ++chosen) {
    std::vector<run::Death> some;
    for (std::size_t d = 0; d < deaths.size(); ++d)
      if ((chosen >> d & 1) != 0) some.push_back(deaths[d]);
    if (inhabited_parts(graph, some, members).size() != 1) return false;
  }
  return true;
}

/// How a run without violations ends. With registers that repeat it is complete if the survivors of
/// each group stay connected: every one of these tests has registers enough for their new trees.
/// Otherwise groups that were hit may stop.
inline run::End end_of(const run::RunSpec& spec, const topology::Graph& graph,
                       const run::RunResult& result) {
  const auto connected = [&](const run::RunGroup& group) {
    return stays_connected(graph, spec.deaths, group.members);
  };
  const auto* const trees = run::find_own<btin::Spec>(spec);
  if (trees != nullptr && trees->retry && std::ranges::all_of(spec.groups, connected))
    return run::End::kComplete;
  const auto& hit = result.casualties.groups_hit;
  return std::ranges::all_of(hit, [](const auto& group) { return group.complete; })
             ? run::End::kComplete
             : run::End::kStopped;
}

}  // namespace muster::test
