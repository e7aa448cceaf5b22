// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "fabric/sharing.hpp"
#include "muster/core/ranks.hpp"
#include "muster/fabric/engine_registry.hpp"

namespace muster::run {

/// The engine, whose blocks all these ranks clock: its switches, its link ends, and what systems
/// share of their own (System::share_makers). It makes the blocks of one network.
std::shared_ptr<const fabric::BankFactory> share_engine(
    std::shared_ptr<const fabric::BankFactory> engine, const core::Ranks& ranks,
    fabric::Division division);

}  // namespace muster::run
