// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "systems/btin/tree/register_plan.hpp"

namespace muster::btin {

/// The network for Graphviz with the tree of a group drawn into it: tree edges as arrows from
/// parent to child, the root switch and root node marked, member nodes filled, all else faint. Best
/// with `neato`. `group.tree` must be of `graph`.
std::string tree_dot(const Graph& graph, const PlannedGroup& group);

}  // namespace muster::btin
