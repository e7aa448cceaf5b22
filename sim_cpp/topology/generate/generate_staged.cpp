// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <vector>

#include "muster/core/error.hpp"
#include "muster/topology/generate.hpp"
#include "topology/generate/assemble.hpp"

namespace muster::topology {

namespace {

/// Of numbers that are no network any more, something above kMaxNodes.
std::uint64_t power(std::uint64_t base, std::uint32_t exponent) {
  std::uint64_t value = 1;
  if (base == 1) return value;
  for (std::uint32_t i = 0; i < exponent && value <= kMaxNodes; ++i) value *= base;
  return value;
}

}  // namespace

Graph generate_fat_tree(std::uint32_t arity, std::uint32_t dimension, std::uint32_t taper) {
  const std::string text = fmt::format("fat tree of arity {} and dimension {}{}", arity, dimension,
                                       taper == 1 ? "" : fmt::format(", taper {}", taper));
  if (taper < 1 || (taper > 1 && arity % taper != 0))
    throw InputError(fmt::format("{}: use a taper that divides the arity", text));
  const std::uint32_t up = arity / taper, most = kMaxPorts * taper / (taper + 1);
  if (arity < 2 || arity > most || dimension < 1)
    throw InputError(fmt::format(
        "{}: an arity of 2 to {} and a dimension of at least 1 are possible", text, most));
  // A switch of a level has one digit for each level above it, which says below which of `arity`
  // links it is, and one for each level below it, which of `up` switches it is there.
  std::vector<std::uint64_t> widths;
  std::uint64_t count = 0;
  for (std::uint32_t level = 0; level < dimension && count <= kMaxSwitches; ++level) {
    widths.push_back(power(arity, level) * power(up, dimension - 1 - level));
    count += widths.back();
  }
  if (power(arity, dimension) > kMaxNodes || count > kMaxSwitches)
    throw InputError(
        fmt::format("{}: up to {} nodes and {} switches are possible; use a smaller dimension",
                    text, kMaxNodes, kMaxSwitches));
  std::vector<Edge> edges;
  std::vector<std::uint32_t> levels;
  std::uint64_t first = 0;  // switch of the level
  for (std::uint32_t level = 0; level < dimension; first += widths[level++]) {
    levels.insert(levels.end(), widths[level], level);
    if (level + 1 == dimension) break;
    const std::uint64_t place = power(up, dimension - 2 - level);  // of the digit that changes
    for (std::uint64_t w = 0; w < widths[level]; ++w) {
      const std::uint64_t above = w / (place * up), rest = w % place;
      for (std::uint32_t digit = 0; digit < arity; ++digit)
        edges.push_back({static_cast<SwitchId>(first + w),
                         static_cast<SwitchId>(first + widths[level] +
                                               (above * arity + digit) * place + rest)});
    }
  }
  std::vector<Attachment> nodes;
  for (std::uint64_t n = 0; n < power(arity, dimension); ++n)
    nodes.push_back({static_cast<SwitchId>(first + n / arity)});
  Graph graph = assemble(std::vector<std::uint32_t>(count, arity + up), std::move(edges), nodes);
  graph.name = fmt::format("fat-tree-{}x{}", arity, dimension);
  if (taper > 1) graph.name += fmt::format("-taper-{}", taper);
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
        fmt::format("{}: a spine has {} ports; use 1 to {} leaves", text, ports, ports));
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
