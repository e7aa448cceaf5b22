// SPDX-License-Identifier: Apache-2.0
#include "topology/load.hpp"

#include <algorithm>

namespace muster::topology {

namespace {

/// Adds the packets of all nodes for node d, one from each, to the channels they take. Switches are
/// taken from the leaves of the tree of routes towards its root, the switch of node d.
void add_flow_to(const Graph& graph, const Routes& routes, NodeId d,
                 std::vector<std::vector<std::uint64_t>>& packets) {
  const std::uint32_t count = graph.switches();
  std::vector<std::uint64_t> flow(count, 0);
  std::vector<std::uint32_t> inflows(count, 0), port(count);
  for (const Node& node : graph.node_list()) ++flow[node.at.sw];
  const SwitchId target = graph.node(d).at.sw;
  --flow[target];  // nobody sends to itself
  for (SwitchId s = 0; s < count; ++s) {
    port[s] = routes.next_port(s, d);
    if (s != target) ++inflows[graph.peer(s, port[s]).id];
  }
  std::vector<SwitchId> ready;
  for (SwitchId s = 0; s < count; ++s)
    if (inflows[s] == 0) ready.push_back(s);
  for (std::size_t head = 0; head < ready.size(); ++head) {
    const SwitchId s = ready[head];
    packets[s][port[s]] += flow[s];
    if (s == target) continue;
    const SwitchId next = graph.peer(s, port[s]).id;
    flow[next] += flow[s];
    if (--inflows[next] == 0) ready.push_back(next);
  }
}

}  // namespace

ChannelLoads uniform_loads(const Graph& graph, const Routes& routes) {
  std::vector<std::vector<std::uint64_t>> packets(graph.switches());
  for (SwitchId s = 0; s < graph.switches(); ++s) packets[s].assign(graph.ports(s), 0);
  if (graph.nodes() >= 2)
    for (NodeId d = 0; d < graph.nodes(); ++d) add_flow_to(graph, routes, d, packets);

  ChannelLoads loads;
  const double others = std::max(graph.nodes(), 2u) - 1.0;
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
  if (graph.nodes() >= 2) {
    loads.largest = std::max(loads.largest, 1.0);
    loads.average_hops = hops / graph.nodes();
  }
  return loads;
}

double saturation_flits_per_node_cycle(const ChannelLoads& loads) {
  return loads.largest > 1.0 ? 1.0 / loads.largest : 1.0;
}

}  // namespace muster::topology
