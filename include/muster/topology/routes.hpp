// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "muster/topology/graph.hpp"

namespace muster::topology {

/// The routing tables of all switches: for switch `s` and destination `d` (nodes first, then
/// switches) the mask of legal next ports. The lowest set bit is the deterministic route; the
/// others are for adaptive messages. The entry of a switch for itself is 0.
class Routes {
 public:
  /// Tables without a route.
  Routes(std::uint32_t switches, std::uint32_t destinations)
      : destinations_(destinations), mask_(std::size_t{switches} * destinations, 0) {}

  std::uint32_t destinations() const { return destinations_; }  ///< nodes, then switches
  /// Bit p: port p of switch `s` may be next on the way to destination `d`; 0: none.
  std::uint16_t mask(SwitchId s, std::uint32_t d) const {
    return mask_[std::size_t{s} * destinations_ + d];
  }
  /// Puts an entry. REQUIRES: switch and destination exist.
  void set(SwitchId s, std::uint32_t d, std::uint16_t mask) {
    mask_[std::size_t{s} * destinations_ + d] = mask;
  }
  /// Deterministic next port, or kMaxPorts if there is none.
  std::uint32_t next_port(SwitchId s, std::uint32_t d) const;

 private:
  std::uint32_t destinations_;
  std::vector<std::uint16_t> mask_;
};

/// up*/down* by destination only: the up direction of a link leads to the end with the lower BFS
/// level (ties: lower identifier) around the routing root, or by graph.levels, if it has them. A
/// switch with an all-down path to the destination offers its shortest down links, any other its
/// best up links. Hence every route is up*/down*, no phase travels, and the deterministic routes to
/// one destination form a tree. With graph.levels there is one up link for each destination, by a
/// digit of its number, and a switch without nodes has a route to other switches only where there
/// is one.
Routes up_down_routes(const Graph& graph);

/// The levels that up_down_routes() counts by, one for each switch.
std::vector<std::uint32_t> up_down_levels(const Graph& graph);

/// The same by other levels, for instance those of the network before it lost a link: entries on
/// ways that did not lead over the link are then as before. A switch that has lost its last link up
/// may have no way by them to some destination, whose entry is 0. REQUIRES: a level for each
/// switch.
Routes up_down_routes(const Graph& graph, const std::vector<std::uint32_t>& levels);

/// X-Y routes of a mesh. Needs graph.mesh.
Routes xy_routes(const Graph& graph);

/// X-Y for a mesh, up*/down* for anything else.
Routes routes_for(const Graph& graph);

/// The switch around which up*/down* levels are counted: least eccentricity, then lowest
/// identifier.
SwitchId routing_root(const Graph& graph);

/// Level of a switch that cannot be reached.
inline constexpr std::uint32_t kUnreachable = ~std::uint32_t{0};

/// BFS levels around `root`, in hops between switches.
std::vector<std::uint32_t> bfs_levels(const Graph& graph, SwitchId root);

}  // namespace muster::topology
