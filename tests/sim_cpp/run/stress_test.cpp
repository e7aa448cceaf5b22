// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>

#include "muster/run/golden_engine.hpp"
#include "muster/run/run.hpp"
#include "muster/systems/btin.hpp"
#include "sim_cpp/run/random_run.hpp"
#include "support/seed.hpp"

namespace muster::run {
namespace {

// Queues all full, packets of 16 to 64 flits at 1.5 times the route bound
// (docs/reference/deadlock.md). run_barriers() ends with a violation if a barrier or a packet stays
// for ever.
void end_on_full_networks(std::uint64_t networks) {
  const std::uint64_t seed = muster_seed();
  const auto golden = run::make_golden_engine();
  std::uint64_t saturated = 0;
  for (std::uint64_t i = 0; i < networks; ++i) {
    test::RandomRun run(seed, 10 * i + 9, 8);
    REQUIRE(run.load == 1.5);
    run.spec.packet_length = static_cast<std::uint32_t>(16 + i % 49);
    run.spec.engine = golden;
    run.spec.warmup = 2000;
    run.spec.parts.make<btin::Spec>().serial = i % 5 == 1;
    CAPTURE(seed, i, run.text(), run.spec.packet_length);
    const RunResult result = run_barriers(run.spec);
    for (const std::string& violation : result.violations) FAIL_CHECK(violation);
    REQUIRE(result.barriers.size() == run.spec.groups.size() * run.spec.barriers);
    saturated += result.data->saturated ? 1 : 0;
  }
  // Some runs are too short to tell.
  CHECK(saturated > networks * 8 / 10);
}

TEST_CASE("barriers end on 150 full networks with long packets", "[workload][stress]") {
  end_on_full_networks(150);
}

TEST_CASE("barriers end on 500 full networks with long packets", "[workload][stress][soak]") {
  end_on_full_networks(500);
}

// The same with groups in spill nodes: now barrier messages do stand at the heads of full queues.
// Every second network has switches that take one of them a cycle; of those above every fifth.
TEST_CASE("spilled barriers end on full networks with long packets", "[workload][stress][spill]") {
  constexpr std::uint64_t kNetworks = 60;
  const std::uint64_t seed = muster_seed();
  const auto golden = run::make_golden_engine();
  std::uint64_t saturated = 0, spilled = 0;
  for (std::uint64_t i = 0; i < kNetworks; ++i) {
    test::RandomRun run(seed + 3, 10 * i + 9, 8);
    REQUIRE(run.load == 1.5);
    run.spec.packet_length = static_cast<std::uint32_t>(16 + i % 49);
    run.spec.engine = golden;
    run.spec.barriers = 2;
    run.spec.warmup = 2000;
    run.spec.parts.make<btin::Spec>().serial = i % 2 == 1;
    run.spill(12, seed + i);
    CAPTURE(seed, i, run.text(), run.spec.packet_length);
    const RunResult result = run_barriers(run.spec);
    for (const std::string& violation : result.violations) FAIL_CHECK(violation);
    REQUIRE(result.barriers.size() == run.spec.groups.size() * run.spec.barriers);
    saturated += result.data->saturated ? 1 : 0;
    spilled += result.parts.get<btin::Result>().spill->spilled_barriers;
  }
  CHECK(saturated > kNetworks / 2);
  CHECK(spilled > 12 * kNetworks);
}

}  // namespace
}  // namespace muster::run
