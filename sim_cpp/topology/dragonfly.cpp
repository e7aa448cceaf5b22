// SPDX-License-Identifier: Apache-2.0
#include "topology/dragonfly.hpp"

#include <cstdio>

#include "muster/core/error.hpp"

namespace muster::topology {

std::optional<DragonflyShape> dragonfly_shape(const Graph& graph) {
  DragonflyShape shape;
  int end = 0;
  if (std::sscanf(graph.name.c_str(), "dragonfly-%5ux%5u%n", &shape.groups, &shape.routers, &end) !=
          2 ||
      graph.name.size() != static_cast<std::size_t>(end) || shape.groups == 0 ||
      std::uint64_t{shape.groups} * shape.routers != graph.switches())
    return std::nullopt;
  return shape;
}

Dragonfly::Dragonfly(const Graph& graph, DragonflyShape shape, DragonflyRoutes kind)
    : SwitchRule(graph),
      shape_(shape),
      kind_(kind),
      raising_(graph.switches(), 0),
      local_(std::size_t{graph.switches()} * shape.routers, 0),
      first_(std::size_t{shape.groups} * shape.groups + 1, 0) {
  const auto pair = [&](SwitchId s, SwitchId t) {
    return std::size_t{group(s)} * shape_.groups + group(t);
  };
  const auto each_global = [&](auto&& f) {
    for (SwitchId s = 0; s < graph.switches(); ++s)
      core::for_each_bit(raising_[s], [&](std::uint32_t p) {
        f(PortRef{s, p}, pair(s, graph.peer(s, p).id));
      });
  };
  for (SwitchId s = 0; s < graph.switches(); ++s)
    graph.each_link(s, [&](std::uint32_t p, const Peer& peer) {
      const bool local = group(peer.id) == group(s);
      (local ? local_[std::size_t{s} * shape_.routers + peer.id % shape_.routers] : raising_[s]) |=
          core::port_bit(p);
    });
  each_global([&](PortRef, std::size_t groups) { ++first_[groups + 1]; });
  for (std::size_t i = 1; i < first_.size(); ++i) first_[i] += first_[i - 1];
  global_.resize(first_.back());
  std::vector<std::uint32_t> next(first_);
  each_global([&](PortRef at, std::size_t groups) { global_[next[groups]++] = at; });

  const auto refuse = [&](const char* what, std::uint32_t a, std::uint32_t b) {
    throw InputError(
        "network '{}': {} {} and {} are not linked, so it is no dragonfly; make it by topo gen "
        "dragonfly, or omit --routes",
        graph.name, what, a, b);
  };
  for (SwitchId s = 0; s < graph.switches(); ++s)
    for (SwitchId t = s + 1; t < graph.switches() && group(t) == group(s); ++t)
      if (towards(s, t) == 0) refuse("switches", s, t);
  for (std::uint32_t a = 0; a < shape_.groups; ++a)
    for (std::uint32_t b = a + 1; b < shape_.groups; ++b)
      if (const std::size_t at = std::size_t{a} * shape_.groups + b; first_[at] == first_[at + 1])
        refuse("groups", a, b);
}

std::uint32_t Dragonfly::choice(NodeId from, NodeId to, std::uint32_t i) const {
  const auto [low, high] = std::minmax({group(switch_of(from)), group(switch_of(to))});
  std::uint32_t visited = i < low ? i : i + 1;
  if (visited >= high) ++visited;
  return visited + 1;
}

PortMask Dragonfly::towards(SwitchId s, SwitchId t) const {
  if (group(s) != group(t)) return to_group(s, group(t), t);
  return local_[std::size_t{s} * shape_.routers + t % shape_.routers];
}

PortMask Dragonfly::to_group(SwitchId s, std::uint32_t to, SwitchId t) const {
  const std::size_t groups = std::size_t{group(s)} * shape_.groups + to;
  const std::uint32_t links = first_[groups + 1] - first_[groups];
  const PortRef& at = global_[first_[groups] + t % links];
  return at.sw == s ? core::port_bit(at.port) : towards(s, at.sw);
}

Routes dragonfly_routes(const Graph& graph, DragonflyRoutes kind) {
  const auto shape = dragonfly_shape(graph);
  if (!shape)
    throw InputError(
        "network '{}': is no dragonfly, whose name is dragonfly-GROUPSxSWITCHES; make it by topo "
        "gen "
        "dragonfly, or omit --routes",
        graph.name);
  return Routes(graph.switches(), graph.destinations(),
                std::make_shared<Dragonfly>(graph, *shape, kind));
}

}  // namespace muster::topology
