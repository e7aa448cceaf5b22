// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <muster/system.hpp>

namespace token_ring {

/// One group on a network that is a ring. Throws muster::InputError for anything else.
std::unique_ptr<muster::run::SchemePlan> plan_scheme(const muster::run::ResolvedRun& run);

}  // namespace token_ring
