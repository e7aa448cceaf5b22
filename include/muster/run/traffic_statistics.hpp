// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace muster::run {

/// What happened to the packets generated since the warm-up.
struct TrafficStatistics {
  std::uint64_t generated = 0;  ///< packets, warm-up included
  std::uint64_t started = 0;    ///< of them, with a flit on the link
  std::uint64_t delivered = 0;  ///< of them, with the tail at the destination
  /// Generated since the warm-up and delivered: those whose latency is measured.
  std::uint64_t measured = 0;
  std::uint64_t unfinished = 0;  ///< generated since the warm-up and not delivered at the end
  /// Cycles from generation to the tail at the destination; 0 if none is measured.
  double latency_mean = 0.0;
  std::uint64_t latency_min = 0;  ///< cycles
  std::uint64_t latency_max = 0;  ///< cycles
  /// Percentiles, in cycles; above 8191 up to 1/4096 too large.
  std::uint64_t latency_p50 = 0;
  std::uint64_t latency_p95 = 0;  ///< likewise
  std::uint64_t latency_p99 = 0;  ///< likewise
  double offered = 0.0;           ///< flits per node and cycle since the warm-up
  double accepted = 0.0;          ///< likewise, delivered
  std::uint64_t backlog = 0;      ///< packets in source queues
  bool saturated = false;         ///< the source queues still grow
};

}  // namespace muster::run
