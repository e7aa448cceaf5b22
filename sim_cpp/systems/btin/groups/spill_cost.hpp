// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "muster/run/result.hpp"
#include "muster/systems/btin.hpp"
#include "systems/btin/groups/spill_nodes.hpp"

namespace muster::btin {

/// What spill has cost a run whose barriers are in `result`. REQUIRES: `groups.spilled` is set.
SpillCost spill_cost(const run::RunResult& result, const Result& groups, const SpillNodes& spill);

}  // namespace muster::btin
