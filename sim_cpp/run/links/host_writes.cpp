// SPDX-License-Identifier: Apache-2.0
#include "run/links/host_writes.hpp"

#include <fmt/format.h>

#include <utility>

#include "fabric/register_map.hpp"
#include "muster/core/error.hpp"
#include "muster/core/rng.hpp"

namespace muster::run {

Congestion::Congestion(const RunSpec& spec, fabric::Network& network, const Members& members)
    : spec_(spec),
      network_(network),
      members_(members),
      links_(spec.graph->switches(), 0),
      next_(spec.groups.size(), 0),
      held_(spec.graph->switches(), 0),
      written_(spec.graph->switches(), 0) {
  for (const RunGroup& group : spec.groups)
    if (group.members.size() < spec.congestion->members)
      throw InputError(fmt::format("--congestion: {} members requested, group '{}' has {}",
                                   spec.congestion->members, group.name, group.members.size()));
  for (const topology::Link& link : spec.graph->links())
    for (const topology::PortRef& end : {link.a, link.b}) links_[end.sw] |= 1u << end.port;
}

void Congestion::step(std::uint64_t cycle) {
  changed_.clear();
  while (!ends_.empty() && ends_.top().cycle <= cycle) {
    --held_[ends_.top().sw];
    changed_.push_back(ends_.top().sw);
    ends_.pop();
  }
  for (std::uint32_t g = 0; g < next_.size(); ++g)
    while (next_[g] < spec_.barriers && members_.rounds(g)[next_[g]].arrivals != 0)
      begin(cycle, g, next_[g]++);
  for (const topology::SwitchId s : changed_) {
    const bool held = held_[s] != 0;
    if (held == (written_[s] != 0)) continue;
    written_[s] = held;
    network_.write_to_switch(s, fabric::registers::kHold, held ? links_[s] : 0);
  }
}

/// Draws the members anew.
void Congestion::begin(std::uint64_t cycle, std::uint32_t group, std::uint32_t barrier) {
  std::vector<topology::NodeId> nodes = spec_.groups[group].members;
  Rng rng(mix64(spec_.seed) ^ barrier, group);
  for (std::uint32_t i = 0; i < spec_.congestion->members; ++i) {
    std::swap(nodes[i], nodes[i + rng.below(nodes.size() - i)]);
    const topology::SwitchId s = spec_.graph->node(nodes[i]).at.sw;
    ++held_[s];
    ends_.push({cycle + spec_.congestion->cycles, s});
    changed_.push_back(s);
  }
}

}  // namespace muster::run
