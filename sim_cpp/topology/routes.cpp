// SPDX-License-Identifier: Apache-2.0
#include "muster/topology/routes.hpp"

#include <algorithm>
#include <bit>
#include <numeric>

#include "muster/core/error.hpp"
#include "topology/bfs.hpp"
#include "topology/route_rules.hpp"

namespace muster::topology {
namespace {

constexpr std::uint64_t kMaxEntries = std::uint64_t{1} << 28;  // half a gigabyte of masks
constexpr const char* kUpDown = "the up*/down* routes";

void require_size(std::uint64_t switches, std::uint64_t columns, const char* what) {
  if (switches * columns > kMaxEntries)
    throw InputError("{} of {} switches need {} entries, more than {}; use a smaller network", what,
                     switches, switches * columns, kMaxEntries);
}

/// up*/down* has no rule that is shorter than its table, but one row for all nodes of a switch.
class SwitchTable : public SwitchRule {
 public:
  /// `masks`: by switch and switch of the destination.
  SwitchTable(const Graph& graph, MaskTable masks)
      : SwitchRule(graph), switches_(graph.switches()), masks_(std::move(masks)) {}

 private:
  PortMask towards(SwitchId s, SwitchId t) const override {
    return masks_.at(std::size_t{s} * switches_ + t);
  }

  std::uint32_t switches_;
  MaskTable masks_;
};

/// The link ports of every switch, split by direction.
struct Direction {
  struct Hop {
    SwitchId to;
    PortMask bit;
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
  for (SwitchId s = 0; s < graph.switches(); ++s)
    graph.each_link(s, [&](std::uint32_t p, const Peer& peer) {
      auto& side = above(peer.id, s) ? result.up[s] : result.down[s];
      side.push_back({peer.id, core::port_bit(p)});
    });
  result.order.resize(graph.switches());
  std::iota(result.order.begin(), result.order.end(), 0);
  std::ranges::sort(result.order, above);
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

PortMask links_with(const std::vector<Direction::Hop>& hops,
                    const std::vector<std::uint32_t>& distance, std::uint32_t wanted) {
  PortMask mask = 0;
  for (const auto& hop : hops)
    if (distance[hop.to] == wanted) mask |= hop.bit;
  return mask;
}

/// The column `target` of `masks`, for every switch.
void route_to(const Direction& dir, SwitchId target, std::vector<std::uint32_t>& distance,
              std::vector<SwitchId>& queue, MaskTable& masks) {
  const auto put = [&](SwitchId s, PortMask mask) {
    masks.set(std::size_t{s} * distance.size() + target, mask);
  };
  down_distances(dir, target, distance, queue);
  for (const SwitchId s : dir.order) {
    if (s == target) continue;
    if (distance[s] != kUnreachable) {
      put(s, links_with(dir.down[s], distance, distance[s] - 1));
      continue;
    }
    // Upper switches come first, so what remains from each of them is known. The root has an
    // all-down path to every switch: any other switch has an up link. Only in a network of stages,
    // or with levels of another network, one may have no way to another.
    std::uint32_t best = kUnreachable;
    for (const auto& hop : dir.up[s]) best = std::min(best, distance[hop.to]);
    if (best == kUnreachable) continue;
    put(s, links_with(dir.up[s], distance, best));
    distance[s] = best + 1;
  }
}

}  // namespace

Routes::Routes(std::uint32_t switches, std::uint32_t destinations)
    : switches_(switches), destinations_(destinations) {
  require_size(switches, destinations, "the routing tables");
  masks_ = MaskTable(std::size_t{switches} * destinations);
}

Routes::Routes(std::uint32_t switches, std::uint32_t destinations,
               std::shared_ptr<const RouteRule> rule)
    : switches_(switches), destinations_(destinations), rule_(std::move(rule)) {}

void Routes::write_out() {
  Routes table(switches_, destinations_);
  for (SwitchId s = 0; s < switches_; ++s)
    for (std::uint32_t d = 0; d < destinations_; ++d) table.set(s, d, mask(s, d));
  *this = std::move(table);
}

std::uint32_t Routes::next_port(SwitchId s, std::uint32_t d) const {
  const PortMask bits = mask(s, d);
  return bits == 0 ? kMaxPorts : static_cast<std::uint32_t>(std::countr_zero(bits));
}

std::vector<std::uint32_t> bfs_levels(const Graph& graph, SwitchId root) {
  const Neighbours neighbours(graph);
  Bfs bfs(neighbours);
  bfs.run(root);
  return bfs.levels();
}

SwitchId routing_root(const Graph& graph) {
  if (!graph.connected())
    throw InputError("the network is not connected; add links until every switch can be reached");
  return central_switch(switch_distances(graph));
}

std::vector<std::uint32_t> up_down_levels(const Graph& graph) {
  return graph.levels.empty() ? bfs_levels(graph, routing_root(graph)) : graph.levels;
}

Routes up_down_routes(const Graph& graph, const Steps& steps) {
  // Before levels are counted, which takes long on such a network.
  require_size(graph.switches(), graph.switches(), kUpDown);
  return up_down_routes(graph, up_down_levels(graph), steps);
}

Routes up_down_routes(const Graph& graph, const std::vector<std::uint32_t>& levels,
                      const Steps& steps) {
  const std::uint32_t count = graph.switches();
  require_size(count, count, kUpDown);
  const Direction dir = split_by_direction(graph, levels);
  MaskTable masks(std::size_t{count} * count);
  std::vector<std::uint32_t> distance(count);
  std::vector<SwitchId> queue;
  queue.reserve(count);
  for (SwitchId t = 0; t < count; ++t) {
    route_to(dir, t, distance, queue, masks);
    if (steps) steps("routes", "switches", t + 1, count);
  }
  return Routes(count, graph.destinations(),
                std::make_shared<SwitchTable>(graph, std::move(masks)));
}

Routes xy_routes(const Graph& graph) {
  if (const auto fault = mesh_fault(graph)) throw InputError("mesh: " + *fault);
  return Routes(graph.switches(), graph.destinations(), route_rule(graph));
}

Routes routes_for(const Graph& graph, const Steps& steps) {
  if (graph.mesh) return xy_routes(graph);
  if (auto rule = route_rule(graph))
    return Routes(graph.switches(), graph.destinations(), std::move(rule));
  return up_down_routes(graph, steps);
}

}  // namespace muster::topology
