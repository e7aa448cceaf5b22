// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "fabric/engine_registry.hpp"

namespace muster::verif {

/// Verilated switches, interchange boxes and input policies.
std::shared_ptr<const fabric::BankFactory> make_rtl_engine();

/// Golden and Verilated blocks side by side, compared in every cycle.
std::shared_ptr<const fabric::BankFactory> make_lockstep_engine();

/// Adds both to a program's engines.
void register_engines(fabric::EngineRegistry& registry);

}  // namespace muster::verif
