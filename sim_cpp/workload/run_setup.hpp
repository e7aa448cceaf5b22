// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "barrier/register_plan.hpp"
#include "network/configurations.hpp"
#include "network/network.hpp"
#include "workload/run_spec.hpp"

namespace muster::workload {

/// Refuses (InputError) numbers out of range, routes that lose packets and routes with a cycle of
/// channel dependencies.
void check_spec(const RunSpec& spec);

/// A tree for each group; group g has the identifier g.
std::vector<barrier::PlannedGroup> plan_groups(const RunSpec& spec);

/// The given configuration if it suffices, else the smallest that does. Throws InputError if there
/// is none: what it lacks, or the busiest switch with its groups and how many registers it has.
network::SwitchConfig choose_config(const RunSpec& spec,
                                    const std::vector<barrier::PlannedGroup>& groups);

/// Switches of `config` and nodes, joined as the graph says, with routes, barrier channel and
/// barrier registers loaded.
std::unique_ptr<network::Network> build_network(const RunSpec& spec,
                                                const network::SwitchConfig& config,
                                                const barrier::RegisterPlan& plan);

}  // namespace muster::workload
