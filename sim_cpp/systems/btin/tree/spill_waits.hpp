// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "muster/run/waiting_registers.hpp"
#include "muster/topology/graph.hpp"

namespace muster::btin {

/// What waits for spill nodes: messages at the heads of all queues of a switch wait for the channel
/// to its spill node, and the answers of that node wait for any output. `ports`: by switch, the
/// mask of its spill port, 0 without.
std::vector<run::PortWait> spill_waits(const topology::Graph& graph,
                                       std::span<const std::uint16_t> ports);

}  // namespace muster::btin
