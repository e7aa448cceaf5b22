// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <vector>

#include "muster/topology/graph.hpp"

namespace muster::topology {

/// The members of a group, ascending. Throws InputError if there is none, or one is no node of the
/// network or named twice.
std::vector<topology::NodeId> sorted_members(const topology::Graph& graph,
                                             std::span<const topology::NodeId> members);

}  // namespace muster::topology
