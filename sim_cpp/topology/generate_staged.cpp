// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <vector>

#include "muster/core/error.hpp"
#include "muster/topology/generate.hpp"
#include "topology/assemble.hpp"

namespace muster::topology {

Graph generate_fat_tree(std::uint32_t arity, std::uint32_t dimension) {
  const std::string text = fmt::format("fat tree of arity {} and dimension {}", arity, dimension);
  if (arity < 2 || arity > kMaxPorts / 2 || dimension < 1)
    throw InputError(fmt::format(
        "{}: an arity of 2 to {} and a dimension of at least 1 are possible", text, kMaxPorts / 2));
  std::uint64_t width = 1;  // switches of a level
  for (std::uint32_t i = 1; i < dimension && width <= kMaxNodes; ++i) width *= arity;
  if (width * arity > kMaxNodes || width * dimension > kMaxSwitches)
    throw InputError(
        fmt::format("{}: up to {} nodes and {} switches are possible; take a smaller dimension",
                    text, kMaxNodes, kMaxSwitches));
  std::vector<Edge> edges;
  std::vector<std::uint32_t> levels;
  std::uint64_t place = width;  // of the digit in which the ends of a link may differ
  for (std::uint32_t level = 0; level < dimension; ++level) {
    levels.insert(levels.end(), width, level);
    place /= arity;
    if (level + 1 == dimension) break;
    for (std::uint64_t w = 0; w < width; ++w) {
      const std::uint64_t rest = w - w / place % arity * place;
      for (std::uint32_t digit = 0; digit < arity; ++digit)
        edges.push_back({static_cast<SwitchId>(level * width + w),
                         static_cast<SwitchId>((level + 1) * width + rest + digit * place)});
    }
  }
  std::vector<Attachment> nodes;
  for (std::uint64_t n = 0; n < width * arity; ++n)
    nodes.push_back({static_cast<SwitchId>((dimension - 1) * width + n / arity)});
  Graph graph =
      assemble(std::vector<std::uint32_t>(width * dimension, 2 * arity), std::move(edges), nodes);
  graph.name = fmt::format("fat-tree-{}x{}", arity, dimension);
  graph.generator = text;
  graph.levels = std::move(levels);
  return graph;
}

Graph generate_clos(std::uint32_t ports, std::uint32_t leaves) {
  const std::string text = fmt::format("Clos network of {} crossbars of {} ports", leaves, ports);
  if (ports < 4 || ports > kMaxPorts || ports % 2 != 0)
    throw InputError(
        fmt::format("{}: an even number of ports from 4 to {} is possible", text, kMaxPorts));
  if (leaves < 1 || leaves > ports)
    throw InputError(
        fmt::format("{}: a spine has {} ports; take 1 to {} leaves", text, ports, ports));
  const bool alone = leaves == 1;
  const std::uint32_t half = ports / 2, spines = alone ? 0 : half;
  std::vector<Edge> edges;
  std::vector<Attachment> nodes;
  std::vector<std::uint32_t> levels(spines, 0);
  for (std::uint32_t leaf = 0; leaf < leaves; ++leaf) {
    for (SwitchId spine = 0; spine < spines; ++spine) edges.push_back({spine, spines + leaf});
    nodes.insert(nodes.end(), alone ? ports : half, {spines + leaf});
    levels.push_back(alone ? 0 : 1);
  }
  Graph graph =
      assemble(std::vector<std::uint32_t>(spines + leaves, ports), std::move(edges), nodes);
  graph.name = fmt::format("clos-{}x{}", ports, leaves);
  graph.generator = text;
  graph.levels = std::move(levels);
  return graph;
}

}  // namespace muster::topology
