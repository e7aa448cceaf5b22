// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "muster/topology/graph.hpp"
#include "muster/topology/routes.hpp"

namespace muster::topology {

/// Calls visit(switch, port) for every switch on the deterministic route between two nodes and the
/// port by which it leaves. REQUIRES: delivery_fault(graph, routes) finds none; of routes that are
/// being rewritten it visits as many switches as there are, at most.
template <class Visit>
void walk_route(const Graph& graph, const Routes& routes, NodeId from, NodeId to, Visit&& visit) {
  SwitchId s = graph.node(from).at.sw;
  for (SwitchId left = graph.switches(); left != 0; --left) {
    const std::uint32_t port = routes.next_port(s, to);
    visit(s, port);
    const Peer& peer = graph.peer(s, port);
    if (peer.kind != Peer::Kind::kSwitch) return;
    s = peer.id;
  }
}

/// Links on that route, the links of both nodes included.
inline std::uint32_t route_length(const Graph& graph, const Routes& routes, NodeId from,
                                  NodeId to) {
  std::uint32_t links = 1;
  walk_route(graph, routes, from, to, [&](SwitchId, std::uint32_t) { ++links; });
  return links;
}

/// Adds the ports by which messages between two nodes leave switches, in both directions. Among
/// them are those of both nodes.
inline void add_ways(const Graph& graph, const Routes& routes, NodeId a, NodeId b,
                     std::vector<PortRef>& ports) {
  const auto add = [&](SwitchId s, std::uint32_t port) { ports.push_back({s, port}); };
  walk_route(graph, routes, a, b, add);
  walk_route(graph, routes, b, a, add);
}

}  // namespace muster::topology
