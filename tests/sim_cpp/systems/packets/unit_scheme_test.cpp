// SPDX-License-Identifier: Apache-2.0
#include "systems/packets/unit_scheme.hpp"

#include <catch2/catch.hpp>

#include "sim_cpp/run/random_run.hpp"
#include "sim_cpp/run/run_fixture.hpp"
#include "support/seed.hpp"

namespace muster::run {
namespace {

using Catch::Matchers::Contains;

RunSpec with(const test::Subject& subject, const std::vector<std::string>& groups) {
  RunSpec spec = subject.spec(groups);
  spec.scheme = packets::kUnitScheme;
  spec.spread = 0;
  return spec;
}

TEST_CASE("members of one switch: two links each, released one after the other",
          "[workload][unit]") {
  const test::Subject subject(test::star(3));
  const RunResult result = run_barriers(with(subject, {"all"}));
  REQUIRE(result.violations == std::vector<std::string>{});
  REQUIRE(result.barriers.size() == 10);
  for (const BarrierRecord& b : result.barriers) CHECK(b.hops == 6);
  CHECK(result.config.depth == 3);
  // An arrival: on the wires in 1 to 3, its route read in 2, its tail taken in 5; the origin takes
  // the first release in 6, which is on the wires in 8 to 10; the others follow in four cycles
  // each.
  CHECK(result.barriers[0].latency_cycles == 10 + 2 * 4);
}

TEST_CASE("units of several groups on random networks keep every property, whatever their buffers",
          "[workload][unit][random]") {
  const std::uint64_t seed = muster_seed();
  const auto golden = run::make_golden_engine();
  for (std::uint64_t i = 0; i < 20; ++i) {
    test::RandomRun run(seed + 23, i, 12);
    CAPTURE(seed, i, run.text());
    run.spec.engine = golden;
    run.spec.scheme = packets::kUnitScheme;
    run.spec.own_barrier_vc = false;
    run.spec.config.reset();
    run.spec.own = {};
    run::own<packets::Spec>(run.spec).unit_buffer = static_cast<std::uint32_t>(1 + i % 5);
    if (run.load > kCalm) run.spec.load_flits *= kCalm / run.load;
    const RunResult result = run_barriers(run.spec);
    for (const std::string& violation : result.violations) FAIL_CHECK(violation);
    REQUIRE(result.barriers.size() == run.spec.groups.size() * run.spec.barriers);
    for (const BarrierRecord& b : result.barriers) REQUIRE(b.hops == result.planned_hops[b.group]);
  }
}

TEST_CASE("skipping quiescent switches changes nothing", "[workload][unit]") {
  const test::Subject subject(topology::generate_mesh(5, 5));
  RunSpec spec = with(subject, {"random:13", "random:9"});
  spec.load_flits = 0.05;
  spec.min_cycles = 3000;
  const RunResult skipping = run_barriers(spec);
  REQUIRE(skipping.violations == std::vector<std::string>{});
  spec.skip = false;
  CHECK(run_barriers(spec).digest == skipping.digest);
}

TEST_CASE("held links hold a unit's messages", "[workload][unit][congestion]") {
  const test::Subject subject(topology::generate_mesh(5, 5));
  RunSpec spec = with(subject, {"random:9"});
  const double calm = run_barriers(spec).latency_mean;
  spec.congestion = CongestionSpec{3, 2000};
  const RunResult held = run_barriers(spec);
  REQUIRE(held.violations == std::vector<std::string>{});
  CHECK(held.latency_mean > calm + 1500);
}

TEST_CASE("units that hang name who is missing and what they wait for", "[workload][unit]") {
  const test::Subject subject(topology::generate_mesh(4, 4));
  RunSpec spec = with(subject, {"all"});
  SECTION("a member never arrives") {
    spec.absent = {{0, 2, 3}};
    const RunResult result = run_barriers(spec);
    REQUIRE(result.violations.size() == 1);
    CHECK_THAT(result.violations[0], Contains("makes no progress at barrier 3") &&
                                         Contains("members that have not arrived: n2") &&
                                         Contains("gather of barrier 3"));
  }
  SECTION("a release is lost") {
    const fabric::Layout layout(subject.graph);
    spec.stopped = {{layout.into_node(5), 30, true, false}};
    spec.checkers = false;
    const RunResult result = run_barriers(spec);
    REQUIRE(result.violations.size() == 1);
    CHECK_THAT(result.violations[0], Contains("makes no progress"));
  }
}

/// All 1200 members of a network of switches with three links, with the shortest buffers.
TEST_CASE("units that wait can deadlock, which the run reports, and units that absorb do not",
          "[workload][unit]") {
  const test::Subject subject(topology::generate_irregular(
      {.switches = 1200, .nodes = 1200, .ports = 4, .connectivity = 1.0, .seed = 1}));
  RunSpec spec = with(subject, {"all"});
  run::own<packets::Spec>(spec).unit_waits = true;
  spec.barriers = 2;
  spec.max_wait = 20'000;
  const RunResult stuck = run_barriers(spec);
  CHECK(stuck.end == End::kHang);
  REQUIRE(stuck.violations.size() == 1);
  CHECK_THAT(stuck.violations[0], Contains("makes no progress at barrier 0") &&
                                      Contains("switches more") && Contains("sends opcode"));
  run::own<packets::Spec>(spec).unit_waits = false;
  const RunResult free = run_barriers(spec);
  CHECK(free.violations == std::vector<std::string>{});
  CHECK(free.barriers.size() == 2);
}

TEST_CASE("units and their options are refused where they have no effect", "[workload][unit]") {
  const test::Subject subject(topology::generate_mesh(4, 4));
  RunSpec spec = with(subject, {"all"});
  SECTION("a channel of barriers' own") {
    spec.own_barrier_vc = true;
    CHECK_THROWS_WITH(run_barriers(spec), Contains("--barrier-vc own"));
  }
  SECTION("a buffer out of range") {
    run::own<packets::Spec>(spec).unit_buffer = 6;
    CHECK_THROWS_WITH(run_barriers(spec), Contains("unit_buffer: 6 is not in 1..5"));
  }
  SECTION("another scheme") {
    spec.scheme = "tree";
    CHECK_THROWS_WITH(run_barriers(spec), Contains("scheme 'tree' has no barrier units"));
  }
  SECTION("more groups at a switch than entries") {
    for (int g = 0; g < 16; ++g) spec.groups.push_back({std::to_string(g), {0, 1}});
    CHECK_THROWS_WITH(run_barriers(spec), Contains("switch 0 has members of 17 groups"));
  }
}

}  // namespace

}  // namespace muster::run
