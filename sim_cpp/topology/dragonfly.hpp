// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "topology/route_rules.hpp"

namespace muster::topology {

/// Groups and routers of a group, as the name of a network says that generate_dragonfly() has made.
struct DragonflyShape {
  std::uint32_t groups = 0, routers = 0;
};
std::optional<DragonflyShape> dragonfly_shape(const Graph& graph);

/// The routes of a dragonfly. The channel of a packet is the number of global links behind it, and
/// in each group it takes at most one local link, before the global one: each step raises (channel,
/// local before global), so there is no cycle of channel dependencies. A way is the number of the
/// group to visit + 1.
class Dragonfly final : public SwitchRule, public Phases {
 public:
  /// Throws InputError if two routers of a group, or two groups, are not linked.
  Dragonfly(const Graph& graph, DragonflyShape shape, DragonflyRoutes kind);

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
  std::uint32_t choice(NodeId from, NodeId to, std::uint32_t i) const override;

 private:
  std::uint32_t group(SwitchId s) const { return s / shape_.routers; }
  PortMask towards(SwitchId s, SwitchId t) const override;
  /// Of the links to a group, which destinations share evenly, that of switch `t`.
  PortMask to_group(SwitchId s, std::uint32_t to, SwitchId t) const;

  DragonflyShape shape_;
  DragonflyRoutes kind_;
  std::vector<PortMask> raising_;     // by switch
  std::vector<PortMask> local_;       // by switch and router of its group: ports to it
  std::vector<PortRef> global_;       // ports of links between groups, by group and group beyond
  std::vector<std::uint32_t> first_;  // by both groups: the first of them
};

}  // namespace muster::topology
