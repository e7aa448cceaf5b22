// SPDX-License-Identifier: Apache-2.0
#include "run/backlog_trend.hpp"

#include <catch2/catch.hpp>

#include "core/rng.hpp"

namespace muster::run {
namespace {

/// Feeds a trend whenever it asks, with backlog and generated packets as functions of the cycle.
template <class Backlog>
BacklogTrend feed(std::uint64_t cycles, double packets_per_cycle, Backlog&& backlog) {
  BacklogTrend trend;
  for (std::uint64_t c = 0; c < cycles; ++c) {
    if (trend.due(c)) {
      trend.add(c, static_cast<std::uint64_t>(backlog(double(c))),
                static_cast<std::uint64_t>(packets_per_cycle * double(c)));
    }
  }
  return trend;
}

TEST_CASE("queues that grow by a tenth of the load are saturation, at any length of run",
          "[workload][backlog]") {
  const std::uint64_t cycles = GENERATE(5'000u, 17'000u, 100'000u, 1'000'000u);
  CAPTURE(cycles);
  CHECK(feed(cycles, 1.0, [](double c) { return 0.1 * c; }).saturated(60));
  CHECK_FALSE(feed(cycles, 1.0, [](double) { return 500.0; }).saturated(60));
  CHECK_FALSE(feed(cycles, 1.0, [](double c) { return 0.005 * c; }).saturated(60));
}

TEST_CASE("a start-up that levels off and the noise of short queues are not",
          "[workload][backlog]") {
  CHECK_FALSE(feed(100'000, 1.0, [](double c) { return c < 40'000 ? c : 40'000; }).saturated(60));
  Rng rng(3);
  CHECK_FALSE(feed(1'500, 1.0, [&](double) { return 20 * rng.uniform(); }).saturated(60));
  CHECK_FALSE(feed(900, 1.0, [](double c) { return c; }).saturated(60));  // too few samples to say
}

}  // namespace
}  // namespace muster::run
