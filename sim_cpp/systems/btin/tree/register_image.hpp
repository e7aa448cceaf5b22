// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "fabric/reduce_op.hpp"
#include "systems/btin/tree/tree.hpp"

namespace muster::btin {

/// What the host writes into one barrier register of one switch (BTIN Figure 4; docs/registers.md).
///
/// At the root switch the parent port is the root node's: the root node sends no reduction
/// message, it is notified, and answers with the distribution message; so it is not in the child
/// mask. With `turn` the root switch turns round by itself: the parent port is 0 and unused, and
/// the root node is a child like every member. `turn` is set at the root switch only.
struct RegisterImage {
  SwitchId sw = 0;
  std::uint32_t gid = 0;
  bool turn = false;
  std::uint32_t parent_port = 0;
  std::uint16_t child_mask = 0;  ///< child switches and local member nodes, never 0
  fabric::ReduceOp op = fabric::ReduceOp::kOr;
  friend bool operator==(const RegisterImage&, const RegisterImage&) = default;
};

inline constexpr std::uint32_t kMaxGid = 4095;  ///< 12-bit field at most (docs/formats.md)

/// One image for every switch of the tree, root first; none for a group of one, whose member is
/// released at once. Throws InputError if `gid` is above kMaxGid.
std::vector<RegisterImage> register_images(const BarrierTree& tree, std::uint32_t gid, bool turn,
                                           fabric::ReduceOp op = fabric::ReduceOp::kOr);

}  // namespace muster::btin
