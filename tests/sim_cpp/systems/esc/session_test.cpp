// SPDX-License-Identifier: Apache-2.0
#include "systems/esc/session.hpp"

#include <map>

#include "sim_cpp/systems/esc/esc_fixture.hpp"
#include "systems/esc/session_recording.hpp"

using namespace muster;
using namespace muster::esc;
using namespace muster::test;

namespace {

SessionResult run_one(const Spec& spec, std::uint32_t session = 0) {
  return SessionRunner(spec, golden_boxes()).run(session);
}

}  // namespace

TEST_CASE("without background all synchronization messages are served back to back", "[esc]") {
  for (const auto& [pes, n] : kSizes)
    for (const char* policy : {"bypass", "isolated-bg", "isolated-hs", "hot-section:2"}) {
      Spec spec = small_spec(pes, n, policy);
      spec.rate = 0;
      spec.sigma = 0;
      spec.box.depth = 64;
      CAPTURE(pes, n, policy);
      const SessionResult result = run_one(spec);
      CHECK(result.syn.messages == pes - 1);
      CHECK(result.syn.sum == (pes - 1) * (pes - 2) / 2);  // 0, 1, 2, ...
      CHECK(result.length == spec.stages().count(Cube(pes, n)) + pes - 2);
      CHECK(result.background.messages == 0);
      CHECK(result.packets == pes - 1);
    }
}

TEST_CASE("without contention a message is never delayed", "[esc]") {
  Spec spec = small_spec(256, 4, "isolated-hs");
  spec.rate = 0.0005;
  spec.sigma = 10000;
  spec.mean = 50000;
  const SessionResult result = run_one(spec);
  CHECK(result.syn.sum < 20);
  CHECK(result.background.messages > 1000);
  CHECK(result.background.sum * 50 < result.background.messages);
}

TEST_CASE("one section is isolated hot spot, bit for bit", "[esc]") {
  for (const double rate : {0.3, 0.7, 0.95}) {
    Spec hs = small_spec(64, 4, "isolated-hs");
    hs.rate = rate;
    Spec section = hs;
    set_policy(section, "hot-section:1");
    CHECK(run_one(hs) == run_one(section));
    set_policy(section, "hot-section:2");
    CHECK_FALSE(run_one(hs) == run_one(section));
  }
}

TEST_CASE("sessions do not depend on what ran before on the same network", "[esc]") {
  Spec spec = small_spec(16, 4, "hot-section:4");
  spec.rate = 0.8;
  SessionRunner runner(spec, golden_boxes());
  const SessionResult third = runner.run(3);
  runner.run(7);
  CHECK(runner.run(3) == third);
  CHECK(run_one(spec, 3) == third);
}

TEST_CASE("a session lasts at least N - 1 cycles, whatever the network", "[esc]") {
  for (const std::uint32_t pes : {4u, 8u, 16u, 32u})
    for (const char* policy : {"bypass", "isolated-bg"})
      for (std::uint32_t session = 0; session < 5; ++session)
        CHECK(run_one(small_spec(pes, 2, policy), session).length >= pes - 1);
}

TEST_CASE("the coordinator can be named", "[esc]") {
  /// Counts synchronization messages by where they arrive.
  struct Arrivals : Observer {
    void observe(const CycleView& view) override {
      for (std::uint32_t pe = 0; pe < view.arrivals.size(); ++pe)
        if (kind_of(view.arrivals[pe]) == BoxKind::kSynchronization) ++at[pe];
    }
    std::vector<unsigned> at = std::vector<unsigned>(16);
  } arrivals;
  Spec spec = small_spec(16, 2, "bypass");
  spec.hot = 11;
  SessionRunner runner(spec, golden_boxes());
  runner.attach(arrivals);
  runner.run(0);
  std::vector<unsigned> expected(16);
  expected[11] = 15;
  CHECK(arrivals.at == expected);
}

TEST_CASE("buffers counted on the links are full exactly where the model blocks", "[experiment]") {
  /// A single packet is blocked if and only if its output holds S packets.
  struct Blocked final : Observer {
    const Occupancy* occupancy;
    Cube cube{16, 4};
    std::uint64_t alone = 0, wrong = 0;
    void observe(const CycleView& view) override {
      for (std::size_t k = 0; k < view.rx.size(); ++k) {
        if (view.rx[k] == 0) continue;
        const auto stage = static_cast<unsigned>(k / 16);
        const std::uint32_t digit = cube.digit(tag_of(view.rx[k]), stage);
        unsigned baselines = 0;
        for (std::size_t p = k / 4 * 4; p < k / 4 * 4 + 4; ++p)
          baselines += view.rx[p] != 0 && cube.digit(tag_of(view.rx[p]), stage) == digit;
        if (baselines != 1) continue;
        ++alone;
        const auto box = static_cast<std::uint32_t>(k % 16 / 4);
        const unsigned held = occupancy->packets(view.cycle, stage, cube.link(stage, box, digit));
        wrong += (held < 2) != (view.rx_ready[k] != 0);
      }
    }
  } blocked;
  Spec spec = small_spec(16, 4, "isolated-hs");
  spec.box.depth = 2;
  spec.rate = 0.6;
  Occupancy occupancy(spec, 0, kNever - 1);
  blocked.occupancy = &occupancy;
  SessionRunner runner(spec, golden_boxes());
  runner.attach(occupancy);
  runner.attach(blocked);
  const auto result = runner.run(0);
  CHECK(occupancy.cycles() == result.cycles);
  CHECK(blocked.alone > 5000);
  CHECK(blocked.wrong == 0);
}

// What sections 4.2 to 4.5 say of their figures, in the ranges in which it holds.

namespace {

struct Averages {
  double syn, total, hot;
};

Averages measure(const std::string& policy, double rate, double sigma = 10, unsigned depth = 12) {
  Spec spec;
  set_policy(spec, policy);
  spec.rate = rate;
  spec.sigma = sigma;
  spec.box.depth = depth;
  spec.sessions = 60;
  spec.mean = 800;
  spec.threads = 2;
  spec.seed = muster_seed();
  const BatchResult result = run_golden(spec);
  CAPTURE(policy, rate, sigma, depth, result.violation_texts);
  CHECK(result.violations == 0);
  return {*result.mu_syn.mean, *result.mu_bg_total.mean, *result.mu_bg_hot.mean};
}

}  // namespace

TEST_CASE("isolation helps background at the cost of synchronization", "[esc][soak]") {
  for (const double rate : {0.2, 0.3, 0.4, 0.5, 0.6, 0.7}) {
    CAPTURE(rate);
    const Averages bypass = measure("bypass", rate), bg = measure("isolated-bg", rate),
                   hs = measure("isolated-hs", rate);
    CHECK(bg.total < bypass.total);
    CHECK(bg.syn > bypass.syn);
    CHECK(bg.hot < bg.syn);
    CHECK(hs.total < bypass.total);
    CHECK(hs.syn < bg.syn);
    CHECK(hs.syn > bypass.syn);
    CHECK(hs.hot > bg.hot);
    CHECK(hs.hot < bypass.hot);
    if (rate > 0.25) CHECK(bypass.hot > bypass.syn);
    if (rate > 0.55) CHECK(hs.hot > hs.syn);
    if (rate > 0.55) CHECK(hs.total < bg.total);  // the secondary tree is gone
  }
}

TEST_CASE("four sections are best at 0.7 and 0.8", "[esc][soak]") {
  for (const double rate : {0.7, 0.8}) {
    std::map<double, int> by_total;
    for (const int k : {1, 2, 4, 8, 16})
      by_total[measure("hot-section:" + std::to_string(k), rate).total] = k;
    CAPTURE(rate);
    CHECK(by_total.begin()->second == 4);
  }
}

TEST_CASE("a buffer of 8 with sections beats one of 20 without", "[esc][soak]") {
  for (const double rate : {0.4, 0.6})
    for (const double sigma : {10.0, 30.0, 50.0})
      CHECK(measure("hot-section:4", rate, sigma, 8).total <
            measure("bypass", rate, sigma, 20).total);
}

TEST_CASE("spreading the messages shortens every wait for the hot spot", "[esc][soak]") {
  for (const char* policy : {"bypass", "hot-section:4"})
    for (const double rate : {0.4, 0.6}) {
      const Averages narrow = measure(policy, rate, 10), wide = measure(policy, rate, 100);
      CHECK(wide.syn < narrow.syn);
      CHECK(wide.hot < narrow.hot);
    }
}
