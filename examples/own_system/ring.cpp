// SPDX-License-Identifier: Apache-2.0
#include "ring.hpp"

#include <algorithm>
#include <muster/core/error.hpp>

namespace token_ring {

using namespace muster;
using topology::Peer;

namespace {

/// The ports of a switch to its two neighbours.
std::vector<std::uint32_t> ring_ports(const topology::Graph& graph, topology::SwitchId s) {
  std::vector<std::uint32_t> ports;
  for (std::uint32_t p = 0; p < graph.ports(s); ++p)
    if (graph.peer(s, p).kind == Peer::Kind::kSwitch) ports.push_back(p);
  if (ports.size() != 2)
    throw InputError("scheme token-ring: switch " + std::to_string(s) + " has " +
                     std::to_string(ports.size()) + " links to switches; in a ring it has two");
  return ports;
}

}  // namespace

Ring plan_ring(const topology::Graph& graph, std::vector<topology::NodeId> members) {
  std::sort(members.begin(), members.end());
  Ring ring{{}, std::move(members)};
  const topology::SwitchId home = graph.node(ring.members.at(0)).at.sw;
  topology::SwitchId at = home;
  std::uint32_t in = ring_ports(graph, home)[1];
  do {
    const auto ports = ring_ports(graph, at);
    const std::uint32_t out = ports[0] == in ? ports[1] : ports[0];
    ring.stops.push_back({at, in, out, 0});
    in = graph.peer(at, out).port;
    at = graph.peer(at, out).id;
  } while (at != home);
  for (const topology::NodeId n : ring.members)
    for (Ring::Stop& stop : ring.stops)
      if (stop.sw == graph.node(n).at.sw) stop.members |= 1u << graph.node(n).at.port;
  return ring;
}

}  // namespace token_ring
