// SPDX-License-Identifier: Apache-2.0
#include "systems/packets/scheme/multicast_scheme.hpp"

#include <algorithm>
#include <set>

#include "topology/routes/route_walk.hpp"

namespace muster::packets {

BaselinePaths baseline_paths(const topology::Graph& graph, const topology::Routes& routes,
                             std::span<const topology::NodeId> members, topology::NodeId root,
                             std::uint32_t worm_addresses) {
  BaselinePaths paths;
  std::set<topology::PortRef> worm;  // the ports by which the worm at hand leaves switches
  for (const topology::NodeId n : members) {
    if (n == root) continue;
    if (paths.others++ % worm_addresses == 0) {
      worm.clear();
      ++paths.worms;
      ++paths.hops_worms;  // the root node's link
    }
    paths.hops_up += topology::route_length(graph, routes, n, root);
    topology::walk_route(graph, routes, root, n, [&](topology::SwitchId s, std::uint32_t port) {
      paths.hops_worms += worm.insert({s, port}).second ? 1 : 0;
    });
  }
  return paths;
}

MulticastPlan::MulticastPlan(const run::ResolvedRun& run)
    : UnicastPlan(run, "multicast", tree_root) {
  for (const RootedGroup& group : groups()) {
    const BaselinePaths paths =
        packets::baseline_paths(*run.spec.graph, *run.spec.routes, group.members,
                                group.members[group.root_member], fabric::kWormAddresses);
    hops_.push_back(paths.hops_up + paths.hops_worms);
    packet_flits_ += fabric::kBarrierPacketFlits * paths.others +
                     (fabric::kWormAddresses + fabric::kBarrierPacketFlits) * paths.worms;
  }
}

std::unique_ptr<run::Scheme> MulticastPlan::start(const run::SchemeParts& parts) const {
  return std::make_unique<MulticastScheme>(groups(), parts);
}

MulticastScheme::MulticastScheme(const std::vector<RootedGroup>& groups,
                                 const run::SchemeParts& parts)
    : UnicastScheme(groups, parts, fabric::kOpcodeWorm),
      worm_channel_(static_cast<std::uint8_t>(parts.config.vcs - 1)) {}

void MulticastScheme::send_releases(std::uint32_t group) {
  const RootedGroup& planned = planned_group(group);
  const topology::NodeId root = planned.members[planned.root_member];
  std::vector<std::uint32_t> others;
  for (const topology::NodeId n : planned.members)
    if (n != root) others.push_back(n);
  for (std::size_t first = 0; first < others.size(); first += fabric::kWormAddresses) {
    const std::size_t count = std::min<std::size_t>(fabric::kWormAddresses, others.size() - first);
    send_packet(root,
                formats().worm({&others[first], count},
                               barrier_packet(group, planned.root_member, planned.root_member),
                               worm_channel_));
  }
}

}  // namespace muster::packets
