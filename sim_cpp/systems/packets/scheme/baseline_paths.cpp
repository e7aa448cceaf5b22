// SPDX-License-Identifier: Apache-2.0
#include "systems/packets/scheme/baseline_paths.hpp"

#include <set>

#include "topology/routes/route_walk.hpp"

namespace muster::packets {

using topology::NodeId;
using topology::PortRef;
using topology::SwitchId;

BaselinePaths baseline_paths(const topology::Graph& graph, const topology::Routes& routes,
                             std::span<const NodeId> members, NodeId root,
                             std::uint32_t worm_addresses) {
  BaselinePaths paths;
  std::set<PortRef> worm;  // the ports by which the worm at hand leaves switches
  for (const NodeId n : members) {
    if (n == root) continue;
    if (paths.others++ % worm_addresses == 0) {
      worm.clear();
      ++paths.worms;
      ++paths.hops_worms;  // the root node's link
    }
    paths.hops_up += topology::route_length(graph, routes, n, root);
    topology::walk_route(graph, routes, root, n, [&](SwitchId s, std::uint32_t port) {
      paths.hops_worms += worm.insert({s, port}).second ? 1 : 0;
    });
  }
  return paths;
}

}  // namespace muster::packets
