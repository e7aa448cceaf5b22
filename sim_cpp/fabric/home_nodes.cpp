// SPDX-License-Identifier: Apache-2.0
#include "muster/fabric/home_nodes.hpp"

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

SwitchId nearest_with_node(const topology::Graph& graph, topology::Bfs& bfs, SwitchId s) {
  bfs.run(s);
  SwitchId best = s;
  std::uint32_t best_level = std::numeric_limits<std::uint32_t>::max();
  for (const SwitchId other : bfs.order()) {
    if (!lowest_node(graph, other)) continue;
    const std::uint32_t level = bfs.level(other);
    if (level < best_level || (level == best_level && other < best)) {
      best = other;
      best_level = level;
    }
  }
  if (best == s) throw InputError("the network has no node that could set up a group");
  return best;
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

std::vector<std::uint16_t> permits(const topology::Graph& graph, const topology::Routes& routes,
                                   const std::vector<NodeId>& homes) {
  std::vector<std::uint16_t> permits;
  for (SwitchId s = 0; s < graph.switches(); ++s) {
    std::uint32_t ports = 0;
    for (std::uint32_t p = 0; p < graph.ports(s); ++p)
      if (graph.peer(s, p).kind == Peer::Kind::kNode) ports |= 1u << p;
    if (ports == 0) ports = 1u << arrival_port(graph, routes, graph.node(homes[s]).at.sw, s);
    permits.push_back(static_cast<std::uint16_t>(ports));
  }
  return permits;
}

HomeNodes plan_home_nodes(const topology::Graph& graph, const topology::Routes& routes) {
  HomeNodes homes;
  const topology::Neighbours neighbours(graph);
  topology::Bfs bfs(neighbours);
  for (SwitchId s = 0; s < graph.switches(); ++s) {
    const SwitchId near = lowest_node(graph, s) ? s : nearest_with_node(graph, bfs, s);
    homes.node.push_back(*lowest_node(graph, near));
    const topology::PortRef at = graph.node(homes.node.back()).at;
    homes.home_ports.push_back(static_cast<std::uint16_t>(at.sw == s ? 1u << at.port : 0u));
  }
  homes.permits = permits(graph, routes, homes.node);
  return homes;
}

}  // namespace muster::fabric
