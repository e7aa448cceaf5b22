// SPDX-License-Identifier: Apache-2.0
#include "sim_cpp/systems/preempt/link_runs.hpp"
#include "systems/preempt/channel_use.hpp"

namespace muster::preempt {
namespace {

const Cost& cost(const run::RunResult& result) { return run::own<Cost>(result); }

TEST_CASE("two nodes of one switch: Tb to it, its origin, and back", "[workload][bsr]") {
  for (const char* scheme : test::kBsrSchemes) {
    const test::Subject subject(test::star(2));
    run::RunSpec spec = subject.by(scheme, {"all"});
    spec.spread = 0;
    const run::RunResult result = test::completes(spec);
    for (const run::BarrierRecord& b : result.barriers) CHECK(b.hops == 4);
    CHECK(cost(result).preemptions == 0);
    const std::uint64_t tb = std::string(scheme) == "bsr-3" ? 6 : 5;
    CHECK(cost(result).theorem_2 == std::vector<std::uint64_t>{2 * tb});
  }
}

TEST_CASE("on a mesh, whose routes have no choice, later barriers take the planned hops",
          "[workload][bsr]") {
  const test::Subject subject(topology::generate_mesh(5, 5));
  const run::RunResult result = test::passes(subject.by("bsr-1", {"random:9"}));
  for (const run::BarrierRecord& b : result.barriers) {
    if (b.number == 0) CHECK(b.hops >= result.planned_hops[0]);
    if (b.number != 0) CHECK(b.hops == result.planned_hops[0]);
  }
}

TEST_CASE("data arrive intact among barriers that cut them, and the bound holds",
          "[workload][bsr][random]") {
  const std::uint64_t seed = muster_seed();
  for (const char* scheme : test::kBsrSchemes) {
    const test::Subject subject(topology::generate_irregular(
        {.switches = 20, .nodes = 30, .ports = 6, .connectivity = 0.8, .seed = seed}));
    run::RunSpec spec = subject.by(scheme, {"all", "random:10"}, seed);
    spec.load_flits = 0.5 * subject.route_bound();
    spec.packet_length = 32;
    spec.barriers = 60;
    const run::RunResult result = test::completes(spec);
    CHECK(result.data->delivered > 100);
    CHECK(cost(result).preemptions > 20);
    if (cost(result).hop_wait_bound)
      CHECK(cost(result).longest_hop_wait <= *cost(result).hop_wait_bound);
  }
}

TEST_CASE("every barrier stays below its bound, whatever the switches and their neighbours do",
          "[workload][bsr][random]") {
  Random rng(muster_seed());
  for (int trial = 0; trial < 24; ++trial) {
    CAPTURE(trial);
    const test::Subject subject(trial % 3 == 0
                                    ? topology::generate_mesh(4, 5)
                                    : topology::generate_irregular({.switches = 15,
                                                                    .nodes = 30,
                                                                    .ports = 7 + rng.below(10),
                                                                    .connectivity = 0.8,
                                                                    .seed = rng.next()}));
    run::RunSpec spec =
        subject.by(test::kBsrSchemes[rng.below(2)], {"all", "random:9", "random:4"}, rng.next());
    spec.config = fabric::SwitchConfig{.name = "random",
                                       .ports = 16,
                                       .vcs = 1 + rng.below(3),
                                       .depth = 2 + rng.below(6),
                                       .flit_w = std::array{16u, 24u, 32u, 48u}[rng.below(4)],
                                       .kind = spec.scheme == "bsr-1" ? &kBsr1 : &kBsr2};
    if (rng.below(2) == 1) spec.config->variant[kSparesVariant] = 1 + rng.below(kMostSpares);
    auto& policy = run::own<Spec>(spec);
    policy.idle = rng.below(20);
    policy.gap = rng.below(6);
    policy.longest = rng.below(60);
    policy.random = rng.below(2) == 1;
    spec.load_flits = 0.2 * static_cast<double>(rng.below(6)) * subject.route_bound();
    spec.packet_length = 8 + rng.below(60);
    spec.spread = rng.below(2) * 100;
    for (const run::BarrierRecord& b : test::passes(spec).barriers) {
      REQUIRE(b.bound_cycles);
      REQUIRE(b.latency_cycles < *b.bound_cycles);
    }
  }
}

TEST_CASE("one flit a message and several buffers: the first round is at most twice a later one",
          "[workload][bsr]") {
  const test::Subject subject(topology::generate_irregular(
      {.switches = 200, .nodes = 200, .ports = 4, .connectivity = 1, .seed = 1}));
  const auto ratio = [&](std::uint32_t flits, std::uint32_t spares) {
    run::RunSpec spec = subject.by("bsr-1", {"all"});
    spec.barriers = 2;
    spec.spread = 0;
    spec.profile = run::find_profile("ts-100-tb-16");
    Spec& own = run::own<Spec>(spec);
    own.gap = 0;
    own.message_flits = flits;
    own.spares = spares;
    const auto barriers = test::passes(spec).barriers;
    return static_cast<double>(barriers[0].latency_cycles) /
           static_cast<double>(barriers[1].latency_cycles);
  };
  CHECK(ratio(1, 3) < 1.25);
  CHECK(ratio(1, 3) < ratio(1, 0));
  CHECK(ratio(1, 0) < ratio(0, 0));
}

TEST_CASE("a hang names the link that takes no message before the switches' tables",
          "[workload][bsr][hang]") {
  const test::Subject subject(topology::generate_mesh(4, 4));
  for (const bool credits : {true, false}) {
    run::RunSpec spec = subject.by("bsr-2", {"all"});
    const fabric::Layout layout(*spec.graph);
    // What the switches of nodes 0 and 1 send each other is lost.
    for (core::ChannelId c = 0; c < 2; ++c) spec.stopped.push_back({c, 900, true, credits});
    spec.checkers = false;  // they would be the first to miss what is lost
    CAPTURE(credits);
    const std::string text = test::breach_of(spec);
    CHECK_THAT(text, Contains("group 'all' makes no progress"));
    const auto stopped = text.find(layout.name(0) + ": stopped since cycle 900");
    const auto full = text.find(": no room since cycle "), table = text.find("\n  switch ");
    CAPTURE(text);
    REQUIRE(table != std::string::npos);
    CHECK(stopped < full);
    CHECK(full < table);
  }
}

TEST_CASE("the bound of a hop is that of the architecture and its channels", "[workload][bsr]") {
  const test::Subject subject = test::Subject::figure1();
  const auto bound = [&](const fabric::SwitchKind& kind, std::uint32_t vcs) {
    run::RunSpec spec = subject.by(std::string(kind.name), {"paper", "random:3"});
    spec.load_flits = 0.5 * subject.route_bound();
    spec.config = fabric::SwitchConfig{.name = "test", .vcs = vcs, .kind = &kind};
    return cost(test::passes(spec)).hop_wait_bound;
  };
  CHECK(bound(kBsr1, 1) == 19u);
  CHECK(bound(kBsr2, 1) == 19u);
  CHECK(bound(kBsr1, 2) == 3u);
  CHECK(bound(kBsr2, 2) == 20u);
}

TEST_CASE("what the scheme has not is refused", "[workload][bsr]") {
  const test::Subject subject(test::star(3));
  const auto refuses = [&](const char* text, void (*change)(run::RunSpec&)) {
    run::RunSpec spec = subject.by("bsr-1", {"all"});
    change(spec);
    CHECK_THROWS_WITH(run::run_barriers(spec), Contains(text));
  };
  refuses("--barrier-vc own", [](run::RunSpec& spec) { spec.own_barrier_vc = true; });
  refuses("has at most 16 entries", [](run::RunSpec& spec) {
    while (spec.groups.size() < 17) spec.groups.push_back(spec.groups.front());
  });
}

using Catch::Matchers::WithinAbs;
using core::Flit;

TEST_CASE("shares of a link's time, and the time of a preemption", "[workload][bsr]") {
  const topology::Graph graph = topology::generate_mesh(2, 1);
  const fabric::Layout layout(graph);
  ChannelUse use(layout, 2, 2, false);
  CHECK(use.model().hops == 0);
  CHECK_FALSE(use.model().preemption_cycles);

  // Link 0 joins the switches: a packet owns channel 1 from cycle 10 on, has no credit from its
  // second flit in 14 on, and one again 2 cycles after 22. A message cuts the channel in 30.
  std::map<std::uint64_t, Flit> flits;
  flits[10] = {.vc = 1, .kind = Flit::kHead};
  flits[14] = {.vc = 1};
  flits[30] = control_flit({false, 1});
  flits[33] = {.vc = 1, .kind = Flit::kFirst};
  flits[40] = {.vc = 1, .kind = Flit::kTail};
  flits[50] = {.vc = 0, .kind = Flit::kFirst};
  for (std::uint64_t cycle = 1; cycle < 60; ++cycle) {
    std::vector<core::FlitEvent> events;
    if (flits.count(cycle)) events.push_back({0, flits[cycle]});
    events.push_back({layout.into_node(0), {.kind = Flit::kFirst}});  // no link between switches
    std::vector<core::CreditEvent> credits;
    if (cycle == 22) credits.push_back({0, 0b110});
    use.observe(cycle, events, credits);
  }
  const Model m = use.model();
  CHECK(m.hops == 2);
  CHECK_THAT(m.occupied, WithinAbs(30.0 / (50 * 2), 1e-9));
  CHECK_THAT(*m.blocked, WithinAbs(10.0 / 30, 1e-9));
  CHECK_THAT(*m.blocked_cycles, WithinAbs(5, 1e-9));
  CHECK_THAT(m.cut, WithinAbs(0.5, 1e-9));
  CHECK_THAT(*m.preemption_cycles, WithinAbs(3, 1e-9));
}

}  // namespace
}  // namespace muster::preempt
