// SPDX-License-Identifier: Apache-2.0
#include <optional>

#include "sim_cpp/run/run_fixture.hpp"

namespace muster::run {
namespace {

using test::Subject;

TEST_CASE("a fat tree reflects in half the hops at its highest level", "[workload][run]") {
  const Subject subject(topology::generate_fat_tree(2, 7));  // 128 nodes
  const auto run = [&](std::optional<topology::SwitchId> root) {
    RunSpec spec = subject.spec({"all"});
    spec.spread = 0;
    btin::Spec& own = run::own<btin::Spec>(spec);
    own.reflect = true;
    own.root = root;
    const RunResult result = run_barriers(spec);
    CHECK(result.ok());
    return result.latency_mean;
  };
  // 2 L + 1 cycles at one switch, and L + 1 up and down for each of 6 levels, or 12.
  CHECK(run({}) == 27.0);
  CHECK(run(subject.graph.node(0).at.sw) == 51.0);
}

/// Runs one barrier at which member m arrives in cycle times[m].
RunResult one_barrier(const Subject& subject, bool reflect, std::vector<std::uint64_t> times,
                      const std::string& group = "all") {
  RunSpec spec = subject.spec({group});
  spec.barriers = 1;
  run::own<btin::Spec>(spec).reflect = reflect;
  spec.arrivals = std::make_shared<ListedArrivals>(ListedArrivals::List{{std::move(times)}});
  return run_barriers(spec);
}

TEST_CASE("a barrier of one switch takes exactly the cycles of its hops", "[workload][run]") {
  // Into the output register 1, a hop through the switch L + 1, the wire into the node L - 1 more:
  // 2 L + 1 each way. Without the root node in between there is but one way.
  const std::uint32_t latency = GENERATE(1u, 2u, 3u, 100u);
  CAPTURE(latency);
  const Subject subject(test::star(3, latency));
  const auto asked = one_barrier(subject, false, {10, 40, 25});
  REQUIRE(asked.violations.empty());
  REQUIRE(asked.barriers.size() == 1);
  CHECK(asked.barriers[0].reduction_cycles == 2 * latency + 1);
  CHECK(asked.barriers[0].distribution_cycles == 2 * latency + 1);
  CHECK(asked.barriers[0].latency_cycles == 4 * latency + 2);
  CHECK(asked.barriers[0].exit_skew_cycles == 2 * latency + 1);

  const auto turned = one_barrier(subject, true, {10, 40, 25});
  REQUIRE(turned.barriers.size() == 1);
  CHECK(turned.barriers[0].latency_cycles == 2 * latency + 1);
  CHECK(turned.barriers[0].exit_skew_cycles == 0);

  const auto root_last = one_barrier(subject, false, {1000, 40, 25});
  REQUIRE(root_last.barriers.size() == 1);
  CHECK(root_last.barriers[0].reduction_cycles == 0);
  CHECK(root_last.barriers[0].latency_cycles == 2 * latency + 1);
}

TEST_CASE("each switch of a line adds L + 1 cycles in each direction", "[workload][run]") {
  const std::uint32_t latency = GENERATE(1u, 3u);
  const std::uint32_t switches = GENERATE(2u, 3u, 6u);
  CAPTURE(latency, switches);
  const Subject subject(test::line(switches, latency));
  const auto result = one_barrier(subject, false, {5, 50}, "n0,n" + std::to_string(switches - 1));
  REQUIRE(result.violations.empty());
  REQUIRE(result.barriers.size() == 1);
  const std::uint64_t way = 1 + 2 + (switches - 1) * (latency + 1);
  CHECK(result.barriers[0].reduction_cycles == way);
  CHECK(result.barriers[0].latency_cycles == 2 * way);
  CHECK(result.barriers[0].hops == 2 * (switches + 1));
}

TEST_CASE("equal seeds give equal runs, with and without skipping, and other seeds others",
          "[workload][run]") {
  const std::uint64_t seed = muster_seed();
  const double load = GENERATE(0.0, 0.3, 1.5);
  CAPTURE(load);
  const auto run = [&](std::uint64_t s, bool skip, bool checkers) {
    RunSpec spec = test::figure1().spec({"paper"}, s);
    spec.load_flits = load * test::figure1().route_bound();
    spec.skip = skip;
    spec.checkers = checkers;
    return run_barriers(spec);
  };
  const RunResult a = run(seed, true, true), b = run(seed, false, false),
                  c = run(seed + 1, true, true);
  CHECK(a.violations.empty());
  CHECK(a.digest == b.digest);
  CHECK(a.cycles == b.cycles);
  CHECK(a.flit_hops == b.flit_hops);
  CHECK(a.digest != c.digest);
  CHECK(a.switches_clocked <= b.switches_clocked);
  CHECK(b.switches_clocked == b.switch_cycles);
  CHECK(b.checks.empty());
}

// A wormhole network with one virtual channel of data carries clearly less than the channel loads
// allow: heads wait behind heads.
TEST_CASE("load below saturation is carried, load above it says so", "[workload][run]") {
  const std::uint64_t seed = muster_seed();
  const double load = GENERATE(0.15, 0.3, 1.5);
  CAPTURE(load);
  const Subject subject(topology::generate_irregular({.switches = 20, .nodes = 60, .seed = seed}));
  RunSpec spec = subject.spec({"random:20"}, seed);
  spec.load_flits = load * subject.route_bound();
  spec.barriers = 5;
  spec.warmup = 2000;
  spec.min_cycles = 60'000;
  const RunResult result = test::completes(spec);
  REQUIRE(result.data);
  CHECK(result.data->saturated == (load > 1.0));
  CHECK(result.data->offered == Approx(spec.load_flits).epsilon(0.08));
  if (load < 1.0) {
    CHECK(result.data->accepted == Approx(result.data->offered).epsilon(0.02));
  } else {
    CHECK(result.data->accepted < 0.9 * result.data->offered);
    CHECK(result.data->backlog > 100);
  }
}

TEST_CASE("a run that cannot be is refused before it starts", "[workload][run]") {
  using Catch::Matchers::Contains;
  RunSpec spec = test::figure1().spec({"paper"});
  SECTION("a virtual channel for messages that take none") {
    spec.own_barrier_vc = true;
    CHECK_THROWS_WITH(run_barriers(spec), Contains("use no virtual channel"));
  }
  SECTION("routes that can deadlock") {
    // Four switches in a ring, all routes clockwise.
    topology::Graph ring;
    for (int s = 0; s < 4; ++s) ring.add_switch(3);
    for (std::uint32_t s = 0; s < 4; ++s) {
      ring.add_link({s, 0}, {(s + 1) % 4, 1});
      ring.add_node({s, 2});
    }
    topology::Routes routes(4, ring.destinations());
    for (std::uint32_t s = 0; s < 4; ++s) {
      for (std::uint32_t d = 0; d < 8; ++d) {
        if (d < 4 && d == s) routes.set(s, d, 4);
        if (d % 4 != s) routes.set(s, d, 1);
      }
    }
    spec.graph = core::borrowed(ring);
    spec.routes = core::borrowed(routes);
    spec.groups = {{"g", {0, 1}}};
    CHECK_THROWS_WITH(run_barriers(spec), Contains("deadlock"));
  }
}

}  // namespace
}  // namespace muster::run
