// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "muster/topology/graph.hpp"

namespace muster::topology {

/// Why `graph.mesh` does not describe the graph, in a few words, or nothing if it does: width *
/// height switches, and links between neighbours of the mesh and only there. X-Y routes need it.
std::optional<std::string> mesh_fault(const Graph& graph);

}  // namespace muster::topology
