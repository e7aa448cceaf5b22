// SPDX-License-Identifier: Apache-2.0
#include "topology/info.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "core/text.hpp"
#include "topology/bfs.hpp"
#include "topology/route_check.hpp"
#include "topology/route_walk.hpp"

namespace muster::topology {

TopologyInfo describe_topology(const Graph& graph, const Routes& routes, const Steps& steps) {
  TopologyInfo info;
  info.name = graph.name;
  info.switches = graph.switches();
  info.nodes = graph.nodes();
  info.links = static_cast<std::uint32_t>(graph.links().size());
  info.ports = graph.max_ports();

  std::uint64_t ports = 0, distance = 0;
  const std::vector<Distances> distances = switch_distances(graph, steps);
  for (SwitchId s = 0; s < graph.switches(); ++s) {
    ports += graph.ports(s);
    info.diameter = std::max(info.diameter, distances[s].farthest);
    distance += distances[s].total;
  }
  info.connectivity = (2.0 * info.links + info.nodes) / static_cast<double>(ports);
  if (info.switches > 1)
    info.average_distance =
        static_cast<double>(distance) / (static_cast<double>(info.switches) * (info.switches - 1));

  info.routing = graph.mesh ? "xy" : graph.levels.empty() ? "up*/down*" : "up*/down* by levels";
  info.routing_root = central_switch(distances);
  if (const auto name = graph.switch_names.find(info.routing_root);
      name != graph.switch_names.end())
    info.routing_root_name = name->second;
  const std::vector<Channel> cycle = DependencyGraph(graph, routes, steps).cycle();
  info.deadlock_free = cycle.empty();
  info.dependency_cycle = describe(cycle);
  const ChannelLoads loads = uniform_loads(graph, routes, steps);
  info.average_hops = loads.average_hops;
  info.route_bound_flits_per_node_cycle = route_bound_flits_per_node_cycle(loads);
  return info;
}

std::string info_text(const TopologyInfo& info) {
  std::string text;
  const auto line = [&](const char* label, const std::string& value) {
    text += fmt::format("{:<20}{}\n", label, value);
  };
  line("name", info.name.empty() ? "-" : quote(info.name));
  line("switches", fmt::format("{} of up to {} ports", info.switches, info.ports));
  line("nodes", fmt::format("{}", info.nodes));
  line("links", fmt::format("{}", info.links));
  line("connectivity", fmt::format("{:.3f}", info.connectivity));
  line("diameter", fmt::format("{} links", info.diameter));
  line("average distance", fmt::format("{:.3f} links", info.average_distance));
  line(
      "routing",
      info.routing != "up*/down*"
          ? info.routing
          : fmt::format("{} around switch {}{}", info.routing, info.routing_root,
                        info.routing_root_name.empty() ? "" : " " + quote(info.routing_root_name)));
  line("average route", fmt::format("{:.3f} links", info.average_hops));
  line("deadlock free",
       info.deadlock_free ? "yes" : fmt::format("no, cycle {}", info.dependency_cycle));
  line("route bound",
       fmt::format("{:.4f} flits/node/cycle", info.route_bound_flits_per_node_cycle));
  return text;
}

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
