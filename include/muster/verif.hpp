// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <vector>

#include "muster/fabric/engine_registry.hpp"

namespace muster::verif {

/// The engine `rtl`: Verilated blocks, loaded from model files when a run asks for them. A model
/// that is not built is an InputError of what makes the bank, with the command that builds it.
std::shared_ptr<const fabric::BankFactory> make_rtl_engine();

/// The engine `lockstep`: golden and Verilated blocks side by side, every output compared in every
/// cycle. A difference ends the run with a report of both states.
std::shared_ptr<const fabric::BankFactory> make_lockstep_engine();

/// Both, for app::main.
std::vector<std::shared_ptr<const fabric::BankFactory>> engines();

}  // namespace muster::verif
