// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "systems/btin/tree/register_plan.hpp"

namespace muster::btin {

/// The planned tree of one group for people: a summary, then a drawing with one line per switch
/// (its number, the link to its parent, its member nodes). UTF-8, ends with a newline.
/// `group.tree` must be of `graph`.
std::string tree_text(const Graph& graph, const PlannedGroup& group);

}  // namespace muster::btin
