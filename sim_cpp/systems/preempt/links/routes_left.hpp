// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "muster/topology/graph.hpp"
#include "muster/topology/routes.hpp"

namespace muster::preempt {

/// Routes of a connected network that has lost links, by the levels by which the routes `before`
/// go: entries whose ways did not lead over what is lost stay as they are, others are up*/down* by
/// these levels. Where the levels leave some switch without a way, or there are none (`levels` is
/// empty), all is up*/down* by new levels. `levels` is then that of the result.
///
/// Why the two kinds of entries go together: what follows an entry that stays stays too; and where
/// a new entry leads down, the next switch has a way down in what is left, so it had one before,
/// and its entry leads down, whether it stays or not. So no way goes up after it went down.
topology::Routes routes_left(const topology::Graph& rest, const topology::Routes& before,
                             std::vector<std::uint32_t>& levels);

}  // namespace muster::preempt
