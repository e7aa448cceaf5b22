// SPDX-License-Identifier: Apache-2.0
#include "systems/preempt/bsr_scheme.hpp"

#include <deque>

#include "sim_cpp/systems/preempt/link_runs.hpp"
#include "support/mutant_bank.hpp"

namespace muster::preempt {
namespace {

using Catch::Matchers::Contains;

using test::kBsrSchemes;

const Cost& cost(const run::RunResult& result) { return run::own<Cost>(result); }

TEST_CASE("two nodes of one switch: Tb to it, its origin, and back", "[workload][bsr]") {
  for (const char* scheme : kBsrSchemes) {
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

TEST_CASE("groups build their trees and synchronize, first in any order, then by them",
          "[workload][bsr][random]") {
  const std::uint64_t seed = muster_seed();
  CAPTURE(seed);
  for (const char* scheme : kBsrSchemes) {
    const test::Subject subject(topology::generate_irregular(
        {.switches = 40, .nodes = 60, .ports = 6, .connectivity = 0.9, .seed = seed}));
    const run::RunResult result =
        test::completes(subject.by(scheme, {"all", "random:17", "random:5", "random:1"}, seed));
    for (const run::CheckCount& check : result.checks)
      if (check.name == "bsr messages") CHECK(check.passed > 1000);
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
  CAPTURE(seed);
  for (const char* scheme : kBsrSchemes) {
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

/// Every choice does its work: the same traffic, and what is different about it.
TEST_CASE("choices of center, gap, cut and padding reach the switches", "[workload][bsr]") {
  const test::Subject subject(topology::generate_irregular(
      {.switches = 20, .nodes = 30, .ports = 6, .connectivity = 0.8, .seed = 3}));
  const auto run = [&](const fabric::SwitchKind& kind, void (*choose)(Spec&), bool lowest = false) {
    run::RunSpec spec = subject.by(std::string(kind.name), {"all"});
    spec.load_flits = 0.5 * subject.route_bound();
    spec.packet_length = 32;
    spec.config = fabric::SwitchConfig{.name = "wide", .vcs = 3, .kind = &kind};
    if (choose != nullptr) choose(run::own<Spec>(spec));
    spec.center = lowest ? topology::CenterChoice::kLowest : topology::CenterChoice::kNearest;
    return test::completes(spec);
  };
  const run::RunResult plain = run(kBsr2, nullptr);
  CHECK(cost(plain).padding_flits > 0);
  CHECK(run(kBsr2, [](Spec& s) { s = {}; }).digest == plain.digest);
  CHECK(cost(run(kBsr2, [](Spec& s) { s.padding = false; })).padding_flits == 0);
  CHECK(run(kBsr2, [](Spec& s) { s.gap = 40; }).latency_mean > plain.latency_mean);
  CHECK(run(kBsr2, [](Spec& s) { s.idle = 0; }).digest != plain.digest);
  CHECK(run(kBsr2, [](Spec& s) { s.longest = 1; }).digest != plain.digest);
  CHECK(cost(run(kBsr2, nullptr, true)).theorem_2 > cost(plain).theorem_2);
  CHECK(run(kBsr1, [](Spec& s) { s.random = true; }).digest != run(kBsr1, nullptr).digest);
}

TEST_CASE("every barrier stays below its bound, whatever the switches and their neighbours do",
          "[workload][bsr][random]") {
  const std::uint64_t seed = muster_seed();
  Rng rng(seed);
  for (int trial = 0; trial < 24; ++trial) {
    CAPTURE(seed, trial);
    const test::Subject subject(trial % 3 == 0
                                    ? topology::generate_mesh(4, 5)
                                    : topology::generate_irregular({.switches = 15,
                                                                    .nodes = 30,
                                                                    .ports = 7,
                                                                    .connectivity = 0.8,
                                                                    .seed = rng.next()}));
    run::RunSpec spec =
        subject.by(kBsrSchemes[rng.below(2)], {"all", "random:9", "random:4"}, rng.next());
    spec.config = fabric::SwitchConfig{.name = "random",
                                       .vcs = static_cast<std::uint32_t>(1 + rng.below(3)),
                                       .depth = static_cast<std::uint32_t>(2 + rng.below(6)),
                                       .kind = spec.scheme == "bsr-1" ? &kBsr1 : &kBsr2};
    auto& policy = run::own<Spec>(spec);
    policy.idle = static_cast<std::uint32_t>(rng.below(20));
    policy.gap = static_cast<std::uint32_t>(rng.below(6));
    policy.longest = static_cast<std::uint32_t>(rng.below(60));
    policy.random = rng.below(2) == 1;
    spec.load_flits = 0.2 * static_cast<double>(rng.below(6)) * subject.route_bound();
    spec.packet_length = static_cast<std::uint32_t>(8 + rng.below(60));
    spec.spread = rng.below(2) * 100;
    for (const run::BarrierRecord& b : test::passes(spec).barriers) {
      REQUIRE(b.bound_cycles);
      REQUIRE(b.latency_cycles < *b.bound_cycles);
    }
  }
}

/// Golden switches at whose outputs barrier messages are held back.
class SlowEngine : public fabric::BankFactory {
 public:
  explicit SlowEngine(std::uint64_t cycles) : cycles_(cycles) {}
  std::string name() const override { return "slow"; }
  bool supports(const fabric::SwitchConfig& config) const override {
    return golden_->supports(config);
  }
  std::unique_ptr<core::Bank> make_switches(const fabric::SwitchConfig& config,
                                            std::uint32_t blocks,
                                            const fabric::BankOptions& options) const override {
    using Queue = std::deque<std::pair<std::uint64_t, core::Flit>>;
    return std::make_unique<MutantBank>(
        golden_->make_switches(config, blocks, options),
        [this, held = std::vector<Queue>(blocks * config.ports)](std::uint64_t cycle,
                                                                 MutantBank& out) mutable {
          for (std::uint32_t i = 0; i < held.size(); ++i) {
            const std::uint32_t b = i / out.ports(), p = i % out.ports();
            if (out.busy(b, p)) held[i].emplace_back(cycle + cycles_, out.delay(b, p));
            if (held[i].empty() || held[i].front().first > cycle) continue;
            out.send(b, p, held[i].front().second);
            held[i].pop_front();
          }
        });
  }

 private:
  std::shared_ptr<const fabric::BankFactory> golden_ = run::make_golden_engine();
  std::uint64_t cycles_;
};

TEST_CASE("switches that keep barrier messages longer than their bound are found out",
          "[workload][bsr]") {
  const test::Subject subject(topology::generate_mesh(4, 4));
  const auto violations = [&](std::uint64_t cycles) {
    const SlowEngine slow(cycles);
    run::RunSpec spec = subject.by("bsr-2", {"random:8"});
    spec.engine = core::borrowed(slow);
    return run::run_barriers(spec).violations;
  };
  CHECK(violations(0).empty());
  CHECK(violations(10).empty());
  const auto late = violations(30);
  REQUIRE(late.size() == 1);
  CHECK_THAT(late[0], Contains("barrier bound") && Contains("may wait 20 cycles"));
}

TEST_CASE("a hang names the link that takes no message before the switches' tables",
          "[workload][bsr][hang]") {
  const test::Subject subject(topology::generate_mesh(4, 4));
  for (const char* scheme : kBsrSchemes) {
    run::RunSpec spec = subject.by(scheme, {"all"});
    const fabric::Layout layout(*spec.graph);
    // What the switches of nodes 0 and 1 send each other is lost, and only one of them is on the
    // way of the other's reductions.
    for (const bool credits : {true, false}) {
      spec.stopped.clear();
      for (core::ChannelId c = 0; c < 2; ++c) spec.stopped.push_back({c, 900, true, credits});
      spec.checkers = false;  // they would be the first to miss what is lost
      CAPTURE(scheme, credits);
      const std::string text = test::breach_of(spec);
      CHECK_THAT(text, Contains("group 'all' makes no progress"));
      const auto stopped = text.find(layout.name(0) + ": stopped since cycle 900");
      const auto full = text.find(": no room since cycle ");
      const auto table = text.find("\n  switch ");
      CAPTURE(text);
      REQUIRE(stopped != std::string::npos);
      REQUIRE(full != std::string::npos);
      REQUIRE(table != std::string::npos);
      CHECK(stopped < full);
      CHECK(full < table);
      // The first is one of the two that lost a message.
      const std::string first = text.substr(text.rfind('\n', full), full - text.rfind('\n', full));
      CHECK((first == "\n  " + layout.name(0) || first == "\n  " + layout.name(1)));
      CHECK_THAT(text.substr(table), Contains("no room"));
    }
  }
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

}  // namespace

}  // namespace muster::preempt
