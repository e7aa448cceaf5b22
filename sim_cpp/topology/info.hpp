// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "muster/core/outputs.hpp"
#include "muster/topology/routes.hpp"

namespace muster::topology {

/// What `topo info` says of a network.
struct TopologyInfo {
  std::string name;
  std::uint32_t switches = 0, nodes = 0, links = 0;
  std::uint32_t ports = 0;        ///< of the largest switch
  double connectivity = 0.0;      ///< share of all ports that are connected, node ports included
  std::uint32_t diameter = 0;     ///< links on the shortest path between the two remotest switches
  double average_distance = 0.0;  ///< of shortest paths, over ordered pairs of different switches
  std::string routing;            ///< "xy" or "up*/down*"
  SwitchId routing_root = 0;      ///< of up*/down* routes
  std::string routing_root_name;  ///< in the network's file, if it has one
  double average_hops = 0.0;      ///< links between switches on the deterministic routes of nodes
  bool deadlock_free = false;     ///< no cycle of channel dependencies, adaptive routes included
  std::string dependency_cycle;   ///< the cycle if there is one
  double route_bound_flits_per_node_cycle = 0.0;  ///< on deterministic routes, uniform traffic
};

/// `routes` are those of routes_for(graph), or others to be examined.
TopologyInfo describe_topology(const Graph& graph, const Routes& routes, const Steps& steps = {});

/// All fields as one JSON object, `schema` "muster-topology-info-1", ending with a newline.
std::string info_json(const TopologyInfo& info, const Provenance& origin);

nlohmann::ordered_json info_schema();  ///< that schema

/// The same for a reader, one line a field.
std::string info_text(const TopologyInfo& info);

}  // namespace muster::topology
