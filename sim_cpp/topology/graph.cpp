// SPDX-License-Identifier: Apache-2.0
#include "muster/topology/graph.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "muster/core/error.hpp"

namespace muster::topology {

SwitchId Graph::add_switch(std::uint32_t ports) {
  if (ports < 1 || ports > kMaxPorts)
    throw InputError(
        fmt::format("switch {} has {} ports; 1 to {} are possible", switches(), ports, kMaxPorts));
  if (switches() == kMaxSwitches)
    throw InputError(fmt::format("more than {} switches; use a smaller network", kMaxSwitches));
  peers_.emplace_back(ports);
  return switches() - 1;
}

void Graph::claim(PortRef at) const {
  if (at.sw >= switches())
    throw InputError(
        fmt::format("switch {} does not exist; the network has {}", at.sw, switches()));
  if (at.port >= ports(at.sw))
    throw InputError(
        fmt::format("switch {} has no port {}; it has {}", at.sw, at.port, ports(at.sw)));
  if (peer(at.sw, at.port).kind != Peer::Kind::kOpen)
    throw InputError(fmt::format("port {}:{} is used twice; give every link and node its own port",
                                 at.sw, at.port));
}

static void check_latency(std::uint32_t latency) {
  if (latency < 1 || latency > kMaxLatency)
    throw InputError(fmt::format("latency {} is out of range; 1 to {} cycles are possible", latency,
                                 kMaxLatency));
}

NodeId Graph::add_node(PortRef at, std::uint32_t latency) {
  claim(at);
  check_latency(latency);
  if (nodes() == kMaxNodes)
    throw InputError(fmt::format("more than {} nodes; use a smaller network", kMaxNodes));
  const NodeId id = nodes();
  nodes_.push_back({at, latency});
  peers_[at.sw][at.port] = {Peer::Kind::kNode, id, 0, latency};
  return id;
}

void Graph::add_link(PortRef a, PortRef b, std::uint32_t latency) {
  claim(a);
  claim(b);
  check_latency(latency);
  if (a.sw == b.sw)
    throw InputError(
        fmt::format("link {0}:{1} - {0}:{2} joins a switch to itself", a.sw, a.port, b.port));
  links_.push_back({a, b, latency});
  peers_[a.sw][a.port] = {Peer::Kind::kSwitch, b.sw, b.port, latency};
  peers_[b.sw][b.port] = {Peer::Kind::kSwitch, a.sw, a.port, latency};
}

std::uint32_t Graph::max_ports() const {
  std::uint32_t most = 0;
  for (const auto& list : peers_) most = std::max(most, static_cast<std::uint32_t>(list.size()));
  return most;
}

bool Graph::connected() const {
  if (switches() == 0) return false;
  std::vector<bool> seen(switches(), false);
  std::vector<SwitchId> stack{0};
  seen[0] = true;
  std::uint32_t count = 1;
  while (!stack.empty()) {
    const SwitchId s = stack.back();
    stack.pop_back();
    for (const Peer& p : peers_[s]) {
      if (p.kind != Peer::Kind::kSwitch || seen[p.id]) continue;
      seen[p.id] = true;
      ++count;
      stack.push_back(p.id);
    }
  }
  return count == switches();
}

std::optional<NodeId> Graph::node_at(PortRef at) const {
  if (at.sw >= switches() || at.port >= ports(at.sw)) return std::nullopt;
  const Peer& p = peer(at.sw, at.port);
  if (p.kind != Peer::Kind::kNode) return std::nullopt;
  return p.id;
}

}  // namespace muster::topology
