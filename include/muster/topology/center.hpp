// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>

#include "muster/topology/graph.hpp"
#include "muster/topology/routes.hpp"

namespace muster::topology {

/// How the center of a group is chosen (docs/systems/bsr-tree.md, Terms).
enum class CenterChoice : std::uint8_t {
  kNearest,  ///< least maximum distance from the other members, of several the lowest node
  kRandom,   ///< any member, by the seed
  kLowest    ///< the lowest node
};

/// The member that `choice` makes the center; `seed` is that of kRandom. Distance is in links of
/// the deterministic route from a member. Throws InputError if the group is empty, names a node
/// that is not there or one twice.
topology::NodeId choose_center(const topology::Graph& graph, const topology::Routes& routes,
                               std::span<const topology::NodeId> members, CenterChoice choice,
                               std::uint64_t seed);

}  // namespace muster::topology
