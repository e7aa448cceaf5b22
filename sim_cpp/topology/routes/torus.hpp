// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "muster/topology/graph.hpp"

namespace muster::topology {

/// The sizes of the rings of which the network is the product, the lowest first, if its switches
/// are numbered as generate_torus() does: tori, hypercubes (rings of two) and single rings. Empty
/// if it is none, and for a single switch. All switches of such a network are alike.
std::vector<std::uint32_t> torus_sizes(const Graph& graph);

}  // namespace muster::topology
