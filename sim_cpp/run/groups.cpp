// SPDX-License-Identifier: Apache-2.0
#include "run/groups.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "muster/topology/group_spec.hpp"

namespace muster::run {

using topology::NodeId;

NodeId center_of(const RunSpec& spec, std::uint32_t g) {
  return topology::choose_center(*spec.graph, *spec.routes, spec.groups[g].members,
                                 spec.center.value_or(topology::CenterChoice::kNearest),
                                 spec.seed + g);
}

std::string nodes_text(const topology::Graph& graph, const char* what,
                       std::span<const NodeId> nodes) {
  std::vector<std::string> names;
  for (const NodeId n : nodes) names.push_back(topology::node_number_text(graph, n));
  return names.empty() ? "" : fmt::format("; {}: {}", what, fmt::join(names, ", "));
}

std::string stalled_text(const RunSpec& spec, const Members& members, std::uint32_t g,
                         std::span<const NodeId> nodes, const std::string& state) {
  const std::uint32_t barrier = members.current(g);
  std::vector<NodeId> missing;
  for (const std::uint32_t m : members.missing(g, barrier)) missing.push_back(nodes[m]);
  return fmt::format("group '{}' makes no progress at barrier {} since cycle {}{}{}",
                     spec.groups[g].name, barrier, members.last_event(g), state,
                     nodes_text(*spec.graph, "members that have not arrived", missing));
}

}  // namespace muster::run
