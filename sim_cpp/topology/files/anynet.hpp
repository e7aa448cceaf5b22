// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "muster/topology/graph.hpp"

namespace muster::topology {

/// BookSim's `anynet` format. A line names a router or node and what it is connected to, each with
/// an optional latency in cycles:
///
///   router 0 node 0 node 1 router 1 3
///   router 1 node 2
///
/// Routers and nodes are numbered from 0 without gaps. A connection may be named at both ends.
/// Ports: links first, by neighbour, then nodes; a switch has as many ports as it uses. BookSim
/// takes the latency of a link for one direction; links here have one latency, so a number given
/// at one end holds for both directions, and two that differ are an error.
///
/// `file` stands in messages. Throws InputError "file: line N: reason; how to fix it".
Graph parse_anynet(std::string_view content, const std::string& file);

/// The network in this format, every link named at both ends as BookSim needs it for a latency.
/// Port numbers, open ports, names and groups are not in the format. Throws InputError for two
/// links between the same switches, which it cannot express.
std::string to_anynet(const Graph& graph);

}  // namespace muster::topology
