// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "barrier/tree.hpp"

namespace muster::barrier {

/// "3:4", switch and port of a node, as the BTIN paper names it.
std::string place(const Graph& graph, NodeId node);

/// Microseconds of one barrier by the formula of BTIN section 5.1 with its default delays; 0 for a
/// group of one.
double paper_latency_us(const BarrierTree& tree);

}  // namespace muster::barrier
