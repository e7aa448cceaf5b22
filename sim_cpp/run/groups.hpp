// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "muster/run/members.hpp"

namespace muster::run {

/// The center of group `g`, chosen as the run says.
inline topology::NodeId center_of(const RunSpec& spec, std::uint32_t g) {
  return topology::choose_center(*spec.graph, *spec.routes, spec.groups[g].members,
                                 spec.center.value_or(topology::CenterChoice::kNearest),
                                 spec.seed + g);
}

/// "; what: n3, n7", or nothing if there are no nodes.
inline std::string nodes_text(const topology::Graph& graph, const char* what,
                              std::span<const topology::NodeId> nodes) {
  std::vector<std::string> names;
  for (const topology::NodeId n : nodes) names.push_back(topology::node_number_text(graph, n));
  return names.empty() ? "" : fmt::format("; {}: {}", what, fmt::join(names, ", "));
}

/// Since when group `g`, of these nodes, makes no progress; `state` comes behind that, then the
/// members that have not arrived.
inline std::string stalled_text(const RunSpec& spec, const Members& members, std::uint32_t g,
                                std::span<const topology::NodeId> nodes, const std::string& state) {
  const std::uint32_t barrier = members.current(g);
  std::vector<topology::NodeId> missing;
  for (const std::uint32_t m : members.missing(g, barrier)) missing.push_back(nodes[m]);
  return fmt::format("group '{}' makes no progress at barrier {} since cycle {}{}{}",
                     spec.groups[g].name, barrier, members.last_event(g), state,
                     nodes_text(*spec.graph, "members that have not arrived", missing));
}

}  // namespace muster::run
