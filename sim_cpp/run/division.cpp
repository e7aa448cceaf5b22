// SPDX-License-Identifier: Apache-2.0
#include "run/division.hpp"

#include <algorithm>
#include <cmath>

#include "muster/fabric/layout.hpp"
#include "topology/divide.hpp"

namespace muster::run {
namespace {

/// What home does for a switch in a cycle under load, nodes, links and observers, in clocks of a
/// switch; from docs/reference/performance.md, where the harness and the checkers add 6 and 2 % to
/// RTL, and golden is 27 times faster, most of which is home. It decides how long a run takes, and
/// nothing else.
double home_work(const RunSpec& spec) {
  if (!spec.engine->has_models()) return 4.0;
  return spec.checkers ? 0.08 : 0.06;
}

std::vector<std::uint32_t> sizes_of_parts(const RunSpec& spec) {
  const std::uint32_t switches = spec.graph->switches(), ranks = spec.ranks->count();
  const double home = home_work(spec) * switches;
  const double mine = std::round((switches + home) / ranks - home);
  std::vector<std::uint32_t> sizes(ranks, ranks == 1 ? switches : 0);
  if (ranks == 1) return sizes;
  sizes[0] = static_cast<std::uint32_t>(std::max(mine, 0.0));
  const std::uint32_t rest = switches - sizes[0], others = ranks - 1;
  for (std::uint32_t r = 1; r < ranks; ++r) sizes[r] = rest * r / others - rest * (r - 1) / others;
  return sizes;
}

}  // namespace

fabric::Division divide_network(const RunSpec& spec) {
  const topology::Graph& graph = *spec.graph;
  fabric::Division division{topology::divide(graph, sizes_of_parts(spec)), {}, {}};
  for (const topology::Node& node : graph.node_list())
    division.devices.push_back(division.switches[node.at.sw]);
  const fabric::Layout layout(graph);
  for (const fabric::Channel& channel : layout.channels())
    division.ends.push_back(division.switches[(channel.from.node ? channel.to : channel.from).id]);
  return division;
}

}  // namespace muster::run
