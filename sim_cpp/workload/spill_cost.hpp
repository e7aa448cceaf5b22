// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "life/spill_nodes.hpp"
#include "workload/run_spec.hpp"

namespace muster::workload {

/// Counts for each barrier of `result` the switches where its group was spilled, and says what all
/// that has cost. REQUIRES: `result.registers` is set.
void add_spill_cost(RunResult& result, const life::SpillNodes& spill);

/// The switches at which a group of the run was spilled.
std::vector<topology::SwitchId> spilled_switches(const RunResult& result, std::size_t group);

}  // namespace muster::workload
