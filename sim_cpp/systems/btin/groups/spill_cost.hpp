// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "run/run_spec.hpp"
#include "systems/btin/groups/spill_nodes.hpp"

namespace muster::btin {

/// Counts for each barrier of `result` the switches where its group was spilled, and says what all
/// that has cost. REQUIRES: `result.registers` is set.
void add_spill_cost(run::RunResult& result, const SpillNodes& spill);

/// The switches at which a group of the run was spilled.
std::vector<topology::SwitchId> spilled_switches(const run::RunResult& result, std::size_t group);

}  // namespace muster::btin
