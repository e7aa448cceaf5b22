// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
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

/// X-Y routes: first along the row to the column of the destination, then along the column. A
/// packet never turns from a column into a row and never back, so there is no cycle of channels.
class MeshRule : public SwitchRule {
 public:
  /// REQUIRES: mesh_fault(graph) finds none.
  explicit MeshRule(const Graph& graph);

 private:
  enum Way : std::uint8_t { kLeft, kRight, kBefore, kAfter, kHere };
  std::uint16_t towards(SwitchId s, SwitchId t) const override { return links_[s][way(s, t)]; }
  SwitchId run_towards(SwitchId s, SwitchId t) const override;
  Way way(SwitchId s, SwitchId t) const;

  std::uint32_t width_;
  std::vector<std::array<std::uint16_t, 5>> links_;  // by switch: ports to each way; to itself 0
};

/// The sizes of the rings of which the network is the product, the lowest first, if its switches
/// are numbered as generate_torus() does: tori, hypercubes (rings of two) and single rings. Empty
/// if it is none, and for a single switch. All switches of such a network are alike.
std::vector<std::uint32_t> torus_sizes(const Graph& graph);

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
  TorusRule(const Graph& graph, const std::vector<std::uint32_t>& sizes);

 private:
  struct Ring {
    std::uint32_t size, bottom;
    std::uint32_t stride;  // between the numbers of neighbours
  };
  /// Which neighbours on a ring may be next, and whether there is a way of down links only.
  struct Step {
    bool below, next, before;
  };
  static Step step(const Ring& ring, std::uint32_t x, std::uint32_t y);
  std::uint16_t towards(SwitchId s, SwitchId t) const override;
  SwitchId run_towards(SwitchId s, SwitchId t) const override;

  std::vector<Ring> rings_;
  std::vector<std::uint16_t> place_;  // by switch and ring: its coordinate
  std::vector<std::uint16_t> links_;  // by switch and ring: ports to the next and to the one before
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
  Place place(SwitchId s) const;
  /// The switch below by one of `arity` links, or above by one of `up`. REQUIRES: there is one.
  SwitchId below(const Place& place, std::uint32_t digit) const;
  SwitchId above(const Place& place, std::uint32_t digit) const;
};

/// The fat tree of two levels or more that a network of stages is; nothing if it is none. A Clos
/// network is one of two levels.
std::optional<FatTree> fat_tree_of(const Graph& graph);

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
  FatTreeRule(const Graph& graph, FatTree tree);

 private:
  std::uint16_t towards(SwitchId s, SwitchId t) const override;
  SwitchId run_towards(SwitchId s, SwitchId t) const override;

  FatTree tree_;
  std::vector<FatTree::Place> place_;  // by switch
  std::vector<std::uint16_t> links_;   // by switch: ports down by digit, then up by digit
  std::vector<std::uint16_t> up_;      // by switch: all ports up
};

}  // namespace muster::topology
