// SPDX-License-Identifier: Apache-2.0
#include "muster/topology/center.hpp"

#include <algorithm>
#include <limits>
#include <vector>

#include "muster/core/rng.hpp"
#include "topology/files/member_list.hpp"
#include "topology/routes/ways_to.hpp"

namespace muster::topology {

namespace {
std::uint32_t farthest(const Graph& graph, const Routes& routes, const std::vector<NodeId>& members,
                       SwitchId center_switch) {
  WaysTo ways(graph, routes, center_switch);
  std::uint32_t most = 0;
  for (const NodeId n : members)
    most = std::max(most, ways.walk(graph.node(n).at.sw, [](SwitchId, std::uint32_t, SwitchId) {}));
  return most;
}
}  // namespace

NodeId choose_center(const Graph& graph, const Routes& routes, std::span<const NodeId> members,
                     CenterChoice choice, std::uint64_t seed) {
  const std::vector<NodeId> sorted = topology::sorted_members(graph, members);
  if (choice == CenterChoice::kLowest) return sorted.front();
  if (choice == CenterChoice::kRandom) return sorted[Rng(seed).below(sorted.size())];
  NodeId best = sorted.front();
  std::uint32_t least = std::numeric_limits<std::uint32_t>::max();
  std::vector<bool> tried(graph.switches(), false);
  for (const NodeId n : sorted) {
    const SwitchId s = graph.node(n).at.sw;
    if (tried[s]) continue;  // as far as the lower node there
    tried[s] = true;
    const std::uint32_t distance = farthest(graph, routes, sorted, s);
    if (distance < least) {
      least = distance;
      best = n;
    }
  }
  return best;
}

}  // namespace muster::topology
