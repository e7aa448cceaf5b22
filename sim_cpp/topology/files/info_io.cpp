// SPDX-License-Identifier: Apache-2.0
#include <nlohmann/json.hpp>

#include "topology/info.hpp"

namespace muster::topology {

std::string info_json(const TopologyInfo& info, const Provenance& origin) {
  nlohmann::ordered_json json;
  json["schema"] = "muster-topology-info-1";
  json["command"] = origin.command;
  json["version"] = origin.version;
  json["seed"] = origin.seed;
  json["name"] = info.name;
  json["switches"] = info.switches;
  json["nodes"] = info.nodes;
  json["links"] = info.links;
  json["ports"] = info.ports;
  json["connectivity"] = info.connectivity;
  json["diameter"] = info.diameter;
  json["average_distance"] = info.average_distance;
  json["routing"] = info.routing;
  if (info.routing != "xy") {
    json["routing_root"] = info.routing_root;
    if (!info.routing_root_name.empty()) json["routing_root_name"] = info.routing_root_name;
  }
  json["average_hops"] = info.average_hops;
  json["deadlock_free"] = info.deadlock_free;
  json["dependency_cycle"] = info.dependency_cycle;
  json["route_bound_flits_per_node_cycle"] = info.route_bound_flits_per_node_cycle;
  return json.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
}

}  // namespace muster::topology
