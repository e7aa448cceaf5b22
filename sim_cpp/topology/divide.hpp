// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "muster/topology/graph.hpp"

namespace muster::topology {

/// Divides the switches into parts of these sizes, or about, with few links between them; the sizes
/// are all switches together. Returns the part of each switch, always the same for equal arguments.
///
/// Recursive bisection: one half is grown link by link from a random switch, always by the one with
/// most links into it; then the moves of Fiduccia and Mattheyses (DAC 1982) refine it, each switch
/// once a pass and the best state of the pass kept, until a pass gains nothing. The best of several
/// tries is taken.
std::vector<std::uint32_t> divide(const Graph& graph, std::span<const std::uint32_t> sizes);

}  // namespace muster::topology
