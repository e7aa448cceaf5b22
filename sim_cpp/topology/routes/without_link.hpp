// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "muster/topology/graph.hpp"

namespace muster::topology {

/// The network without one link; everything else keeps its identifiers and ports, but a mesh is
/// none any more. Throws InputError if there is no link between the two ports, or if switches
/// cannot be reached from each other without it.
Graph without_link(const Graph& graph, PortRef a, PortRef b);

}  // namespace muster::topology
