// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "muster/topology/graph.hpp"
#include "muster/topology/routes.hpp"

namespace muster::fabric {

/// Who writes the barrier registers of a switch that has no member of the group, from where each
/// switch accepts writes, and where it hands messages of groups without register. Settled at
/// start-up, the same for all groups.
struct HomeNodes {
  /// By switch: the node on its lowest port; of a switch without nodes that of the nearest switch
  /// that has one, the one with the least identifier among equals.
  std::vector<topology::NodeId> node;
  /// By switch: the ports of its nodes; without nodes the port where packets of its home node come
  /// in.
  std::vector<std::uint16_t> permits;
  /// By switch: the port of its home node as a mask; 0 if that is a node of another switch.
  std::vector<std::uint16_t> home_ports;
};

/// The permits that go with these homes when other routes are in force.
std::vector<std::uint16_t> permits(const topology::Graph& graph, const topology::Routes& routes,
                                   const std::vector<topology::NodeId>& homes);

/// Throws InputError if the network has no node.
HomeNodes plan_home_nodes(const topology::Graph& graph, const topology::Routes& routes);

}  // namespace muster::fabric
