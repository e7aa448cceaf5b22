// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>

#include "core/borrowed.hpp"
#include "muster/run/golden_engine.hpp"
#include "muster/run/run.hpp"
#include "muster/systems/btin.hpp"
#include "muster/verif.hpp"
#include "run/configurations.hpp"
#include "sim_cpp/run/run_fixture.hpp"
#include "support/seed.hpp"

/// Networks whose links retry and whose wires lose: golden, RTL and both together.

using namespace muster;

TEST_CASE("barriers and data over links that retry are the same on golden and RTL",
          "[network][lockstep][link]") {
  const std::uint64_t seed = muster_seed();
  const auto golden = run::make_golden_engine(), rtl = verif::make_rtl_engine(),
             lockstep = verif::make_lockstep_engine();
  const test::Subject subject = test::Subject::figure1();
  for (const char* config : {"sw8v1", "sw8"})
    for (const double share : {0.0, 0.001, 0.05}) {
      std::uint64_t replayed = 0;
      const auto run = [&](const fabric::BankFactory& engine, bool skip) {
        CAPTURE(seed, config, share, engine.name(), skip);
        run::RunSpec spec = subject.spec({"paper", "all"});
        spec.seed = seed;
        spec.engine = core::borrowed(engine);
        spec.config = run::configuration(config);
        spec.skip = skip && !engine.compares();
        spec.bank.random_init = engine.has_models();
        spec.links = {.retry = true, .drop = share, .corrupt = share, .duplicate = share};
        spec.links.flaps = {{4, 700, 30}};
        spec.load_flits = 0.3 * subject.route_bound();
        const run::RunResult result = run::run_barriers(spec);
        for (const std::string& violation : result.violations) FAIL_CHECK(violation);
        CHECK(result.barriers.size() == 2 * spec.barriers);
        replayed = result.wires->replayed;
        return result.digest;
      };
      const std::string digest = run(*golden, true);
      const std::uint64_t sent_again = replayed;
      CHECK((share < 0.01 || sent_again > 100));
      for (const auto& engine : {golden, rtl, lockstep}) {
        CHECK(run(*engine, false) == digest);
        CHECK(replayed == sent_again);
      }
      CHECK(run(*rtl, true) == digest);
    }
}

TEST_CASE("messages that find no place at a link are the same on golden and RTL",
          "[network][lockstep][link][retry][lossy]") {
  const std::uint64_t seed = muster_seed();
  const test::Subject subject = test::Subject::figure1();
  std::uint64_t lost = 0;
  const auto run = [&](const std::shared_ptr<const fabric::BankFactory>& engine) {
    CAPTURE(seed, engine->name());
    run::RunSpec spec = subject.spec({"paper", "all", "random:5"}, seed);
    spec.engine = engine;
    spec.config = run::configuration("sw8r");
    spec.bank.random_init = engine->has_models();
    spec.links = {.retry = true, .drop = 0.05};
    spec.load_flits = 0.3 * subject.route_bound();
    spec.barriers = 20;
    btin::Spec& own = spec.parts.make<btin::Spec>();
    own.retry = true;
    own.retries.period = 5;
    const run::RunResult result = run::run_barriers(spec);
    for (const std::string& violation : result.violations) FAIL_CHECK(violation);
    CHECK(result.barriers.size() == 3 * spec.barriers);
    lost = result.wires->lost.value();
    return result.digest;
  };
  const std::string digest = run(run::make_golden_engine());
  const std::uint64_t lost_in_golden = lost;
  CHECK(lost_in_golden > 0);
  CHECK(run(verif::make_lockstep_engine()) == digest);
  CHECK(lost == lost_in_golden);
}
