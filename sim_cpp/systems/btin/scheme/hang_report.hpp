// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "muster/fabric/network.hpp"
#include "muster/run/members.hpp"
#include "systems/btin/groups/spill_nodes.hpp"
#include "systems/btin/scheme/tree_traffic.hpp"
#include "systems/btin/tree/register_plan.hpp"

namespace muster::btin {

/// Why a group of trees makes no progress: where in its tree messages are missing, and whose
/// arrival.
struct HangReport {
  std::uint32_t group = 0, barrier = 0;
  std::vector<topology::SwitchId> switches;       ///< where something is missing or stuck
  std::vector<topology::NodeId> missing_members;  ///< have not arrived
  std::string text;                               ///< all of it as text
};

/// What a report is made from; everything outlives it.
struct Scene {
  const std::vector<PlannedGroup>& groups;
  const RegisterPlan& plan;
  fabric::Network& network;
  const run::Members& members;
  const TreeTraffic& messages;
  const std::vector<topology::NodeId>& nodes;  ///< of the group, by member
  const SpillNodes* spill = nullptr;           ///< if groups may be spilled
  bool many = false;                           ///< groups are in block RAM
};

/// Reads the barrier registers of the group through the register ports and compares them with the
/// messages seen on the links. REQUIRES: the group is not done.
HangReport explain_hang(const Scene& scene, std::uint32_t group);

}  // namespace muster::btin
