// SPDX-License-Identifier: Apache-2.0
#include "systems/esc/session.hpp"

#include "sim_cpp/systems/esc/esc_fixture.hpp"
#include "systems/esc/session_recording.hpp"
#include "systems/esc/sources.hpp"
#include "systems/esc/spec.hpp"

using namespace muster;
using namespace muster::esc;
using namespace muster::test;

static SessionResult run_one(const Spec& spec, std::uint32_t session = 0) {
  return SessionRunner(spec, golden_boxes()).run(session);
}

TEST_CASE("without background all synchronization messages are served back to back", "[esc]") {
  for (const auto& [pes, n] : kSizes)
    for (const char* policy : {"bypass", "isolated-bg", "isolated-hs", "hot-section:2"}) {
      Spec spec = small_spec(pes, n, policy);
      spec.rate = spec.sigma = 0;
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

TEST_CASE("buffers of one that accept while they send serve the hot spot in every cycle", "[esc]") {
  for (const auto& [pes, n] : kSizes) {
    Spec spec = small_spec(pes, n, "bypass");
    spec.rate = spec.sigma = 0;
    spec.box.depth = 1;
    CAPTURE(pes, n);
    const SessionResult ours = run_one(spec);
    spec.box.refill = true;
    const SessionResult refill = run_one(spec);
    CHECK(refill.syn.sum == std::uint64_t{pes - 1} * (pes - 2) / 2);  // 0, 1, 2, ...
    CHECK(ours.syn.sum > refill.syn.sum);
    spec.box.depth = 64;
    CHECK(run_one(spec).syn.sum == refill.syn.sum);
  }
}

TEST_CASE("the saturation tree reaches as far as buffers refuse, and less with larger ones",
          "[esc]") {
  Spec spec = small_spec(64, 4, "bypass");
  spec.rate = spec.sigma = 0;
  spec.box.depth = 64;  // the coordinator's buffer takes all
  CHECK(run_one(spec).height == 0);
  std::uint64_t higher = 1000000;
  for (const std::uint32_t depth : {1u, 4u, 16u}) {
    spec.box.depth = depth;
    const SessionResult result = run_one(spec);
    CHECK(result.height > 0);
    CHECK(result.height < higher);
    CHECK(result.height <= 2 * result.length);  // two links between three stages
    higher = result.height;
  }
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
  Occupancy occupancy(spec, 0);
  blocked.occupancy = &occupancy;
  SessionRunner runner(spec, golden_boxes());
  runner.attach(occupancy);
  runner.attach(blocked);
  const auto result = runner.run(0);
  CHECK(occupancy.cycles() == result.cycles);
  CHECK(blocked.alone > 5000);
  CHECK(blocked.wrong == 0);
}

TEST_CASE("the capacities of the input stage are those of section 4.4", "[esc]") {
  Spec spec;
  CHECK(capacity(spec) == 1.0);
  set_policy(spec, "isolated-bg");
  CHECK(capacity(spec) == 0.75);
  set_policy(spec, "isolated-hs");
  CHECK(capacity(spec) == Approx(0.75 * 256 / 255));
  const double isolated = capacity(spec);
  set_policy(spec, "hot-section:1");
  CHECK(capacity(spec) == Approx(isolated));
  for (const auto& [k, expected] : {std::pair{2, 0.861}, {4, 0.928}, {8, 0.965}}) {
    set_policy(spec, "hot-section:" + std::to_string(k));
    CHECK(capacity(spec) == Approx(expected).margin(0.0006));
  }
  for (const char* policy : {"hot-section:256", "hot-section:auto"}) {
    set_policy(spec, policy);
    CHECK(policy_name(spec) == policy);
    CHECK(capacity(spec) > 1.0);
  }
}

TEST_CASE("a change of the rate is a cycle and the rate from it on", "[esc]") {
  const RateChange change = rate_change_named("3100:0.8");
  CHECK(change.cycle == 3100);
  CHECK(change.rate == 0.8);
  Spec spec;
  CHECK(largest_rate(spec) == spec.rate);
  spec.rate_change = change;
  CHECK(largest_rate(spec) == 0.8);
  spec.rate = 0.9;
  CHECK(largest_rate(spec) == 0.9);
  for (const char* text : {"", "3100", "3100:", ":0.8", "-1:0.8", "3100:0.8x", "3100 0.8"})
    CHECK_THROWS_AS(rate_change_named(text), InputError);
}

TEST_CASE("what cannot be is refused", "[esc]") {
  const auto refused = [](auto change) {
    Spec spec;
    CHECK_THROWS_AS((change(spec), validate(spec)), InputError);
  };
  CHECK_NOTHROW(validate(Spec{}));
  for (const std::uint32_t pes : {128u, 0u, 1u << 18}) refused([&](Spec& s) { s.pes = pes; });
  refused([](Spec& s) { s.pes = 2, s.box.size = 2; });
  for (const std::uint32_t n : {3u, 16u}) refused([&](Spec& s) { s.box.size = n; });
  for (const std::uint32_t depth : {0u, 65u}) refused([&](Spec& s) { s.box.depth = depth; });
  for (const double rate : {1.0, -0.1, std::nan("")}) refused([&](Spec& s) { s.rate = rate; });
  refused([](Spec& s) { s.rate_change = {.cycle = 5, .rate = 1.0}; });
  for (const double sigma : {-1.0, double{INFINITY}}) refused([&](Spec& s) { s.sigma = sigma; });
  for (const double mean : {139.9, std::nan(""), 1e12}) refused([&](Spec& s) { s.mean = mean; });
  refused([](Spec& s) { s.sessions = 0; });
  refused([](Spec& s) { s.hot = 256; });
  for (const std::uint32_t spots : {3u, 256u, 0u}) refused([&](Spec& s) { s.hot_spots = spots; });
  refused([](Spec& s) { s.hot = 1, s.hot_spots = 2; });
  for (const char* sections : {"3", "512", "0"})
    refused([&](Spec& s) { set_policy(s, "hot-section:" + std::string(sections)); });
  for (const char* limit : {"0", "13"})
    refused([&](Spec& s) { set_policy(s, "throttle:" + std::string(limit)); });
  refused([](Spec& s) {
    s.box.refill = true;
    set_policy(s, "combining");
  });
  refused([](Spec& s) { s.pes = 8, s.box.size = 2, s.pattern = Pattern::kTranspose; });
  Spec spec;
  for (const char* text : {"", "by-pass", "hot-section", "hot-section:", "hot-section:4x",
                           "hot-section:-4", "hot-section:99999999999", "throttle:", "throttle:x"})
    CHECK_THROWS_AS(set_policy(spec, text), InputError);
}

static Spec small(double rate) {
  Spec spec = small_spec(16, 4, "bypass");
  spec.rate = rate;
  spec.sigma = 20;
  return spec;
}

TEST_CASE("background has its new rate from the cycle of the change on", "[esc]") {
  Spec spec = small(0.2);
  spec.rate_change = {.cycle = 1000, .rate = 0.8};
  Background background(Cube(16, 4), spec);
  Background steady(Cube(16, 4), small(0.2));
  background.start(spec.seed);
  steady.start(spec.seed);
  std::uint64_t before = 0, after = 0;
  for (std::uint32_t pe = 0; pe < 16; ++pe) {
    for (std::uint64_t t = 0; t < 1000; ++t) {
      REQUIRE(background.at(pe, t) == steady.at(pe, t));
      before += background.at(pe, t) != Background::kNone;
      after += background.at(pe, 1000 + t) != Background::kNone;
    }
  }
  CHECK(static_cast<double>(before) == Approx(0.2 * 16000).epsilon(0.1));
  CHECK(static_cast<double>(after) == Approx(0.8 * 16000).epsilon(0.1));
}

TEST_CASE("a queue that is not stored holds what a stored one would", "[esc]") {
  for (const double rate : {0.0, 0.05, 0.5, 0.99}) {
    const Spec spec = small(rate);
    CAPTURE(spec.seed, rate);
    const Cube cube(16, 4);
    Background background(cube, spec);
    const SessionPlan plan = plan_session(spec, 3);
    background.start(plan.seed);
    Sources sources(background, 16);
    sources.start(plan);
    std::vector<std::deque<BoxPacket>> stored(16);
    const BoxPacket release = make_release(3, plan.hot[0], 0);
    Random rng(spec.seed);
    for (std::uint64_t t = 0; t < 600; ++t) {
      if (t == 399) sources.release(plan.hot[0], 400, release);
      for (std::uint32_t pe = 0; pe < 16; ++pe) {
        if (t == 400 && pe == plan.hot[0]) stored[pe].push_back(release);
        if (plan.time[pe] == t)
          stored[pe].push_back(make_packet(BoxKind::kSynchronization, t, pe, plan.hot[0]));
        const std::uint32_t d = background.at(pe, t);
        if (d != Background::kNone)
          stored[pe].push_back(make_packet(BoxKind::kBackground, t, pe, d));
      }
      sources.advance(t);
      bool until_250 = false;
      for (std::uint32_t pe = 0; pe < 16; ++pe) {
        REQUIRE(sources.heads()[pe] == (stored[pe].empty() ? 0 : stored[pe].front()));
        for (const BoxPacket p : stored[pe])
          until_250 = until_250 || (kind_of(p) != BoxKind::kRelease && birth_of(p) <= 250);
      }
      // It may say so of a message that turns out not to be there, but never deny one.
      if (until_250) REQUIRE(sources.may_hold(250));
      std::vector<std::uint8_t> taken(16);
      for (std::uint32_t pe = 0; pe < 16; ++pe) {
        if (stored[pe].empty() || rng.uniform() > 0.6) continue;
        stored[pe].pop_front();
        taken[pe] = 1;
      }
      sources.take(taken);
    }
    for (std::uint64_t t = 600; sources.may_hold(250); ++t) {
      REQUIRE(t < 3000);
      sources.advance(t);
      sources.take(std::vector<std::uint8_t>(16, 1));
    }
  }
}

TEST_CASE("background has its rate and reaches all PEs alike", "[esc]") {
  const Spec spec = small(0.3);
  CAPTURE(spec.seed);
  Background background(Cube(16, 4), spec);
  background.start(spec.seed);
  constexpr unsigned kCycles = 20000;
  std::array<unsigned, 16> to{};
  unsigned all = 0;
  for (std::uint32_t pe = 0; pe < 16; ++pe)
    for (unsigned t = 0; t < kCycles; ++t)
      if (const std::uint32_t d = background.at(pe, t); d != Background::kNone) ++to[d], ++all;
  CHECK(all == Approx(0.3 * 16 * kCycles).epsilon(0.02));
  for (const unsigned count : to) CHECK(count == Approx(all / 16.0).epsilon(0.06));
}

TEST_CASE("synchronization times are normal, one for each PE but the coordinator", "[esc]") {
  Spec spec;
  spec.pes = 4096;
  spec.sigma = 50;
  spec.mean = 1000;
  spec.seed = muster_seed();
  CAPTURE(spec.seed);
  const SessionPlan plan = plan_session(spec, 0);
  REQUIRE(plan.time[plan.hot[0]] == kNever);
  double sum = 0, squares = 0;
  unsigned within = 0;
  for (std::uint32_t pe = 0; pe < 4096; ++pe) {
    if (pe == plan.hot[0]) continue;
    REQUIRE(plan.time[pe] >= plan.first);
    const double x = static_cast<double>(plan.time[pe]) - 1000;
    sum += x;
    squares += x * x;
    within += std::abs(x) < 50;
  }
  CHECK(std::abs(sum / 4095) < 4.0);
  CHECK(std::sqrt(squares / 4095) == Approx(50).epsilon(0.06));
  CHECK(within / 4095.0 == Approx(0.683).epsilon(0.06));
}

TEST_CASE("sessions differ and do not depend on policy or rate", "[esc]") {
  Spec spec = small(0.5);
  const SessionPlan plan = plan_session(spec, 0);
  CHECK(plan_session(spec, 1).seed != plan.seed);
  CHECK(plan_session(spec, 1).time != plan.time);
  spec.rate = 0.1;
  set_policy(spec, "hot-section:4");
  CHECK(plan_session(spec, 0).seed == plan.seed);
  CHECK(plan_session(spec, 0).time == plan.time);
  spec.seed += 1;
  CHECK(plan_session(spec, 0).seed != plan.seed);
}
