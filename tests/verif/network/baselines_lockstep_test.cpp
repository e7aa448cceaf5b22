// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>

#include "fabric/configurations.hpp"
#include "muster/core/pointers.hpp"
#include "muster/core/rng.hpp"
#include "muster/run/run.hpp"
#include "muster/systems/nic.hpp"
#include "muster/verif.hpp"
#include "run/configurations.hpp"
#include "sim_cpp/run/random_run.hpp"
#include "sim_cpp/run/run_fixture.hpp"
#include "support/seed.hpp"
#include "systems/switch_kinds.hpp"

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
  run.spec.own = {};
  run.spec.own_barrier_vc = false;
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

using namespace muster;
using nic::NicLevel;

namespace {

constexpr const char* kSchemes[] = {"nic-dissemination", "nic-pairwise", "nic-gather"};
constexpr NicLevel kLevels[] = {NicLevel::kCollective, NicLevel::kDirect, NicLevel::kHost};

/// NIC barriers on Figure 1's network, all checkers on.
run::RunResult run_nics(const char* scheme, NicLevel level, const fabric::BankFactory& engine,
                        bool skip, bool faults, std::uint64_t seed) {
  CAPTURE(scheme, static_cast<int>(level), engine.name(), skip, faults, seed);
  const test::Subject subject = test::Subject::figure1();
  run::RunSpec spec = subject.spec({"all", "random:9", "random:2"}, seed);
  spec.engine = core::borrowed(engine);
  spec.config = run::configuration("sw8v1");  // the NIC with two channels is too small
  spec.scheme = scheme;
  spec.skip = skip;
  spec.bank.random_init = engine.has_models();
  spec.barriers = 5;
  spec.load_flits = seed % 2 ? 0.4 * subject.route_bound() : 0.0;
  run::own<nic::NicSpec>(spec).level = level;
  if (faults) {
    Rng rng(seed);
    const auto rate = [&] { return 0.1 * rng.uniform(); };
    run::own<nic::NicSpec>(spec).faults =
        nic::FaultRates{rate(), rate(), rate(), rate(), rate(), 300};
  }
  run::RunResult result = run::run_barriers(spec);
  for (const std::string& violation : result.violations) FAIL_CHECK(violation);
  REQUIRE(result.barriers.size() == spec.groups.size() * spec.barriers);
  return result;
}

}  // namespace

TEST_CASE("NIC barriers of all algorithms and levels on a network agree with golden",
          "[network][lockstep][nic]") {
  const auto lockstep = verif::make_lockstep_engine();
  std::uint64_t seed = muster_seed();
  for (const char* scheme : kSchemes)
    for (const NicLevel level : kLevels)
      for (const bool faults : {false, true})
        run_nics(scheme, level, *lockstep, false, faults, ++seed);
}

TEST_CASE("NIC barriers have the same digest on golden and RTL, skipping or not",
          "[network][digest][nic]") {
  const auto golden = run::make_golden_engine(), rtl = verif::make_rtl_engine();
  std::uint64_t seed = muster_seed();
  for (const NicLevel level : kLevels) {
    ++seed;
    const std::string digest = run_nics(kSchemes[0], level, *golden, true, true, seed).digest;
    CHECK(run_nics(kSchemes[0], level, *rtl, true, true, seed).digest == digest);
    CHECK(run_nics(kSchemes[0], level, *rtl, false, true, seed).digest == digest);
  }
}

TEST_CASE("NIC barriers with a virtual channel of their own agree with golden, among data",
          "[network][lockstep][nic]") {
  const auto lockstep = verif::make_lockstep_engine();
  const std::uint64_t seed = muster_seed();
  CAPTURE(seed);
  const test::Subject subject = test::Subject::figure1();
  for (const char* scheme : kSchemes) {
    CAPTURE(scheme);
    // As large as fits the NIC that is built with two channels.
    run::RunSpec spec = subject.spec({"random:8", "random:2"}, seed);
    spec.engine = lockstep;
    spec.scheme = scheme;
    spec.skip = false;
    spec.own_barrier_vc = true;
    spec.load_flits = 0.4 * subject.route_bound();
    run::own<nic::NicSpec>(spec).faults = nic::FaultRates{.drop = 0.02, .reorder = 0.02};
    const run::RunResult result = run::run_barriers(spec);
    REQUIRE(result.violations == std::vector<std::string>{});
    REQUIRE(result.barriers.size() == 20);
  }
}
