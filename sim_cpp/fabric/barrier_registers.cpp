// SPDX-License-Identifier: Apache-2.0
#include "muster/fabric/barrier_registers.hpp"

#include <algorithm>
#include <bit>
#include <limits>
#include <optional>

#include "muster/core/error.hpp"
#include "topology/bfs.hpp"

namespace muster::fabric {

using topology::NodeId;
using topology::Peer;
using topology::SwitchId;

namespace {

std::optional<NodeId> lowest_node(const topology::Graph& graph, SwitchId s) {
  for (const Peer& peer : graph.peers(s))
    if (peer.kind == Peer::Kind::kNode) return peer.id;
  return std::nullopt;
}

/// By switch: the nearest one that has a node, of several the lowest; from all of these at once.
/// The nearest ones of a switch are those of its neighbours that are a link nearer.
std::vector<SwitchId> nearest_with_node(const topology::Graph& graph) {
  constexpr std::uint32_t kUnmet = std::numeric_limits<std::uint32_t>::max();
  const topology::Neighbours neighbours(graph);
  std::vector<SwitchId> nearest(graph.switches()), queue;
  std::vector<std::uint32_t> level(graph.switches(), kUnmet);
  for (SwitchId s = 0; s < graph.switches(); ++s) {
    if (!lowest_node(graph, s)) continue;
    nearest[s] = s;
    level[s] = 0;
    queue.push_back(s);
  }
  for (std::size_t head = 0; head < queue.size(); ++head) {
    const SwitchId s = queue[head];
    for (const topology::Hop& hop : neighbours.of(s)) {
      if (level[hop.to] == kUnmet) {
        level[hop.to] = level[s] + 1;
        nearest[hop.to] = nearest[s];
        queue.push_back(hop.to);
      } else if (level[hop.to] == level[s] + 1) {
        nearest[hop.to] = std::min(nearest[hop.to], nearest[s]);
      }
    }
  }
  if (queue.empty()) throw InputError("the network has no node that could set up a group");
  return nearest;
}

/// The port where packets from switch `from` come in at `s`.
std::uint32_t arrival_port(const topology::Graph& graph, const topology::Routes& routes,
                           SwitchId from, SwitchId s) {
  SwitchId at = from;
  for (;;) {
    const auto port =
        static_cast<std::uint32_t>(std::countr_zero(routes.mask(at, graph.nodes() + s)));
    const Peer& peer = graph.peer(at, port);
    if (peer.id == s) return peer.port;
    at = peer.id;
  }
}

}  // namespace

std::vector<core::PortMask> permits(const topology::Graph& graph, const topology::Routes& routes,
                                    const std::vector<NodeId>& homes) {
  std::vector<core::PortMask> permits;
  for (SwitchId s = 0; s < graph.switches(); ++s) {
    core::PortMask ports = 0;
    for (std::uint32_t p = 0; p < graph.ports(s); ++p)
      if (graph.peer(s, p).kind == Peer::Kind::kNode) ports |= core::port_bit(p);
    if (ports == 0)
      ports = core::port_bit(arrival_port(graph, routes, graph.node(homes[s]).at.sw, s));
    permits.push_back(ports);
  }
  return permits;
}

HomeNodes plan_home_nodes(const topology::Graph& graph, const topology::Routes& routes) {
  HomeNodes homes;
  const std::vector<SwitchId> nearest = nearest_with_node(graph);
  for (SwitchId s = 0; s < graph.switches(); ++s) {
    const SwitchId near = nearest[s];
    homes.node.push_back(*lowest_node(graph, near));
    const topology::PortRef at = graph.node(homes.node.back()).at;
    homes.home_ports.push_back(at.sw == s ? core::port_bit(at.port) : 0);
  }
  homes.permits = permits(graph, routes, homes.node);
  return homes;
}

}  // namespace muster::fabric
