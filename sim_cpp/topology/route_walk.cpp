// SPDX-License-Identifier: Apache-2.0
#include "topology/route_walk.hpp"

#include <algorithm>
#include <array>

namespace muster::topology {
namespace {

constexpr std::uint32_t kBlock = 32;  // entries of a table in a cache line

/// Adds the packets of all nodes for one node, one from each, to the channels they take. Switches
/// are taken from the leaves of the tree of routes towards its root, the switch of the node.
class FlowTo {
 public:
  FlowTo(const Graph& graph, const Routes& routes, const std::vector<std::uint8_t>& nodes)
      : graph_(graph),
        routes_(routes),
        nodes_(nodes),
        senders_(graph.switches(), 0),
        ports_(graph.switches()) {
    for (NodeId n = 0; n < graph.nodes(); ++n) senders_[graph.node(n).at.sw] += sends(n);
  }
  bool sends(NodeId n) const { return nodes_.empty() || nodes_[n] != 0; }

  /// To kBlock nodes, or as many as there are: tables are read by rows, which lie together.
  void add_block(NodeId first, std::vector<std::vector<std::uint64_t>>& packets) {
    const std::uint32_t count = std::min(kBlock, graph_.nodes() - first);
    for (SwitchId s = 0; s < graph_.switches(); ++s)
      for (std::uint32_t i = 0; i < count; ++i)
        ports_[s][i] = static_cast<std::uint8_t>(routes_.next_port(s, first + i));
    for (std::uint32_t i = 0; i < count; ++i)
      if (sends(first + i)) add(graph_.node(first + i).at.sw, i, packets);
  }

 private:
  void add(SwitchId target, std::uint32_t place, std::vector<std::vector<std::uint64_t>>& packets) {
    flow_ = senders_;
    --flow_[target];  // no node sends to itself
    inflows_.assign(graph_.switches(), 0);
    const auto leads_on = [&](SwitchId s) { return s != target && ports_[s][place] != kMaxPorts; };
    for (SwitchId s = 0; s < graph_.switches(); ++s)
      if (leads_on(s)) ++inflows_[graph_.peer(s, ports_[s][place]).id];
    ready_.clear();
    for (SwitchId s = 0; s < graph_.switches(); ++s)
      if (inflows_[s] == 0) ready_.push_back(s);
    for (std::size_t head = 0; head < ready_.size(); ++head) {
      const SwitchId s = ready_[head];
      if (s != target && !leads_on(s)) continue;  // no packet passes it
      packets[s][ports_[s][place]] += flow_[s];
      if (s == target) continue;
      const SwitchId next = graph_.peer(s, ports_[s][place]).id;
      flow_[next] += flow_[s];
      if (--inflows_[next] == 0) ready_.push_back(next);
    }
  }

  const Graph& graph_;
  const Routes& routes_;
  const std::vector<std::uint8_t>& nodes_;     // that send, or none for all
  std::vector<std::uint64_t> senders_, flow_;  // nodes at a switch, packets that pass it
  std::vector<std::uint32_t> inflows_;         // neighbours whose packets are still to come
  std::vector<SwitchId> ready_;
  std::vector<std::array<std::uint8_t, kBlock>> ports_;  // [switch][node of the block]
};

using Loads = std::vector<std::vector<double>>;  // by switch and port

/// Of so many nodes that send.
ChannelLoads summed(const Graph& graph, Loads out, std::uint32_t sending) {
  ChannelLoads loads;
  double hops = 0.0;
  for (SwitchId s = 0; s < graph.switches(); ++s)
    for (std::uint32_t p = 0; p < graph.ports(s); ++p) {
      loads.largest = std::max(loads.largest, out[s][p]);
      if (graph.peer(s, p).kind == Peer::Kind::kSwitch) hops += out[s][p];
    }
  if (sending >= 2) {
    loads.largest = std::max(loads.largest, 1.0);
    loads.average_hops = hops / sending;
  }
  loads.out = std::move(out);
  return loads;
}

Loads no_loads(const Graph& graph) {
  Loads out(graph.switches());
  for (SwitchId s = 0; s < graph.switches(); ++s) out[s].assign(graph.ports(s), 0.0);
  return out;
}

/// Adds flits of one node for another, shared evenly by the routes among which it chooses.
void add_flits(const Graph& graph, const Routes& routes, NodeId from, NodeId to, double flits,
               Loads& out) {
  const Phases* const phases = routes.phases();
  const std::uint32_t choices = phases == nullptr ? 0 : phases->choices(from, to);
  const std::uint32_t shares = std::max(choices, 1u);
  for (std::uint32_t i = 0; i < shares; ++i)
    walk_route(
        graph, routes, from, to,
        [&](SwitchId s, std::uint32_t port) { out[s][port] += flits / shares; },
        choices == 0 ? 0 : phases->choice(from, to, i));
}

/// Where Phases give several routes. Nodes of a switch take the same, so one sends for all.
ChannelLoads uniform_by_choice(const Graph& graph, const Routes& routes, const Steps& steps) {
  Loads out = no_loads(graph);
  std::vector<std::vector<NodeId>> nodes(graph.switches());
  for (NodeId n = 0; n < graph.nodes(); ++n) nodes[graph.node(n).at.sw].push_back(n);
  for (SwitchId s = 0; s < graph.switches(); ++s) {
    for (NodeId d = 0; d < graph.nodes() && !nodes[s].empty(); ++d) {
      const std::size_t others = nodes[s].size() - (graph.node(d).at.sw == s ? 1 : 0);
      add_flits(graph, routes, nodes[s].front(), d,
                static_cast<double>(others) / (graph.nodes() - 1.0), out);
    }
    if (steps) steps("loads", "switches", s + 1, graph.switches());
  }
  return summed(graph, std::move(out), graph.nodes());
}

}  // namespace

ChannelLoads permutation_loads(const Graph& graph, const Routes& routes,
                               std::span<const NodeId> to) {
  Loads out = no_loads(graph);
  for (NodeId n = 0; n < graph.nodes(); ++n) add_flits(graph, routes, n, to[n], 1.0, out);
  return summed(graph, std::move(out), graph.nodes());
}

ChannelLoads uniform_loads(const Graph& graph, const Routes& routes, const Steps& steps,
                           const std::vector<std::uint8_t>& nodes) {
  if (routes.phases() != nullptr && routes.phases()->ways() != 0 && graph.nodes() >= 2)
    return uniform_by_choice(graph, routes, steps);
  std::vector<std::vector<std::uint64_t>> packets(graph.switches());
  for (SwitchId s = 0; s < graph.switches(); ++s) packets[s].assign(graph.ports(s), 0);
  FlowTo flow(graph, routes, nodes);
  const auto sending =
      nodes.empty() ? graph.nodes() : static_cast<std::uint32_t>(std::ranges::count(nodes, 1));
  if (sending >= 2)
    for (NodeId d = 0; d < graph.nodes(); d += kBlock) {
      flow.add_block(d, packets);
      if (steps) steps("loads", "nodes", std::min(d + kBlock, graph.nodes()), graph.nodes());
    }

  const double others = std::max(sending, 2u) - 1.0;
  Loads out = no_loads(graph);
  for (SwitchId s = 0; s < graph.switches(); ++s)
    for (std::uint32_t p = 0; p < graph.ports(s); ++p)
      out[s][p] = static_cast<double>(packets[s][p]) / others;
  return summed(graph, std::move(out), sending);
}

double route_bound_flits_per_node_cycle(const ChannelLoads& loads) {
  return loads.largest > 1.0 ? 1.0 / loads.largest : 1.0;
}

}  // namespace muster::topology
