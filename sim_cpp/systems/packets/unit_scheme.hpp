// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "muster/run/plan.hpp"
#include "muster/run/run.hpp"
#include "muster/systems/packets.hpp"
#include "muster/topology/graph.hpp"
#include "muster/topology/routes.hpp"
#include "systems/packets/unicast_scheme.hpp"
#include "systems/switch_kinds.hpp"

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

inline constexpr const char* kUnitScheme = "tree-units";
inline constexpr std::uint32_t kMostUnitBuffer = 5;  ///< messages: queues have 16 flits at most

/// The tree barrier of barrier units in the switches, [4] of the paper on preempting switches
/// (docs/systems/unit-switch.md).
class UnitPlan : public PacketPlan {
 public:
  /// Throws InputError for members that are none, for options that packets have no use for, and for
  /// a switch with members of more groups than it can have entries.
  explicit UnitPlan(const run::ResolvedRun& run);

  void require(fabric::Requirement& need, const run::Available& available) const override;
  const fabric::SwitchKind& switch_kind() const override { return kUnitSwitch; }
  std::unique_ptr<const run::CheckedGroups> checked() const override;
  std::unique_ptr<run::Scheme> start(const run::SchemeParts& parts) const override;

 private:
  Spec choice_;
  std::vector<UnitTree> trees_;
  std::uint32_t entries_ = 1;
};

/// The nodes: a member sends its arrival to its own switch and is released by it.
class UnitScheme : public PacketScheme {
 public:
  UnitScheme(const std::vector<UnitTree>& trees, const Spec& choice, const run::SchemeParts& parts);

  void arrive(std::uint64_t cycle, std::uint32_t group, std::uint32_t member) override;
  std::string explain(std::uint32_t group) const override;

 private:
  struct Member {
    std::uint32_t barrier = 0;  ///< that it waits for or goes to next
    bool waiting = false;       ///< arrived, not released
  };
  static constexpr std::size_t kShown = 8;  ///< switches in a report
  void load_entries(const Spec& choice);
  bool expected(const fabric::BarrierPacket& packet) const override;
  void take(std::uint64_t cycle, const fabric::BarrierPacket& packet) override;
  /// The address of a node's switch.
  std::uint32_t switch_of(topology::NodeId node) const {
    return spec_.graph->nodes() + spec_.graph->node(node).at.sw;
  }
  std::string describe_units(std::uint32_t group) const;

  const std::vector<UnitTree>& trees_;
  std::vector<std::vector<Member>> states_;  ///< by group and member
};

}  // namespace muster::packets
