// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>

#include "core/borrowed.hpp"
#include "muster/run/golden_engine.hpp"
#include "muster/systems/preempt.hpp"
#include "muster/verif.hpp"
#include "run/configurations.hpp"
#include "sim_cpp/systems/preempt/links/random_links.hpp"
#include "support/seed.hpp"

/// Links that die on networks of preempting switches: golden, RTL and both together.

using namespace muster;

TEST_CASE("links die on random networks of preempting switches, the same on golden and RTL",
          "[network][lockstep][preempt][links]") {
  const std::uint64_t seed = muster_seed();
  const auto golden = run::make_golden_engine(), rtl = verif::make_rtl_engine(),
             lockstep = verif::make_lockstep_engine();
  std::size_t changed = 0, written = 0, held = 0;
  for (std::uint64_t index = 0; index < 18; ++index) {
    const auto run = [&](const fabric::BankFactory& engine) {
      test::RandomLinks random(seed + 7, index, 12);
      CAPTURE(seed, index, engine.name(), random.text());
      run::RunSpec& spec = random.spec;
      spec.scheme = test::kBsrSchemes[index % 3];
      spec.config = run::configuration(std::string{"bsr"} + spec.scheme.back() + "k8");
      spec.engine = core::borrowed(engine);
      spec.skip = !engine.compares();
      spec.bank.random_init = engine.has_models();
      run::RunResult result = run::run_barriers(spec);
      for (const std::string& violation : result.violations) FAIL_CHECK(violation);
      CHECK(result.barriers.size() == std::size_t{spec.barriers} * spec.groups.size());
      changed += result.parts.get<preempt::Cost>().changes.size();
      for (const run::LinkResult& link : result.links) {
        CHECK(link.out > link.routed);
        written += link.entries;
        held += link.groups_held;
      }
      return result.digest;
    };
    const std::string digest = run(*golden);
    CHECK(run(*rtl) == digest);
    CHECK(run(*lockstep) == digest);
  }
  CHECK(changed > 15);
  CHECK(written > 300);
  CHECK(held > 0);
}

TEST_CASE("messages avoid a congested link and a dead one, the same on golden and RTL",
          "[network][lockstep][preempt][links]") {
  const auto golden = run::make_golden_engine(), rtl = verif::make_rtl_engine(),
             lockstep = verif::make_lockstep_engine();
  const test::Subject twins(test::twin_links());
  for (const char* scheme : test::kBsrSchemes)
    for (const std::uint32_t dead : {0, 1, 2}) {  // the link by this port; 2: none
      const auto run = [&](const fabric::BankFactory& engine) {
        run::RunSpec spec = twins.spec({"all"});
        spec.scheme = scheme;
        spec.config = run::configuration(std::string{"bsr"} + spec.scheme.back() + "k8");
        spec.engine = core::borrowed(engine);
        spec.skip = !engine.compares();
        spec.barriers = 20;
        spec.packet_length = 40;
        spec.load_flits = 1.2 * twins.route_bound();
        if (dead < 2) spec.killed = {{{0, dead}, {1, dead}, 600}};
        CAPTURE(scheme, dead, engine.name());
        run::RunResult result = run::run_barriers(spec);
        for (const std::string& violation : result.violations) FAIL_CHECK(violation);
        CHECK(result.barriers.size() == 20);
        CHECK(result.parts.get<preempt::Cost>().detours > 0);
        if (dead == 1) CHECK(result.links[0].narrowed == 10);
        return result.digest;
      };
      const std::string digest = run(*golden);
      CHECK(run(*rtl) == digest);
      CHECK(run(*lockstep) == digest);
    }
}
