// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "muster/topology/graph.hpp"
#include "muster/topology/steps.hpp"

namespace muster::topology {

/// Links on the shortest paths from one switch to all others.
struct Distances {
  std::uint32_t farthest = 0;  ///< to the remotest switch
  std::uint64_t total = 0;     ///< summed over all switches
};

/// Those of every switch. REQUIRES: the network is connected.
std::vector<Distances> switch_distances(const Graph& graph, const Steps& steps = {});

/// The switch with the least farthest distance, of several the lowest.
SwitchId central_switch(const std::vector<Distances>& distances);

}  // namespace muster::topology
