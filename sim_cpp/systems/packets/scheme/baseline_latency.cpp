// SPDX-License-Identifier: Apache-2.0
#include "systems/packets/scheme/baseline_latency.hpp"

#include <algorithm>
#include <set>
#include <vector>

#include "topology/routes/route_walk.hpp"

namespace muster::packets {

using topology::NodeId;
using topology::PortRef;
using topology::SwitchId;

BaselinePaths baseline_paths(const topology::Graph& graph, const topology::Routes& routes,
                             std::span<const NodeId> members, NodeId root,
                             std::uint32_t worm_addresses) {
  BaselinePaths paths;
  const SwitchId root_switch = graph.node(root).at.sw;
  std::vector<std::uint32_t> through(graph.ports(root_switch), 0);
  std::set<PortRef> worm;  // the ports by which the worm at hand leaves switches
  for (const NodeId n : members) {
    if (n == root) continue;
    if (paths.others++ % worm_addresses == 0) {
      worm.clear();
      ++paths.worms;
      ++paths.hops_worms;  // the root node's link
    }
    const std::uint32_t up = topology::route_length(graph, routes, n, root);
    const std::uint32_t down = topology::route_length(graph, routes, root, n);
    paths.farthest = std::max(paths.farthest, up);
    paths.farthest_down = std::max(paths.farthest_down, down);
    paths.hops_up += up;
    paths.hops_down += down;
    topology::walk_route(graph, routes, n, root, [&](SwitchId s, std::uint32_t port) {
      const topology::Peer& peer = graph.peer(s, port);
      if (peer.kind == topology::Peer::Kind::kSwitch && peer.id == root_switch)
        ++through[peer.port];
    });
    topology::walk_route(graph, routes, root, n, [&](SwitchId s, std::uint32_t port) {
      paths.hops_worms += worm.insert({s, port}).second ? 1 : 0;
    });
  }
  paths.busiest_port = *std::max_element(through.begin(), through.end());
  return paths;
}

std::uint64_t multicast_latency_ns(const BaselinePaths& paths, Contention contention,
                                   const btin::BtinDelays& delays) {
  if (paths.others == 0) return 0;
  const auto way = [&](std::uint64_t links) {
    return delays.startup_ns + links * delays.link_ns + (links + 1) * delays.router_ns;
  };
  const std::uint64_t queue = contention == Contention::kOff        ? 0
                              : contention == Contention::kRootNode ? paths.others
                                                                    : paths.busiest_port;
  const std::uint64_t before = queue == 0 ? 0 : queue - 1;
  return way(paths.farthest) + before * (delays.link_ns + delays.router_ns) +
         way(paths.farthest_down);
}

}  // namespace muster::packets
