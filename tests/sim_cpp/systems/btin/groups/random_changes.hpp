// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <set>

#include "muster/core/error.hpp"
#include "muster/core/rng.hpp"
#include "muster/run/spec.hpp"
#include "muster/systems/btin.hpp"
#include "topology/routes/without_link.hpp"

namespace muster::test {

/// Random requests of members and others, at most one for each node and group, and up to `links`
/// links that can be missed, declared dead at any time from the creation of the groups on.
inline void add_random_changes(run::RunSpec& spec, Rng& rng, std::uint32_t links) {
  spec.parts.make<btin::Spec>().in_band = true;
  spec.parts.make<btin::Spec>().requests.clear();
  spec.killed.clear();
  for (std::uint32_t g = 0; g < spec.groups.size() && spec.barriers > 1; ++g) {
    std::set<topology::NodeId> who;
    for (std::uint64_t i = rng.below(5); i > 0; --i)
      who.insert(static_cast<topology::NodeId>(rng.below(spec.graph->nodes())));
    for (const topology::NodeId n : who) {
      const auto& members = spec.groups[g].members;
      const bool member = std::find(members.begin(), members.end(), n) != members.end();
      const auto barrier = static_cast<std::uint32_t>(1 + rng.below(spec.barriers - 1));
      spec.parts.make<btin::Spec>().requests.push_back({g, n, !member, barrier});
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
