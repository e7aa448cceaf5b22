// SPDX-License-Identifier: Apache-2.0
#include "muster/run/barrier_data.hpp"
#include "sim_cpp/run/run_fixture.hpp"
#include "support/mutant_bank.hpp"
#include "systems/switch_kinds.hpp"

namespace muster::run {
namespace {

using test::Subject;

TEST_CASE("a fat tree reflects in half the hops at its highest level", "[workload][run]") {
  const Subject subject(topology::generate_fat_tree(2, 7));  // 128 nodes
  const auto run = [&](std::optional<topology::SwitchId> root) {
    RunSpec spec = subject.spec({"all"});
    spec.spread = 0;
    btin::Spec& own = run::own<btin::Spec>(spec);
    own.reflect = true;
    own.root = root;
    const RunResult result = run_barriers(spec);
    CHECK(result.ok());
    return result.latency_mean;
  };
  // 2 L + 1 cycles at one switch, and L + 1 up and down for each of 6 levels, or 12.
  CHECK(run({}) == 27.0);
  CHECK(run(subject.graph.node(0).at.sw) == 51.0);
}

/// Runs one barrier at which member m arrives in cycle times[m].
BarrierRecord one_barrier(const Subject& subject, bool reflect, std::vector<std::uint64_t> times,
                          const std::string& group = "all") {
  RunSpec spec = subject.spec({group});
  spec.barriers = 1;
  run::own<btin::Spec>(spec).reflect = reflect;
  spec.arrivals = std::make_shared<ListedArrivals>(ListedArrivals::List{{std::move(times)}});
  return test::completes(spec).barriers[0];
}

TEST_CASE("a barrier of one switch takes exactly the cycles of its hops", "[workload][run]") {
  // Into the output register 1, a hop through the switch L + 1, the wire into the node L - 1 more:
  // 2 L + 1 each way. Without the root node in between there is but one way.
  const std::uint32_t latency = GENERATE(1u, 2u, 3u, 100u);
  CAPTURE(latency);
  const Subject subject(test::star(3, latency));
  const auto asked = one_barrier(subject, false, {10, 40, 25});
  CHECK(asked.reduction_cycles == 2 * latency + 1);
  CHECK(asked.distribution_cycles == 2 * latency + 1);
  CHECK(asked.latency_cycles == 4 * latency + 2);
  CHECK(asked.exit_skew_cycles == 2 * latency + 1);

  const auto turned = one_barrier(subject, true, {10, 40, 25});
  CHECK(turned.latency_cycles == 2 * latency + 1);
  CHECK(turned.exit_skew_cycles == 0);

  const auto root_last = one_barrier(subject, false, {1000, 40, 25});
  CHECK(root_last.reduction_cycles == 0);
  CHECK(root_last.latency_cycles == 2 * latency + 1);
}

TEST_CASE("each switch of a line adds L + 1 cycles in each direction", "[workload][run]") {
  const std::uint32_t latency = GENERATE(1u, 3u);
  const std::uint32_t switches = GENERATE(2u, 3u, 6u);
  CAPTURE(latency, switches);
  const Subject subject(test::line(switches, latency));
  const auto result = one_barrier(subject, false, {5, 50}, "n0,n" + std::to_string(switches - 1));
  const std::uint64_t way = 1 + 2 + (switches - 1) * (latency + 1);
  CHECK(result.reduction_cycles == way);
  CHECK(result.latency_cycles == 2 * way);
  CHECK(result.hops == 2 * (switches + 1));
}

TEST_CASE("equal seeds give equal runs, with and without skipping, and other seeds others",
          "[workload][run]") {
  const std::uint64_t seed = muster_seed();
  const double load = GENERATE(0.0, 0.3, 1.5);
  CAPTURE(load);
  const auto run = [&](std::uint64_t s, bool skip, bool checkers) {
    RunSpec spec = test::figure1().spec({"paper"}, s);
    spec.load_flits = load * test::figure1().route_bound();
    spec.skip = skip;
    spec.checkers = checkers;
    return run_barriers(spec);
  };
  const RunResult a = run(seed, true, true), b = run(seed, false, false),
                  c = run(seed + 1, true, true);
  CHECK(a.violations.empty());
  CHECK(a.digest == b.digest);
  CHECK(a.cycles == b.cycles);
  CHECK(a.flit_hops == b.flit_hops);
  CHECK(a.digest != c.digest);
  CHECK(a.switches_clocked <= b.switches_clocked);
  CHECK(b.switches_clocked == b.switch_cycles);
  CHECK(b.checks.empty());
}

// A wormhole network with one virtual channel of data carries clearly less than the channel loads
// allow: heads wait behind heads.
TEST_CASE("load below saturation is carried, load above it says so", "[workload][run]") {
  const std::uint64_t seed = muster_seed();
  const double load = GENERATE(0.15, 0.3, 1.5);
  CAPTURE(load);
  const Subject subject(topology::generate_irregular({.switches = 20, .nodes = 60, .seed = seed}));
  RunSpec spec = subject.spec({"random:20"}, seed);
  spec.load_flits = load * subject.route_bound();
  spec.barriers = 5;
  spec.warmup = 2000;
  spec.min_cycles = 60'000;
  const RunResult result = test::completes(spec);
  REQUIRE(result.data);
  CHECK(result.data->saturated == (load > 1.0));
  CHECK(result.data->offered == Approx(spec.load_flits).epsilon(0.08));
  if (load < 1.0) {
    CHECK(result.data->accepted == Approx(result.data->offered).epsilon(0.02));
  } else {
    CHECK(result.data->accepted < 0.9 * result.data->offered);
    CHECK(result.data->backlog > 100);
  }
}

TEST_CASE("a run that cannot be is refused before it starts", "[workload][run]") {
  RunSpec spec = test::figure1().spec({"paper"});
  spec.own_barrier_vc = true;
  CHECK_THROWS_WITH(run_barriers(spec), Contains("use no virtual channel"));
  spec.own_barrier_vc = false;
  // Four switches in a ring, all routes clockwise.
  topology::Graph ring;
  for (int s = 0; s < 4; ++s) ring.add_switch(3);
  for (std::uint32_t s = 0; s < 4; ++s) {
    ring.add_link({s, 0}, {(s + 1) % 4, 1});
    ring.add_node({s, 2});
  }
  topology::Routes routes(4, ring.destinations());
  for (std::uint32_t s = 0; s < 4; ++s) {
    for (std::uint32_t d = 0; d < 8; ++d) {
      if (d < 4 && d == s) routes.set(s, d, 4);
      if (d % 4 != s) routes.set(s, d, 1);
    }
  }
  spec.graph = core::borrowed(ring);
  spec.routes = core::borrowed(routes);
  spec.groups = {{"g", {0, 1}}};
  CHECK_THROWS_WITH(run_barriers(spec), Contains("deadlock"));
}

using fabric::MessageType;
using fabric::Payload;

using Change = std::function<void(std::uint32_t block, std::uint32_t port, MessageType, Payload&)>;

/// Golden switches behind which a barrier message's data go through `change`.
std::shared_ptr<MutantEngine> changes_data(fabric::Formats formats, Change change) {
  return std::make_shared<MutantEngine>([=](std::uint64_t, MutantBank& out) {
    for (std::uint32_t b = 0; b < out.blocks(); ++b)
      for (std::uint32_t p = 0; p < out.ports(); ++p) {
        core::Flit& flit = out.tx(b, p);
        if (!out.busy(b, p) || !flit.sync()) continue;
        fabric::BarrierMessage message = formats.barrier_message(flit);
        change(b, p, message.type, message.data);
        flit = formats.barrier_flit(message, flit.vc);
      }
  });
}

TEST_CASE("members bring random bits that are neither all zeros nor all ones together",
          "[workload][data]") {
  const std::uint64_t seed = muster_seed();
  const BarrierData data(seed, 74);
  for (const std::uint32_t members : {1u, 2u, 3u, 8u, 100u, 1024u}) {
    int ones = 0;
    for (std::uint64_t b = 0; b < 50; ++b) {
      Payload all;
      for (std::uint32_t m = 0; m < members; ++m) all = data.both(all, data.of(3, members, m, b));
      CHECK(data.of_all(3, members, b) == all);
      ones += std::popcount(all.lo) + std::popcount(all.hi);
    }
    const double share = ones / (50.0 * 74);
    CAPTURE(members, share);
    CHECK(share > 0.4);
    if (members > 1) CHECK(share < 0.9);
  }
  CHECK(data.of(3, 8, 0, 0) != data.of(3, 8, 1, 0));
  CHECK(data.of(3, 8, 0, 0) != data.of(3, 8, 0, 1));
  CHECK(data.of(3, 8, 0, 0) != data.of(4, 8, 0, 0));
  CHECK(data.of(3, 8, 0, 0) != BarrierData(seed + 1, 74).of(3, 8, 0, 0));
  CHECK(BarrierData(seed, 10).of_all(3, 8, 0).lo < 1024);
}

TEST_CASE("a member left out of the OR, or a bit too many, is found at the release",
          "[workload][data]") {
  const bool reflect = GENERATE(false, true);
  const bool checkers = GENERATE(false, true);
  const fabric::SwitchConfig config = run::configuration("sw8");
  using enum MessageType;
  // Switch 4 forgets its children's data; one member's release has a bit that no member brought, or
  // lacks one; switch 5 sends the distribution on without data.
  const Change change = GENERATE(Change([](auto b, auto, auto type, Payload& data) {
                                   if (b == 4 && type == kReduction) data = {};
                                 }),
                                 Change([](auto b, auto p, auto type, Payload& data) {
                                   if (b == 6 && p == 2 && type == kDistribution) data.lo ^= 1;
                                 }),
                                 Change([](auto b, auto, auto type, Payload& data) {
                                   if (b == 5 && type == kDistribution) data = {};
                                 }));
  RunSpec spec = test::figure1().spec({"paper"}, muster_seed());
  spec.config = config;
  spec.engine = changes_data(fabric::Formats(config.flit_w, config.gid_w), change);
  own<btin::Spec>(spec).reflect = reflect;
  spec.checkers = checkers;
  CAPTURE(spec.seed, reflect, checkers);
  const RunResult result = run_barriers(spec);
  CHECK_THAT(test::breach_of(result), Contains(checkers ? "data" : "all members' data make"));
}

TEST_CASE("a wrong bit among those above the 64th is found at the release", "[workload][data]") {
  const bool checkers = GENERATE(false, true);
  RunSpec spec = test::figure1().spec({"paper"}, muster_seed());
  spec.engine = changes_data(fabric::Formats(80, 8), [](auto b, auto, auto type, Payload& data) {
    if (b == 4 && type == MessageType::kReduction) data.hi ^= 0x20;
  });
  btin::Spec& choice = own<btin::Spec>(spec);
  choice.op = fabric::ReduceOp::kSum;
  choice.data_bits = 64;
  spec.config = fabric::SwitchConfig{.name = "wide", .flit_w = 80, .kind = &btin::kBarrierSwitch};
  spec.checkers = checkers;
  CAPTURE(spec.seed, checkers);
  const RunResult result = run_barriers(spec);
  CHECK_THAT(test::breach_of(result), Contains("data"));
}

TEST_CASE("a switch with fewer operations runs those that it has and refuses the others",
          "[workload][data]") {
  using enum fabric::ReduceOp;
  RunSpec spec = test::figure1().spec({"paper"}, muster_seed());
  btin::Spec& choice = own<btin::Spec>(spec);
  choice.op = GENERATE(kOr, kAnd, kSum, kMin);
  choice.data_bits = GENERATE(std::optional<std::uint32_t>(), std::optional<std::uint32_t>(3));
  const std::uint32_t ops = GENERATE(1u, 2u);
  spec.config = fabric::SwitchConfig{
      .name = "lean", .kind = &btin::kBarrierSwitch, .variant = btin::values({.ops = ops})};
  CAPTURE(spec.seed, choice.op, choice.data_bits.value_or(0), ops);
  const bool there =
      ops == 1 ? choice.op == kOr || choice.op == kAnd : choice.op == kOr && !choice.data_bits;
  if (there)
    CHECK(run_barriers(spec).end == End::kComplete);
  else
    CHECK_THROWS_WITH(run_barriers(spec), Contains("'lean'") && Contains("Ops"));
}

}  // namespace
}  // namespace muster::run
