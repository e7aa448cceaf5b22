// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "muster/fabric/network.hpp"
#include "muster/run/resolve.hpp"

namespace muster::run {

/// Switches and nodes, with the devices that the scheme wants at them, joined as the graph says.
/// Loads routes and permits through the register ports.
std::unique_ptr<fabric::Network> build_network(const ResolvedRun& run);

/// The same of any switches, without devices: a network that no scheme works on.
std::unique_ptr<fabric::Network> build_network(const RunSpec& spec,
                                               const fabric::SwitchConfig& config);

/// Writes the routing table of a switch, an entry for each destination that has an address below
/// `dests`, at once.
void write_routes(const topology::Graph& graph, const topology::Routes& routes, std::uint32_t dests,
                  topology::SwitchId s, core::Bank& switches);

}  // namespace muster::run
