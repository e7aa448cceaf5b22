// SPDX-License-Identifier: Apache-2.0
#include "topology/info.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "core/record.hpp"
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

  std::uint64_t ports = 0;
  for (SwitchId s = 0; s < graph.switches(); ++s) ports += graph.ports(s);
  const SwitchDistances distances = switch_distances(graph, steps);
  info.diameter = *std::ranges::max_element(distances.farthest);
  info.connectivity = (2.0 * info.links + info.nodes) / static_cast<double>(ports);
  if (info.switches > 1)
    info.average_distance = static_cast<double>(distances.total) /
                            (static_cast<double>(info.switches) * (info.switches - 1));

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

namespace {

void describe_info(core::Record& r, const TopologyInfo& info, const Provenance& origin) {
  core::add_origin(r, "muster-topology-info-1", origin);
  core::add_seed(r, origin.seed);
  r.add("name", "empty if the file has none", info.name);
  r.add("switches", info.switches).range(1, kMaxSwitches);
  r.add("nodes", info.nodes).range(1, kMaxNodes);
  r.add("links", "between switches", info.links);
  r.add("ports", "of the largest switch", info.ports).range(1, kMaxPorts);
  r.add("connectivity", "share of all ports that are connected, node ports included",
        info.connectivity)
      .with("maximum", 1);
  r.add("diameter", "links on the shortest path between the two most distant switches",
        info.diameter);
  r.add("average_distance", "links on shortest paths, over ordered pairs of different switches",
        info.average_distance);
  r.add("routing", info.routing).one_of({"xy", "up*/down*", "up*/down* by levels"});
  core::Record upward = r.only(info.routing != "xy");
  upward
      .add("routing_root", "the switch at the top of up*/down* routes; absent with xy",
           info.routing_root)
      .with("maximum", kMaxSwitches - 1);
  upward.only(!info.routing_root_name.empty())
      .add("routing_root_name", "of that switch in the network's file; absent if it has none",
           info.routing_root_name)
      .filled();
  r.add("average_hops", "links between switches on the deterministic routes between nodes",
        info.average_hops);
  r.add("deadlock_free", "no dependency cycle of channels, adaptive routes included",
        info.deadlock_free);
  r.add("dependency_cycle", "the cycle; empty if there is none", info.dependency_cycle);
  r.add("route_bound_flits_per_node_cycle",
        "offered load that fills the busiest channel of the routes, uniform traffic: an upper "
        "bound. muster saturate measures the load that the network carries",
        info.route_bound_flits_per_node_cycle);
}

}  // namespace

std::string info_json(const TopologyInfo& info, const Provenance& origin) {
  return core::json_text([&](core::Record& r) { describe_info(r, info, origin); });
}

nlohmann::ordered_json info_schema() {
  core::Json schema = core::json_schema("Properties of a network", "--json of muster topo.",
                                        [](core::Record& r) { describe_info(r, {}, {}); });
  const core::Json rooted = {{"required", core::Json::array({"routing_root"})}};
  schema["if"] = {{"properties", {{"routing", {{"const", "xy"}}}}}};
  schema["then"] = {{"not", rooted}};
  schema["else"] = rooted;
  return schema;
}

}  // namespace muster::topology
