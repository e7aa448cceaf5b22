// SPDX-License-Identifier: Apache-2.0
#include "run/backlog_trend.hpp"

#include <catch2/catch.hpp>

#include "muster/core/rng.hpp"

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

TEST_CASE("no sample, or fewer than 16, is no saturation", "[workload][backlog]") {
  CHECK_FALSE(BacklogTrend().saturated(1));
  const std::uint64_t period = BacklogTrend::kFirstPeriod;
  const auto steep = [](double c) { return 10 * c; };
  CHECK_FALSE(feed(14 * period + 1, 1.0, steep).saturated(1));  // samples 0 to 14
  CHECK(feed(15 * period + 1, 1.0, steep).saturated(1));
}

TEST_CASE(
    "growth must exceed 3 % of a quarter's packets, or three times the root of many, and a "
    "packet for every four nodes",
    "[workload][backlog]") {
  // 16 samples, quarters of 4: the backlog steps up by `growth` in the last.
  const auto stepped = [](std::uint64_t growth, std::uint64_t generated_a_sample) {
    BacklogTrend trend;
    for (std::uint64_t i = 0; i < 16; ++i)
      trend.add(i * BacklogTrend::kFirstPeriod, i < 12 ? 50 : 50 + growth, i * generated_a_sample);
    return trend;
  };
  CHECK_FALSE(stepped(25, 1).saturated(100));  // exactly one for every four
  CHECK(stepped(26, 1).saturated(100));
  CHECK_FALSE(stepped(120, 1000).saturated(100));  // exactly 3 % of 4000
  CHECK(stepped(121, 1000).saturated(100));
  CHECK_FALSE(stepped(600, 10'000).saturated(100));  // of 40 000, of which 3 % are 1200
  CHECK(stepped(601, 10'000).saturated(100));
}

TEST_CASE("a longer run sees a smaller share that is not carried", "[workload][backlog]") {
  const auto grows = [](double c) { return 0.02 * c; };
  CHECK_FALSE(feed(20'000, 1.0, grows).saturated(60));
  CHECK(feed(400'000, 1.0, grows).saturated(60));
}

TEST_CASE("queues that shrink are no saturation, however full", "[workload][backlog]") {
  CHECK_FALSE(feed(100'000, 1.0, [](double c) { return 1e6 - 5 * c; }).saturated(4));
}

TEST_CASE("samples are due at equal distances over the whole run, which double as it gets longer",
          "[workload][backlog]") {
  BacklogTrend trend;
  const std::uint64_t whole = BacklogTrend::kFirstPeriod * BacklogTrend::kSamples;
  for (std::uint64_t c = 0; c < 4 * whole; ++c) {
    const std::uint64_t period = BacklogTrend::kFirstPeriod * (c < whole       ? 1
                                                               : c < 2 * whole ? 2
                                                                               : 4);
    if (trend.due(c) != (c % period == 0)) FAIL("cycle " << c << ", period " << period);
    if (trend.due(c)) trend.add(c, 0, c);
  }
}

}  // namespace
}  // namespace muster::run
