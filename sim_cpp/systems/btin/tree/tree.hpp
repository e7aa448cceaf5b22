// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "muster/topology/graph.hpp"

namespace muster::btin {

using topology::Graph;
using topology::NodeId;
using topology::SwitchId;

/// An edge of the tree and the link that carries it.
struct TreeEdge {
  SwitchId parent = 0, child = 0;
  std::uint32_t parent_port = 0, child_port = 0;
  friend bool operator==(const TreeEdge&, const TreeEdge&) = default;
};

/// What one switch of the network is in the tree.
struct TreeSwitch {
  bool in_tree = false;
  std::uint32_t level = 0;  ///< edges from the root switch
  /// Towards the parent; at the root switch the root node's port, 0 without one.
  std::uint32_t parent_port = 0;
  std::uint16_t child_mask = 0;  ///< ports of child switches and members here, root node too
  std::vector<NodeId> members;   ///< local member nodes by port; the first is the representative
};

/// The barrier tree of a group (BTIN section 3.1), after pruning. It depends on the network and on
/// the set of members only, not on their order: every member plans the same one.
struct BarrierTree {
  SwitchId root_switch = 0;
  /// The representative of the root switch; if that has no member, the first member, which is one
  /// like the others.
  NodeId root_node = 0;
  std::uint32_t height = 0;               ///< edges from the root switch to the deepest leaf
  std::uint32_t deepest_leaves = 0;       ///< switches on level `height`
  std::vector<TreeEdge> edges;            ///< in the order in which BFS found them
  std::vector<NodeId> members;            ///< ascending
  std::vector<SwitchId> member_switches;  ///< ascending
  std::vector<SwitchId> pruned;           ///< switches the BFS tree had and this has not
  std::vector<SwitchId> order;            ///< switches of the tree in BFS order, root first
  std::vector<TreeSwitch> switches;       ///< one per switch of the network

  /// A group of one needs no switch: its member is released at once.
  bool alone() const { return members.size() == 1; }
  /// The root switch has a member, which can answer in its place.
  bool has_root_node() const { return !switches[root_switch].members.empty(); }
};

/// How good a root switch is. The order of the fields is the order of the comparison, less is
/// better: height, then a switch with members before one without, edges, leaves on the deepest
/// level, all after pruning, then the identifier.
struct RootCandidate {
  std::uint32_t height = 0;
  bool without_member = false;
  std::uint32_t edges = 0, deepest_leaves = 0;
  SwitchId root_switch = 0;
  friend auto operator<=>(const RootCandidate&, const RootCandidate&) = default;
};

/// Which switches can be the root.
enum class Roots : std::uint8_t {
  kMembers,  ///< those with a member: one of them answers, or organizes the group
  kAll,      ///< all that the members can reach: the root switch reflects
};

/// Every switch that can be the root, ascending by identifier.
std::vector<RootCandidate> root_candidates(const Graph& graph, std::span<const NodeId> members,
                                           Roots roots = Roots::kMembers);

/// The tree around a given switch. That of a group of one is around the member's switch, whatever
/// switch is given.
BarrierTree build_tree(const Graph& graph, std::span<const NodeId> members, SwitchId root_switch,
                       Roots roots = Roots::kMembers);

/// The tree around the best root switch.
///
/// All three functions throw InputError if the group is empty, names a node that is not there or
/// one twice, or if no path joins its members; build_tree also if the switch cannot be the root.
BarrierTree plan_tree(const Graph& graph, std::span<const NodeId> members,
                      Roots roots = Roots::kMembers);

/// The tree around `root` if there is one, else around the best root switch.
BarrierTree plan_tree(const Graph& graph, std::span<const NodeId> members, Roots roots,
                      std::optional<SwitchId> root);

/// Links that the messages of one barrier traverse in both phases, node links included. Each edge
/// and each member's link carries one message up and one down, with `reflect` or without: without
/// it the root node's link carries the notification to it and the distribution message from it,
/// with it the reduction message from it and the release to it. 0 for a group of one.
std::uint32_t hops(const BarrierTree& tree);

}  // namespace muster::btin
