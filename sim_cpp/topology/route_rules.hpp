// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <bit>
#include <limits>

#include "muster/topology/routes.hpp"

namespace muster::topology {

/// Routes that depend on the destination's switch: nodes share the entry of their switch, at which
/// the mask is their port.
class SwitchRule : public RouteRule {
 public:
  explicit SwitchRule(const Graph& graph) {
    for (const Node& node : graph.node_list()) at_.push_back(node.at);
    const auto before = [](const PortRef& a, const PortRef& b) { return a.sw < b.sw; };
    if (std::is_sorted(at_.begin(), at_.end(), before)) {
      first_node_.assign(graph.switches() + 1, 0);
      for (const PortRef& at : at_) ++first_node_[at.sw + 1];
      for (SwitchId s = 0; s < graph.switches(); ++s) first_node_[s + 1] += first_node_[s];
    }
    if (graph.levels.empty()) return;
    const std::uint32_t lowest = *std::ranges::max_element(graph.levels);
    for (const std::uint32_t level : graph.levels) depth_.push_back(lowest - level);
  }
  PortMask mask(SwitchId s, std::uint32_t d) const final {
    if (d >= at_.size()) {
      const auto t = static_cast<SwitchId>(d - at_.size());
      return spread(s, towards(s, t), t);
    }
    const PortRef at = at_[d];
    return at.sw == s ? core::port_bit(at.port) : spread(s, towards(s, at.sw), d);
  }
  std::uint32_t run_end(SwitchId s, std::uint32_t d) const final {
    const auto nodes = static_cast<std::uint32_t>(at_.size());
    if (d >= nodes) {
      const SwitchId t = d - nodes;
      return nodes + std::min(run_towards(s, t), spread_end(s, towards(s, t), t));
    }
    const SwitchId t = at_[d].sw;
    if (first_node_.empty() || t == s) return d + 1;
    return std::min(first_node_[run_towards(s, t)], spread_end(s, towards(s, t), d));
  }
  std::uint32_t next_by(PortMask ports, SwitchId s, std::uint32_t d) const final {
    const auto nodes = static_cast<std::uint32_t>(at_.size());
    if (d >= nodes) return nodes + next_towards(ports, s, d - nodes);
    if (first_node_.empty()) return d;
    const SwitchId t = at_[d].sw, next = next_towards(ports, s, t);
    return std::max(d, first_node_[t <= s && s < next ? s : next]);
  }

 protected:
  /// Of a destination: itself, or that of the node.
  SwitchId switch_of(std::uint32_t d) const {
    return d < at_.size() ? at_[d].sw : static_cast<SwitchId>(d - at_.size());
  }
  /// The ports of the links from one switch to another.
  static PortMask ports_to(const Graph& graph, SwitchId s, SwitchId neighbour) {
    PortMask mask = 0;
    graph.each_link(s, [&](std::uint32_t p, const Peer& peer) {
      if (peer.id == neighbour) mask |= core::port_bit(p);
    });
    return mask;
  }

 private:
  /// From one switch to another; 0 from a switch to itself.
  virtual PortMask towards(SwitchId s, SwitchId t) const = 0;
  /// Above `t`: all switches below it have its mask.
  virtual SwitchId run_towards(SwitchId /*s*/, SwitchId t) const { return t + 1; }
  /// `t`, or one above it that is not above the next switch with one of these ports.
  virtual SwitchId next_towards(PortMask /*ports*/, SwitchId /*s*/, SwitchId t) const { return t; }
  /// In a network of stages the links up are equally good. One of them is the route, by a digit of
  /// the destination's number, a higher one with each stage, so that destinations share them
  /// evenly.
  PortMask spread(SwitchId s, PortMask mask, std::uint32_t destination) const {
    if (depth_.empty()) return mask;
    if ((mask & (mask - 1)) == 0) return mask;
    const auto links = static_cast<std::uint32_t>(std::popcount(mask));
    for (std::uint32_t i = 0; i < depth_[s]; ++i) destination /= links;
    PortMask rest = mask;
    for (std::uint32_t i = destination % links; i > 0; --i) rest &= rest - 1;
    return rest & ~(rest - 1);
  }
  /// Above `first`: what spread() makes of the mask is the same for all destinations below it.
  std::uint32_t spread_end(SwitchId s, PortMask mask, std::uint32_t first) const {
    constexpr std::uint32_t kNever = std::numeric_limits<std::uint32_t>::max();
    const auto links = static_cast<std::uint32_t>(std::popcount(mask));
    if (depth_.empty() || links < 2) return kNever;
    std::uint64_t period = 1;  // in which the digit changes
    for (std::uint32_t i = 0; i < depth_[s] && period <= first; ++i) period *= links;
    return static_cast<std::uint32_t>(
        std::min<std::uint64_t>((first / period + 1) * period, kNever));
  }

  std::vector<PortRef> at_;         // by node
  std::vector<NodeId> first_node_;  // of a switch or those after it; empty if nodes lie otherwise
  std::vector<std::uint32_t>
      depth_;  // of a switch in a network of stages, 0 at the nodes; or empty
};

/// Why `graph.mesh` does not describe the graph, in a few words, or nothing if it does: width *
/// height switches, and links between neighbours of the mesh and only there. X-Y routes need it.
std::optional<std::string> mesh_fault(const Graph& graph);

/// The sizes of the rings of which the network is the product, the lowest first, if its switches
/// are numbered as generate_torus() does: tori, hypercubes (rings of two) and single rings. Empty
/// if it is none, and for a single switch. All switches of such a network are alike.
std::vector<std::uint32_t> torus_sizes(const Graph& graph);

/// Groups and routers of a group, as the name of a network says that generate_dragonfly() has made.
struct DragonflyShape {
  std::uint32_t groups = 0, routers = 0;
};
std::optional<DragonflyShape> dragonfly_shape(const Graph& graph);

/// The routes of a mesh, a torus or a fat tree, a Clos network among them; nullptr for another
/// network. REQUIRES: of a mesh that mesh_fault(graph) finds none.
std::shared_ptr<const RouteRule> route_rule(const Graph& graph);

}  // namespace muster::topology
