// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "muster/topology/graph.hpp"

namespace muster::packets {

/// Unicasts from member to member that reach all of a group in ceil(log2 n) steps, over the members
/// in switch-based order: by switch, those of a switch side by side, so that the last steps stay
/// within switches (the baseline of docs/systems/preempting-switches.md). The order begins with the
/// root, cyclic; place i in it is told by place i less its lowest set bit.
struct BinomialTree {
  std::vector<topology::NodeId> members;  ///< ascending; all other fields are by place in here
  std::uint32_t root = 0;
  std::vector<std::uint32_t> parent;                 ///< the root's is itself
  std::vector<std::vector<std::uint32_t>> children;  ///< in the order in which they are told
};

/// Throws InputError if the group is empty, names a node that is not there or one twice, or if the
/// root is no member.
BinomialTree plan_binomial_tree(const topology::Graph& graph,
                                std::span<const topology::NodeId> members, topology::NodeId root);

}  // namespace muster::packets
