// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>

#include "muster/core/bits.hpp"
#include "muster/topology/routes.hpp"

namespace muster::topology {

/// The vertices of one cycle of a directed graph, each with an edge to the next and the last to the
/// first; empty if there is none. `successors[v]` are the heads of the edges out of v.
std::vector<std::uint32_t> find_cycle(const std::vector<std::vector<std::uint32_t>>& successors);

/// For each port of switch `s`: the ports by which packets that have left it by that port may leave
/// the next switch. 0 for ports without one.
inline std::array<PortMask, kMaxPorts> onward_ports(const Graph& graph, const Routes& routes,
                                                    SwitchId s) {
  std::array<PortMask, kMaxPorts> onward{}, left{};  // there is, and is not found yet
  PortMask open = 0;                                 // behind which something is left
  graph.each_link(s, [&](std::uint32_t port, const Peer& peer) {
    open |= core::port_bit(port);
    for (std::uint32_t p = 0; p < graph.ports(peer.id); ++p) {
      // By a rule no packet returns at once: it would do so for ever.
      const Peer& next = graph.peer(peer.id, p);
      const bool back = next.kind == Peer::Kind::kSwitch && next.id == s && routes.by_rule();
      if (next.kind != Peer::Kind::kOpen && !back) left[port] |= core::port_bit(p);
    }
  });
  for (std::uint32_t d = 0; open != 0;) {
    std::uint32_t next = routes.destinations();
    core::for_each_bit(open, [&](std::uint32_t port) {
      const std::uint32_t here = routes.next_by(core::port_bit(port), s, d);
      next = std::min(next, routes.next_by(left[port], graph.peer(s, port).id, here));
    });
    d = next;
    if (d >= routes.destinations()) break;
    std::uint32_t end = routes.run_end(s, d);
    core::for_each_bit(routes.mask(s, d) & open, [&](std::uint32_t port) {
      const SwitchId peer = graph.peer(s, port).id;
      const PortMask mask = routes.mask(peer, d);
      onward[port] |= mask;
      left[port] &= ~mask;
      if (left[port] == 0) open &= ~core::port_bit(port);
      if (end > d + 1) end = std::min(end, routes.run_end(peer, d));
    });
    d = end;
  }
  return onward;
}

/// The ports by which packets to any destination may leave a switch.
inline PortMask used_ports(const Routes& routes, SwitchId s) {
  PortMask ports = 0;
  for (std::uint32_t d = 0; d < routes.destinations(); d = routes.run_end(s, d))
    ports |= routes.mask(s, d);
  return ports;
}

/// One direction of a link between two switches, or a virtual channel of it.
struct Channel {
  PortRef from, to;
  std::optional<std::uint32_t> vc;  ///< where packets change it (Phases)
};

/// The channel dependency graph of Dally and Seitz: an edge from channel c to channel d where some
/// packet may hold c and wait for d. All bits of all masks count, so that acyclic means free of
/// deadlock for adaptive messages too. Node channels are left out: nothing waits in front of an
/// injection channel and nodes always drain, so no cycle contains one.
///
/// Where packets change their virtual channel its vertices are virtual channels of links, and edges
/// those of packets from any switch to any destination by any way.
class DependencyGraph {
 public:
  DependencyGraph(const Graph& graph, const Routes& routes, const Steps& steps = {});

  const std::vector<Channel>& channels() const { return channels_; }
  /// Channels that packets in `channel` may wait for, as places in channels().
  const std::vector<std::uint32_t>& successors(std::uint32_t channel) const {
    return successors_[channel];
  }

  /// The channels of one cycle, each waiting for the next and the last for the first; empty if
  /// there is none.
  std::vector<Channel> cycle() const;
  bool deadlock_free() const { return cycle().empty(); }

 private:
  /// By switch and port: the place of the channel out of it, or of the first of them.
  using Places = std::vector<std::vector<std::uint32_t>>;
  void add_packets(const Graph& graph, const Routes& routes, const Places& place,
                   const Steps& steps);

  std::vector<Channel> channels_;
  std::vector<std::vector<std::uint32_t>> successors_;
};

/// "0:1 -> 3:0, 3:2 -> 1:1, ...": for a message.
std::string describe(const std::vector<Channel>& channels);

/// Why not every packet arrives, or nothing: every mask names used ports only, every choice of bits
/// leads from every switch to every destination, and only the entry of a switch for itself is
/// empty. By the ways of Phases packets arrive too, in the virtual channels that these take.
std::optional<std::string> delivery_fault(const Graph& graph, const Routes& routes);

}  // namespace muster::topology
