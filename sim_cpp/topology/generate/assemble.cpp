// SPDX-License-Identifier: Apache-2.0
#include "topology/generate/assemble.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "muster/core/error.hpp"

namespace muster::topology {

Graph assemble(const std::vector<std::uint32_t>& ports, std::vector<Edge> edges,
               const std::vector<Attachment>& nodes) {
  std::vector<std::uint32_t> used(ports.size(), 0);
  const auto use = [&](SwitchId s) {
    if (s >= ports.size())
      throw InputError(
          fmt::format("switch {} does not exist; the network has {}", s, ports.size()));
    return used[s]++;
  };
  for (const Edge& edge : edges) use(edge.a), use(edge.b);
  for (const Attachment& node : nodes) use(node.sw);

  Graph graph;
  for (SwitchId s = 0; s < ports.size(); ++s) {
    const std::uint32_t size = ports[s] != 0 ? ports[s] : std::max(used[s], 1u);
    if (used[s] > size || used[s] > kMaxPorts)
      throw InputError(fmt::format("switch {} needs {} ports and has {}; use fewer links or nodes",
                                   s, used[s], std::min(size, kMaxPorts)));
    graph.add_switch(size);
  }

  // In this order the lower neighbours of a switch come before its higher ones, each in ascending
  // order, so counting up gives every neighbour its port.
  for (Edge& edge : edges)
    if (edge.a > edge.b) std::swap(edge.a, edge.b);
  std::stable_sort(edges.begin(), edges.end(), [](const Edge& x, const Edge& y) {
    return std::pair(x.a, x.b) < std::pair(y.a, y.b);
  });
  std::vector<std::uint32_t> next(ports.size(), 0);
  for (const Edge& edge : edges) {
    const PortRef a{edge.a, next[edge.a]++};
    const PortRef b{edge.b, next[edge.b]++};
    graph.add_link(a, b, edge.latency);
  }
  for (const Attachment& node : nodes) graph.add_node({node.sw, next[node.sw]++}, node.latency);
  return graph;
}

}  // namespace muster::topology
