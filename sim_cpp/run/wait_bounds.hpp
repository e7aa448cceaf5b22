// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "fabric/checkers/bounded_waits.hpp"
#include "fabric/switch_config.hpp"
#include "run/run_spec.hpp"

namespace muster::run {

/// Share of the busiest channel's capacity that the background data ask for, 0 without data. A link
/// whose buffers cover less than its credit loop of 2 L + 3 cycles has so much less of it.
double utilisation(const RunSpec& spec, const fabric::SwitchConfig& config);

/// Up to here waits have a close bound: queues are short and what waits has its turn soon.
inline constexpr double kCalm = 0.4;

/// W of docs/preempting-switches.md; none if the switches do not cut data, or not those that stand.
std::optional<std::uint32_t> hop_wait(const fabric::SwitchConfig& config);

/// The longest that anything may take in this run, for the checker of bounded waits; docs/runs.md
/// has the formulas. Up to kCalm they grow with length of packets, way, credit loop and groups;
/// above, where single nodes starve, only with the size of the network.
///
/// `packet_flits`: SchemePlan::packet_flits(); `spilled`: most_spilled().
checkers::Bounds wait_bounds(const RunSpec& spec, const fabric::SwitchConfig& config,
                             std::uint64_t packet_flits, std::uint32_t spilled = 0);

}  // namespace muster::run
