// SPDX-License-Identifier: Apache-2.0
#include "bench/traffic_network.hpp"

#include <catch2/catch.hpp>

#include "bench/report.hpp"
#include "fabric/configurations.hpp"
#include "muster/run/run.hpp"
#include "run/configurations.hpp"
#include "support/seed.hpp"

namespace muster::bench {

TEST_CASE("unloaded, a barrier message takes L + 1 cycles a hop, a data head L + 3", "[bench]") {
  const std::uint32_t latency = GENERATE(1, 2, 3, 4, 17, 255);
  CAPTURE(latency);
  const HopLatency hops = hop_latency(*run::make_golden_engine(), latency);
  CHECK(hops.barrier == latency + 1);
  CHECK(hops.data == latency + 3);
}

TEST_CASE("a link carries depth / (2L + 2) flits a cycle between nodes, at most 1", "[bench]") {
  const std::uint32_t latency = GENERATE(1, 2, 3, 4, 6);
  const std::uint32_t depth = GENERATE(1, 2, 4, 5, 6, 7, 8, 11, 16);
  CAPTURE(latency, depth);
  const LinkThroughput row = link_throughput(*run::make_golden_engine(), latency, depth);
  CHECK(row.latency == latency);
  CHECK(row.depth == depth);
  CHECK(row.measured == Approx(depth < 2 * latency + 2 ? double(depth) / (2 * latency + 2) : 1.0));
  CHECK(row.measured == row.expected);
}

TEST_CASE("flit-hops of a light load are its packets times the switches on their ways", "[bench]") {
  const std::uint64_t seed = muster_seed();
  CAPTURE(seed);
  const auto golden = run::make_golden_engine();
  const Scenario mesh = at_load(topology::generate_mesh(4, 4), 0.05, seed);
  TrafficNetwork network(
      mesh, {.engine = golden, .config = run::configuration("sw5v1"), .skip = true, .count = true});
  const std::uint64_t cycles = 40'000;
  network.run(cycles);
  // Mean distance of two different nodes of a 4x4 mesh: 8/3 links, so 11/3 switches.
  const double expected = 0.05 * 16 * static_cast<double>(cycles) * 11.0 / 3.0;
  CHECK(static_cast<double>(network.flit_hops()) == Approx(expected).epsilon(0.05));
}

TEST_CASE("skipping and checkers do not change the work", "[bench]") {
  const std::uint64_t seed = muster_seed();
  CAPTURE(seed);
  const auto golden = run::make_golden_engine();
  const Scenario scenario = at_share_of_bound(irregular(20, 40, seed), 0.8, seed);
  Variant variant{.engine = golden, .config = run::configuration("sw8"), .count = true};
  TrafficNetwork all(scenario, variant);
  variant.skip = true;
  TrafficNetwork awake(scenario, variant);
  variant.checkers = true;
  TrafficNetwork checked(scenario, variant);
  for (TrafficNetwork* network : {&all, &awake, &checked}) network->run(3000);
  CHECK(all.flit_hops() > 1000);
  CHECK(awake.flit_hops() == all.flit_hops());
  CHECK(checked.flit_hops() == all.flit_hops());
  CHECK(all.network().switches_clocked() == 20 * 3000);
  CHECK(awake.network().switches_clocked() < 20 * 3000);
}

}  // namespace muster::bench
