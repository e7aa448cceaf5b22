// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <bit>
#include <limits>
#include <span>

#include "muster/topology/routes.hpp"

namespace muster::topology {

/// Calls visit(switch, port) for every switch on the deterministic route between two nodes and the
/// port by which it leaves. REQUIRES: delivery_fault(graph, routes) finds none; of routes that are
/// being rewritten it visits as many switches as there are, at most. `way`: see Phases.
template <class Visit>
void walk_route(const Graph& graph, const Routes& routes, NodeId from, NodeId to, Visit&& visit,
                std::uint32_t way = 0) {
  SwitchId s = graph.node(from).at.sw;
  for (SwitchId left = graph.switches(); left != 0; --left) {
    const std::uint32_t port =
        way == 0 ? routes.next_port(s, to)
                 : static_cast<std::uint32_t>(std::countr_zero(routes.mask_by(way, s, to)));
    visit(s, port);
    if (way != 0 && (routes.phases()->raising(s) >> port & 1) != 0) way = 0;
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

/// The deterministic routes of switches to one of them.
class WaysTo {
 public:
  WaysTo(const Graph& graph, const Routes& routes, SwitchId target)
      : graph_(graph), routes_(routes), target_(target), level_(graph.switches(), kUnknown) {
    level_[target] = 0;
  }

  /// Links from `s` to the target. Calls enter(parent, port of the parent, child) for each switch
  /// on the way that no earlier call has met, the nearest to the target first.
  template <class Enter>
  std::uint32_t walk(SwitchId s, Enter&& enter) {
    path_.clear();
    for (SwitchId at = s; level_[at] == kUnknown; at = next(at).id) path_.push_back(at);
    for (auto at = path_.rbegin(); at != path_.rend(); ++at) {
      const Peer& above = next(*at);
      level_[*at] = level_[above.id] + 1;
      enter(above.id, above.port, *at);
    }
    return level_[s];
  }

 private:
  static constexpr std::uint32_t kUnknown = std::numeric_limits<std::uint32_t>::max();

  const Peer& next(SwitchId s) const {
    return graph_.peer(s, routes_.next_port(s, graph_.nodes() + target_));
  }

  const Graph& graph_;
  const Routes& routes_;
  SwitchId target_;
  std::vector<std::uint32_t> level_;
  std::vector<SwitchId> path_;
};

/// Loads of all channels when every node sends one flit a cycle, on the deterministic routes, of
/// which Phases may give several by choice. All in flits per cycle, and linear in what the nodes
/// send.
struct ChannelLoads {
  std::vector<std::vector<double>> out;  ///< [switch][port]: link or ejection channel; 0 if open
  double largest = 0.0;                  ///< over all channels, injection channels (1) included
  double average_hops = 0.0;             ///< links between switches on a packet's way
};

/// Each flit goes to a random other node. Of all nodes, or only of those that are set in `nodes`,
/// which must be all where Phases give several routes. REQUIRES: routes lead from each of these
/// to each other one; delivery_fault(graph, routes) finds none if these are all. With fewer than
/// two nothing is sent.
ChannelLoads uniform_loads(const Graph& graph, const Routes& routes, const Steps& steps = {},
                           const std::vector<std::uint8_t>& nodes = {});

/// Node n sends to `to[n]`.
ChannelLoads permutation_loads(const Graph& graph, const Routes& routes,
                               std::span<const NodeId> to);

/// Offered load at which the busiest channel is full: 1 / largest load, in flits per node and
/// cycle; 1 if no channel but the node's own limits it. This is what `--load 1` stands for.
double route_bound_flits_per_node_cycle(const ChannelLoads& loads);

}  // namespace muster::topology
