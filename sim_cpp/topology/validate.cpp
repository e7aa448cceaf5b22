// SPDX-License-Identifier: Apache-2.0
#include "topology/validate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "muster/core/error.hpp"
#include "muster/topology/routes.hpp"
#include "topology/routes/mesh.hpp"

namespace muster::topology {

namespace {

void check_levels(const Graph& graph) {
  if (graph.levels.empty()) return;
  if (graph.mesh)
    throw InputError("levels: a mesh has X-Y routes, not levels; remove levels or mesh");
  if (graph.levels.size() != graph.switches())
    throw InputError(fmt::format("levels: {} for {} switches; give one per switch",
                                 graph.levels.size(), graph.switches()));
  for (const Link& link : graph.links()) {
    const auto [high, low] = std::minmax(graph.levels[link.a.sw], graph.levels[link.b.sw]);
    if (low - high != 1)
      throw InputError(
          fmt::format("levels: switches {} and {} are linked and have levels {} and {}; levels of "
                      "neighbours must differ by 1",
                      link.a.sw, link.b.sw, graph.levels[link.a.sw], graph.levels[link.b.sw]));
  }
}

}  // namespace

void check_network(const Graph& graph) {
  if (graph.switches() == 0)
    throw InputError("switches: the list is empty; a network has at least one");
  if (graph.nodes() == 0) throw InputError("nodes: the list is empty; a network has at least one");
  const std::vector<std::uint32_t> level = bfs_levels(graph, 0);
  for (SwitchId s = 0; s < graph.switches(); ++s)
    if (level[s] == kUnreachable)
      throw InputError(fmt::format(
          "links: the network is not connected, switch {} cannot be reached from switch 0; add a "
          "link or remove the switch",
          s));
  check_levels(graph);
  if (!graph.mesh) return;
  if (const auto fault = mesh_fault(graph))
    throw InputError(fmt::format("mesh: {}; correct it or remove the field", *fault));
}

}  // namespace muster::topology
