// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>

#include "muster/topology/graph.hpp"
#include "muster/topology/routes.hpp"

namespace muster::topology {

/// The first switch on the deterministic route between two nodes for which stops(switch, port) is
/// true, `port` being that by which the route leaves it; nothing if there is none. REQUIRES: the
/// route up to there has no cycle.
template <class Stops>
std::optional<SwitchId> find_on_route(const Graph& graph, const Routes& routes, NodeId from,
                                      NodeId to, Stops&& stops) {
  SwitchId s = graph.node(from).at.sw;
  while (true) {
    const std::uint32_t port = routes.next_port(s, to);
    if (stops(s, port)) return s;
    const Peer& peer = graph.peer(s, port);
    if (peer.kind == Peer::Kind::kNode) return std::nullopt;
    s = peer.id;
  }
}

/// Calls visit(switch, port) for every switch on that route. REQUIRES: delivery_fault(graph,
/// routes) finds none.
template <class Visit>
void walk_route(const Graph& graph, const Routes& routes, NodeId from, NodeId to, Visit&& visit) {
  find_on_route(graph, routes, from, to, [&](SwitchId s, std::uint32_t port) {
    visit(s, port);
    return false;
  });
}

/// Links on that route, the links of both nodes included.
inline std::uint32_t route_length(const Graph& graph, const Routes& routes, NodeId from,
                                  NodeId to) {
  std::uint32_t links = 1;
  walk_route(graph, routes, from, to, [&](SwitchId, std::uint32_t) { ++links; });
  return links;
}

}  // namespace muster::topology
