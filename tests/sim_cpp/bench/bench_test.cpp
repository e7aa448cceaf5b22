// SPDX-License-Identifier: Apache-2.0
#include "bench/bench.hpp"

#include "fabric/configurations.hpp"
#include "muster/run/run.hpp"
#include "run/configurations.hpp"
#include "support/test.hpp"

namespace muster::bench {

TEST_CASE("absolute times are of the best round, ratios the median of rounds", "[bench]") {
  Timings t(2);
  const double subject[] = {4.0, 3.0, 9.0, 2.0, 50.0}, reference[] = {2.0, 3.0, 3.0, 4.0, 1.0};
  for (int round = 0; round < 5; ++round) {
    t.add(0, subject[round]);
    t.add(1, reference[round]);
  }
  CHECK(t.best(0) == 2.0);
  CHECK(t.best(1) == 1.0);
  CHECK(t.ratio(0, 1) == 2.0);  // of 2, 1, 3, 0.5, 50
  CHECK(t.ratio(1, 1) == 1.0);
}

TEST_CASE("subjects work in turn, every other round in reverse", "[bench]") {
  std::string order;
  alternate({[&] { order += 'a'; }, [&] { order += 'b'; }, [&] { order += 'c'; }}, 3);
  CHECK(order == "abccbaabc");
}

TEST_CASE("the time of a subject is CPU time that it used itself", "[bench]") {
  const auto busy = [](double seconds) {
    for (const double start = cpu_seconds(); cpu_seconds() - start < seconds;) {
    }
  };
  const Timings t = alternate({[&] { busy(0.04); }, [&] { busy(0.01); }, [] {}}, 3);
  CHECK(t.best(0) >= 0.04);
  CHECK(t.ratio(0, 1) > 2.0);
  CHECK(t.best(2) < 0.01);
}

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
  const auto golden = run::make_golden_engine();
  const Scenario mesh = at_load(topology::generate_mesh(4, 4), 0.05, muster_seed());
  TrafficNetwork network(
      mesh, {.engine = golden, .config = run::configuration("sw5v1"), .skip = true, .count = true});
  const std::uint64_t cycles = 40'000;
  network.run(cycles);
  // Mean distance of two different nodes of a 4x4 mesh: 8/3 links, so 11/3 switches.
  const double expected = 0.05 * 16 * static_cast<double>(cycles) * 11.0 / 3.0;
  CHECK(static_cast<double>(network.flit_hops()) == Approx(expected).epsilon(0.05));
}

}  // namespace muster::bench
