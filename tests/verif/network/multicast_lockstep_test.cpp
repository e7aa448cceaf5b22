// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>

#include "core/borrowed.hpp"
#include "fabric/configurations.hpp"
#include "muster/run/golden_engine.hpp"
#include "muster/run/run.hpp"
#include "muster/systems/btin.hpp"
#include "muster/verif.hpp"
#include "run/configurations.hpp"
#include "sim_cpp/run/random_run.hpp"
#include "support/seed.hpp"
#include "systems/packets/switch_kinds.hpp"

using namespace muster;

namespace {

/// The multicast scheme on a random network, all checkers on.
run::RunResult run_worms(std::uint64_t index, const fabric::BankFactory& engine, bool skip) {
  const std::uint64_t seed = muster_seed();
  test::RandomRun run(seed + 3, index, 8);
  CAPTURE(seed, index, run.text(), engine.name());
  run.spec.engine = core::borrowed(engine);
  run.spec.scheme = "multicast";
  run.spec.config = run::configuration("mc8");
  run.spec.skip = skip;
  run.spec.bank.random_init = engine.has_models();
  run.spec.parts.make<btin::Spec>().reflect = run.spec.own_barrier_vc = false;
  if (run.load > run::kCalm) run.spec.load_flits *= run::kCalm / run.load;
  run::RunResult result = run::run_barriers(run.spec);
  for (const std::string& violation : result.violations) FAIL_CHECK(violation);
  REQUIRE(result.barriers.size() == run.spec.groups.size() * run.spec.barriers);
  for (const run::BarrierRecord& b : result.barriers)
    REQUIRE(b.hops == result.planned_hops[b.group]);
  return result;
}

}  // namespace

TEST_CASE("worms on 10 random networks agree with golden", "[network][lockstep][multicast]") {
  const auto lockstep = verif::make_lockstep_engine();
  for (std::uint64_t i = 0; i < 10; ++i) run_worms(i, *lockstep, false);
}

TEST_CASE("worms have the same digest on golden and RTL, skipping or not",
          "[network][digest][multicast]") {
  const auto golden = run::make_golden_engine(), rtl = verif::make_rtl_engine();
  for (std::uint64_t i = 0; i < 3; ++i) {
    const std::string digest = run_worms(i, *golden, true).digest;
    CHECK(run_worms(i, *rtl, true).digest == digest);
    CHECK(run_worms(i, *rtl, false).digest == digest);
  }
}

TEST_CASE("the RTL's engine takes the sizes of a multicast switch that was built",
          "[network][multicast]") {
  const auto rtl = verif::make_rtl_engine();
  const fabric::Requirement need{
      .ports = 5, .dests = 100, .vcs = 2, .kind = &packets::kMulticastSwitch};
  CHECK(fabric::choose(run::configurations(), need, *rtl).name == "mc8");  // there is no mc5
  CHECK_THROWS_WITH(
      fabric::choose(run::configurations(),
                     {.ports = 12, .vcs = 2, .kind = &packets::kMulticastSwitch}, *rtl),
      Catch::Contains("mc8"));
}
