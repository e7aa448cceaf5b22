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

}  // namespace

ChannelLoads uniform_loads(const Graph& graph, const Routes& routes, const Steps& steps,
                           const std::vector<std::uint8_t>& nodes) {
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

  ChannelLoads loads;
  const double others = std::max(sending, 2u) - 1.0;
  double hops = 0.0;
  loads.out.resize(graph.switches());
  for (SwitchId s = 0; s < graph.switches(); ++s) {
    for (std::uint32_t p = 0; p < graph.ports(s); ++p) {
      const double load = static_cast<double>(packets[s][p]) / others;
      loads.out[s].push_back(load);
      loads.largest = std::max(loads.largest, load);
      if (graph.peer(s, p).kind == Peer::Kind::kSwitch) hops += load;
    }
  }
  if (sending >= 2) {
    loads.largest = std::max(loads.largest, 1.0);
    loads.average_hops = hops / sending;
  }
  return loads;
}

double route_bound_flits_per_node_cycle(const ChannelLoads& loads) {
  return loads.largest > 1.0 ? 1.0 / loads.largest : 1.0;
}

}  // namespace muster::topology
