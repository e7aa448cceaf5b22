// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "muster/fabric/home_nodes.hpp"
#include "systems/btin/tree/register_image.hpp"

namespace muster::btin {

using topology::NodeId;
using topology::SwitchId;

/// A nonmember switch of the tree that a representative has set up by its home_node.
struct AskedSwitch {
  NodeId home_node = 0;
  RegisterImage image;
};

/// What is settled for a group at its creation, beside its members.
struct GroupOptions {
  bool reflect = false;
  fabric::ReduceOp op = fabric::ReduceOp::kOr;
  bool spill = false;  ///< may live in a spill node where no register is free
};

/// What a member does in the lifecycle of its group (BTIN section 3.1, Setup_Register). All but the
/// first field are for representatives, between which creation and release travel: the parent of a
/// representative is that of the nearest member switch above its own in the barrier tree.
struct Role {
  bool representative = false;
  std::optional<NodeId> parent;      ///< none at the root node
  std::vector<NodeId> children;      ///< representatives below
  std::vector<NodeId> locals;        ///< the other members on this switch
  std::optional<RegisterImage> own;  ///< none in a group of one
  std::vector<AskedSwitch> asked;    ///< reached from this switch without passing a member switch
  std::uint32_t digest = 0;          ///< 16 bits of the whole plan, equal at all members
  NodeId root_node = 0;
  std::vector<RegisterImage> images;  ///< the whole plan
};

/// The role of `node`, a member, found by planning the tree. Throws InputError as plan_tree does.
Role plan_role(const topology::Graph& graph, const fabric::HomeNodes& homes,
               const std::vector<NodeId>& members, std::uint32_t gid, const GroupOptions& options,
               NodeId node);

}  // namespace muster::btin
