// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <compare>

#include "fabric/register_map.hpp"
#include "muster/core/outputs.hpp"
#include "muster/systems/btin.hpp"

namespace muster::run {
class Command;
}

namespace muster::btin {

/// Delays of BTIN section 5.1 in nanoseconds; the defaults are those of Figure 6.
struct BtinDelays {
  std::uint64_t startup_ns = 2000;  ///< t_s, software and DMA, once a phase
  std::uint64_t link_ns = 20;       ///< t_p, one link
  std::uint64_t router_ns = 300;    ///< t_r, one switch or network interface
};

/// Latency of one barrier by the paper's formula, both phases, without contention:
/// 2 (t_s + d t_p + (d + 1) t_r), with d = height + 2 links from the deepest node to the root node
/// and d + 1 = height + 1 switches and two network interfaces. With the defaults
/// 5880 + 640 height. The formula has no case for a group of one, which needs no message.
constexpr std::uint64_t btin_latency_ns(std::uint64_t height, const BtinDelays& delays = {}) {
  const std::uint64_t distance = height + 2;
  return 2 * (delays.startup_ns + distance * delays.link_ns + (distance + 1) * delays.router_ns);
}

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
  core::PortMask child_mask = 0;  ///< ports of child switches and members here, root node too
  std::vector<NodeId> members;    ///< local member nodes by port; the first is the representative
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

/// The tree around the best root switch, or around `root`. That of a group of one is around the
/// member's switch, whatever switch is given.
///
/// Both functions throw InputError if the group is empty, names a node that is not there or one
/// twice, or if no path joins its members; plan_tree also if `root` cannot be the root.
BarrierTree plan_tree(const Graph& graph, std::span<const NodeId> members,
                      Roots roots = Roots::kMembers, std::optional<SwitchId> root = std::nullopt);

/// Links that the messages of one barrier traverse in both phases, node links included. Each edge
/// and each member's link carries one message up and one down, with `reflect` or without: without
/// it the root node's link carries the notification to it and the distribution message from it,
/// with it the reduction message from it and the release to it. 0 for a group of one.
std::uint32_t hops(const BarrierTree& tree);

/// Microseconds of one barrier by the formula of BTIN section 5.1 with its default delays; 0 for a
/// group of one.
double paper_latency_us(const BarrierTree& tree);

using fabric::BarrierMessage;
using fabric::MessageType;
using fabric::Payload;
using fabric::RegisterImage;
namespace regs = fabric::registers;

/// Of a field of 12 bits at most (docs/reference/formats.md).
inline constexpr std::uint32_t kMaxGid = 4095;

/// One image for every switch of the tree, root first; none for a group of one, whose member is
/// released at once. Throws InputError if `gid` is above kMaxGid.
std::vector<RegisterImage> register_images(const BarrierTree& tree, std::uint32_t gid, bool reflect,
                                           fabric::ReduceOp op = fabric::ReduceOp::kOr);

/// The control word of a register that holds `image`, in a register that repeats of this epoch.
std::uint32_t control_word(const RegisterImage& image, std::uint32_t epoch = 0);

/// Writes the words of a register at a switch of so many ports: children before the control word,
/// from which on it is in use.
template <class Write>
void write_words(const RegisterImage& image, std::uint32_t place, std::uint32_t ports,
                 Write&& write, std::uint32_t epoch = 0) {
  fabric::registers::write_mask(
      fabric::registers::children(place), image.child_mask, ports,
      [&](std::uint32_t address, std::uint32_t value) { write(image.sw, address, value); });
  write(image.sw, fabric::registers::control(place), control_word(image, epoch));
}

/// A group that is to be alive together with others.
struct PlannedGroup {
  std::string name;
  std::uint32_t gid = 0;
  bool reflect = false;
  BarrierTree tree;
  fabric::ReduceOp op = fabric::ReduceOp::kOr;  ///< on the members' data
  std::optional<SwitchId> root = std::nullopt;  ///< chosen by hand
};

/// Those of a group; of all groups, one after the other.
inline std::vector<RegisterImage> register_images(const PlannedGroup& group) {
  return register_images(group.tree, group.gid, group.reflect, group.op);
}
std::vector<RegisterImage> register_images(std::span<const PlannedGroup> groups);

/// Plans the tree of a group whose name, `reflect` and `root` are set. `organized`: its root node
/// sets it up by messages, and is at the root switch even if that reflects. Throws InputError as
/// plan_tree, which names --root if that was given.
void plan_group(PlannedGroup& group, const Graph& graph, std::span<const NodeId> members,
                bool organized = false);

/// Which group takes which barrier register of each switch: by group, within a group root first.
using RegisterPlan = std::vector<RegisterSlot>;

/// Registers that each switch must have for all groups at once. All trees are of one network.
std::vector<std::uint32_t> registers_needed(std::span<const PlannedGroup> groups);

/// Which group stands where in switches with `places` groups in block RAM: each at the place of its
/// identifier. Throws InputError if one is above what there is.
RegisterPlan plan_places(std::span<const PlannedGroup> groups, std::uint32_t places);

/// Gives each group the lowest free register of every switch of its tree, groups in their order.
/// Every switch has `registers` of them, enough for all groups. Throws InputError if an identifier
/// is above `max_gid`. `spill_ports`: by switch, not 0 if groups that find no register are spilled
/// there; may be empty.
RegisterPlan plan_registers(std::span<const PlannedGroup> groups, std::uint32_t registers,
                            std::uint32_t max_gid = kMaxGid,
                            std::span<const core::PortMask> spill_ports = {});

/// Sets the labels of all registers of a plan, none of which is spilled
/// (docs/systems/barrier-switch.md, Labels).
void plan_labels(const Graph& graph, RegisterPlan& plan);

/// The planned tree of one group for people: a summary, then a drawing with one line per switch
/// (its number, the link to its parent, its member nodes), `most_lines` of them. UTF-8, ends with a
/// newline. `group.tree` must be of `graph`.
std::string tree_text(const Graph& graph, const PlannedGroup& group, std::size_t most_lines = -1);

/// The planned tree of one group as JSON, schema `muster-tree-1`. `group.tree` must be of `graph`.
/// Ends with a newline.
std::string tree_json(const Graph& graph, const PlannedGroup& group, const Provenance& origin);

/// The network for Graphviz with the tree of a group drawn into it: tree edges as arrows from
/// parent to child, the root switch and root node marked, member nodes filled, all else faint. Best
/// with `neato`. `group.tree` must be of `graph`.
std::string tree_dot(const Graph& graph, const PlannedGroup& group);

/// `muster tree`: the barrier tree of a group, planned and not run.
std::unique_ptr<run::Command> tree_command();

}  // namespace muster::btin
