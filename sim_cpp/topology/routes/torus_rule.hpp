// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "topology/routes/switch_rule.hpp"

namespace muster::topology {

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

}  // namespace muster::topology
