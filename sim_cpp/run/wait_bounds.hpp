// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "muster/fabric/checkers/bounds.hpp"
#include "muster/fabric/switch_config.hpp"
#include "muster/run/plan.hpp"

namespace muster::run {

/// Share of the busiest channel's capacity that the background data ask for, 0 without data. A link
/// whose buffers cover less than its credit loop has so much less of it.
double utilisation(const RunSpec& spec, const fabric::SwitchConfig& config);

/// Up to here waits have a close bound: queues are short and what waits has its turn soon.
inline constexpr double kCalm = 0.4;

/// Cycles that the longest link takes.
std::uint32_t longest_latency(const topology::Graph& graph);
/// Cycles from the spending of a credit until it can be spent again, on the longest link.
std::uint64_t credit_loop(const topology::Graph& graph, const fabric::SwitchConfig& config);

/// The longest that anything may take in this run, for the checker of bounded waits;
/// docs/reference/runs.md has the formulas. Up to kCalm they grow with length of packets, way,
/// credit loop and groups; above, where single nodes starve, only with the size of the network.
checkers::Bounds wait_bounds(const RunSpec& spec, const fabric::SwitchConfig& config,
                             const PlanTimes& times);

}  // namespace muster::run
