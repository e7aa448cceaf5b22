// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "muster/topology/graph.hpp"
#include "support/test.hpp"

/// The network of Figure 1 of the BTIN paper.
inline muster::topology::Graph figure1_graph() {
  return muster::topology::read_topology(MUSTER_SOURCE_DIR "/topologies/figure1.json");
}

inline std::vector<muster::topology::NodeId> figure1_members(const muster::topology::Graph& graph) {
  return graph.groups.at("paper");
}

/// A small connected network, unkind on purpose: switches of different sizes, links and nodes on
/// any ports, parallel links, different latencies, switches without nodes.
inline muster::topology::Graph random_network(muster::Random& rng) {
  using namespace muster::topology;
  Graph graph;
  const auto switches = static_cast<SwitchId>(1 + rng.below(24));
  for (SwitchId s = 0; s < switches; ++s) graph.add_switch(4 + rng.below(13));
  const auto open_port = [&](SwitchId s) -> std::optional<PortRef> {
    std::vector<std::uint32_t> open;
    for (std::uint32_t p = 0; p < graph.ports(s); ++p)
      if (graph.peer(s, p).kind == Peer::Kind::kOpen) open.push_back(p);
    if (open.empty()) return std::nullopt;
    return PortRef{s, open[rng.below(open.size())]};
  };
  const auto any_switch = [&](SwitchId below) { return static_cast<SwitchId>(rng.below(below)); };
  const auto latency = [&] { return 1 + rng.below(4); };
  // A spanning tree first. With four ports or more a switch with an open one is always left, so
  // the last one can have a node before further links take the rest.
  for (SwitchId s = 1; s < switches; ++s) {
    auto parent = open_port(any_switch(s));
    while (!parent) parent = open_port(any_switch(s));
    graph.add_link(*parent, open_port(s).value(), latency());
  }
  graph.add_node(open_port(switches - 1).value(), latency());
  for (std::uint64_t i = rng.below(2 * switches); i > 0 && switches > 1; --i) {
    const auto a = open_port(any_switch(switches)), b = open_port(any_switch(switches));
    if (a && b && a->sw != b->sw) graph.add_link(*a, *b, latency());
  }
  for (std::uint64_t i = rng.below(3 * switches); i > 0; --i)
    if (const auto at = open_port(any_switch(switches))) graph.add_node(*at, latency());
  return graph;
}

/// Between one and all nodes of the network, in random order.
inline std::vector<muster::topology::NodeId> random_group(const muster::topology::Graph& graph,
                                                          muster::Random& rng) {
  std::vector<muster::topology::NodeId> nodes(graph.nodes());
  for (std::uint32_t n = 0; n < nodes.size(); ++n) nodes[n] = n;
  for (std::size_t i = nodes.size(); i > 1; --i) std::swap(nodes[i - 1], nodes[rng.below(i)]);
  nodes.resize(1 + rng.below(nodes.size()));
  return nodes;
}

/// Calls `check` for `rounds` networks with a group each, a function of the seed and `first` alone,
/// and the random numbers behind them.
template <class Check>
void for_random_groups(std::uint64_t first, std::uint64_t rounds, Check&& check) {
  for (std::uint64_t round = first; round < first + rounds; ++round) {
    CAPTURE(round);
    muster::Random rng(muster_seed(), round);
    const muster::topology::Graph graph = random_network(rng);
    check(graph, random_group(graph, rng), rng);
  }
}
