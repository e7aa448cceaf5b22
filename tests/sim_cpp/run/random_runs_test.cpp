// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>

#include "muster/run/golden_engine.hpp"
#include "muster/run/run.hpp"
#include "muster/systems/btin.hpp"
#include "sim_cpp/run/random_run.hpp"
#include "support/seed.hpp"

namespace muster::run {
namespace {

/// `serial`: switches that take one barrier message a cycle.
void run_all(std::uint64_t networks, std::uint32_t barriers, bool serial = false) {
  const std::uint64_t seed = muster_seed();
  const auto golden = run::make_golden_engine();
  std::uint64_t completed = 0;
  for (std::uint64_t i = 0; i < networks; ++i) {
    test::RandomRun run(seed, i, barriers);
    CAPTURE(seed, i, run.text());
    run.spec.engine = golden;
    run.spec.parts.make<btin::Spec>().serial = serial;
    const RunResult result = run_barriers(run.spec);
    for (const std::string& violation : result.violations) FAIL_CHECK(violation);
    REQUIRE(result.barriers.size() == run.spec.groups.size() * run.spec.barriers);
    for (const BarrierRecord& b : result.barriers) REQUIRE(b.hops == result.planned_hops[b.group]);
    completed += result.barriers.size();
  }
  CHECK(completed >= networks * barriers);
}

TEST_CASE("random barriers on random networks under load keep every property",
          "[workload][random]") {
  run_all(20, 25);
}

TEST_CASE("so they do where a switch takes one barrier message a cycle",
          "[workload][random][serial]") {
  run_all(20, 25, true);
}

TEST_CASE("ten thousand random barriers on 200 random networks", "[workload][random][soak]") {
  run_all(200, 50);
  run_all(200, 50, true);
}

}  // namespace
}  // namespace muster::run
