// SPDX-License-Identifier: Apache-2.0
#include "systems/preempt/bsr_tree.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "muster/core/error.hpp"
#include "muster/topology/group_spec.hpp"
#include "topology/route_walk.hpp"

namespace muster::preempt {

using topology::Graph;
using topology::NodeId;
using topology::Routes;
using topology::SwitchId;
using topology::WaysTo;

namespace {

/// An edge of the BS tree, by the input port of the switch nearer to the center.
struct Edge {
  SwitchId parent;
  std::uint32_t port;
  SwitchId child;
};

}  // namespace

BsrTree build_bsr_tree(const Graph& graph, const Routes& routes, std::span<const NodeId> members,
                       NodeId center) {
  BsrTree tree;
  tree.members = topology::sorted_members(graph, members);
  if (!std::binary_search(tree.members.begin(), tree.members.end(), center))
    throw InputError(fmt::format("node {} cannot be the center: it is not a member", center));
  tree.center = center;
  tree.center_switch = graph.node(center).at.sw;
  tree.switches.resize(graph.switches());

  WaysTo ways(graph, routes, tree.center_switch);
  std::vector<Edge> edges;  // each after those between it and the center
  std::vector<std::uint32_t> fan_in(graph.switches(), 0);
  tree.switches[tree.center_switch].in_tree = true;
  for (const NodeId n : tree.members) {
    const topology::PortRef at = graph.node(n).at;
    tree.switches[at.sw].locals |= static_cast<std::uint16_t>(1u << at.port);
    ways.walk(at.sw, [&](SwitchId parent, std::uint32_t port, SwitchId child) {
      edges.push_back({parent, port, child});
      tree.switches[child].in_tree = true;
      tree.switches[child].level = tree.switches[parent].level + 1;
      tree.height = std::max(tree.height, tree.switches[child].level);
      ++fan_in[parent];
    });
  }
  tree.edges = static_cast<std::uint32_t>(edges.size());
  for (SwitchId s = 0; s < graph.switches(); ++s)
    tree.switches[s].bsr_node = tree.switches[s].locals != 0 || fan_in[s] > 1;

  // The BSR node at or next below each switch: a switch that is none has one edge below it.
  std::vector<SwitchId> below(graph.switches(), 0);
  for (SwitchId s = 0; s < graph.switches(); ++s) below[s] = s;
  for (auto edge = edges.rbegin(); edge != edges.rend(); ++edge) {
    BsrSwitch& parent = tree.switches[edge->parent];
    if (parent.bsr_node) {
      parent.children.push_back({edge->port, below[edge->child]});
      tree.switches[below[edge->child]].parent = edge->parent;
    } else {
      below[edge->parent] = below[edge->child];
    }
  }
  for (BsrSwitch& s : tree.switches)
    std::sort(s.children.begin(), s.children.end(),
              [](const BsrChild& a, const BsrChild& b) { return a.port < b.port; });
  return tree;
}

}  // namespace muster::preempt
