// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "muster/topology/graph.hpp"
#include "muster/topology/routes.hpp"

namespace muster::topology {

/// Routes that depend on the destination's switch: nodes share the entry of their switch, at which
/// the mask is their port.
class SwitchRule : public RouteRule {
 public:
  explicit SwitchRule(const Graph& graph);
  std::uint16_t mask(SwitchId s, std::uint32_t d) const final;
  std::uint32_t run_end(SwitchId s, std::uint32_t d) const final;

 protected:
  /// The ports of the links from one switch to another.
  static std::uint16_t ports_to(const Graph& graph, SwitchId s, SwitchId neighbour);

 private:
  /// From one switch to another; 0 from a switch to itself.
  virtual std::uint16_t towards(SwitchId s, SwitchId t) const = 0;
  /// Above `t`: all switches below it have its mask.
  virtual SwitchId run_towards(SwitchId /*s*/, SwitchId t) const { return t + 1; }
  std::uint16_t spread(SwitchId s, std::uint16_t mask, std::uint32_t destination) const;
  /// Above `first`: what spread() makes of the mask is the same for all destinations below it.
  std::uint32_t spread_end(SwitchId s, std::uint16_t mask, std::uint32_t first) const;

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

/// The routes of a mesh, a torus or a fat tree, a Clos network among them; nullptr for another
/// network. REQUIRES: of a mesh that mesh_fault(graph) finds none.
std::shared_ptr<const RouteRule> route_rule(const Graph& graph);

}  // namespace muster::topology
