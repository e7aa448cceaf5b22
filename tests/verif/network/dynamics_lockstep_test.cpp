// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>

#include "fabric/configurations.hpp"
#include "muster/run/run.hpp"
#include "muster/systems/btin.hpp"
#include "run/configurations.hpp"
#include "sim_cpp/run/random_run.hpp"
#include "sim_cpp/systems/btin/groups/random_changes.hpp"
#include "support/all_engines.hpp"
#include "support/seed.hpp"

using namespace muster;

TEST_CASE("members join and leave and links are taken out in lockstep with the RTL, under load",
          "[network][change]") {
  const std::uint64_t seed = muster_seed();
  std::size_t changes = 0, written = 0;
  for (std::uint64_t index = 0; index < 5; ++index) {
    std::string digest;
    for (const char* engine : {"golden", "rtl", "lockstep"}) {
      test::RandomRun run(seed + 90, index, 16);
      Rng rng(seed, 1800 + index);
      test::add_random_changes(run.spec, rng, 2);
      CAPTURE(seed, index, engine, run.text());
      fabric::EngineRegistry engines = test::all_engines();
      run.spec.engine = engines.find(engine);
      run.spec.config = run::configuration("sw8");
      run.spec.parts.make<btin::Spec>().op = fabric::kReduceOps[index].op;
      run.spec.load_flits *= 0.3;
      run.spec.skip = std::string(engine) != "lockstep";
      const run::RunResult result = run::run_barriers(run.spec);
      CHECK(result.violations == std::vector<std::string>{});
      if (digest.empty()) digest = result.digest;
      CHECK(result.digest == digest);
      for (const auto& c : result.parts.get<btin::Result>().changes) changes += c.refused.empty();
      for (const auto& l : result.links) written += l.entries;
    }
  }
  CHECK(changes > 10);
  CHECK(written > 100);
}
