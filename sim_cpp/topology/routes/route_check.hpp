// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "muster/topology/graph.hpp"
#include "muster/topology/routes.hpp"

namespace muster::topology {

/// Why not every packet arrives, or nothing: every mask names used ports only, every choice of bits
/// leads from every switch to every destination, and only the entry of a switch for itself is
/// empty.
std::optional<std::string> delivery_fault(const Graph& graph, const Routes& routes);

/// The first route that goes up after it went down, with up and down as up_down_routes() defines
/// them, or nothing. Looks at all bits of all masks and knows nothing of how they were made.
std::optional<std::string> up_down_fault(const Graph& graph, const Routes& routes);

}  // namespace muster::topology
