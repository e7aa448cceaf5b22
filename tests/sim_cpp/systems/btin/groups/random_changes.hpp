// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim_cpp/run/run_fixture.hpp"

namespace muster::test {

/// Groups that are used for a while and then idle: group g goes to its n-th barrier in cycle
/// times[g][n] at the earliest, its members up to `spread` cycles apart.
struct PhasedArrivals : run::Arrivals {
  std::vector<std::vector<std::uint64_t>> times;
  std::uint64_t spread = 0;

  std::uint64_t next(std::uint32_t group, std::uint32_t member, std::uint32_t barrier,
                     std::uint64_t earliest) const override {
    const std::uint64_t late =
        spread == 0 ? 0 : Random(group * 1000 + member, barrier).below(spread + 1);
    return std::max(earliest, times[group][barrier] + late);
  }
};

/// Bursts of barriers back to back, with pauses of up to `idle` cycles between.
inline PhasedArrivals random_phases(Random& rng, std::size_t groups, std::uint32_t barriers,
                                    std::uint64_t idle) {
  PhasedArrivals arrivals;
  arrivals.spread = rng.below(40);
  arrivals.times.resize(groups);
  for (auto& times : arrivals.times) {
    std::uint64_t cycle = 0;
    for (std::uint32_t b = 0; b < barriers; ++b) {
      if (rng.below(3) == 0) cycle += rng.below(idle);
      times.push_back(cycle);
    }
  }
  return arrivals;
}

/// Random requests of members and others, at most one for each node and group, and up to `links`
/// links that can be missed, declared dead at any time from the creation of the groups on.
inline void add_random_changes(run::RunSpec& spec, Random& rng, std::uint32_t links) {
  run::own<btin::Spec>(spec).in_band = true;
  run::own<btin::Spec>(spec).requests.clear();
  spec.killed.clear();
  for (std::uint32_t g = 0; g < spec.groups.size() && spec.barriers > 1; ++g) {
    std::set<topology::NodeId> who;
    for (std::uint64_t i = rng.below(5); i > 0; --i)
      who.insert(static_cast<topology::NodeId>(rng.below(spec.graph->nodes())));
    for (const topology::NodeId n : who) {
      const auto& members = spec.groups[g].members;
      const bool member = std::ranges::find(members, n) != members.end();
      const std::uint32_t barrier = 1 + rng.below(spec.barriers - 1);
      run::own<btin::Spec>(spec).requests.push_back({g, n, !member, barrier});
    }
  }
  topology::Graph rest = *spec.graph;
  std::uint64_t cycle = 0;
  for (int tries = 0; tries < 10 && spec.killed.size() < links; ++tries) {
    if (rest.links().empty()) return;
    const topology::Link link = rest.links()[rng.below(rest.links().size())];
    try {
      rest = topology::without_link(rest, link.a, link.b);
    } catch (const InputError&) {
      continue;  // it joins two parts
    }
    cycle += rng.below(3) == 0 ? rng.below(300) : rng.below(4000);
    spec.killed.push_back({link.a, link.b, cycle});
  }
}

}  // namespace muster::test
