// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "bench/report.hpp"

namespace muster::bench {

/// Flits a cycle that one virtual channel carries over a link of the given latency into queues of
/// the given depth, while its source always has more. Expected: the credit loop of 2L + 2 cycles
/// lets `depth` flits pass.
LinkThroughput link_throughput(const fabric::BankFactory& engine, std::uint32_t latency,
                               std::uint32_t depth);

}  // namespace muster::bench
