// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>

#include "muster/core/error.hpp"
#include "muster/run/golden_engine.hpp"
#include "muster/systems/btin.hpp"
#include "sim_cpp/run/random_run.hpp"
#include "sim_cpp/run/run_fixture.hpp"
#include "support/seed.hpp"

namespace muster::run {
namespace {

using test::Subject;

TEST_CASE("groups set up by messages have the barriers that the host's have",
          "[workload][groups]") {
  const Subject subject = Subject::figure1();
  const bool reflect = GENERATE(false, true);
  CAPTURE(reflect);
  RunSpec by_host = subject.spec({"paper", "all"}), by_messages = subject.spec({"paper", "all"});
  for (RunSpec* spec : {&by_host, &by_messages}) {
    spec->parts.make<btin::Spec>().reflect = reflect;
    spec->spread = 0;
    // Their registers may be others, and so the order of two messages for one port.
    spec->barriers = 5;
  }
  by_messages.parts.make<btin::Spec>().in_band = true;
  const RunResult host = run_barriers(by_host), messages = run_barriers(by_messages);
  CHECK(host.violations.empty());
  CHECK(messages.violations == std::vector<std::string>{});
  REQUIRE(messages.barriers.size() == host.barriers.size());
  for (std::size_t b = 0; b < host.barriers.size(); ++b)
    CHECK(messages.barriers[b].hops == host.barriers[b].hops);
  CHECK(host.parts.get<btin::Result>().times.empty());
  REQUIRE(messages.parts.get<btin::Result>().times.size() == 2);
  for (const btin::GroupTimes& times : messages.parts.get<btin::Result>().times) {
    CHECK(times.creation_cycles > 100);
    CHECK(times.release_cycles > 50);
    CHECK(times.release_cycles < times.creation_cycles);
  }
}

TEST_CASE("all operations, with and without reflection, set up either way", "[workload][data]") {
  const Subject subject = Subject::figure1();
  for (const fabric::NamedReduceOp& named : fabric::kReduceOps) {
    for (const bool reflect : {false, true}) {
      for (const bool in_band : {false, true}) {
        CAPTURE(named.name, reflect, in_band);
        RunSpec spec = subject.spec({"paper", "random:5"});
        spec.parts.make<btin::Spec>().op = named.op;
        spec.parts.make<btin::Spec>().reflect = reflect;
        spec.parts.make<btin::Spec>().in_band = in_band;
        spec.spread = 20;
        const RunResult result = run_barriers(spec);
        CHECK(result.violations == std::vector<std::string>{});
        CHECK(result.barriers.size() == 20);
      }
    }
  }
}

TEST_CASE("random runs with groups set up by messages, any operation, members that look late",
          "[workload][groups][random]") {
  const std::uint64_t seed = muster_seed();
  for (std::uint64_t index = 0; index < 8; ++index) {
    test::RandomRun run(seed + 40, index, 12);
    CAPTURE(seed, index, run.text());
    Rng rng(seed, 900 + index);
    const auto engine = run::make_golden_engine();
    run.spec.engine = engine;
    run.spec.parts.make<btin::Spec>().in_band = true;
    run.spec.parts.make<btin::Spec>().op = fabric::kReduceOps[rng.below(6)].op;
    run.spec.split = rng.below(2) == 0 ? 0 : rng.below(500);
    run.spec.load_flits = std::min(run.spec.load_flits, 0.4 * run.spec.load_flits);
    const RunResult result = run_barriers(run.spec);
    CHECK(result.violations == std::vector<std::string>{});
  }
}

TEST_CASE("a member that works on after arriving waits less, and no two barriers are confused",
          "[workload][split]") {
  const Subject subject = Subject::figure1();
  RunSpec at_once = subject.spec({"paper"}), later = subject.spec({"paper"});
  for (RunSpec* spec : {&at_once, &later}) {
    spec->barriers = 200;
    spec->spread = 60;
  }
  later.split = 100;
  const RunResult waits = run_barriers(at_once), works = run_barriers(later);
  CHECK(waits.violations.empty());
  CHECK(works.violations.empty());
  CHECK(works.barriers.size() == 200);
  CHECK(works.wait_mean < 0.7 * waits.wait_mean);
}

TEST_CASE("a scheme without registers has nothing to set up in band", "[workload][groups]") {
  const Subject subject = Subject::figure1();
  RunSpec spec = subject.spec({"paper"});
  spec.scheme = "unicast";
  spec.parts.make<btin::Spec>().in_band = true;
  CHECK_THROWS_WITH(run_barriers(spec),
                    "--setup in-band: scheme 'unicast' has no groups in switches to set up");
}

}  // namespace
}  // namespace muster::run
