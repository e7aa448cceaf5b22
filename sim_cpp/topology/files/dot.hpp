// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "muster/topology/graph.hpp"

namespace muster::topology {

/// The network for Graphviz: switches as boxes s0, s1, ..., nodes as small circles n0, n1, ...
/// labelled switch:port, ports at the ends of links, latencies above 1 on them.
std::string to_dot(const Graph& graph);

}  // namespace muster::topology
