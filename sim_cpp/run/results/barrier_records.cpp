// SPDX-License-Identifier: Apache-2.0
#include "run/results/barrier_records.hpp"

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
  record.released_at = round.last_release;
  record.hops = messages.hops(group, number);
  record.failed = round.failed;
  return record;
}

/// A mean that may have nothing to stand for.
struct Mean {
  double sum = 0.0;
  std::size_t count = 0;

  void add(std::uint64_t cycles) {
    sum += static_cast<double>(cycles);
    ++count;
  }
  std::optional<double> value() const {
    if (count == 0) return std::nullopt;
    return sum / static_cast<double>(count);
  }
};

/// The least of `ascending` that `percent` of all do not exceed.
std::uint64_t percentile(const std::vector<std::uint64_t>& ascending, std::size_t percent) {
  return ascending[(ascending.size() * percent + 99) / 100 - 1];
}

/// From `result.barriers`.
void summarize(RunResult& result) {
  std::vector<std::uint64_t> latencies;
  Mean all, first, later;
  for (const BarrierRecord& b : result.barriers) {
    if (b.failed) continue;
    latencies.push_back(b.latency_cycles);
    all.add(b.latency_cycles);
    (b.number == 0 ? first : later).add(b.latency_cycles);
  }
  if (latencies.empty()) return;
  std::sort(latencies.begin(), latencies.end());
  result.latency_min = latencies.front();
  result.latency_max = latencies.back();
  result.latency_mean = *all.value();
  result.latency_p50 = percentile(latencies, 50);
  result.latency_p95 = percentile(latencies, 95);
  result.latency_p99 = percentile(latencies, 99);
  result.latency_first_mean = first.value();
  result.latency_later_mean = later.value();
}

}  // namespace

void add_barrier_records(RunResult& result, std::uint32_t barriers, const Members& members,
                         const BarrierTraffic& messages) {
  for (std::uint32_t g = 0; g < members.groups(); ++g) {
    for (std::uint32_t b = 0; b < barriers; ++b) {
      const Round& round = members.rounds(g)[b];
      if (round.releases != round.members) continue;
      result.barriers.push_back(record_of(round, g, b, messages));
    }
  }
  summarize(result);
}

void add_bounds(RunResult& result, const checkers::CheckerList& checkers) {
  for (BarrierRecord& record : result.barriers)
    if (const auto slack = checkers.slack(record.group, record.number))
      record.bound_cycles = record.latency_cycles + *slack;
}

}  // namespace muster::run
