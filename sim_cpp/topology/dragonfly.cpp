// SPDX-License-Identifier: Apache-2.0
#include <cstdio>

#include "muster/core/error.hpp"
#include "topology/route_rules.hpp"

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

namespace {

/// The routes of a dragonfly. The channel of a packet is the number of global links behind it, and
/// in each group it takes at most one local link, before the global one: each step raises (channel,
/// local before global), so there is no cycle of channel dependencies. A way is the number of the
/// group to visit + 1.
class Dragonfly final : public SwitchRule, public Phases {
 public:
  /// Throws InputError if two routers of a group, or two groups, are not linked.
  Dragonfly(const Graph& graph, DragonflyShape shape, DragonflyRoutes kind)
      : SwitchRule(graph),
        shape_(shape),
        kind_(kind),
        raising_(graph.switches(), 0),
        local_(std::size_t{graph.switches()} * shape.routers, 0),
        global_(std::size_t{shape.groups} * shape.groups) {
    for (SwitchId s = 0; s < graph.switches(); ++s)
      graph.each_link(s, [&](std::uint32_t p, const Peer& peer) {
        if (group(peer.id) == group(s)) {
          local_[std::size_t{s} * shape_.routers + peer.id % shape_.routers] |= core::port_bit(p);
        } else {
          raising_[s] |= core::port_bit(p);
          global_[pair(group(s), group(peer.id))].push_back({s, p});
        }
      });
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
        if (global_[pair(a, b)].empty()) refuse("groups", a, b);
  }

  const Phases* phases() const override { return this; }
  std::uint32_t channels() const override { return kind_ == DragonflyRoutes::kMinimal ? 2 : 3; }
  PortMask raising(SwitchId s) const override { return raising_[s]; }
  std::uint32_t ways() const override {
    return kind_ == DragonflyRoutes::kMinimal ? 0 : shape_.groups;
  }
  PortMask mask_by(std::uint32_t way, SwitchId s, std::uint32_t d) const override {
    const bool there = way - 1 == group(s) || switch_of(d) == s;
    return there ? mask(s, d) : to_group(s, way - 1, switch_of(d));
  }
  /// All groups but those of the two nodes; a packet that stays in its group visits no other.
  std::uint32_t choices(NodeId from, NodeId to) const override {
    const bool leaves = group(switch_of(from)) != group(switch_of(to));
    return ways() != 0 && leaves ? shape_.groups - 2 : 0;
  }
  std::uint32_t choice(NodeId from, NodeId to, std::uint32_t i) const override {
    const auto [low, high] = std::minmax({group(switch_of(from)), group(switch_of(to))});
    std::uint32_t visited = i < low ? i : i + 1;
    if (visited >= high) ++visited;
    return visited + 1;
  }

 private:
  std::uint32_t group(SwitchId s) const { return s / shape_.routers; }
  std::size_t pair(std::uint32_t from, std::uint32_t to) const {
    return std::size_t{from} * shape_.groups + to;
  }
  PortMask towards(SwitchId s, SwitchId t) const override {
    if (group(s) != group(t)) return to_group(s, group(t), t);
    return local_[std::size_t{s} * shape_.routers + t % shape_.routers];
  }
  /// Of the links to a group, which destinations share evenly, that of switch `t`.
  PortMask to_group(SwitchId s, std::uint32_t to, SwitchId t) const {
    const std::vector<PortRef>& links = global_[pair(group(s), to)];
    const PortRef& at = links[t % links.size()];
    return at.sw == s ? core::port_bit(at.port) : towards(s, at.sw);
  }

  DragonflyShape shape_;
  DragonflyRoutes kind_;
  std::vector<PortMask> raising_;  // by switch
  std::vector<PortMask> local_;    // by switch and router of its group: ports to it
  // By group and group beyond: ports of the links between them, ascending.
  std::vector<std::vector<PortRef>> global_;
};

}  // namespace

Routes dragonfly_routes(const Graph& graph, DragonflyRoutes kind) {
  const auto shape = dragonfly_shape(graph);
  if (!shape)
    throw InputError(
        "network '{}': is no dragonfly, whose name is dragonfly-GROUPSxSWITCHES; make it by topo "
        "gen dragonfly, or omit --routes",
        graph.name);
  return Routes(graph.switches(), graph.destinations(),
                std::make_shared<Dragonfly>(graph, *shape, kind));
}

}  // namespace muster::topology
