// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>

#include "muster/core/error.hpp"
#include "muster/topology/group_spec.hpp"
#include "topology/route_walk.hpp"

namespace muster::preempt {

/// The next BSR node behind an input port.
struct BsrChild {
  std::uint32_t port = 0;
  topology::SwitchId sw = 0;
  friend bool operator==(const BsrChild&, const BsrChild&) = default;
};

/// What one switch of the network is in the tree of a group.
struct BsrSwitch {
  bool in_tree = false;                           ///< on the BS tree
  bool bsr_node = false;                          ///< has a member, or the BS tree branches here
  std::uint32_t level = 0;                        ///< links between switches to the center's switch
  std::uint16_t locals = 0;                       ///< ports of member nodes
  std::vector<BsrChild> children = {};            ///< of a BSR node, ascending by port
  std::optional<topology::SwitchId> parent = {};  ///< of a BSR node but the center's switch
  friend bool operator==(const BsrSwitch&, const BsrSwitch&) = default;
};

/// The BS tree of a group, the union of the deterministic routes from the members' switches to the
/// center's switch, and the BSR tree on it (section 2 of the paper, Definitions 1 and 2), planned
/// from the routes: what the messages of the first barrier must find.
struct BsrTree {
  topology::NodeId center = 0;
  topology::SwitchId center_switch = 0;
  std::vector<topology::NodeId> members;  ///< ascending
  std::uint32_t height = 0;               ///< links between switches, the deepest to the center's
  std::uint32_t edges = 0;                ///< links between switches of the BS tree
  std::vector<BsrSwitch> switches;        ///< one for each switch of the network

  /// Links that the messages of a barrier traverse in both phases after the first if each takes
  /// its deterministic route up, and a route as long down; node links included.
  std::uint32_t hops() const { return 2 * (edges + static_cast<std::uint32_t>(members.size())); }
};

/// The tree around a given center. Throws InputError if the group is empty, names a node that is
/// not there or one twice, or if the center is no member. REQUIRES: delivery_fault(graph, routes)
/// finds none, and the deterministic routes to a switch are a tree, as routes_for() makes them.
inline BsrTree build_bsr_tree(const topology::Graph& graph, const topology::Routes& routes,
                              std::span<const topology::NodeId> members, topology::NodeId center) {
  /// An edge of the BS tree, by the input port of the switch nearer to the center.
  struct Edge {
    topology::SwitchId parent;
    std::uint32_t port;
    topology::SwitchId child;
  };
  BsrTree tree;
  tree.members = topology::sorted_members(graph, members);
  if (!std::binary_search(tree.members.begin(), tree.members.end(), center))
    throw InputError("node {} cannot be the center: it is not a member", center);
  tree.center = center;
  tree.center_switch = graph.node(center).at.sw;
  tree.switches.resize(graph.switches());

  topology::WaysTo ways(graph, routes, tree.center_switch);
  std::vector<Edge> edges;  // each after those between it and the center
  std::vector<std::uint32_t> fan_in(graph.switches(), 0);
  tree.switches[tree.center_switch].in_tree = true;
  for (const topology::NodeId n : tree.members) {
    const topology::PortRef at = graph.node(n).at;
    tree.switches[at.sw].locals |= static_cast<std::uint16_t>(core::port_bit(at.port));
    ways.walk(at.sw, [&](topology::SwitchId parent, std::uint32_t port, topology::SwitchId child) {
      edges.push_back({parent, port, child});
      tree.switches[child].in_tree = true;
      tree.switches[child].level = tree.switches[parent].level + 1;
      tree.height = std::max(tree.height, tree.switches[child].level);
      ++fan_in[parent];
    });
  }
  tree.edges = static_cast<std::uint32_t>(edges.size());
  for (topology::SwitchId s = 0; s < graph.switches(); ++s)
    tree.switches[s].bsr_node = tree.switches[s].locals != 0 || fan_in[s] > 1;

  // The BSR node at or next below each switch: a switch that is none has one edge below it.
  std::vector<topology::SwitchId> below(graph.switches(), 0);
  for (topology::SwitchId s = 0; s < graph.switches(); ++s) below[s] = s;
  for (auto edge = edges.rbegin(); edge != edges.rend(); ++edge) {
    BsrSwitch& parent = tree.switches[edge->parent];
    if (parent.bsr_node) {
      parent.children.push_back({edge->port, below[edge->child]});
      tree.switches[below[edge->child]].parent = edge->parent;
    } else {
      below[edge->parent] = below[edge->child];
    }
  }
  for (BsrSwitch& s : tree.switches) std::ranges::sort(s.children, {}, &BsrChild::port);
  return tree;
}

}  // namespace muster::preempt
