// SPDX-License-Identifier: Apache-2.0
#include "topology/route_rules.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>
#include <span>
#include <utility>

#include "topology/bfs.hpp"

namespace muster::topology {

std::optional<std::string> mesh_fault(const Graph& graph) {
  if (!graph.mesh) return "there is no mesh";
  const std::uint64_t width = graph.mesh->width, height = graph.mesh->height;
  if (width == 0 || height == 0 || width * height != graph.switches())
    return fmt::format("a mesh of {} x {} has {} switches, not {}", width, height, width * height,
                       graph.switches());
  std::set<std::pair<SwitchId, SwitchId>> joined;
  for (const Link& link : graph.links()) {
    const auto [low, high] = std::minmax(link.a.sw, link.b.sw);
    const bool right = high == low + 1 && high % width != 0;
    if (!right && high != low + width)
      return fmt::format(
          "switches {} and {} are linked and are not neighbours in a mesh of {} x {}", low, high,
          width, height);
    joined.emplace(low, high);
  }
  for (SwitchId s = 0; s < graph.switches(); ++s) {
    const auto missing = [&](SwitchId other) {
      return fmt::format("switches {} and {} are neighbours in a mesh of {} x {} and have no link",
                         s, other, width, height);
    };
    if ((s + 1) % width != 0 && !joined.contains({s, s + 1})) return missing(s + 1);
    const SwitchId below = s + static_cast<SwitchId>(width);
    if (below < graph.switches() && !joined.contains({s, below})) return missing(below);
  }
  return std::nullopt;
}

namespace {

/// X-Y routes: first along the row to the column of the destination, then along the column. A
/// packet never turns from a column into a row and never back, so there is no cycle of channels.
class MeshRule : public SwitchRule {
 public:
  explicit MeshRule(const Graph& graph)
      : SwitchRule(graph), width_(graph.mesh->width), links_(graph.switches()) {
    for (SwitchId s = 0; s < graph.switches(); ++s) {
      links_[s].fill(0);
      graph.each_link(s, [&](std::uint32_t p, const Peer& peer) {
        links_[s][way(s, peer.id)] |= core::port_bit(p);
      });
    }
  }

 private:
  enum Way : std::uint8_t { kLeft, kRight, kBefore, kAfter, kHere };
  Way way(SwitchId s, SwitchId t) const {
    const std::uint32_t x = s % width_, y = s / width_, tx = t % width_, ty = t / width_;
    if (tx != x) return tx < x ? kLeft : kRight;
    return ty == y ? kHere : ty < y ? kBefore : kAfter;
  }
  PortMask towards(SwitchId s, SwitchId t) const override { return links_[s][way(s, t)]; }
  SwitchId run_towards(SwitchId s, SwitchId t) const override {
    const SwitchId row = t - t % width_;
    switch (way(s, t)) {
      case kLeft:
        return row + s % width_;
      case kRight:
        return row + width_;
      default:
        return t + 1;
    }
  }

  std::uint32_t width_;
  std::vector<std::array<PortMask, 5>> links_;  // by switch: ports to each way; to itself 0
};

class TorusSearch {
 public:
  explicit TorusSearch(const Graph& graph) : switches_(graph.switches()), neighbours_(graph) {}

  /// The rings of this stride (the product of the sizes before) and all above it. The last switch
  /// of the first one is a neighbour of switch 0, which leaves few sizes to try.
  bool from(std::uint32_t stride) {
    if (stride == switches_) return every_switch_fits();
    for (const Hop& last : neighbours_.of(0)) {
      const std::uint32_t size = last.to / stride + 1;
      if (last.to % stride != 0 || size < 2 || switches_ % (stride * size) != 0) continue;
      sizes_.push_back(size);
      if (from(stride * size)) return true;
      sizes_.pop_back();
    }
    return false;
  }

  std::vector<std::uint32_t> sizes() && { return std::move(sizes_); }

 private:
  bool every_switch_fits() const {
    std::vector<SwitchId> expected;
    for (SwitchId s = 0; s < switches_; ++s) {
      expected.clear();
      std::uint32_t stride = 1;
      for (const std::uint32_t size : sizes_) {
        const std::uint32_t at = s / stride % size, first = s - at * stride;
        expected.push_back(first + (at + 1) % size * stride);
        if (size > 2) expected.push_back(first + (at + size - 1) % size * stride);
        stride *= size;
      }
      std::ranges::sort(expected);
      const auto found = neighbours_.of(s);
      if (!std::equal(expected.begin(), expected.end(), found.begin(), found.end(),
                      [](SwitchId wanted, const Hop& hop) { return hop.to == wanted; }))
        return false;
    }
    return true;
  }

  std::uint32_t switches_;
  Neighbours neighbours_;
  std::vector<std::uint32_t> sizes_;
};

/// The up*/down* routes of a torus, entry for entry those of up_down_routes(), from coordinates.
///
/// All switches of a torus are equally far from the remotest one, so switch 0 is the routing root,
/// and the level of a switch is the sum of its levels on the rings, one a coordinate: 0 at
/// coordinate 0, rising along both arms to the bottom, coordinate (size + 1) / 2, where they meet.
/// A link changes one coordinate, and of two switches that differ in one coordinate only the ring
/// decides which is higher, by level and then by number. So a way of down links exists where one
/// exists on each ring, its length is the sum of theirs, and any order of the rings will do. Where
/// some rings have none the best links up are those of these rings, each towards the nearest place
/// from which its ring has one: a step up on another ring would only have to be taken back. The
/// proofs of up*/down* hold as they stand: no packet goes up after it went down, so there is no
/// cycle of channels with any number of virtual channels, and each step shortens what is left.
class TorusRule : public SwitchRule {
 public:
  /// `sizes` are torus_sizes(graph). REQUIRES: they are not empty.
  TorusRule(const Graph& graph, const std::vector<std::uint32_t>& sizes) : SwitchRule(graph) {
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
        const auto ports = [&](std::uint32_t to) {
          return ports_to(graph, s, first + to % ring.size * ring.stride);
        };
        place_.push_back(static_cast<std::uint16_t>(at));
        links_.push_back(ports(at + 1));
        links_.push_back(ports(at + ring.size - 1));
      }
  }

 private:
  struct Ring {
    std::uint32_t size, bottom;
    std::uint32_t stride;  // between the numbers of neighbours
  };
  /// Which neighbours on a ring may be next, and whether there is a way of down links only.
  struct Step {
    bool below, next, before;
  };
  /// From x to another coordinate y. The right arm of a ring is 0, 1, ... bottom; the left one is
  /// size (which is 0 again), size - 1, ... bottom.
  static Step step(const Ring& ring, std::uint32_t x, std::uint32_t y) {
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
  PortMask towards(SwitchId s, SwitchId t) const override {
    const std::size_t at = std::size_t{s} * rings_.size(), to = std::size_t{t} * rings_.size();
    PortMask down = 0, up = 0;
    for (std::size_t i = 0; i < rings_.size(); ++i) {
      const std::uint32_t x = place_[at + i], y = place_[to + i];
      if (x == y) continue;
      const Step way = step(rings_[i], x, y);
      PortMask& links = way.below ? down : up;
      if (way.next) links |= links_[2 * (at + i)];
      if (way.before) links |= links_[2 * (at + i) + 1];
    }
    return up != 0 ? up : down;
  }
  /// On the first ring, whose switches have consecutive numbers, step() changes at these places
  /// only.
  SwitchId run_towards(SwitchId s, SwitchId t) const override {
    const Ring& ring = rings_.front();
    const std::uint32_t x = s % ring.size, y = t % ring.size;
    std::uint32_t end = ring.size;
    for (const std::uint32_t place : {1u, x, x + 1, ring.bottom, ring.bottom + 1})
      if (place > y) end = std::min(end, place);
    return t - y + end;
  }

  std::vector<Ring> rings_;
  std::vector<std::uint16_t> place_;  // by switch and ring: its coordinate
  std::vector<PortMask> links_;       // by switch and ring: ports to the next and to the one before
};

/// The numbers of a fat tree as generate_fat_tree() makes it: each switch but the lowest has
/// `arity` switches below it, each but the highest `up` above it. A switch of level l has l digits
/// in base `arity`, which of the links down leads to it on each level above, and after them
/// levels - 1 - l digits in base `up`, which of the links up leads to it on each level below, the
/// nearest first. A step up drops the last digit of the first kind and puts one before those of the
/// second.
struct FatTree {
  std::uint32_t arity = 0, up = 0, levels = 0;
  std::vector<SwitchId> first;                 ///< switch of each level, and one past the last
  std::vector<std::uint32_t> arities, places;  ///< powers of `arity` and `up`, 0 to levels - 1

  /// A switch: its level and the numbers that its digits of both kinds are.
  struct Place {
    std::uint32_t level, from_above, from_below;
  };
  Place place(SwitchId s) const {
    const auto next = std::ranges::upper_bound(first, s);
    const auto level = static_cast<std::uint32_t>(next - first.begin() - 1);
    const std::uint32_t number = s - first[level], digits = places[levels - 1 - level];
    return {level, number / digits, number % digits};
  }
  /// The switch below by one of `arity` links, or above by one of `up`. REQUIRES: there is one.
  SwitchId below(const Place& at, std::uint32_t digit) const {
    const std::uint32_t digits = places[levels - 2 - at.level];
    return first[at.level + 1] + (at.from_above * arity + digit) * digits + at.from_below % digits;
  }
  SwitchId above(const Place& at, std::uint32_t digit) const {
    const std::uint32_t digits = places[levels - 1 - at.level];
    return first[at.level - 1] + (at.from_above / arity * up + digit) * digits + at.from_below;
  }
};

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

/// The fat tree of two levels or more that a network of stages is; nothing if it is none. A Clos
/// network is one of two levels.
std::optional<FatTree> fat_tree_of(const Graph& graph) {
  if (graph.levels.empty() || graph.levels.back() == 0) return std::nullopt;
  const Neighbours neighbours(graph);
  auto tree = sized_as(graph, neighbours);
  for (SwitchId s = 0; tree && s < graph.switches(); ++s)
    if (!fits(*tree, s, graph.levels[s], neighbours.of(s))) tree.reset();
  return tree;
}

/// The up*/down* routes of a fat tree, entry for entry those of up_down_routes(), from the digits
/// of both switches.
///
/// The second is below the first if its digits of the first kind begin with those of the first, and
/// what is left of the first's digits of the second kind on its level are its own: each step down
/// appends a digit of the one and drops one of the other, so there is one link down to take.
/// Otherwise packets go up, to the lowest level on which the digits of the first kind agree. On
/// levels below the second any link up leads there, and SwitchRule takes one by the destination;
/// from its level on each step up sets a digit that the second has, so there is one link. Where the
/// digits of the second kind that neither way can set differ, which is so between switches without
/// nodes only, there is no way up and then down, and no entry. No packet goes up after it went
/// down, so there is no cycle of channels with any number of virtual channels, and each step
/// shortens what is left.
class FatTreeRule : public SwitchRule {
 public:
  FatTreeRule(const Graph& graph, FatTree tree)
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

 private:
  PortMask towards(SwitchId s, SwitchId t) const override {
    const FatTree::Place &from = place_[s], &to = place_[t];
    const std::uint32_t high = std::min(from.level, to.level), low = std::max(from.level, to.level);
    const std::uint32_t kept = tree_.places[tree_.levels - 1 - low];  // digits that no step changes
    if ((kept != 1 && from.from_below % kept != to.from_below % kept) || s == t) return 0;
    const std::size_t links = std::size_t{s} * (tree_.arity + tree_.up);
    // Among the switches that have the digits of the first above them, if it is one of these.
    const std::uint32_t all = tree_.arities[low - high];
    const std::uint32_t number = to.from_above - from.from_above * all;
    if (from.level < low && number < all)
      return links_[links + number / tree_.arities[low - high - 1]];
    if (from.level <= to.level) return up_[s];
    return links_[links + tree_.arity + to.from_below / kept % tree_.up];
  }
  /// On the lowest level, where the nodes are, the switches below one of its links and those that
  /// are not below it have consecutive numbers; on others those without a route.
  SwitchId run_towards(SwitchId s, SwitchId t) const override {
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
  /// A link down leads to the switches below it: on each level some of a row of consecutive ones,
  /// at equal distances. Links up do not lead to switches in the rows of their own switch.
  SwitchId next_towards(PortMask ports, SwitchId s, SwitchId t) const override {
    const PortMask up = ports & up_[s];
    if (up != 0 && up != ports) return t;
    const std::uint32_t own = place_[s].level, level = place_[t].level;
    std::uint32_t digit = 0, end = tree_.arity;  // of the links down
    const auto leads = [&](std::uint32_t i) {
      return (links_[std::size_t{s} * (tree_.arity + tree_.up) + i] & ports) != 0;
    };
    while (up == 0 && digit < end && !leads(digit)) ++digit;
    while (up == 0 && digit < end && !leads(end - 1)) --end;
    for (std::uint32_t l = std::max(level, own + 1); l < tree_.levels; ++l) {
      const std::uint32_t apart = tree_.places[tree_.levels - 1 - l];
      const std::uint32_t below = tree_.arities[l - own - 1] * apart;  // a link
      const SwitchId row = tree_.first[l] + place_[s].from_above * tree_.arity * below;
      const SwitchId first = row + digit * below, last = row + end * below;
      if (up != 0) return l == level && t >= first && t < last ? last : t;
      const SwitchId from = std::max(t, first);
      const SwitchId next =
          from + (place_[s].from_below % apart + apart - (from - row) % apart) % apart;
      if (next < last) return next;
    }
    return up != 0 ? t : tree_.first.back();
  }

  FatTree tree_;
  std::vector<FatTree::Place> place_;  // by switch
  std::vector<PortMask> links_;        // by switch: ports down by digit, then up by digit
  std::vector<PortMask> up_;           // by switch: all ports up
};

}  // namespace

std::vector<std::uint32_t> torus_sizes(const Graph& graph) {
  if (graph.switches() < 2) return {};
  TorusSearch search(graph);
  search.from(1);
  return std::move(search).sizes();
}

std::shared_ptr<const RouteRule> route_rule(const Graph& graph) {
  if (graph.mesh) return std::make_shared<MeshRule>(graph);
  if (!graph.levels.empty()) {
    auto tree = fat_tree_of(graph);
    return tree ? std::make_shared<FatTreeRule>(graph, std::move(*tree)) : nullptr;
  }
  const std::vector<std::uint32_t> sizes = torus_sizes(graph);
  return sizes.empty() ? nullptr : std::make_shared<TorusRule>(graph, sizes);
}

}  // namespace muster::topology
