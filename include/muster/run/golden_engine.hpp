// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "muster/fabric/engine_registry.hpp"

namespace muster::run {

/// The engine `golden`, made of the golden blocks of all systems: takes every legal configuration,
/// has no waves (asking for them is an InputError) and resets everything (random initial contents
/// cannot be seen).
std::shared_ptr<const fabric::BankFactory> make_golden_engine();

}  // namespace muster::run
