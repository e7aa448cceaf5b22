// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "muster/systems/packets.hpp"
#include "systems/packets/unicast_scheme.hpp"

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

}  // namespace muster::packets
