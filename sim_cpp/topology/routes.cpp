// SPDX-License-Identifier: Apache-2.0
#include "muster/topology/routes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <numeric>

#include "muster/core/error.hpp"
#include "topology/distances.hpp"
#include "topology/mesh.hpp"

namespace muster::topology {

namespace {

constexpr std::uint64_t kMaxEntries = std::uint64_t{1} << 28;  // half a gigabyte of masks

/// In a network of stages the links up are equally good. One of them is the route, by a digit of
/// the destination's number, a higher one with each stage, so that destinations share them evenly.
class Spread {
 public:
  Spread(const Graph& graph, SwitchId s) {
    if (graph.levels.empty()) return;
    depth_ = *std::max_element(graph.levels.begin(), graph.levels.end()) - graph.levels[s];
    staged_ = true;
  }
  std::uint16_t operator()(std::uint16_t mask, std::uint32_t destination) const {
    const auto links = static_cast<std::uint32_t>(std::popcount(mask));
    if (!staged_ || links < 2) return mask;
    for (std::uint32_t i = 0; i < depth_; ++i) destination /= links;
    std::uint16_t rest = mask;
    for (std::uint32_t i = destination % links; i > 0; --i)
      rest = static_cast<std::uint16_t>(rest & (rest - 1));
    return static_cast<std::uint16_t>(rest & ~(rest - 1));
  }

 private:
  bool staged_ = false;
  std::uint32_t depth_ = 0;
};

/// A table whose entries depend on the destination's switch alone: `masks[t]` holds the mask of
/// `s` towards switch t. Nodes share the entry of their switch; at it, the mask is their port.
void fill_row(const Graph& graph, SwitchId s, const std::vector<std::uint16_t>& masks,
              Routes& routes) {
  const Spread spread(graph, s);
  for (NodeId n = 0; n < graph.nodes(); ++n) {
    const PortRef at = graph.node(n).at;
    routes.set(s, n,
               at.sw == s ? static_cast<std::uint16_t>(1u << at.port) : spread(masks[at.sw], n));
  }
  for (SwitchId t = 0; t < graph.switches(); ++t)
    routes.set(s, graph.nodes() + t, spread(masks[t], t));
}

void require_size(const Graph& graph) {
  const std::uint64_t entries = std::uint64_t{graph.switches()} * graph.destinations();
  if (entries > kMaxEntries)
    throw InputError(fmt::format(
        "the routing tables of {} switches and {} nodes need {} entries, more than {}; take a "
        "smaller network",
        graph.switches(), graph.nodes(), entries, kMaxEntries));
}

Routes empty_table(const Graph& graph) {
  require_size(graph);
  return Routes(graph.switches(), graph.destinations());
}

void need_connected(const Graph& graph) {
  if (!graph.connected())
    throw InputError("the network is not connected; add links until every switch can be reached");
}

/// The link ports of every switch, split by direction.
struct Direction {
  struct Hop {
    SwitchId to;
    std::uint16_t bit;
  };
  std::vector<std::vector<Hop>> up, down;
  std::vector<SwitchId> order;  // all up neighbours of a switch stand before it
};

Direction split_by_direction(const Graph& graph, const std::vector<std::uint32_t>& level) {
  const auto above = [&](SwitchId a, SwitchId b) {
    return level[a] != level[b] ? level[a] < level[b] : a < b;
  };
  Direction result;
  result.up.resize(graph.switches());
  result.down.resize(graph.switches());
  for (SwitchId s = 0; s < graph.switches(); ++s) {
    for (std::uint32_t p = 0; p < graph.ports(s); ++p) {
      const Peer& peer = graph.peer(s, p);
      if (peer.kind != Peer::Kind::kSwitch) continue;
      auto& side = above(peer.id, s) ? result.up[s] : result.down[s];
      side.push_back({peer.id, static_cast<std::uint16_t>(1u << p)});
    }
  }
  result.order.resize(graph.switches());
  std::iota(result.order.begin(), result.order.end(), 0);
  std::sort(result.order.begin(), result.order.end(), above);
  return result;
}

/// Hops to `target` on the shortest all-down path of every switch, kUnreachable where there is
/// none: a search from the target along up links.
void down_distances(const Direction& dir, SwitchId target, std::vector<std::uint32_t>& distance,
                    std::vector<SwitchId>& queue) {
  std::fill(distance.begin(), distance.end(), kUnreachable);
  queue.assign(1, target);
  distance[target] = 0;
  for (std::size_t head = 0; head < queue.size(); ++head) {
    const SwitchId s = queue[head];
    for (const auto& hop : dir.up[s]) {
      if (distance[hop.to] != kUnreachable) continue;
      distance[hop.to] = distance[s] + 1;
      queue.push_back(hop.to);
    }
  }
}

std::uint16_t links_with(const std::vector<Direction::Hop>& hops,
                         const std::vector<std::uint32_t>& distance, std::uint32_t wanted) {
  std::uint16_t mask = 0;
  for (const auto& hop : hops)
    if (distance[hop.to] == wanted) mask |= hop.bit;
  return mask;
}

/// `columns[s][target]` for every switch s.
void route_to(const Direction& dir, SwitchId target, std::vector<std::uint32_t>& distance,
              std::vector<SwitchId>& queue, std::vector<std::vector<std::uint16_t>>& columns) {
  down_distances(dir, target, distance, queue);
  for (const SwitchId s : dir.order) {
    if (s == target) continue;
    if (distance[s] != kUnreachable) {
      columns[s][target] = links_with(dir.down[s], distance, distance[s] - 1);
      continue;
    }
    // Upper switches come first, so what remains from each of them is known. The root has an
    // all-down path to every switch: any other switch has an up link. Only in a network of stages,
    // or with levels of another network, one may have no way to another.
    std::uint32_t best = kUnreachable;
    for (const auto& hop : dir.up[s]) best = std::min(best, distance[hop.to]);
    if (best == kUnreachable) continue;
    columns[s][target] = links_with(dir.up[s], distance, best);
    distance[s] = best + 1;
  }
}

}  // namespace

std::uint32_t Routes::next_port(SwitchId s, std::uint32_t d) const {
  const std::uint16_t bits = mask(s, d);
  return bits == 0 ? kMaxPorts : static_cast<std::uint32_t>(std::countr_zero(bits));
}

std::vector<std::uint32_t> bfs_levels(const Graph& graph, SwitchId root) {
  std::vector<std::uint32_t> level(graph.switches(), kUnreachable);
  std::vector<SwitchId> queue{root};
  queue.reserve(graph.switches());
  level[root] = 0;
  for (std::size_t head = 0; head < queue.size(); ++head) {
    for (const Peer& peer : graph.peers(queue[head])) {
      if (peer.kind != Peer::Kind::kSwitch || level[peer.id] != kUnreachable) continue;
      level[peer.id] = level[queue[head]] + 1;
      queue.push_back(peer.id);
    }
  }
  return level;
}

SwitchId routing_root(const Graph& graph) {
  need_connected(graph);
  return central_switch(switch_distances(graph));
}

std::vector<std::uint32_t> up_down_levels(const Graph& graph) {
  return graph.levels.empty() ? bfs_levels(graph, routing_root(graph)) : graph.levels;
}

Routes up_down_routes(const Graph& graph) {
  require_size(graph);  // before levels are counted, which takes long on such a network
  return up_down_routes(graph, up_down_levels(graph));
}

Routes up_down_routes(const Graph& graph, const std::vector<std::uint32_t>& levels) {
  Routes routes = empty_table(graph);
  const Direction dir = split_by_direction(graph, levels);
  const std::uint32_t count = graph.switches();
  std::vector<std::vector<std::uint16_t>> masks(count, std::vector<std::uint16_t>(count, 0));
  std::vector<std::uint32_t> distance(count);
  std::vector<SwitchId> queue;
  queue.reserve(count);
  for (SwitchId t = 0; t < count; ++t) route_to(dir, t, distance, queue, masks);
  for (SwitchId s = 0; s < count; ++s) fill_row(graph, s, masks[s], routes);
  return routes;
}

Routes xy_routes(const Graph& graph) {
  if (const auto fault = mesh_fault(graph)) throw InputError("mesh: " + *fault);
  Routes routes = empty_table(graph);
  const std::uint32_t width = graph.mesh->width, count = graph.switches();
  std::vector<std::uint16_t> masks(count);
  for (SwitchId s = 0; s < count; ++s) {
    const auto links_to = [&](SwitchId other) {
      std::uint16_t mask = 0;
      for (std::uint32_t p = 0; p < graph.ports(s); ++p) {
        const Peer& peer = graph.peer(s, p);
        if (peer.kind == Peer::Kind::kSwitch && peer.id == other) mask |= 1u << p;
      }
      return mask;
    };
    const std::uint32_t x = s % width, y = s / width;
    const std::uint16_t left = x > 0 ? links_to(s - 1) : 0;
    const std::uint16_t right = x + 1 < width ? links_to(s + 1) : 0;
    const std::uint16_t before = y > 0 ? links_to(s - width) : 0;
    const std::uint16_t after = s + width < count ? links_to(s + width) : 0;
    for (SwitchId t = 0; t < count; ++t) {
      const std::uint32_t tx = t % width, ty = t / width;
      masks[t] = tx < x ? left : tx > x ? right : ty < y ? before : ty > y ? after : 0;
    }
    fill_row(graph, s, masks, routes);
  }
  return routes;
}

Routes routes_for(const Graph& graph) {
  return graph.mesh ? xy_routes(graph) : up_down_routes(graph);
}

}  // namespace muster::topology
