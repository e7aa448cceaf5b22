// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "muster/topology/graph.hpp"

/// The reconstruction of Figure 1 of the BTIN paper, built by its rule: on every switch links take
/// the lowest ports in order of the neighbour's identifier, nodes the next ones. It is made here
/// once more so that a mistake in topologies/figure1.json cannot hide one in the planner.
inline muster::topology::Graph figure1_graph() {
  using namespace muster::topology;
  constexpr std::array<std::pair<SwitchId, SwitchId>, 12> kLinks{{{3, 0},
                                                                  {3, 1},
                                                                  {3, 6},
                                                                  {3, 7},
                                                                  {1, 4},
                                                                  {1, 5},
                                                                  {0, 1},
                                                                  {0, 6},
                                                                  {1, 7},
                                                                  {2, 8},
                                                                  {4, 8},
                                                                  {5, 7}}};
  constexpr std::array<unsigned, 9> kNodes{3, 2, 3, 4, 3, 3, 3, 2, 3};
  std::vector<std::vector<SwitchId>> neighbours(kNodes.size());
  for (const auto& [a, b] : kLinks) {
    neighbours[a].push_back(b);
    neighbours[b].push_back(a);
  }
  for (auto& list : neighbours) std::sort(list.begin(), list.end());
  const auto port_to = [&](SwitchId from, SwitchId to) {
    const auto& list = neighbours[from];
    return static_cast<std::uint32_t>(std::find(list.begin(), list.end(), to) - list.begin());
  };
  Graph graph;
  graph.name = "figure1";
  for (std::size_t s = 0; s < kNodes.size(); ++s) graph.add_switch(8);
  for (const auto& [a, b] : kLinks) graph.add_link({a, port_to(a, b)}, {b, port_to(b, a)});
  for (SwitchId s = 0; s < kNodes.size(); ++s)
    for (std::uint32_t i = 0; i < kNodes[s]; ++i)
      graph.add_node({s, static_cast<std::uint32_t>(neighbours[s].size()) + i});
  return graph;
}

/// All nodes of switches 0, 4 and 5, and (3,4), (3,6), (6,2), (6,3), (7,3).
inline std::vector<muster::topology::NodeId> figure1_members(const muster::topology::Graph& graph) {
  std::vector<muster::topology::NodeId> members;
  for (muster::topology::NodeId n = 0; n < graph.nodes(); ++n) {
    const auto sw = graph.node(n).at.sw;
    if (sw == 0 || sw == 4 || sw == 5) members.push_back(n);
  }
  for (const muster::topology::PortRef at :
       {muster::topology::PortRef{3, 4}, {3, 6}, {6, 2}, {6, 3}, {7, 3}})
    members.push_back(graph.node_at(at).value());
  return members;
}
