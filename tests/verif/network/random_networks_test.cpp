// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>

#include "fabric/configurations.hpp"
#include "muster/core/rng.hpp"
#include "muster/run/barrier_data.hpp"
#include "muster/run/run.hpp"
#include "muster/systems/btin.hpp"
#include "muster/topology/generate.hpp"
#include "run/configurations.hpp"
#include "sim_cpp/run/random_run.hpp"
#include "support/all_engines.hpp"
#include "support/seed.hpp"

using namespace muster;

namespace {

/// Networks as in random_run.hpp, every switch compared with golden in every cycle, every checker
/// on.
void run_lockstep(std::uint64_t networks, std::uint32_t barriers) {
  const std::uint64_t seed = muster_seed();
  std::uint64_t completed = 0;
  for (std::uint64_t i = 0; i < networks; ++i) {
    test::RandomRun run(seed + 1, i, barriers);
    CAPTURE(seed, i, run.text());
    const run::RunResult result = test::in_lockstep(run.spec);
    for (const run::BarrierRecord& b : result.barriers)
      REQUIRE(b.hops == result.planned_hops[b.group]);
    completed += result.barriers.size();
  }
  CHECK(completed >= networks * barriers);
}

}  // namespace

TEST_CASE("250 random barriers on 10 random networks agree with golden", "[network][lockstep]") {
  run_lockstep(10, 25);
}

TEST_CASE("unicasts on 5 random networks agree with golden", "[network][lockstep][unicast]") {
  const std::uint64_t seed = muster_seed();
  for (std::uint64_t i = 0; i < 5; ++i) {
    test::RandomRun run(seed + 2, i, 10);
    CAPTURE(seed, i, run.text());
    run.by("unicast");
    if (i % 2 == 1) run.spec.profile = run::find_profile("btin");
    test::in_lockstep(run.spec);
  }
}

TEST_CASE("10 000 random barriers on 200 random networks agree with golden",
          "[network][lockstep][soak]") {
  run_lockstep(200, 50);
}

namespace {

/// Networks of switches that take one barrier message a cycle, with up to `most` groups in each.
void agrees_with_golden(const char* configuration, std::uint64_t most, bool in_band) {
  const std::uint64_t seed = muster_seed();
  for (std::uint64_t i = 0; i < 20; ++i) {
    Rng rng(seed + 9, i);
    // As large as tables of 64 destinations allow at most.
    const test::Subject subject(test::random_network(
        rng, 4, 23, 4, [&](std::uint32_t switches) { return switches + rng.below(switches); }));
    std::vector<std::string> groups(1 + rng.below(most));
    for (std::string& members : groups)
      members = "random:" + std::to_string(2 + rng.below(subject.graph.nodes() - 1));
    run::RunSpec spec = subject.spec(groups, rng.next());
    spec.config = run::configuration(configuration);
    spec.barriers = 10;
    spec.spread = i % 2 == 0 ? 0 : rng.below(40);
    run::own<btin::Spec>(spec).reflect = rng.below(2) != 0;
    run::own<btin::Spec>(spec).in_band = in_band && i % 4 == 3;
    run::own<btin::Spec>(spec).op = fabric::kReduceOps[i % fabric::kReduceOps.size()].op;
    spec.load_flits = 0.5 * rng.uniform() * subject.route_bound();
    CAPTURE(seed, i, subject.graph.switches(), groups);
    test::in_lockstep(spec);
  }
}

}  // namespace

TEST_CASE("random networks of switches with a serial unit agree with golden",
          "[network][lockstep][serial]") {
  agrees_with_golden("ser4", 4, true);
}

TEST_CASE("random networks of switches with groups in block RAM agree with golden",
          "[network][lockstep][many]") {
  agrees_with_golden("many4", 24, false);
}

namespace {

constexpr std::uint32_t kBits = 64, kBarriers = 20;

/// A run of two groups in which members bring 64 bits each, among data.
run::RunSpec wide_run(const test::Subject& subject, fabric::ReduceOp op, Rng& rng) {
  run::RunSpec spec = subject.spec({"all", "random:9"}, rng.next());
  spec.config = run::configuration("sw4w80");
  spec.barriers = kBarriers;
  spec.spread = rng.below(30);
  spec.load_flits = 0.5 * subject.route_bound();
  btin::Spec& choice = run::own<btin::Spec>(spec);
  choice.op = op;
  choice.data_bits = kBits;
  choice.reflect = rng.below(2) != 0;
  return spec;
}

/// Sums of 64 bits that have carried into the bits above.
std::uint32_t carries(const run::RunSpec& spec) {
  const fabric::Formats formats(spec.config->flit_w, spec.config->gid_w);
  const run::BarrierData data(spec.seed, formats.data_width(), fabric::ReduceOp::kSum, kBits);
  std::uint32_t count = 0;
  for (std::uint32_t g = 0; g < spec.groups.size(); ++g)
    for (std::uint32_t b = 0; b < spec.barriers; ++b) {
      const auto members = static_cast<std::uint32_t>(spec.groups[g].members.size());
      count += data.of_all(g, members, b).hi != 0 ? 1 : 0;
    }
  return count;
}

}  // namespace

TEST_CASE("all operations on 64-bit data agree with golden on networks among data",
          "[network][lockstep][data]") {
  const std::uint64_t seed = muster_seed();
  std::uint32_t carried = 0;
  for (std::uint64_t i = 0; i < 12; ++i) {
    Rng rng(seed + 64, i);
    const test::Subject subject(topology::generate_irregular(
        {.switches = 10, .nodes = 14, .ports = 4, .connectivity = 0.9, .seed = rng.next()}));
    const auto& named = fabric::kReduceOps[i % fabric::kReduceOps.size()];
    const run::RunSpec spec = wide_run(subject, named.op, rng);
    CAPTURE(seed, i, named.name);
    if (named.op == fabric::ReduceOp::kSum) carried += carries(spec);
    test::in_lockstep(spec);
  }
  CHECK(carried > 0);
}

// The larger system of BTIN section 5.1.
TEST_CASE("a group of 1024 on 300 switches runs in lockstep, alone and among data",
          "[network][large]") {
  const test::Subject subject(topology::generate_irregular(
      {.switches = 300, .nodes = 1024, .ports = 8, .connectivity = 0.75, .seed = 1}));
  for (const double load : {0.0, 0.3}) {
    run::RunSpec spec = subject.spec({"all"});
    spec.barriers = 3;
    spec.load_flits = load * subject.route_bound();
    CAPTURE(load);
    const run::RunResult result = test::in_lockstep(spec);
    // Every node's link and every edge of a tree that spans all switches, in both directions.
    for (const run::BarrierRecord& b : result.barriers) CHECK(b.hops == 2 * (1024 + 299));
    CHECK(result.checks.back().name == "lockstep");
    CHECK(result.checks.back().passed >= 3 * result.cycles * 300);
  }
}
