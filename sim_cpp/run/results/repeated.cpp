// SPDX-License-Identifier: Apache-2.0
#include "run/results/repeated.hpp"

#include <algorithm>

#include "core/ratio_estimate.hpp"

namespace muster::run {
namespace {

/// A quantity that some runs have.
template <class Value>
Estimate estimate(const std::vector<RunResult>& results, Value&& value) {
  core::RatioEstimate mean;
  Estimate found;
  for (const RunResult& result : results) {
    if (result.end != End::kComplete) continue;
    const std::optional<double> quantity = value(result);
    if (!quantity) continue;
    mean.add(*quantity, 1);
    ++found.runs;
  }
  found.mean = mean.mean();
  found.half_width = mean.half_width();
  return found;
}

}  // namespace

Repeated summarize_runs(const std::vector<RunResult>& results) {
  using Quantity = std::optional<double>;
  // A run whose barriers have all failed, or that has no data, says nothing of these.
  const auto latency = [&](auto statistic) {
    return estimate(results, [statistic](const RunResult& r) {
      return r.latency_first_mean || r.latency_later_mean
                 ? Quantity(static_cast<double>(r.*statistic))
                 : std::nullopt;
    });
  };
  const auto data = [&](double TrafficStatistics::*statistic) {
    return estimate(results, [statistic](const RunResult& r) {
      return r.data ? Quantity((*r.data).*statistic) : std::nullopt;
    });
  };
  const auto packets = [&](auto statistic) {
    return estimate(results, [statistic](const RunResult& r) {
      return r.data && r.data->measured != 0 ? Quantity(static_cast<double>((*r.data).*statistic))
                                             : std::nullopt;
    });
  };
  Repeated all;
  for (const RunResult& r : results) {
    if (r.end != End::kComplete) continue;
    ++all.complete;
    all.saturated += r.data && r.data->saturated;
  }
  all.latency_mean = latency(&RunResult::latency_mean);
  all.latency_p50 = latency(&RunResult::latency_p50);
  all.latency_p95 = latency(&RunResult::latency_p95);
  all.latency_p99 = latency(&RunResult::latency_p99);
  all.latency_first = estimate(results, [](const RunResult& r) { return r.latency_first_mean; });
  all.latency_later = estimate(results, [](const RunResult& r) { return r.latency_later_mean; });
  all.offered = data(&TrafficStatistics::offered);
  all.accepted = data(&TrafficStatistics::accepted);
  all.packet_mean = packets(&TrafficStatistics::latency_mean);
  all.packet_p50 = packets(&TrafficStatistics::latency_p50);
  all.packet_p95 = packets(&TrafficStatistics::latency_p95);
  all.packet_p99 = packets(&TrafficStatistics::latency_p99);
  return all;
}

bool were_interrupted(const std::vector<RunResult>& results, std::uint32_t asked) {
  return results.size() < asked || std::any_of(results.begin(), results.end(), [](const auto& r) {
           return r.end == End::kInterrupted;
         });
}

}  // namespace muster::run
