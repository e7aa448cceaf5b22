// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>

#include "muster/run/run.hpp"
#include "muster/systems/btin.hpp"
#include "muster/verif.hpp"
#include "sim_cpp/run/random_run.hpp"
#include "support/seed.hpp"

using namespace muster;

namespace {

/// Networks as in random_run.hpp, every switch compared with golden in every cycle, every checker
/// on.
void run_lockstep(std::uint64_t networks, std::uint32_t barriers) {
  const std::uint64_t seed = muster_seed();
  const auto engine = verif::make_lockstep_engine();
  std::uint64_t completed = 0;
  for (std::uint64_t i = 0; i < networks; ++i) {
    test::RandomRun run(seed + 1, i, barriers);
    CAPTURE(seed, i, run.text());
    run.spec.engine = engine;
    run.spec.skip = false;
    const run::RunResult result = run::run_barriers(run.spec);
    for (const std::string& violation : result.violations) FAIL_CHECK(violation);
    REQUIRE(result.barriers.size() == run.spec.groups.size() * run.spec.barriers);
    for (const run::BarrierRecord& b : result.barriers)
      REQUIRE(b.hops == result.planned_hops[b.group]);
    completed += result.barriers.size();
  }
  CHECK(completed >= networks * barriers);
}

}  // namespace

TEST_CASE("500 random barriers on 20 random networks agree with golden", "[network][lockstep]") {
  run_lockstep(20, 25);
}

TEST_CASE("unicasts on 10 random networks agree with golden", "[network][lockstep][unicast]") {
  const std::uint64_t seed = muster_seed();
  const auto engine = verif::make_lockstep_engine();
  for (std::uint64_t i = 0; i < 10; ++i) {
    test::RandomRun run(seed + 2, i, 10);
    CAPTURE(seed, i, run.text());
    run.spec.engine = engine;
    run.spec.scheme = "unicast";
    if (i % 2 == 1) run.spec.profile = run::find_profile("btin");
    run.spec.parts.make<btin::Spec>().reflect = run.spec.own_barrier_vc = run.spec.skip = false;
    if (run.load > run::kCalm) run.spec.load_flits *= run::kCalm / run.load;
    const run::RunResult result = run::run_barriers(run.spec);
    for (const std::string& violation : result.violations) FAIL_CHECK(violation);
    REQUIRE(result.barriers.size() == run.spec.groups.size() * run.spec.barriers);
  }
}

TEST_CASE("10 000 random barriers on 200 random networks agree with golden",
          "[network][lockstep][soak]") {
  run_lockstep(200, 50);
}
