// SPDX-License-Identifier: Apache-2.0
#include "run/data_traffic.hpp"

#include <catch2/catch.hpp>

#include "muster/core/error.hpp"
#include "support/seed.hpp"

namespace muster::run {
namespace {

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
  CHECK_THROWS_AS(traffic({.nodes = 2, .flits_per_node_cycle = 0.0}), InputError);
  CHECK_THROWS_AS(traffic({.nodes = 2, .flits_per_node_cycle = -1.0}), InputError);
  CHECK_THROWS_AS(traffic({.nodes = 2, .flits_per_node_cycle = 8.5}), InputError);
  CHECK_THROWS_AS(traffic({.nodes = 2, .flits_per_node_cycle = 0.1, .packet_length = 2}),
                  InputError);
  CHECK_NOTHROW(traffic({.nodes = 2, .flits_per_node_cycle = 8.0}));
}

}  // namespace
}  // namespace muster::run
