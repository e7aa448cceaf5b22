// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "muster/topology/graph.hpp"

namespace muster::topology {

/// A link without ports.
struct Edge {
  SwitchId a = 0, b = 0;
  std::uint32_t latency = 1;
};

/// A node without a port; the place in the list is its number.
struct Attachment {
  SwitchId sw = 0;
  std::uint32_t latency = 1;
};

/// Gives out ports by the project's convention (that of Figure 1 of the BTIN paper): on every
/// switch links take the lowest ports in order of the neighbour's identifier, nodes the next ones
/// in order of their number. `ports[s]` is the size of switch s; 0 means as many as it uses.
/// Throws InputError if a switch would need more ports than it has.
Graph assemble(const std::vector<std::uint32_t>& ports, std::vector<Edge> edges,
               const std::vector<Attachment>& nodes);

}  // namespace muster::topology
