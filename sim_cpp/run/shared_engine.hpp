// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "muster/core/ranks.hpp"
#include "muster/fabric/engine_registry.hpp"

namespace muster::run {

/// The engine, whose blocks are clocked by all these ranks: its switches, its link ends, and what
/// systems share of their own (System::share_makers).
std::shared_ptr<const fabric::BankFactory> share_engine(
    std::shared_ptr<const fabric::BankFactory> engine, std::shared_ptr<core::Ranks> ranks);

}  // namespace muster::run
