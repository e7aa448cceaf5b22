// SPDX-License-Identifier: Apache-2.0
#include "run/deaths/hit_groups.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace muster::run {

HitGroups::HitGroups(const RunSpec& spec, const SchemePlan& plan, const fabric::Layout& layout,
                     const Members& members)
    : graph_(*spec.graph),
      groups_(spec.groups),
      plan_(plan),
      layout_(layout),
      members_(members),
      hits_(spec.groups.size()) {}

bool HitGroups::has(std::uint32_t group, const Death& death, const topology::Routes& routes) const {
  const std::vector<topology::NodeId>& members = groups_[group].members;
  if (death.node) return std::find(members.begin(), members.end(), death.id) != members.end();
  const checkers::Loss loss{.id = death.id, .link = death.link};
  const std::vector<topology::PortRef> ports = plan_.ports(group, routes);
  return std::any_of(ports.begin(), ports.end(),
                     [&](const topology::PortRef& port) { return loss.at(layout_, port); });
}

void HitGroups::lose(const Death& death, const topology::Routes& routes) {
  for (std::uint32_t g = 0; g < groups_.size(); ++g)
    if (!hits_[g] && !members_.done(g) && has(g, death, routes)) hits_[g] = death;
}

bool HitGroups::all_given_up(std::uint64_t cycle, std::uint64_t limit) const {
  for (std::uint32_t g = 0; g < groups_.size(); ++g) {
    if (members_.done(g)) continue;
    if (!hits_[g] || members_.scheduled(g) != 0) return false;
    if (cycle - std::max(members_.last_event(g), hits_[g]->cycle) <= limit) return false;
  }
  return true;
}

void HitGroups::fill(Casualties& casualties) const {
  for (std::uint32_t g = 0; g < groups_.size(); ++g) {
    if (!hits_[g]) {
      casualties.untouched.push_back(groups_[g].name);
      continue;
    }
    const bool recovered =
        std::any_of(casualties.recovered.begin(), casualties.recovered.end(),
                    [&](const Casualties::Recovery& r) { return r.group == g && r.recovered; });
    casualties.groups_hit.push_back({.group = g,
                                     .culprit = name_of(graph_, *hits_[g]),
                                     .cycle = hits_[g]->cycle,
                                     .barriers = members_.current(g),
                                     .last = members_.last_event(g),
                                     .complete = members_.done(g),
                                     .recovered = recovered});
  }
}

std::string block_name(bool node, std::uint32_t id) {
  return fmt::format("{}{}", node ? "n" : "sw", id);
}

std::string name_of(const topology::Graph& graph, const Death& death) {
  if (!death.link) return block_name(death.node, death.id);
  const auto port = [](const topology::PortRef& p) { return fmt::format("{}:{}", p.sw, p.port); };
  const auto links = static_cast<std::uint32_t>(graph.links().size());
  if (death.id >= links) {
    const topology::NodeId node = death.id - links;
    return fmt::format("{}-n{}", port(graph.node(node).at), node);
  }
  const topology::Link& link = graph.links()[death.id];
  return fmt::format("{}-{}", port(link.a), port(link.b));
}

}  // namespace muster::run
