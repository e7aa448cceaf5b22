// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "muster/topology/graph.hpp"

namespace muster::topology {

/// Groups and routers of a group, as the name of a network says that generate_dragonfly() has made.
struct DragonflyShape {
  std::uint32_t groups = 0, routers = 0;
};
std::optional<DragonflyShape> dragonfly_shape(const Graph& graph);

}  // namespace muster::topology
