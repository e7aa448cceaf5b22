// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>

#include "core/borrowed.hpp"
#include "muster/core/rng.hpp"
#include "muster/run/golden_engine.hpp"
#include "muster/systems/nic.hpp"
#include "muster/verif.hpp"
#include "run/configurations.hpp"
#include "sim_cpp/run/run_fixture.hpp"
#include "support/seed.hpp"

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
  spec.parts.make<nic::NicSpec>().level = level;
  if (faults) {
    Rng rng(seed);
    const auto rate = [&] { return 0.1 * rng.uniform(); };
    spec.parts.make<nic::NicSpec>().faults =
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
    spec.parts.make<nic::NicSpec>().faults = nic::FaultRates{.drop = 0.02, .reorder = 0.02};
    const run::RunResult result = run::run_barriers(spec);
    REQUIRE(result.violations == std::vector<std::string>{});
    REQUIRE(result.barriers.size() == 20);
  }
}
