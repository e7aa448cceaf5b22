// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>

#include "network/configurations.hpp"
#include "sim_cpp/workload/random_changes.hpp"
#include "sim_cpp/workload/random_run.hpp"
#include "support/all_engines.hpp"
#include "support/seed.hpp"
#include "workload/barrier_run.hpp"

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
      network::EngineRegistry engines = test::all_engines();
      run.spec.engine = &engines.find(engine);
      run.spec.config = network::configuration("sw8");
      run.spec.op = network::kReduceOps[index].op;
      run.spec.load_flits *= 0.3;
      run.spec.skip = std::string(engine) != "lockstep";
      const workload::RunResult result = workload::run_barriers(run.spec);
      CHECK(result.violations == std::vector<std::string>{});
      if (digest.empty()) digest = result.digest;
      CHECK(result.digest == digest);
      for (const auto& c : result.changes) changes += c.refused.empty();
      for (const auto& l : result.links) written += l.entries;
    }
  }
  CHECK(changes > 10);
  CHECK(written > 100);
}
