// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "muster/core/error.hpp"
#include "muster/topology/generate.hpp"
#include "topology/generate/regular_network.hpp"

namespace muster::topology {

Graph generate_mesh(std::uint32_t width, std::uint32_t height, std::uint32_t nodes_per_switch) {
  const std::uint64_t count = std::uint64_t{width} * height;
  const std::uint32_t links_x = std::min(width - std::min(width, 1u), 2u);
  const std::uint32_t links_y = std::min(height - std::min(height, 1u), 2u);
  const std::uint64_t ports = std::uint64_t{links_x} + links_y + nodes_per_switch;
  const std::string text =
      fmt::format("mesh {} x {}, nodes per switch {}", width, height, nodes_per_switch);
  check_size(text, count, count * nodes_per_switch, ports);
  std::vector<Edge> edges;
  for (SwitchId s = 0; s < count; ++s) {
    if ((s + 1) % width != 0) edges.push_back({s, s + 1});
    if (s + width < count) edges.push_back({s, s + width});
  }
  Graph graph = regular_network(fmt::format("mesh-{}x{}", width, height), text, count, ports,
                                std::move(edges), nodes_on_all(count, nodes_per_switch));
  graph.mesh = Mesh{width, height};
  return graph;
}

Graph generate_tree(std::uint32_t arity, std::uint32_t height, std::uint32_t nodes_per_leaf) {
  const std::string text = fmt::format("tree of arity {} and height {}, nodes per leaf switch {}",
                                       arity, height, nodes_per_leaf);
  if (arity < 1) throw InputError(text + ": an arity of at least 1 is needed");
  std::uint64_t inner = 0, leaves = 1;  // switches with children, and without
  for (std::uint32_t level = 0; level < height && inner <= kMaxSwitches; ++level) {
    inner += leaves;
    leaves *= arity;
  }
  const std::uint64_t child_ports = height > 0 ? arity + (height > 1 ? 1ull : 0ull) : 0;
  const std::uint64_t leaf_ports = nodes_per_leaf + (height > 0 ? 1ull : 0ull);
  const std::uint64_t ports = std::max(child_ports, leaf_ports);
  check_size(text, inner + leaves, leaves * nodes_per_leaf, ports);
  std::vector<Edge> edges;
  for (SwitchId s = 1; s < inner + leaves; ++s) edges.push_back({(s - 1) / arity, s});
  std::vector<Attachment> nodes;
  for (std::uint64_t s = inner; s < inner + leaves; ++s)
    nodes.insert(nodes.end(), nodes_per_leaf, {static_cast<SwitchId>(s)});
  return regular_network(fmt::format("tree-{}x{}", arity, height), text, inner + leaves, ports,
                         std::move(edges), nodes);
}

Graph generate_complete(std::uint32_t switches, std::uint32_t nodes_per_switch) {
  const std::string text =
      fmt::format("complete graph of {} switches, nodes per switch {}", switches, nodes_per_switch);
  const std::uint64_t ports = std::uint64_t{std::max(switches, 1u)} - 1 + nodes_per_switch;
  check_size(text, switches, std::uint64_t{switches} * nodes_per_switch, ports);
  std::vector<Edge> edges;
  for (SwitchId s = 0; s < switches; ++s)
    for (SwitchId t = s + 1; t < switches; ++t) edges.push_back({s, t});
  return regular_network(fmt::format("complete-{}", switches), text, switches, ports,
                         std::move(edges), nodes_on_all(switches, nodes_per_switch));
}

}  // namespace muster::topology
