// SPDX-License-Identifier: Apache-2.0
#include "topology/route_walk.hpp"

#include <algorithm>
#include <utility>

#include "core/parallel.hpp"

namespace muster::topology {
namespace {

/// Packets of all nodes that send, for one node after the other, on the channels they take.
class Flows {
 public:
  /// `nodes` that send, or none for all.
  Flows(const Graph& graph, const Routes& routes, const std::vector<std::uint8_t>& nodes)
      : graph_(graph),
        routes_(routes),
        nodes_(nodes),
        senders_(graph.switches(), 0),
        switches_(graph.switches()),
        peers_(std::size_t{graph.switches()} * graph.max_ports(), 0),
        packets_(peers_.size(), 0) {
    for (SwitchId s = 0; s < graph.switches(); ++s)
      graph.each_link(s, [&](std::uint32_t p, const Peer& peer) { peers_[place(s, p)] = peer.id; });
    for (NodeId n = 0; n < graph.nodes(); ++n) senders_[graph.node(n).at.sw] += sends(n);
    for (SwitchId s = 0; s < graph.switches(); ++s)
      if (senders_[s] != 0) sources_.push_back(s);
  }

  /// One packet from each other node, if the node sends too. REQUIRES: it has a higher number than
  /// that of the call before.
  void add_to(NodeId d) {
    if (!sends(d)) return;
    const PortRef end = graph_.node(d).at;
    met_.clear();
    meet(end.sw, d);
    --switches_[end.sw].flow;  // no node sends to itself
    for (const SwitchId source : sources_) {
      const auto before = static_cast<std::ptrdiff_t>(met_.size());
      for (SwitchId s = source; switches_[s].met_for != d; s = switches_[s].next) meet(s, d);
      std::reverse(met_.begin() + before, met_.end());
    }
    // A switch stands before those whose packets pass it.
    for (; met_.size() > 1; met_.pop_back()) {
      const Switch& at = switches_[met_.back()];
      packets_[place(met_.back(), at.port)] += at.flow;
      switches_[at.next].flow += at.flow;
    }
    packets_[place(end.sw, end.port)] += switches_[end.sw].flow;
  }
  /// Of all calls.
  std::uint64_t packets(SwitchId s, std::uint32_t port) const { return packets_[place(s, port)]; }

 private:
  struct Switch {
    NodeId met_for = ~NodeId{0};  // node whose packets come here
    std::uint32_t flow = 0;       // that pass it
    SwitchId next = 0;
    std::uint32_t port = 0;
    std::uint32_t run_end = 0;  // all nodes below it have this port
  };
  bool sends(NodeId n) const { return nodes_.empty() || nodes_[n] != 0; }
  /// Most switches that are met one after the other send on by the same port.
  std::size_t place(SwitchId s, std::uint32_t port) const { return switches_.size() * port + s; }
  void meet(SwitchId s, NodeId d) {
    Switch& at = switches_[s];
    if (d >= at.run_end) {
      const std::uint32_t before = std::exchange(at.port, routes_.next_port(s, d));
      at.next = peers_[place(s, at.port)];
      if (at.port == before) at.run_end = routes_.run_end(s, d);  // else it is short, and costs
    }
    at.met_for = d;
    at.flow = senders_[s];
    met_.push_back(s);
  }

  const Graph& graph_;
  const Routes& routes_;
  const std::vector<std::uint8_t>& nodes_;
  std::vector<std::uint32_t> senders_;  // nodes at a switch
  std::vector<SwitchId> sources_;       // that have some
  std::vector<Switch> switches_;
  std::vector<SwitchId> met_;
  std::vector<SwitchId> peers_;         // by place()
  std::vector<std::uint64_t> packets_;  // by place()
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
  const auto sending =
      nodes.empty() ? graph.nodes() : static_cast<std::uint32_t>(std::ranges::count(nodes, 1));
  std::vector<Flows> flows(core::threads_for(graph.nodes()), Flows(graph, routes, nodes));
  if (sending >= 2)
    core::run_short_jobs(
        graph.nodes(), [&](NodeId d, unsigned thread) { flows[thread].add_to(d); },
        [&](std::uint32_t done) {
          if (steps) steps("loads", "nodes", done, graph.nodes());
        });

  const double others = std::max(sending, 2u) - 1.0;
  Loads out = no_loads(graph);
  for (SwitchId s = 0; s < graph.switches(); ++s)
    for (std::uint32_t p = 0; p < graph.ports(s); ++p) {
      std::uint64_t packets = 0;
      for (const Flows& some : flows) packets += some.packets(s, p);
      out[s][p] = static_cast<double>(packets) / others;
    }
  return summed(graph, std::move(out), sending);
}

double route_bound_flits_per_node_cycle(const ChannelLoads& loads) {
  return loads.largest > 1.0 ? 1.0 / loads.largest : 1.0;
}

}  // namespace muster::topology
