// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "muster/systems/btin.hpp"
#include "systems/btin/tree/register_image.hpp"
#include "systems/btin/tree/tree.hpp"

namespace muster::btin {

/// A group that is to be alive together with others.
struct PlannedGroup {
  std::string name;
  std::uint32_t gid = 0;
  bool reflect = false;
  BarrierTree tree;
  fabric::ReduceOp op = fabric::ReduceOp::kOr;  ///< on the members' data
  std::optional<SwitchId> root = std::nullopt;  ///< chosen by hand
};

/// Plans the tree of a group whose name, `reflect` and `root` are set. `organized`: its root node
/// sets it up by messages, and is at the root switch even if that reflects. Throws InputError as
/// build_tree, which names --root if that was given.
void plan_group(PlannedGroup& group, const Graph& graph, std::span<const NodeId> members,
                bool organized = false);

/// Which group takes which barrier register of each switch.
struct RegisterPlan {
  std::vector<RegisterSlot> slots;  ///< by group, within a group root first
  std::vector<std::uint32_t> used;  ///< registers in use, one per switch of the network
};

/// Registers that each switch must have for all groups at once. All trees are of one network.
std::vector<std::uint32_t> registers_needed(std::span<const PlannedGroup> groups);

/// Which group stands where in switches with `places` groups in block RAM: each at the place of its
/// identifier. Throws InputError if two share one, or if one is above what there is.
RegisterPlan plan_places(std::span<const PlannedGroup> groups, std::uint32_t places);

/// Gives each group the lowest free register of every switch of its tree, groups in their order.
/// Every switch has `registers` of them. Throws InputError naming group, switch and remedy if a
/// switch has too few, if two groups share an identifier, or if one is above `max_gid`.
/// `spill_ports`: by switch, not 0 if groups that find no register are spilled there; may be empty.
RegisterPlan plan_registers(std::span<const PlannedGroup> groups, std::uint32_t registers,
                            std::uint32_t max_gid = kMaxGid,
                            std::span<const std::uint16_t> spill_ports = {});

}  // namespace muster::btin
