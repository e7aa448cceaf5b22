// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "muster/topology/graph.hpp"

namespace muster::topology {

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

}  // namespace muster::topology
