// SPDX-License-Identifier: Apache-2.0
#include "run/data_traffic.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <map>
#include <vector>

#include "muster/core/error.hpp"
#include "muster/core/rng.hpp"
#include "muster/run/spec.hpp"
#include "support/seed.hpp"

namespace muster::run {
namespace {

TEST_CASE("gaps have the distribution of Bernoulli trials", "[workload][geometric]") {
  const double p = GENERATE(1.0, 0.9, 0.5, 0.1, 0.0125);
  const std::uint64_t seed = muster_seed();
  CAPTURE(p, seed);
  const Geometric gap(p);
  Rng rng(seed);
  constexpr int kDraws = 200'000;
  std::map<std::uint64_t, int> counts;
  double sum = 0;
  for (int i = 0; i < kDraws; ++i) {
    const std::uint64_t g = gap(rng);
    ++counts[g];
    sum += static_cast<double>(g);
  }
  CHECK(counts.begin()->first >= 1);
  const double mean = 1 / p, deviation = std::sqrt(1 - p) / p / std::sqrt(kDraws);
  CHECK(std::abs(sum / kDraws - mean) <= 5 * deviation);
  for (std::uint64_t g = 1; g <= 8; ++g) {  // P(gap = g) = q^(g-1) p
    const double expected = kDraws * p * std::pow(1 - p, double(g - 1));
    CHECK(std::abs(counts[g] - expected) <= 5 * std::sqrt(expected) + 1e-9);
  }
}

TEST_CASE("a trial that always succeeds has no gap, and takes no random numbers",
          "[workload][geometric]") {
  const Geometric gap(1.0);
  Rng rng(7), untouched(7);
  for (int i = 0; i < 100; ++i) CHECK(gap(rng) == 1);
  CHECK(rng.next() == untouched.next());
}

TEST_CASE("rare events stay rare", "[workload][geometric]") {
  const Geometric gap(1e-7);
  Rng rng(1);
  double sum = 0;
  for (int i = 0; i < 10'000; ++i) sum += static_cast<double>(gap(rng));
  CHECK(sum / 10'000 == Approx(1e7).epsilon(0.05));
}

}  // namespace

}  // namespace muster::run

using namespace muster;
using run::LatencyHistogram;

namespace {

std::uint64_t sorted_percentile(const std::vector<std::uint64_t>& sorted, std::uint64_t percent) {
  std::size_t at = 0;
  while (100 * (at + 1) < percent * sorted.size()) ++at;
  return sorted[at];
}

}  // namespace

TEST_CASE("a percentile is the least latency that so many percent do not exceed",
          "[workload][traffic]") {
  LatencyHistogram one;
  one.add(17);
  CHECK(one.percentile(1) == 17);
  CHECK(one.percentile(100) == 17);
  LatencyHistogram hundred;
  for (std::uint64_t latency = 1; latency <= 100; ++latency) hundred.add(latency);
  CHECK(hundred.percentile(50) == 50);
  CHECK(hundred.percentile(95) == 95);
  CHECK(hundred.percentile(99) == 99);
  hundred.add(8191);
  CHECK(hundred.percentile(50) == 51);
  CHECK(hundred.percentile(100) == 8191);
}

TEST_CASE("percentiles are those of sorted latencies, above 8191 up to 1/4096 more",
          "[workload][traffic]") {
  CAPTURE(muster_seed());
  Rng rng(muster_seed(), 31);
  for (int round = 0; round < 50; ++round) {
    const unsigned bits = 1 + static_cast<unsigned>(rng.below(40));
    LatencyHistogram histogram;
    std::vector<std::uint64_t> all;
    for (std::uint64_t left = 1 + rng.below(400); left != 0; --left) {
      all.push_back((rng.next() >> 24) >> (40 - bits));
      histogram.add(all.back());
    }
    std::sort(all.begin(), all.end());
    for (const std::uint64_t percent : {1u, 50u, 95u, 99u, 100u}) {
      const std::uint64_t exact = sorted_percentile(all, percent);
      const std::uint64_t found = histogram.percentile(percent);
      CAPTURE(bits, all.size(), percent);
      REQUIRE(found >= exact);
      REQUIRE(found - exact <= (exact < 8192 ? 0 : exact / 4096));
    }
  }
}

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

TEST_CASE("every other node is a destination as often, the source never", "[run][pattern]") {
  const std::uint64_t seed = muster_seed();
  constexpr std::uint32_t kNodes = 7, kEach = 5000;
  const std::uint32_t source = GENERATE(0u, 3u, 6u);  // first, in the middle, last
  CAPTURE(seed, source);
  const Uniform pattern(kNodes);
  Rng rng(seed, source);
  std::vector<std::uint32_t> counts(kNodes, 0);
  for (std::uint32_t i = 0; i < kEach * (kNodes - 1); ++i)
    ++counts.at(pattern.destination(source, rng));
  for (std::uint32_t n = 0; n < kNodes; ++n) {
    CAPTURE(n);
    if (n == source)
      CHECK(counts[n] == 0);
    else
      CHECK(std::abs(double(counts[n]) - kEach) < 6 * std::sqrt(double(kEach)));
  }
}

TEST_CASE("patterns send where their names say, inside the network", "[run][pattern]") {
  Rng rng(1, 1);
  for (const std::uint32_t nodes : {2u, 5u, 16u})
    for (const std::string& name : pattern_names()) {
      CAPTURE(name, nodes);
      const auto pattern = find_pattern(name, nodes);
      for (std::uint32_t n = 0; n < nodes; ++n) {
        const std::uint32_t to = pattern->destination(n, rng);
        CHECK(to < nodes);
        if (name == "uniform") CHECK(to != n);
        if (name == "opposite") CHECK(to == (n + nodes / 2) % nodes);
        if (name == "reverse") CHECK(to == nodes - 1 - n);
      }
    }
}

DataTraffic traffic(TrafficSpec spec) {
  const std::uint32_t nodes = spec.nodes;
  return DataTraffic(spec, std::make_unique<Uniform>(nodes));
}

TEST_CASE("destinations are uniform over the other nodes, sequence numbers count each flow",
          "[workload][traffic]") {
  const std::uint64_t seed = muster_seed();
  CAPTURE(seed);
  DataTraffic t = traffic({.nodes = 5, .flits_per_node_cycle = 0.5, .vcs = 2, .seed = seed});
  std::vector<int> to(5);
  std::vector<std::array<std::uint16_t, 2>> next(5);
  std::uint64_t last = 0;
  for (int i = 0; i < 8000; ++i) {
    const std::uint64_t ready = t.ready(2);
    REQUIRE(ready > last);
    last = ready;
    const auto vc = static_cast<std::uint8_t>(i % 3 == 0);
    const fabric::Packet p = t.take(ready, 2, vc);
    REQUIRE(p.source == 2);
    REQUIRE(p.length == 8);
    REQUIRE(p.sequence == next[p.destination][vc]++);
    ++to[p.destination];
  }
  CHECK(to[2] == 0);
  for (const int n : {0, 1, 3, 4}) CHECK(to[n] == Approx(2000).margin(200));
  CHECK(last == Approx(8000 * 8 / 0.5).epsilon(0.05));
}

TEST_CASE("the backlog counts what is generated and not taken, without storing it",
          "[workload][traffic]") {
  DataTraffic t =
      traffic({.nodes = 10, .flits_per_node_cycle = 0.8, .packet_length = 4, .seed = 7});
  const TrafficStatistics before = t.statistics(10'000);
  CHECK(before.generated == Approx(10 * 10'000 * 0.2).epsilon(0.05));
  CHECK(before.backlog == before.generated);
  CHECK(before.offered == Approx(0.8).epsilon(0.05));
  std::uint64_t taken = 0;
  for (std::uint32_t n = 0; n < 10; ++n) {
    for (; t.ready(n) < 10'000; ++taken) t.take(10'000, n, 0);
  }
  CHECK(taken == before.generated);
  CHECK(t.statistics(10'000).backlog == 0);
  CHECK(t.in_flight() == taken);
}

TEST_CASE("latency counts from generation, packets of the warm-up do not count",
          "[workload][traffic]") {
  DataTraffic t = traffic({.nodes = 2, .flits_per_node_cycle = 0.1, .seed = 7, .warmup = 1000});
  std::uint64_t measured = 0;
  for (int i = 0; i < 100; ++i) {
    const std::uint64_t generated = t.ready(0);
    const fabric::Packet p = t.take(generated + 5, 0, 0);
    t.deliver(generated + 35, 1, p);
    if (generated >= 1000) ++measured;
  }
  const TrafficStatistics s = t.statistics(t.ready(0));
  CHECK(s.delivered == 100);
  CHECK(s.measured == measured);
  CHECK(measured < 100);
  CHECK(s.latency_min == 35);
  CHECK(s.latency_mean == 35.0);
  CHECK(s.latency_max == 35);
  CHECK(s.latency_p50 == 35);
}

TEST_CASE("latencies of packets have percentiles, of which none exceeds the longest",
          "[workload][traffic]") {
  DataTraffic t = traffic({.nodes = 2, .flits_per_node_cycle = 0.1, .seed = 7});
  for (std::uint64_t i = 1; i <= 200; ++i) {
    const std::uint64_t generated = t.ready(0);
    const fabric::Packet p = t.take(generated, 0, 0);
    t.deliver(generated + (i > 198 ? 100'001 : i), 1, p);
  }
  const TrafficStatistics s = t.statistics(t.ready(0));
  CHECK(s.latency_p50 == 100);
  CHECK(s.latency_p95 == 190);
  CHECK(s.latency_p99 == 198);
  CHECK(s.latency_max == 100'001);
}

TEST_CASE("a packet that is not under way is an error, so is one that comes twice",
          "[workload][traffic]") {
  DataTraffic t = traffic({.nodes = 3, .flits_per_node_cycle = 0.1, .seed = 7});
  fabric::Packet p = t.take(t.ready(0), 0, 0);
  fabric::Packet other = p;
  other.sequence ^= 1;
  CHECK_THROWS_AS(t.deliver(9, p.destination, other), InternalError);
  CHECK_THROWS_AS(t.deliver(9, 3 - p.destination, p), InternalError);
  other = p;
  other.source = 3;
  CHECK_THROWS_AS(t.deliver(9, p.destination, other), InternalError);
  t.deliver(9, p.destination, p);
  CHECK_THROWS_AS(t.deliver(10, p.destination, p), InternalError);
}

TEST_CASE("a load that cannot be offered is refused", "[workload][traffic]") {
  for (const double load : {0.0, -1.0, 8.5})
    CHECK_THROWS_AS(traffic({.nodes = 2, .flits_per_node_cycle = load}), InputError);
  CHECK_THROWS_AS(traffic({.nodes = 2, .flits_per_node_cycle = 0.1, .packet_length = 2}),
                  InputError);
  CHECK_NOTHROW(traffic({.nodes = 2, .flits_per_node_cycle = 8.0}));
}

}  // namespace

}  // namespace muster::run
