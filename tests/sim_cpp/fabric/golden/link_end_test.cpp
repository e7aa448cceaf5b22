// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <catch2/catch.hpp>

#include "fabric/golden/link_bank.hpp"
#include "support/link_pair.hpp"
#include "support/random.hpp"

using namespace muster;
using fabric::LinkConfig;
using testing::LinkConditions;
using testing::LinkCounts;
using testing::LinkPair;
using testing::LinkTraffic;
using State = LinkPair::State;
using Reason = LinkPair::Reason;

namespace {

constexpr LinkTraffic kBusy{.send = 0.9, .sync = 0.2, .credit = 0.8};
constexpr LinkTraffic kSilent{.send = 0, .credit = 1};

/// Two ends of every latency that the timeout allows, in which blocks never overflow a buffer.
const LinkConfig kConfigs[] = {
    {.name = "link2"},
    {.name = "link1", .vcs = 1, .slots = 8},
    {.name = "link1r", .vcs = 1, .slots = 16, .lossy = 1},
    {.name = "one place", .vcs = 1, .depth = 15, .timeout = 20, .lossy = 1},
    {.name = "pocket", .vcs = 3, .depth = 2, .flit_w = 32, .pocket = 1, .slots = 8, .timeout = 40},
    {.name = "least", .vcs = 1, .depth = 1, .slots = 4, .timeout = 7, .retries = 1},
    {.name = "largest",
     .vcs = 4,
     .depth = 8,
     .flit_w = 64,
     .slots = 32,
     .timeout = 255,
     .retries = 15},
    {.name = "deepest", .vcs = 2, .depth = 15, .flit_w = 17, .slots = 32, .timeout = 20}};

LinkPair pair(const LinkConfig& config, const LinkConditions& conditions, std::uint64_t seed) {
  return LinkPair(
      config,
      [config](std::uint64_t) { return std::make_unique<golden::GoldenLinkBank>(config, 1); },
      conditions, seed);
}

/// From reset of both ends to Up, at most.
std::uint64_t handshake(const LinkConfig& c, std::uint32_t latency) {
  return 3 * c.timeout + 4 * latency + 8;
}
/// From the last progress to Down, at most.
std::uint64_t silence(const LinkConfig& c) { return (c.retries + 1) * c.timeout + 2; }

std::uint32_t longest(const LinkConfig& c) {
  return std::max<std::uint32_t>(1, (c.timeout - 5) / 2);
}

}  // namespace

TEST_CASE("whatever is lost, duplicated or corrupted, all comes once and in order", "[link]") {
  const std::uint64_t seed = muster_seed();
  LinkCounts sum;
  for (const LinkConfig& given : kConfigs) {
    LinkConfig config = given;
    config.retries = 15;  // so that it stays up
    for (std::uint64_t run = 0; run < 8; ++run) {
      const std::uint32_t latency = run % 2 == 0 ? 1 : longest(config);
      const double p = std::array{0.0, 0.03, 0.03, 0.15}[run / 2];
      CAPTURE(config.name, seed, run, latency, p);
      LinkPair link = pair(config, {.latency = latency, .traffic = kBusy}, seed + run);
      REQUIRE(link.run_until([&] { return link.both(State::kUp); }, handshake(config, latency)));
      link.set_faults({.lost = p, .doubled = p, .corrupted = p});
      link.run(4000);
      link.set_faults({});
      link.conditions().traffic = kSilent;
      REQUIRE(link.run_until([&] { return link.at_rest(); }, 20 * config.timeout));
      const LinkCounts counts = link.counts();
      if (config.lossy == 0) CHECK(counts.delivered == counts.sent);
      CHECK(counts.sessions == 2);
      if (p == 0.0) CHECK((counts.replays == 0 && counts.rejected == 0 && counts.delivered > 1000));
      sum += counts;
    }
  }
  CHECK(sum.replays > 100);
  CHECK(sum.rejected > 1000);
  CHECK(sum.synced > 100);
}

TEST_CASE("two ends come up whichever is reset first", "[link]") {
  const std::uint64_t seed = muster_seed();
  for (const LinkConfig& config : kConfigs)
    for (std::uint32_t late = 0; late <= 100; ++late) {
      const std::uint32_t latency = late % 3 == 0 ? longest(config) : 1;
      CAPTURE(config.name, late, latency, seed);
      LinkPair link = pair(config, {.latency = latency, .traffic = kSilent, .late = late}, seed);
      REQUIRE(
          link.run_until([&] { return link.both(State::kUp); }, late + handshake(config, latency)));
      REQUIRE(link.run_until([&] { return link.at_rest(); }, 4 * latency + 8));
      CHECK(link.counts().downs == LinkCounts{}.downs);
    }
}

TEST_CASE("an end whose other end is reset goes down, and both come back", "[link]") {
  const std::uint64_t seed = muster_seed();
  for (const LinkConfig& config : kConfigs)
    for (const unsigned side : {0u, 1u}) {
      CAPTURE(config.name, side, seed);
      const std::uint32_t latency = longest(config);
      LinkPair link = pair(config, {.latency = latency, .traffic = kBusy, .restart = 0}, seed);
      REQUIRE(link.run_until([&] { return link.both(State::kUp); }, handshake(config, latency)));
      link.run(200);
      link.reset(side);
      REQUIRE(link.run_until([&] { return link.state(1 - side) == State::kDown; },
                             handshake(config, latency)));
      CHECK(link.reason(1 - side) == Reason::kOther);
      link.conditions().restart = 1;
      REQUIRE(link.run_until([&] { return link.both(State::kUp); },
                             600 + 3 * handshake(config, latency)));
      const auto before = link.counts().delivered;
      link.run(200);
      CHECK(link.counts().delivered > before);
    }
}

TEST_CASE("an end that hears nothing goes down within a bound", "[link]") {
  const std::uint64_t seed = muster_seed();
  for (const LinkConfig& config : kConfigs) {
    CAPTURE(config.name, seed);
    LinkPair link = pair(config, {.traffic = kBusy, .restart = 0}, seed);
    REQUIRE(link.run_until([&] { return link.both(State::kUp); }, handshake(config, 1)));
    link.run(300);
    link.set_faults({.lost = 1});
    REQUIRE(link.run_until([&] { return link.both(State::kDown); }, 60 + silence(config)));
    CHECK(link.reason(0) == Reason::kSilent);
    CHECK(link.reason(1) == Reason::kSilent);
    // Of an end that says nothing itself the silence is no fault.
    LinkPair quiet = pair(config, {.traffic = kSilent}, seed);
    REQUIRE(quiet.run_until([&] { return quiet.at_rest(); }, handshake(config, 1)));
    quiet.set_faults({.lost = 1});
    quiet.run(10 * silence(config));
    CHECK(quiet.at_rest());
  }
}

TEST_CASE("a link that is killed goes down at both ends, ends its packets and begins again",
          "[link]") {
  const std::uint64_t seed = muster_seed();
  LinkCounts sum;
  for (const LinkConfig& config : kConfigs)
    for (std::uint64_t run = 0; run < 10; ++run) {
      CAPTURE(config.name, seed, run);
      LinkPair link = pair(config, {.traffic = kBusy, .restart = 0}, seed + run);
      REQUIRE(link.run_until([&] { return link.both(State::kUp); }, handshake(config, 1)));
      link.run(100 + run);
      link.write(0, fabric::link_registers::kCommandKill.mask());
      REQUIRE(link.run_until([&] { return link.both(State::kDown); }, 8));
      CHECK(link.reason(0) == Reason::kKilled);
      CHECK(link.reason(1) == Reason::kOther);
      link.conditions().traffic = kSilent;
      link.run(300);
      for (const unsigned side : {0u, 1u}) {
        CHECK(link.bank(side).irq(0));
        CHECK(link.bank(side).quiescent(0));
        CHECK(link.block(side).all_back());
        CHECK(link.block(side).empty());
        CHECK(fabric::link_registers::kStatusDrained.of(link.status(side)));
        for (std::uint32_t vc = 0; vc < config.vcs; ++vc) CHECK_FALSE(link.block(side).open(vc));
      }
      link.conditions().restart = 1;
      link.conditions().traffic = kBusy;
      REQUIRE(link.run_until([&] { return link.both(State::kUp); }, 4 * handshake(config, 1)));
      link.run(200);
      link.conditions().traffic = kSilent;
      REQUIRE(link.run_until([&] { return link.at_rest(); }, 20 * config.timeout));
      sum += link.counts();
    }
  CHECK(sum.ended > 20);
}

TEST_CASE("sessions follow one another whatever happens", "[link]") {
  const std::uint64_t seed = muster_seed();
  LinkCounts sum;
  for (const LinkConfig& config : kConfigs)
    for (std::uint64_t run = 0; run < 4; ++run) {
      CAPTURE(config.name, seed, run);
      LinkConditions world{.latency = run % 2 == 0 ? 1 : longest(config),
                           .traffic = kBusy,
                           .faults = {.lost = 0.02,
                                      .doubled = 0.02,
                                      .corrupted = 0.02,
                                      .dead = 0.0005,
                                      .dead_cycles = 400},
                           .kill = 0.0005,
                           .reset = 0.0005};
      if (run == 3) world.traffic.flood = 0.02;
      LinkPair link = pair(config, world, seed + run);
      link.run(20000);
      sum += link.counts();
    }
  for (unsigned reason = 1; reason <= 4; ++reason) {
    CAPTURE(reason);
    CHECK(sum.downs[reason] > 5);
  }
  CHECK(sum.sessions > 200);
  CHECK(sum.ended > 20);
  CHECK(sum.resets > 50);
}
