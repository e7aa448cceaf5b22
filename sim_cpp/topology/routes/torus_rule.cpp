// SPDX-License-Identifier: Apache-2.0
#include "topology/routes/torus_rule.hpp"

#include <algorithm>

namespace muster::topology {

TorusRule::TorusRule(const Graph& graph, const std::vector<std::uint32_t>& sizes)
    : SwitchRule(graph) {
  std::uint32_t stride = 1;
  for (const std::uint32_t size : sizes) {
    rings_.push_back({size, (size + 1) / 2, stride});
    stride *= size;
  }
  place_.reserve(std::size_t{graph.switches()} * rings_.size());
  links_.reserve(std::size_t{graph.switches()} * rings_.size() * 2);
  for (SwitchId s = 0; s < graph.switches(); ++s)
    for (const Ring& ring : rings_) {
      const std::uint32_t at = s / ring.stride % ring.size, first = s - at * ring.stride;
      place_.push_back(static_cast<std::uint16_t>(at));
      links_.push_back(ports_to(graph, s, first + (at + 1) % ring.size * ring.stride));
      links_.push_back(ports_to(graph, s, first + (at + ring.size - 1) % ring.size * ring.stride));
    }
}

/// From x to another coordinate y. The right arm of a ring is 0, 1, ... bottom; the left one is
/// size (which is 0 again), size - 1, ... bottom.
TorusRule::Step TorusRule::step(const Ring& ring, std::uint32_t x, std::uint32_t y) {
  const std::uint32_t bottom = ring.bottom, left_bottom = ring.size - bottom;
  if (x == 0 && y == bottom) return {true, bottom <= left_bottom, left_bottom <= bottom};
  if (x < y && y <= bottom) return {true, true, false};
  if (y >= bottom && (y < x || x == 0)) return {true, false, true};
  if (x != bottom) return {false, x > bottom, x < bottom};  // up its own arm
  // Up one of the arms, and past the top down the other one.
  const std::uint32_t by_right = y < bottom ? bottom - y : bottom + ring.size - y;
  const std::uint32_t by_left = y > bottom ? y - bottom : left_bottom + y;
  return {false, by_left <= by_right, by_right <= by_left};
}

std::uint16_t TorusRule::towards(SwitchId s, SwitchId t) const {
  const std::size_t at = std::size_t{s} * rings_.size(), to = std::size_t{t} * rings_.size();
  std::uint32_t down = 0, up = 0;
  for (std::size_t i = 0; i < rings_.size(); ++i) {
    const std::uint32_t x = place_[at + i], y = place_[to + i];
    if (x == y) continue;
    const Step way = step(rings_[i], x, y);
    std::uint32_t& links = way.below ? down : up;
    if (way.next) links |= links_[2 * (at + i)];
    if (way.before) links |= links_[2 * (at + i) + 1];
  }
  return static_cast<std::uint16_t>(up != 0 ? up : down);
}

/// On the first ring, whose switches have consecutive numbers, step() changes at these places only.
SwitchId TorusRule::run_towards(SwitchId s, SwitchId t) const {
  const Ring& ring = rings_.front();
  const std::uint32_t x = s % ring.size, y = t % ring.size;
  std::uint32_t end = ring.size;
  for (const std::uint32_t place : {1u, x, x + 1, ring.bottom, ring.bottom + 1})
    if (place > y) end = std::min(end, place);
  return t - y + end;
}

}  // namespace muster::topology
