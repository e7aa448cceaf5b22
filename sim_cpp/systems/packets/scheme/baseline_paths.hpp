// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>

#include "muster/topology/graph.hpp"
#include "muster/topology/routes.hpp"

namespace muster::packets {

/// What one barrier by packets to and from a root node asks of the network: the deterministic
/// routes between it and the other members.
struct BaselinePaths {
  std::uint32_t others = 0;      ///< members but the root node
  std::uint32_t hops_up = 0;     ///< links of all routes to the root node together
  std::uint32_t hops_worms = 0;  ///< links that worms from the root node traverse, each once a worm
  std::uint32_t worms = 0;       ///< of at most `worm_addresses`, in the order of `members`
};

/// REQUIRES: delivery_fault(graph, routes) finds none; `root` is one of `members`.
BaselinePaths baseline_paths(const topology::Graph& graph, const topology::Routes& routes,
                             std::span<const topology::NodeId> members, topology::NodeId root,
                             std::uint32_t worm_addresses);

}  // namespace muster::packets
