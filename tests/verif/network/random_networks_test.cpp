// SPDX-License-Identifier: Apache-2.0
#include "muster/run/barrier_data.hpp"
#include "sim_cpp/run/random_run.hpp"
#include "sim_cpp/systems/btin/groups/random_changes.hpp"
#include "support/all_engines.hpp"

using namespace muster;

namespace {

/// A kind of run on random networks (random_run.hpp).
struct Kind {
  const char* name;
  std::uint64_t runs;
  std::uint32_t barriers;  ///< about so many
  void (*make)(test::RandomRun& run, std::uint64_t index);
};

/// On switches with two channels, with little data.
btin::Spec& in_band(test::RandomRun& run, std::uint64_t index) {
  run.spec.config = run::configuration("sw8");
  run.spec.load_flits *= 0.3;
  btin::Spec& own = run::own<btin::Spec>(run.spec);
  own.op = fabric::kReduceOps[index % fabric::kReduceOps.size()].op;
  own.in_band = true;
  return own;
}

const Kind kPlain{"barriers", 2, 25, [](test::RandomRun&, std::uint64_t) {}};
const Kind kKinds[] = {
    kPlain,
    {"unicasts", 2, 10,
     [](test::RandomRun& run, std::uint64_t index) {
       run.by("unicast");
       if (index % 2 == 1) run.spec.profile = run::find_profile("btin");
     }},
    {"worms", 1, 8,
     [](test::RandomRun& run, std::uint64_t) {
       run.by("multicast");
       run.spec.config = run::configuration("mc8");
     }},
    {"groups that messages set up", 1, 6,
     [](test::RandomRun& run, std::uint64_t index) {
       in_band(run, index);
       run.spec.split = 50 * (index % 2);
     }},
    {"members and links that change", 2, 16,
     [](test::RandomRun& run, std::uint64_t index) {
       in_band(run, index);
       Random rng(run.spec.seed, index);
       test::add_random_changes(run.spec, rng, 2);
     }},
    {"more groups than registers", 2, 10,
     [](test::RandomRun& run, std::uint64_t index) {
       run.spill(16, muster_seed() + index);
       run.spec.config = run::configuration("sw8");  // 4 registers: perhaps too few
       while (test::RandomRun::refused(run.spec)) run.spec.groups.pop_back();
       run.spec.barriers = 2;
       run.spec.load_flits *= run.load > 0.4 ? 0.4 / run.load : 1.0;
     }},
};

/// Every switch compared with golden in every cycle, every checker on; what is rare and was seen.
struct Seen {
  std::uint64_t changes = 0, entries = 0, spilled = 0;

  void run(const Kind& kind, std::uint64_t runs) {
    const std::uint64_t seed = muster_seed();
    for (std::uint64_t index = 0; index < runs; ++index) {
      test::RandomRun random(seed + 1, index, kind.barriers);
      kind.make(random, index);
      CAPTURE(kind.name, seed, index, random.text());
      const run::RunResult result = test::on_engines(random.spec, {"lockstep"});
      CHECK_FALSE(result.barriers.empty());
      for (const auto& link : result.links) entries += link.entries;
      const auto* const own = run::find_own<btin::Result>(result);
      if (own == nullptr) continue;
      for (const auto& change : own->changes) changes += change.refused.empty();
      if (own->spill) spilled += own->spill->spilled_barriers;
    }
  }
};

TEST_CASE("runs of every kind on random networks agree with golden", "[network][lockstep]") {
  Seen seen;
  for (const Kind& kind : kKinds) seen.run(kind, kind.runs);
  CHECK(seen.changes > 3);
  CHECK(seen.entries > 50);
  CHECK(seen.spilled > 20);
}

TEST_CASE("barriers and all other kinds on 500 random networks agree with golden",
          "[network][lockstep][soak]") {
  Seen seen;
  for (const Kind& kind : kKinds) seen.run(kind, 30 * kind.runs);
  seen.run(kPlain, 200);
}

/// Networks of switches of this configuration, with up to `most` groups in each.
void agrees_with_golden(const char* configuration, std::uint64_t most, bool in_band) {
  const std::uint64_t seed = muster_seed();
  for (std::uint64_t i = 0; i < 20; ++i) {
    Random rng(seed + 9, i);
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
    CAPTURE(configuration, seed, i, subject.graph.switches(), groups);
    test::in_lockstep(spec);
  }
}

TEST_CASE("random networks of switches with one barrier message a cycle agree with golden",
          "[network][lockstep][serial][many]") {
  agrees_with_golden("ser4", 4, true);
  agrees_with_golden("many4", 24, false);
}

TEST_CASE("random networks of switches with labels agree with golden",
          "[network][lockstep][labels]") {
  agrees_with_golden("sw4l", 4, false);
}

TEST_CASE("random networks of switches in whose queues messages wait agree with golden",
          "[network][lockstep][queued]") {
  agrees_with_golden("sw4q", 4, true);
  agrees_with_golden("sw4q1", 4, false);
}

TEST_CASE("all operations on 64-bit data agree with golden on networks among data",
          "[network][lockstep][data]") {
  constexpr std::uint32_t kBits = 64;
  std::uint32_t carried = 0;  // sums whose carry is in the bits above
  for (std::uint64_t i = 0; i < 12; ++i) {
    Random rng(muster_seed() + 64, i);
    const test::Subject subject(topology::generate_irregular(
        {.switches = 10, .nodes = 14, .ports = 4, .connectivity = 0.9, .seed = rng.next()}));
    const auto& named = fabric::kReduceOps[i % fabric::kReduceOps.size()];
    CAPTURE(i, named.name);
    run::RunSpec spec = subject.spec({"all", "random:9"}, rng.next());
    spec.config = run::configuration("sw4w80");
    spec.barriers = 20;
    spec.spread = rng.below(30);
    spec.load_flits = 0.5 * subject.route_bound();
    btin::Spec& choice = run::own<btin::Spec>(spec);
    choice.op = named.op;
    choice.data_bits = kBits;
    choice.reflect = rng.below(2) != 0;
    test::in_lockstep(spec);
    if (named.op != fabric::ReduceOp::kSum) continue;
    const fabric::Formats formats(spec.config->flit_w, spec.config->gid_w);
    const run::BarrierData data(spec.seed, formats.data_width(), named.op, kBits);
    for (std::uint32_t barrier = 0; barrier < spec.barriers; ++barrier)
      carried += data.of_all(0, subject.graph.nodes(), barrier).hi != 0;
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
  }
}

}  // namespace
