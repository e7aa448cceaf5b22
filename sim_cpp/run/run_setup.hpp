// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "fabric/configurations.hpp"
#include "fabric/network.hpp"
#include "run/run_spec.hpp"
#include "run/scheme.hpp"

namespace muster::run {

/// Refuses (InputError) numbers out of range, routes that lose packets and routes with a cycle of
/// channel dependencies.
void check_spec(const RunSpec& spec);

/// The given configuration if it suffices, else the smallest that does. Throws InputError if there
/// is none: what it lacks, or the busiest switch with its groups and how many registers it has.
fabric::SwitchConfig choose_config(const RunSpec& spec, const SchemePlan& plan);

/// Groups that find no register at the switch with most of them, if they may be spilled.
std::uint32_t most_spilled(const RunSpec& spec, const SchemePlan& plan,
                           const fabric::SwitchConfig& config);

/// When members arrive: as the run says, without those that it lets be absent.
std::unique_ptr<Arrivals> make_arrivals(RunSpec& spec);

/// Switches of `config` and nodes, with NICs if there are, joined as the graph says, with routes
/// and barrier channel loaded.
std::unique_ptr<fabric::Network> build_network(const RunSpec& spec,
                                               const fabric::SwitchConfig& config,
                                               fabric::NicBanks nics = {});

/// Builds the wait graph of network, routes and the barrier registers of the plan and gives its
/// number of edges. Throws InternalError with the cycle if it has one: the routes alone have none,
/// see check_spec, so the plan would be wrong.
std::uint64_t check_waits(const RunSpec& spec, const SchemePlan& plan);

}  // namespace muster::run
