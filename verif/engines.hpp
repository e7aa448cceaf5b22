// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "network/engine_registry.hpp"

namespace muster::verif {

/// Verilated switches, interchange boxes and input policies.
std::unique_ptr<network::BankFactory> make_rtl_engine();

/// Golden and Verilated blocks side by side, compared in every cycle.
std::unique_ptr<network::BankFactory> make_lockstep_engine();

/// Adds both to a program's engines.
void register_engines(network::EngineRegistry& registry);

}  // namespace muster::verif
