// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include "muster/topology/graph.hpp"

namespace muster::topology {

/// Divides the switches into parts of these sizes, or about, with few links between them, by the
/// recursive bisection of METIS; the sizes are all switches together. Returns the part of each
/// switch, always the same for equal arguments.
std::vector<std::uint32_t> divide(const Graph& graph, std::span<const std::uint32_t> sizes);

}  // namespace muster::topology
