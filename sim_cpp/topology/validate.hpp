// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "muster/topology/graph.hpp"

namespace muster::topology {

/// What a network that is read must satisfy beyond the invariants of Graph: at least one node, all
/// switches connected, and `mesh` and `levels`, if given, true. Throws InputError "place: reason;
/// how to fix".
void check_network(const Graph& graph);

}  // namespace muster::topology
