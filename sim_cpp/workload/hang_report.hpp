// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "barrier/register_plan.hpp"
#include "life/spill_nodes.hpp"
#include "network/network.hpp"
#include "workload/members.hpp"
#include "workload/tree_traffic.hpp"

namespace muster::workload {

/// Why a group of trees stands still: where in its tree messages are missing, and whose arrival.
struct HangReport {
  std::uint32_t group = 0, barrier = 0;
  std::vector<topology::SwitchId> switches;       ///< where something is missing or stuck
  std::vector<topology::NodeId> missing_members;  ///< have not arrived
  std::string text;                               ///< all of it in words
};

/// What a report is made from; everything outlives it.
struct Scene {
  const std::vector<barrier::PlannedGroup>& groups;
  const barrier::RegisterPlan& plan;
  network::Network& network;
  const Members& members;
  const TreeTraffic& messages;
  const std::vector<topology::NodeId>& nodes;  ///< of the group, by member
  const life::SpillNodes* spill = nullptr;     ///< if groups may be spilled
};

/// Reads the barrier registers of the group through the register ports and compares them with the
/// messages seen on the links. REQUIRES: the group is not done.
HangReport explain_hang(const Scene& scene, std::uint32_t group);

}  // namespace muster::workload
