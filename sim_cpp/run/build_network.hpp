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

}  // namespace muster::run
