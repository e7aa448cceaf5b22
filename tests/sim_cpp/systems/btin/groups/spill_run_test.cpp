// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>

#include "fabric/configurations.hpp"
#include "muster/core/error.hpp"
#include "muster/run/golden_engine.hpp"
#include "muster/systems/btin.hpp"
#include "run/configurations.hpp"
#include "sim_cpp/run/random_run.hpp"
#include "sim_cpp/run/run_fixture.hpp"
#include "support/seed.hpp"

namespace muster::run {
namespace {

using test::Subject;

/// sw8 with other numbers of registers.
fabric::SwitchConfig with_registers(std::uint32_t regs) {
  fabric::SwitchConfig config = run::configuration("sw8");
  config.regs = regs;
  return config;
}

RunSpec spilled(const Subject& subject, std::uint32_t groups, std::uint64_t seed = 1) {
  RunSpec spec = subject.spec(std::vector<std::string>(groups, "random:4"), seed);
  spec.config = with_registers(1);
  spec.parts.make<btin::Spec>().spill = true;
  return spec;
}

TEST_CASE("a spilled barrier of two members takes 14L + 9 cycles more at its switch",
          "[workload][spill]") {
  for (const std::uint32_t latency : {1u, 2u}) {
    CAPTURE(latency);
    const Subject subject(test::star(5, latency));
    RunSpec spec = subject.spec({"0:3,0:4", "0:1,0:2"});
    spec.config = with_registers(1);
    spec.parts.make<btin::Spec>().reflect = true;
    spec.spread = 0;
    spec.barriers = 1;
    spec.parts.make<btin::Spec>().spill = true;
    const RunResult result = run_barriers(spec);
    CHECK(result.violations == std::vector<std::string>{});
    REQUIRE(result.barriers.size() == 2);
    CHECK(result.parts.get<btin::Result>().spilled_switches(0).empty());
    CHECK(result.parts.get<btin::Result>().spilled_switches(1).size() == 1);
    // The root switch reflects, so the way to the node and back is one: two messages there and
    // two back, each place and data. A flit that follows another on the link to or from the node
    // waits until the pocket in front of it is free, 2L + 1 cycles. Of the second message's data:
    // in the pocket 1, in the latch 2, out after three others 4L + 4 and 2L + 1, at the node L; the
    // node's first place 1, on the way L, taken 1, its credit L, data 1 and L, taken 1, latch 1;
    // and 4L + 2 for the second answer.
    CHECK(result.barriers[1].latency_cycles ==
          result.barriers[0].latency_cycles + 14 * latency + 9);
    CHECK(result.parts.get<btin::Result>().spill->handed_over == 2);
    CHECK(result.parts.get<btin::Result>().spill->answered == 2);
  }
}

TEST_CASE("groups beyond the registers live in spill nodes, set up either way",
          "[workload][spill]") {
  const Subject subject = Subject::figure1();
  for (const bool reflect : {false, true}) {
    for (const bool in_band : {false, true}) {
      for (const fabric::NamedReduceOp& named : fabric::kReduceOps) {
        CAPTURE(reflect, in_band, named.name);
        RunSpec spec = spilled(subject, 6);
        spec.parts.make<btin::Spec>().reflect = reflect;
        spec.parts.make<btin::Spec>().in_band = in_band;
        spec.parts.make<btin::Spec>().op = named.op;
        spec.split = 30;
        const RunResult result = run_barriers(spec);
        CHECK(result.violations == std::vector<std::string>{});
        CHECK(result.barriers.size() == 60);
        REQUIRE(result.parts.get<btin::Result>().spill);
        CHECK(result.parts.get<btin::Result>().spill->handed_over > 100);
        CHECK(result.parts.get<btin::Result>().spill->dropped == 0);
        CHECK(result.parts.get<btin::Result>().spill->spilled_barriers > 0);
        CHECK(result.parts.get<btin::Result>().spill->spilled_latency_mean >
              result.parts.get<btin::Result>().spill->other_latency_mean);
      }
    }
  }
}

TEST_CASE("256 groups at once on switches with 4 registers", "[workload][spill]") {
  const Subject subject = Subject::figure1();
  RunSpec spec = subject.spec(std::vector<std::string>(256, "random:3"));
  spec.config = run::configuration("sw8");
  spec.parts.make<btin::Spec>().spill = true;
  spec.barriers = 3;
  spec.load_flits = 0.2 * subject.route_bound();
  const RunResult result = run_barriers(spec);
  CHECK(result.violations == std::vector<std::string>{});
  CHECK(result.barriers.size() == 768);
  CHECK(result.parts.get<btin::Result>().spill->spilled_barriers > 600);
}

TEST_CASE("spill without need hands nothing over", "[workload][spill]") {
  const Subject subject = Subject::figure1();
  RunSpec without = subject.spec({"paper"}), with = subject.spec({"paper"});
  with.parts.make<btin::Spec>().spill = true;
  const RunResult a = run_barriers(without), b = run_barriers(with);
  CHECK(b.violations == std::vector<std::string>{});
  REQUIRE(a.barriers.size() == b.barriers.size());
  for (std::size_t i = 0; i < a.barriers.size(); ++i)  // one group is never in its own way
    CHECK(a.barriers[i].latency_cycles == b.barriers[i].latency_cycles);
  CHECK(b.parts.get<btin::Result>().spill->handed_over == 0);
}

TEST_CASE("random runs of spilled groups", "[workload][spill][random]") {
  const std::uint64_t seed = muster_seed();
  std::uint64_t spilled = 0;
  for (std::uint64_t index = 0; index < 12; ++index) {
    test::RandomRun run(seed + 80, index, 12);
    Rng rng(seed, 1900 + index);
    const auto engine = run::make_golden_engine();
    run.spec.engine = engine;
    run.spec.parts.make<btin::Spec>().in_band = rng.below(2) == 0;
    run.spec.parts.make<btin::Spec>().op = fabric::kReduceOps[rng.below(6)].op;
    run.spec.load_flits = std::min(run.spec.load_flits, 0.4 * run.spec.load_flits);
    CAPTURE(seed, index, run.text());
    run.spill(static_cast<std::uint32_t>(4 + rng.below(20)), seed + index);
    const RunResult result = run_barriers(run.spec);
    CHECK(result.violations == std::vector<std::string>{});
    spilled += result.parts.get<btin::Result>().spill->spilled_barriers;
  }
  CHECK(spilled > 100);
}

TEST_CASE("a switch without nodes cannot spill", "[workload][spill]") {
  topology::Graph graph;  // two leaf switches with nodes, one between them without
  for (int s = 0; s < 3; ++s) graph.add_switch(4);
  graph.add_link({0, 0}, {1, 0});
  graph.add_link({1, 1}, {2, 0});
  for (const topology::SwitchId s : {0u, 2u})
    for (std::uint32_t port = 1; port < 4; ++port) graph.add_node({s, port});
  const Subject subject(std::move(graph));
  RunSpec spec = subject.spec({"n0,n3", "n1,n4"});
  spec.config = with_registers(1);
  spec.parts.make<btin::Spec>().spill = true;
  CHECK_THROWS_WITH(run_barriers(spec),
                    Catch::Contains("switch 1 ") && Catch::Contains("no node to spill"));
  spec.parts.make<btin::Spec>().in_band = true;
  CHECK_THROWS_AS(run_barriers(spec), InputError);
  spec.config = with_registers(2);
  CHECK(run_barriers(spec).violations == std::vector<std::string>{});
}

TEST_CASE("without --spill more groups than registers are refused", "[workload][spill]") {
  const Subject subject = Subject::figure1();
  RunSpec spec = spilled(subject, 6);
  spec.parts.make<btin::Spec>().spill = false;
  CHECK_THROWS_WITH(run_barriers(spec), Catch::Contains("or with --spill"));
  RunSpec packets = subject.spec({"paper"});
  packets.scheme = "unicast";
  packets.parts.make<btin::Spec>().spill = true;
  CHECK_THROWS_WITH(run_barriers(packets),
                    "--spill: scheme 'unicast' has no groups in switches to spill");
}

TEST_CASE("a hang of a spilled group names the member that is missing", "[workload][spill]") {
  const Subject subject(test::star(4));
  RunSpec spec = subject.spec({"all", "0:0,0:1,0:2"});
  spec.config = with_registers(1);
  spec.parts.make<btin::Spec>().spill = true;
  spec.absent = {{1, 2, 3}};
  const RunResult result = run_barriers(spec);
  REQUIRE(result.violations.size() == 1);
  CHECK_THAT(result.violations[0],
             Catch::Contains("0:0,0:1,0:2") && Catch::Contains("waits for member"));
}

}  // namespace
}  // namespace muster::run
