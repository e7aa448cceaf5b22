// SPDX-License-Identifier: Apache-2.0
#include "run/deaths/reroute.hpp"

#include "muster/core/error.hpp"
#include "topology/route_check.hpp"

namespace muster::run {

using topology::Graph;
using topology::PortRef;
using topology::Routes;
using topology::SwitchId;

Graph rest_of(const Graph& graph, const Survivors& left) {
  return topology::with_links(graph, [&](std::size_t l) {
    const topology::Link& link = graph.links()[l];
    return left.links[l] && left.switches[link.a.sw] && left.switches[link.b.sw];
  });
}

/// An end of the link of this channel that lives says that the link is down.
static bool link_down(fabric::Network& network, core::ChannelId channel) {
  return is_down(network, channel) || is_down(network, channel ^ 1u);
}

bool answers(fabric::Network& network, topology::NodeId node) {
  return network.node_alive(node) && network.switch_alive(network.graph().node(node).at.sw) &&
         !link_down(network, network.layout().into_switch(node));
}

Survivors what_answers(fabric::Network& network) {
  Survivors left;
  for (SwitchId s = 0; s < network.graph().switches(); ++s)
    left.switches.push_back(network.switch_alive(s));
  for (std::size_t l = 0; l < network.graph().links().size(); ++l)
    left.links.push_back(!link_down(network, static_cast<core::ChannelId>(2 * l)));
  return left;
}

namespace {

/// Levels around the switch whose farthest one is nearest, of those that live; empty if there is
/// none from which all are reached.
std::vector<std::uint32_t> levels_of(const Graph& rest, const Survivors& left) {
  std::vector<std::uint32_t> best;
  std::uint32_t least = topology::kUnreachable;
  for (SwitchId root = 0; root < rest.switches(); ++root) {
    if (!left.switches[root]) continue;
    std::vector<std::uint32_t> levels = topology::bfs_levels(rest, root);
    std::uint32_t farthest = 0;
    for (SwitchId s = 0; s < rest.switches(); ++s)
      if (left.switches[s]) farthest = std::max(farthest, levels[s]);
    if (farthest >= least) continue;
    least = farthest;
    best = std::move(levels);
  }
  return best;
}

/// A port of a switch that lives, behind which the dead one is, by way of dead ones alone.
std::optional<PortRef> port_towards(const Graph& graph, const Survivors& left, SwitchId dead) {
  std::vector<SwitchId> found{dead};
  for (std::size_t i = 0; i < found.size(); ++i)
    for (const topology::Link& link : graph.links()) {
      if (link.a.sw != found[i] && link.b.sw != found[i]) continue;
      const PortRef& other = link.a.sw == found[i] ? link.b : link.a;
      if (left.switches[other.sw]) return other;
      if (std::ranges::find(found, other.sw) == found.end()) found.push_back(other.sw);
    }
  return std::nullopt;
}

/// Each living switch with nodes has a way to all others, and to where packets for the nodes of
/// dead ones are discarded. Between the other switches of a network of stages there need be none.
bool connect(const Graph& graph, const Survivors& left, const Routes& routes) {
  std::vector<std::uint8_t> with_nodes(graph.switches(), 0);
  for (const topology::Node& node : graph.node_list()) with_nodes[node.at.sw] = 1;
  std::vector<SwitchId> targets;
  for (SwitchId s = 0; s < graph.switches(); ++s) {
    if (with_nodes[s] == 0) continue;
    if (left.switches[s])
      targets.push_back(s);
    else if (const auto last = port_towards(graph, left, s))
      targets.push_back(last->sw);
  }
  for (SwitchId s = 0; s < graph.switches(); ++s)
    for (const SwitchId t : targets)
      if (with_nodes[s] != 0 && left.switches[s] && s != t &&
          routes.mask(s, graph.nodes() + t) == 0)
        return false;
  return true;
}

/// Of what is left, which has all switches. Nothing if those that live are not connected.
std::optional<SurvivingRoutes> routes_of(const Graph& graph, Graph& rest, const Survivors& left) {
  const std::vector<std::uint32_t> levels = levels_of(rest, left);
  if (levels.empty()) return std::nullopt;
  if (!graph.levels.empty()) {
    rest.levels = graph.levels;
    Routes routes = topology::up_down_routes(rest, graph.levels);
    if (connect(graph, left, routes)) return SurvivingRoutes{std::move(routes), true};
    rest.levels.clear();
  }
  return SurvivingRoutes{topology::up_down_routes(rest, levels), false};
}

}  // namespace

std::optional<SurvivingRoutes> surviving_routes(const Graph& graph, const Routes& before,
                                                const Survivors& left) {
  Graph rest = rest_of(graph, left);
  std::optional<SurvivingRoutes> found = routes_of(graph, rest, left);
  if (!found) return std::nullopt;
  Routes& routes = found->routes;
  for (std::uint32_t d = 0; d < graph.destinations(); ++d) {
    const SwitchId at = d < graph.nodes() ? graph.node(d).at.sw : d - graph.nodes();
    const auto port = left.switches[at] ? std::nullopt : port_towards(graph, left, at);
    const PortRef last = port.value_or(PortRef{});
    for (SwitchId s = 0; s < graph.switches(); ++s)
      if (!left.switches[s] || (!left.switches[at] && !port))
        routes.set(s, d, before.mask(s, d));
      else if (port && s == last.sw)
        routes.set(s, d, core::port_bit(last.port));
      else if (port)
        routes.set(s, d, routes.mask(s, graph.nodes() + last.sw));
      else if (d >= graph.nodes() && s == at)
        routes.set(s, d, before.mask(s, d));  // itself
  }
  if (const auto cycle = topology::DependencyGraph(graph, routes).cycle(); !cycle.empty())
    throw InternalError("routes around the dead: a cycle of channel dependencies: " +
                        topology::describe(cycle));
  return found;
}

}  // namespace muster::run
