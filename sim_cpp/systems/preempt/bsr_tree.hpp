// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "muster/topology/graph.hpp"
#include "muster/topology/routes.hpp"

namespace muster::preempt {

/// The next BSR node behind an input port.
struct BsrChild {
  std::uint32_t port = 0;
  topology::SwitchId sw = 0;
  friend bool operator==(const BsrChild&, const BsrChild&) = default;
};

/// What one switch of the network is in the tree of a group.
struct BsrSwitch {
  bool in_tree = false;                      ///< on the BS tree
  bool bsr_node = false;                     ///< has a member, or the BS tree branches here
  std::uint32_t level = 0;                   ///< links between switches to the center's switch
  std::uint16_t locals = 0;                  ///< ports of member nodes
  std::vector<BsrChild> children;            ///< of a BSR node, ascending by port
  std::optional<topology::SwitchId> parent;  ///< of a BSR node but the center's switch
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
BsrTree build_bsr_tree(const topology::Graph& graph, const topology::Routes& routes,
                       std::span<const topology::NodeId> members, topology::NodeId center);

}  // namespace muster::preempt
