// SPDX-License-Identifier: Apache-2.0
#include "systems/esc/sources.hpp"

#include <array>
#include <catch2/catch.hpp>
#include <deque>
#include <vector>

#include "support/random.hpp"

using namespace muster;
using namespace muster::esc;

namespace {

Spec small(double rate) {
  Spec spec;
  spec.pes = 16;
  spec.rate = rate;
  spec.mean = 200;
  spec.sigma = 20;
  spec.seed = muster_seed();
  return spec;
}

}  // namespace

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
