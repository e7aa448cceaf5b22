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
  for (std::uint64_t index = 0; index < 9; ++index) {
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
  CHECK(changed > 9);
  CHECK(written > 300);
  CHECK(held > 0);
}
