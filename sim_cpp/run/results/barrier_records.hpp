// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "muster/run/barrier_traffic.hpp"
#include "muster/run/checker_list.hpp"
#include "muster/run/members.hpp"
#include "muster/run/spec.hpp"

namespace muster::run {

/// The records of all barriers that all members have left, `barriers` of each group at most, by
/// group and number, and what RunResult says of their latencies.
void add_barrier_records(RunResult& result, std::uint32_t barriers, const Members& members,
                         const BarrierTraffic& messages);

/// The bound of each of the barriers, where a checker has one.
void add_bounds(RunResult& result, const checkers::CheckerList& checkers);

}  // namespace muster::run
