// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "workload/barrier_traffic.hpp"
#include "workload/members.hpp"
#include "workload/run_spec.hpp"

namespace muster::workload {

/// The records of all barriers that all members have left, `barriers` of each group at most, by
/// group and number, and the least, mean and largest latency.
void add_barrier_records(RunResult& result, std::uint32_t barriers, const Members& members,
                         const BarrierTraffic& messages);

}  // namespace muster::workload
