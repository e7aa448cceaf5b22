// SPDX-License-Identifier: Apache-2.0
#include "topology/routes/fat_tree.hpp"

#include <algorithm>

#include "topology/bfs.hpp"

namespace muster::topology {

FatTree::Place FatTree::place(SwitchId s) const {
  const auto next = std::upper_bound(first.begin(), first.end(), s);
  const auto level = static_cast<std::uint32_t>(next - first.begin() - 1);
  const std::uint32_t number = s - first[level], digits = places[levels - 1 - level];
  return {level, number / digits, number % digits};
}

SwitchId FatTree::below(const Place& at, std::uint32_t digit) const {
  const std::uint32_t digits = places[levels - 2 - at.level];
  return first[at.level + 1] + (at.from_above * arity + digit) * digits + at.from_below % digits;
}

SwitchId FatTree::above(const Place& at, std::uint32_t digit) const {
  const std::uint32_t digits = places[levels - 1 - at.level];
  return first[at.level - 1] + (at.from_above / arity * up + digit) * digits + at.from_below;
}

namespace {

/// With the sizes that the ends of the network have; nothing if those of its levels are others.
std::optional<FatTree> sized_as(const Graph& graph, const Neighbours& neighbours) {
  FatTree tree;
  tree.levels = graph.levels.back() + 1;
  tree.arity = static_cast<std::uint32_t>(neighbours.of(0).size());
  tree.up = static_cast<std::uint32_t>(neighbours.of(graph.switches() - 1).size());
  std::uint64_t arities = 1, places = 1;
  for (std::uint32_t l = 0; l < tree.levels; ++l, arities *= tree.arity, places *= tree.up) {
    if (std::max(arities, places) > graph.switches()) return std::nullopt;
    tree.arities.push_back(static_cast<std::uint32_t>(arities));
    tree.places.push_back(static_cast<std::uint32_t>(places));
  }
  std::uint64_t switches = 0;
  for (std::uint32_t l = 0; l < tree.levels; ++l) {
    tree.first.push_back(static_cast<SwitchId>(switches));
    switches += std::uint64_t{tree.arities[l]} * tree.places[tree.levels - 1 - l];
    if (switches > graph.switches()) return std::nullopt;
  }
  tree.first.push_back(graph.switches());
  if (switches != graph.switches()) return std::nullopt;
  return tree;
}

bool fits(const FatTree& tree, SwitchId s, std::uint32_t level, std::span<const Hop> neighbours) {
  const FatTree::Place place = tree.place(s);
  if (place.level != level) return false;
  std::vector<SwitchId> expected;
  for (std::uint32_t i = 0; level > 0 && i < tree.up; ++i) expected.push_back(tree.above(place, i));
  for (std::uint32_t i = 0; level + 1 < tree.levels && i < tree.arity; ++i)
    expected.push_back(tree.below(place, i));
  return std::equal(expected.begin(), expected.end(), neighbours.begin(), neighbours.end(),
                    [](SwitchId wanted, const Hop& hop) { return hop.to == wanted; });
}

}  // namespace

std::optional<FatTree> fat_tree_of(const Graph& graph) {
  if (graph.levels.empty() || graph.levels.back() == 0) return std::nullopt;
  const Neighbours neighbours(graph);
  auto tree = sized_as(graph, neighbours);
  for (SwitchId s = 0; tree && s < graph.switches(); ++s)
    if (!fits(*tree, s, graph.levels[s], neighbours.of(s))) tree.reset();
  return tree;
}

}  // namespace muster::topology
