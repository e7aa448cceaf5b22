// SPDX-License-Identifier: Apache-2.0
#include "topology/routes/fat_tree_rule.hpp"

#include <algorithm>
#include <utility>

namespace muster::topology {

FatTreeRule::FatTreeRule(const Graph& graph, FatTree tree)
    : SwitchRule(graph), tree_(std::move(tree)), up_(graph.switches(), 0) {
  place_.reserve(graph.switches());
  links_.reserve(std::size_t{graph.switches()} * (tree_.arity + tree_.up));
  for (SwitchId s = 0; s < graph.switches(); ++s) {
    const FatTree::Place place = tree_.place(s);
    const bool lowest = place.level + 1 == tree_.levels;
    place_.push_back(place);
    for (std::uint32_t i = 0; i < tree_.arity; ++i)
      links_.push_back(lowest ? 0 : ports_to(graph, s, tree_.below(place, i)));
    for (std::uint32_t i = 0; i < tree_.up; ++i) {
      links_.push_back(place.level == 0 ? 0 : ports_to(graph, s, tree_.above(place, i)));
      up_[s] |= links_.back();
    }
  }
}

std::uint16_t FatTreeRule::towards(SwitchId s, SwitchId t) const {
  const FatTree::Place &from = place_[s], &to = place_[t];
  const std::uint32_t high = std::min(from.level, to.level), low = std::max(from.level, to.level);
  const std::uint32_t kept = tree_.places[tree_.levels - 1 - low];  // digits that no step changes
  if (from.from_below % kept != to.from_below % kept || s == t) return 0;
  const std::size_t links = std::size_t{s} * (tree_.arity + tree_.up);
  if (from.level < low && from.from_above == to.from_above / tree_.arities[low - high])
    return links_[links + to.from_above / tree_.arities[low - high - 1] % tree_.arity];
  if (from.level <= to.level) return up_[s];
  return links_[links + tree_.arity + to.from_below / kept % tree_.up];
}

/// On the lowest level, where the nodes are, the switches below one of its links and those that are
/// not below it have consecutive numbers; on others those without a route.
SwitchId FatTreeRule::run_towards(SwitchId s, SwitchId t) const {
  const std::uint32_t lowest = tree_.levels - 1, level = place_[t].level;
  const std::uint32_t kept = tree_.places[lowest - std::max(place_[s].level, level)];
  const std::uint32_t mine = place_[s].from_below % kept, its = place_[t].from_below % kept;
  if (mine != its) return std::min(t + (mine + kept - its) % kept, tree_.first[level + 1]);
  if (level != lowest) return t + 1;
  const std::uint32_t below = tree_.arities[lowest - place_[s].level];
  const std::uint32_t first = place_[s].from_above * below, number = place_[t].from_above;
  if (number < first) return tree_.first[lowest] + first;
  if (number >= first + below) return tree_.first[lowest + 1];
  const std::uint32_t by_link = std::max(below / tree_.arity, 1u);
  return tree_.first[lowest] + (number / by_link + 1) * by_link;
}

}  // namespace muster::topology
