// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "muster/topology/graph.hpp"
#include "muster/topology/routes.hpp"

namespace muster::topology {

/// Loads of all channels when every node sends one flit a cycle, each to a random other node, on
/// the deterministic routes. All in flits per cycle, and linear in what the nodes send.
struct ChannelLoads {
  std::vector<std::vector<double>> out;  ///< [switch][port]: link or ejection channel; 0 if open
  double largest = 0.0;                  ///< over all channels, injection channels (1) included
  double average_hops = 0.0;             ///< links between switches on a packet's way
};

/// Of all nodes, or only of those that are set in `nodes`. REQUIRES: routes lead from each of these
/// to each other one; delivery_fault(graph, routes) finds none if these are all. With fewer than
/// two nothing is sent.
ChannelLoads uniform_loads(const Graph& graph, const Routes& routes, const Steps& steps = {},
                           const std::vector<std::uint8_t>& nodes = {});

/// Offered load at which the busiest channel is full: 1 / largest load, in flits per node and
/// cycle; 1 if no channel but the node's own limits it. This is what `--load 1` stands for.
double route_bound_flits_per_node_cycle(const ChannelLoads& loads);

}  // namespace muster::topology
