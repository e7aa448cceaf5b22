// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

namespace muster::topology {

/// The vertices of one cycle of a directed graph, each with an edge to the next and the last to the
/// first; empty if there is none. `successors[v]` are the heads of the edges out of v.
std::vector<std::uint32_t> find_cycle(const std::vector<std::vector<std::uint32_t>>& successors);

}  // namespace muster::topology
