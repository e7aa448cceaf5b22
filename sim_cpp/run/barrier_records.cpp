// SPDX-License-Identifier: Apache-2.0
#include "run/barrier_records.hpp"

#include <algorithm>

namespace muster::run {

namespace {

BarrierRecord record_of(const Round& round, std::uint32_t group, std::uint32_t number,
                        const BarrierTraffic& messages) {
  // Where no node knows, the first message of a release on a link tells that a switch does.
  // Of one that fails each member knows when it arrives.
  const std::uint64_t known = round.failed      ? round.last_arrival
                              : round.completed ? *round.completed
                                                : messages.first_release(group, number);
  BarrierRecord record;
  record.group = group;
  record.number = number;
  record.latency_cycles = round.last_release - round.last_arrival;
  record.reduction_cycles = known - round.last_arrival;
  record.distribution_cycles = round.last_release - known;
  record.exit_skew_cycles = round.last_release - round.first_release;
  record.hops = messages.hops(group, number);
  record.failed = round.failed;
  return record;
}

}  // namespace

void add_barrier_records(RunResult& result, std::uint32_t barriers, const Members& members,
                         const BarrierTraffic& messages) {
  double sum = 0.0;
  std::size_t complete = 0;
  for (std::uint32_t g = 0; g < members.groups(); ++g) {
    for (std::uint32_t b = 0; b < barriers; ++b) {
      const Round& round = members.rounds(g)[b];
      if (round.releases != round.members) continue;
      const BarrierRecord record = record_of(round, g, b, messages);
      result.barriers.push_back(record);
      if (record.failed) continue;
      result.latency_min = complete == 0 ? record.latency_cycles
                                         : std::min(result.latency_min, record.latency_cycles);
      result.latency_max = std::max(result.latency_max, record.latency_cycles);
      sum += static_cast<double>(record.latency_cycles);
      ++complete;
    }
  }
  if (complete != 0) result.latency_mean = sum / static_cast<double>(complete);
}

void add_bounds(RunResult& result, const checkers::CheckerList& checkers) {
  for (BarrierRecord& record : result.barriers)
    if (const auto slack = checkers.slack(record.group, record.number))
      record.bound_cycles = record.latency_cycles + *slack;
}

}  // namespace muster::run
