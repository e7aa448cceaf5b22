// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "muster/topology/graph.hpp"

namespace muster::topology {

/// Networks in GraphML (http://graphml.graphdrawing.org), as topologies/README.md describes them.
/// Vertices are switches and nodes by the attribute `kind`, edges are links and connections of
/// nodes. A graph without that attribute is one of switches, each of which gets a node.
///
/// `file` stands in messages. Throws InputError "file: line N: reason; how to fix it"; in a build
/// without pugixml always.
Graph parse_graphml(std::string_view content, const std::string& file);

/// The network in this format. parse_graphml() of it is `graph`. Throws InputError in a build
/// without pugixml.
std::string to_graphml(const Graph& graph);

}  // namespace muster::topology
