// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "muster/fabric/reduce_op.hpp"
#include "muster/topology/graph.hpp"

namespace muster::fabric {

/// What the host writes into one barrier register of one switch (docs/reference/registers.md).
///
/// At the root switch the parent port is the root node's: the root node sends no reduction
/// message, it is notified, and answers with the distribution message; so it is not in the child
/// mask. With `reflect` the root switch reflects by itself: the parent port is 0 and unused, and
/// the root node is a child like every member. `reflect` is set at the root switch only.
struct RegisterImage {
  topology::SwitchId sw = 0;      ///< that has the register
  std::uint32_t gid = 0;          ///< group
  bool reflect = false;           ///< at this switch
  std::uint32_t parent_port = 0;  ///< 0..15
  std::uint16_t child_mask = 0;   ///< child switches and local member nodes, never 0
  ReduceOp op = ReduceOp::kOr;    ///< of the group
  friend bool operator==(const RegisterImage&, const RegisterImage&) = default;
};

}  // namespace muster::fabric
