// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "muster/topology/graph.hpp"

namespace muster::topology {

/// The network for Graphviz: switches as boxes s0, s1, ..., nodes as small circles n0, n1, ...
/// labelled switch:port, with their names after it, ports at the ends of links, latencies above 1
/// on them.
std::string to_dot(const Graph& graph);

/// Text between the quotes of a label in such a file.
std::string dot_escaped(const std::string& text);

}  // namespace muster::topology
