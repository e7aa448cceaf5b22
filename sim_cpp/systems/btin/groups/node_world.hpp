// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "muster/core/flit.hpp"
#include "muster/fabric/home_nodes.hpp"
#include "systems/btin/groups/group_user.hpp"
#include "systems/btin/groups/member_group.hpp"
#include "systems/btin/groups/network_versions.hpp"
#include "systems/btin/groups/spill_nodes.hpp"

namespace muster::btin {

/// What all nodes know, and how a node is heard. The references outlive the nodes.
struct NodeWorld {
  const topology::Graph& graph;  ///< with all links that it ever had
  const NetworkVersions& versions;
  const fabric::HomeNodes& homes;
  /// Who has the barriers; null as long as no live group is changed.
  GroupUser* const& user;
  /// Flits of a packet of virtual channel 0 for the network.
  std::function<void(NodeId, std::vector<core::Flit>)> send;
  /// A member has been told.
  std::function<void(NodeId, std::uint32_t gid, const Verdict&)> told;
  /// The memory of spill nodes, each of which uses its own; null if switches do not spill.
  SpillNodes* spill = nullptr;
  /// Cycles that a group must have been idle to be moved out of its register; 0: none is.
  std::uint64_t evict_after = 0;
  /// Packets can be lost: messages between nodes are numbered, acknowledged and repeated.
  bool lossy = false;
};

}  // namespace muster::btin
