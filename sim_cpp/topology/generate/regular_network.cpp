// SPDX-License-Identifier: Apache-2.0
#include "topology/generate/regular_network.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "muster/core/error.hpp"

namespace muster::topology {

void check_size(const std::string& what, std::uint64_t switches, std::uint64_t nodes,
                std::uint64_t ports) {
  if (switches < 1 || switches > kMaxSwitches)
    throw InputError(
        fmt::format("{}: {} switches; 1 to {} are possible", what, switches, kMaxSwitches));
  if (nodes < 1 || nodes > kMaxNodes)
    throw InputError(fmt::format("{}: {} nodes; 1 to {} are possible", what, nodes, kMaxNodes));
  if (ports > kMaxPorts)
    throw InputError(fmt::format(
        "{}: a switch would need {} ports; {} are possible, use fewer nodes or links per switch",
        what, ports, kMaxPorts));
}

Graph regular_network(std::string name, std::string generator, std::uint64_t switches,
                      std::uint64_t ports, std::vector<Edge> edges,
                      const std::vector<Attachment>& nodes) {
  const auto size = static_cast<std::uint32_t>(std::max<std::uint64_t>(ports, 1));
  Graph graph = assemble(std::vector<std::uint32_t>(switches, size), std::move(edges), nodes);
  graph.name = std::move(name);
  graph.generator = std::move(generator);
  return graph;
}

std::vector<Attachment> nodes_on_all(std::uint64_t switches, std::uint32_t nodes_per_switch) {
  std::vector<Attachment> nodes;
  for (std::uint64_t s = 0; s < switches; ++s)
    nodes.insert(nodes.end(), nodes_per_switch, {static_cast<SwitchId>(s)});
  return nodes;
}

}  // namespace muster::topology
