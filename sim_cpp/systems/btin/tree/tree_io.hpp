// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "muster/core/provenance.hpp"
#include "systems/btin/tree/register_plan.hpp"

namespace muster::btin {

/// The planned tree of one group as JSON, schema `muster-tree-1` (docs/systems/planning.md lists
/// the fields). `group.tree` must be of `graph`. Ends with a newline.
std::string tree_json(const Graph& graph, const PlannedGroup& group, const Provenance& origin);

}  // namespace muster::btin
