// SPDX-License-Identifier: Apache-2.0
#include "models/model_library.hpp"
#include "muster/verif.hpp"
#include "support/exercises.hpp"
#include "systems/switch_kinds.hpp"

using namespace muster;
using namespace muster::testing;

namespace {

const std::vector<DriverMix> kMixes = {busy(),  barriers(), crowded(), light(),
                                       piled(), starved(),  sparse(),  pressed()};

/// What is done to every built switch that takes it: each of the mixes with each of the rates, so
/// many times.
struct Conditions {
  std::vector<DriverMix> mixes = kMixes;
  std::vector<std::pair<double, double>> hosts = {{0.0, 0.0}};  ///< writes, polls a cycle
  std::vector<double> hostile = {0.0}, broken = {0.0};
  double request = DriverMix{}.request;
  std::uint64_t times = 1, cycles = 1500;
  std::uint32_t blocks = 2;
};

/// A table of more routes takes longer to write, an entry a cycle, than the exercise does: of the
/// exercises such a switch gets one in kOneIn.
constexpr std::uint32_t kLargeTable = 4096, kOneIn = 8;

/// Traffic that comes to rest after each exercise; what happened to this switch in all of them.
ExerciseResult exercise(const fabric::SwitchConfig& config, const Conditions& world) {
  ExerciseResult sum;
  std::uint64_t seed = muster_seed(), number = 0;
  for (DriverMix mix : world.mixes)
    for (const auto& [writing, polling] : world.hosts)
      for (const double hostile : world.hostile)
        for (const double broken : world.broken)
          for (std::uint64_t time = 0; time < world.times; ++time) {
            if (hostile > 0.0 && !btin::variant(config).guard) continue;
            if (number++ % kOneIn != 1 && config.dests > kLargeTable) continue;
            mix.hostile = hostile;
            mix.broken = broken;
            mix.request = world.request;
            CAPTURE(config.name, ++seed, mix.data, mix.sync, mix.credit, writing, polling, hostile,
                    broken);
            const ExerciseResult one = testing::exercise(
                {config, mix, seed, world.blocks, world.cycles, writing, polling});
            CHECK(one.quiet);
            if (broken > 0.0) CHECK(one.headless > world.cycles / (broken > 0.1 ? 30 : 150));
            CHECK(one.sent >= world.cycles / 20);
            CHECK(one.received >= world.cycles / 100);
            CHECK(one.writes >=
                  static_cast<std::uint64_t>(0.5 * writing * static_cast<double>(world.cycles)));
            sum.interrupted += one.interrupted;
            sum.refused += one.refused;
            sum.lost += one.lost;
            sum.given_up += one.given_up;
          }
  return sum;
}

std::vector<fabric::SwitchConfig> built() { return verif::listed_switches(btin::kBarrierSwitch); }

TEST_CASE("every built switch agrees with golden under random traffic", "[lockstep][switch]") {
  for (const fabric::SwitchConfig& config : built()) exercise(config, {.times = 2});
}

TEST_CASE("short runs agree with golden before the counters of drops are full",
          "[lockstep][switch]") {
  for (const fabric::SwitchConfig& config : built())
    exercise(config, {.mixes = {barriers(), crowded()},
                      .times = config.dests > kLargeTable ? 4u : 20u,
                      .cycles = 60});
}

TEST_CASE("a host writes and reads registers while traffic flows, and packets do too",
          "[lockstep][switch][registers]") {
  for (const fabric::SwitchConfig& config : built()) {
    const auto writes = exercise(
        config, {.mixes = {busy(), barriers(), starved()}, .hosts = {{0.02, 0.0}, {0.5, 0.0}}});
    CAPTURE(config.name, muster_seed());
    if (config.dests <= kLargeTable) CHECK(writes.interrupted > 5);
    exercise(config, {.mixes = {busy(), light()},
                      .hosts = {{0.0, 0.5}, {0.0, 1.0}, {0.05, 0.8}, {0.5, 1.0}, {1.0, 0.0}},
                      .request = 0.6});
  }
}

TEST_CASE(
    "a switch that guards itself agrees with golden whatever neighbours, packets and hosts do",
    "[lockstep][switch][guard]") {
  for (const fabric::SwitchConfig& config : built()) {
    if (!btin::variant(config).guard) continue;
    const auto sum =
        exercise(config, {.mixes = {busy(), barriers(), crowded(), light(), starved(), sparse()},
                          .hosts = {{0.0, 0.0}, {0.02, 0.0}, {0.5, 0.0}},
                          .hostile = {0.05, 0.4},
                          .request = 0.6,
                          .cycles = 3000});
    CAPTURE(config.name, muster_seed());
    CHECK((sum.given_up > 100) == btin::variant(config).spill);
    CHECK(sum.refused > 100);
    CHECK(sum.lost > 100);
  }
}

TEST_CASE("links that go down and come back at any flit mix no packet with another",
          "[lockstep][switch]") {
  for (const fabric::SwitchConfig& config : built())
    exercise(config, {.mixes = {busy(), crowded(), light(), starved()},
                      .hostile = {0.0, 0.1},
                      .broken = {0.02, 0.4}});
}

TEST_CASE("every built switch agrees with golden for a million cycles",
          "[lockstep][switch][soak]") {
  for (const fabric::SwitchConfig& config : built())
    exercise(config,
             {.hosts = {{0.0, 0.0}, {0.05, 0.0}}, .times = 2, .cycles = 40000, .blocks = 4});
}

TEST_CASE("the counter of packets without a route stays at its end", "[lockstep][switch]") {
  constexpr std::uint32_t kEnd = 0xffff;
  const fabric::SwitchConfig config = built().front();
  CAPTURE(config.name);
  auto bank = verif::make_lockstep_engine()->make_switches(config, 1, {});
  for (std::uint32_t d = 0; d < config.dests; ++d)
    bank->write_register(0, fabric::registers::kRoutes + d, 0);
  const core::Flit packet{.lo = 1, .kind = core::Flit::kHead | core::Flit::kTail};
  const std::uint32_t all[] = {0};
  std::vector<std::uint32_t> credits(config.ports, config.depth);
  std::uint32_t count = 0;
  std::uint64_t full_for = 0;
  for (std::uint64_t cycle = 0; full_for < 1000; ++cycle) {
    REQUIRE(cycle < 400'000);
    for (std::uint32_t p = 0; p < config.ports; ++p) {
      credits[p] += bank->wires(0).rx_back >> (4 * p) & 1;
      if (credits[p] == 0) continue;
      --credits[p];
      bank->rx(0, p) = packet;
      bank->wires(0).rx_valid |= static_cast<std::uint16_t>(1u << p);
    }
    bank->clock(cycle, all);
    if (cycle % 64 == 0) {
      const std::uint32_t before =
          std::exchange(count, bank->read_register(0, fabric::registers::kNoRouteDrops));
      REQUIRE(count >= before);
    }
    full_for += count == kEnd;
  }
}

constexpr const fabric::SwitchKind* kKinds[] = {&preempt::kBsr1, &preempt::kBsr2, &preempt::kBsr3};

void every_switch(std::uint64_t rounds, std::uint64_t cycles) {
  std::uint64_t seed = muster_seed();
  for (const fabric::SwitchKind* kind : kKinds) {
    testing::PreemptResult totals;
    bool guards = false;
    std::uint32_t guarded = 0;  // the longest wait of switches II
    const auto configs = verif::listed_switches(*kind);
    for (const fabric::SwitchConfig& config : configs) {
      for (const testing::PreemptMix& mix : testing::kPreemptMixes) {
        for (std::uint64_t round = 0; round < rounds; ++round) {
          CAPTURE(config.name, ++seed, mix.data, mix.messages, mix.controls, mix.credit,
                  mix.writes);
          const auto t = testing::exercise(config, mix, seed, cycles);
          CHECK(t.quiet);
          totals.sent += t.sent;
          totals.cuts += t.cuts;
          totals.pads += t.pads;
          totals.messages += t.messages;
          totals.writes += t.writes;
          // With one channel to cut a message waits for the end of its guard, now and then.
          if (kind == &preempt::kBsr2) {
            guards = true;
            guarded = std::max(guarded, t.wait);
          }
        }
      }
    }
    CAPTURE(seed, kind->name);
    const std::uint64_t all = configs.size() * rounds * cycles;
    CHECK(totals.sent >= all);
    CHECK(totals.cuts >= all / 100);
    CHECK(totals.pads >= all / 100);
    CHECK(totals.messages >= all / 20);
    CHECK(totals.writes >= all / 100);
    if (guards) CHECK(guarded > 16);
  }
}

TEST_CASE("every built preempting switch agrees with golden under random messages and data",
          "[lockstep][preempt]") {
  every_switch(3, 1000);
}

TEST_CASE("every built preempting switch agrees with golden for long",
          "[lockstep][preempt][soak]") {
  every_switch(60, 10'000);
}

using testing::DriverMix;

/// Busy; worms meet few data; outputs that hardly take anything, so that buffers and queues are
/// full; gaps within packets; only worms; links that go down and come back at any flit.
const DriverMix kWormMixes[] = {
    {.data = 0.9, .sync = 0.05, .credit = 0.95, .pause = 0.0, .worms = 0.9},
    {.data = 0.1, .sync = 0.02, .credit = 0.9, .pause = 0.0, .worms = 0.1},
    {.data = 0.9, .sync = 0.0, .credit = 0.08, .pause = 0.0, .worms = 0.9},
    {.data = 0.2, .sync = 0.01, .credit = 0.5, .pause = 0.1, .worms = 0.05},
    {.data = 0.0, .sync = 0.0, .credit = 1.0, .pause = 0.0, .worms = 0.9},
    {.data = 0.9, .sync = 0.05, .credit = 0.95, .pause = 0.0, .broken = 0.1, .worms = 0.9},
    {.data = 0.9, .sync = 0.0, .credit = 0.5, .broken = 0.02, .worms = 0.9},
};

void run_worms(std::uint64_t rounds, std::uint64_t cycles) {
  std::uint64_t seed = muster_seed();
  for (const fabric::SwitchConfig& config : verif::listed_switches(packets::kMulticastSwitch))
    for (const DriverMix& mix : kWormMixes)
      for (std::uint64_t round = 0; round < rounds; ++round) {
        CAPTURE(config.name, ++seed, mix.data, mix.worms, mix.credit, mix.broken);
        const auto result = testing::exercise({config, mix, seed, 1, cycles, 0.02});
        CHECK(result.quiet);
        CHECK(result.sent > cycles / 20);
        CHECK(result.received > cycles / 100);
        CHECK(result.worm_heads > result.worms);  // replicated
        CHECK((result.headless > 20) == (mix.broken > 0.0));
      }
}

TEST_CASE("every built multicast switch agrees with golden under random worms and data",
          "[lockstep][multicast]") {
  run_worms(1, 4000);
}

TEST_CASE("every built multicast switch agrees with golden for long",
          "[lockstep][multicast][soak]") {
  run_worms(10, 40000);
}

}  // namespace
