// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "muster/topology/graph.hpp"
#include "muster/topology/routes.hpp"

namespace muster::packets {

/// The tree of the switches that have members of a group (docs/systems/unit-switch.md, The tree).
struct UnitTree {
  /// A switch in it; place 0 is the center's, the others follow in switch-based order.
  struct Unit {
    topology::SwitchId sw = 0;
    std::uint32_t parent = 0;             ///< place; the root's is itself
    std::vector<std::uint32_t> children;  ///< places, in the order in which they are told
    std::uint16_t locals = 0;             ///< ports of members
  };
  std::vector<topology::NodeId> members;  ///< ascending
  std::vector<Unit> units;
};

/// Throws InputError if the group is empty, names a node that is not there or one twice, or if the
/// center is no member.
UnitTree plan_unit_tree(const topology::Graph& graph, std::span<const topology::NodeId> members,
                        topology::NodeId center);

/// Links that the messages of one barrier traverse, node links included.
std::uint32_t unit_tree_hops(const topology::Graph& graph, const topology::Routes& routes,
                             const UnitTree& tree);

}  // namespace muster::packets
