// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>

#include "fabric/configurations.hpp"
#include "muster/run/run.hpp"
#include "muster/systems/btin.hpp"
#include "run/configurations.hpp"
#include "sim_cpp/run/random_run.hpp"
#include "support/all_engines.hpp"
#include "support/seed.hpp"

using namespace muster;

TEST_CASE("groups are set up by messages and combine data in lockstep with the RTL",
          "[network][groups]") {
  const std::uint64_t seed = muster_seed();
  for (std::uint64_t index = 0; index < fabric::kReduceOps.size(); ++index) {
    std::string digest;
    for (const char* engine : {"golden", "lockstep"}) {
      test::RandomRun run(seed + 60, index, 6);
      CAPTURE(seed, index, engine, run.text());
      fabric::EngineRegistry engines = test::all_engines();
      run.spec.engine = engines.find(engine);
      run.spec.config = run::configuration("sw8");
      run.spec.parts.make<btin::Spec>().op = fabric::kReduceOps[index].op;
      run.spec.parts.make<btin::Spec>().in_band = true;
      run.spec.split = 50 * (index % 2);
      run.spec.load_flits = 0.3 * run.spec.load_flits;
      const run::RunResult result = run::run_barriers(run.spec);
      CHECK(result.violations == std::vector<std::string>{});
      if (digest.empty()) digest = result.digest;
      CHECK(result.digest == digest);
    }
  }
}
