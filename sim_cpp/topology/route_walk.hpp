// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "muster/topology/graph.hpp"
#include "muster/topology/routes.hpp"

namespace muster::topology {

/// Calls visit(switch, port) for every switch on the deterministic route between two nodes and the
/// port by which it leaves. REQUIRES: delivery_fault(graph, routes) finds none.
template <class Visit>
void walk_route(const Graph& graph, const Routes& routes, NodeId from, NodeId to, Visit&& visit) {
  SwitchId s = graph.node(from).at.sw;
  while (true) {
    const std::uint32_t port = routes.next_port(s, to);
    visit(s, port);
    const Peer& peer = graph.peer(s, port);
    if (peer.kind == Peer::Kind::kNode) return;
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

}  // namespace muster::topology
