// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>
#include <utility>
#include <vector>

#include "fabric/register_map.hpp"
#include "models/model_library.hpp"
#include "muster/verif.hpp"
#include "support/preempt_exercise.hpp"
#include "support/seed.hpp"
#include "support/switch_exercise.hpp"
#include "systems/preempt/bsr_message.hpp"
#include "systems/switch_kinds.hpp"

using namespace muster;
using testing::barriers;
using testing::busy;
using testing::crowded;
using testing::light;
using testing::piled;
using testing::pressed;
using testing::sparse;
using testing::starved;

namespace {

/// Returns how many barriers under way the host has cleared; it makes `writing` requests a cycle.
std::uint64_t run_random(const fabric::SwitchConfig& config, const testing::DriverMix& mix,
                         std::uint64_t seed, std::uint32_t blocks, std::uint64_t cycles,
                         double writing = 0.0) {
  CAPTURE(config.name, seed, mix.data, mix.sync, mix.credit, writing);
  const auto result = testing::exercise({config, mix, seed, blocks, cycles, writing});
  CHECK(result.quiet);
  CHECK(result.sent > cycles / 20);
  CHECK(result.received > cycles / 100);
  CHECK(static_cast<double>(result.writes) >= 0.5 * writing * static_cast<double>(cycles));
  return result.interrupted;
}

}  // namespace

TEST_CASE("every built switch agrees with golden under random traffic", "[lockstep][switch]") {
  const std::uint64_t seed = muster_seed();
  for (const fabric::SwitchConfig& config : verif::listed_switches(btin::kBarrierSwitch)) {
    for (const testing::DriverMix& mix :
         {busy(), barriers(), crowded(), light(), piled(), starved(), sparse(), pressed()})
      for (const std::uint64_t more : {0, 1}) run_random(config, mix, seed + more, 2, 3000);
  }
}

TEST_CASE("short runs agree with golden before the counters of drops are full",
          "[lockstep][switch]") {
  const std::uint64_t seed = muster_seed();
  for (const fabric::SwitchConfig& config : verif::listed_switches(btin::kBarrierSwitch)) {
    // The table of routes is written before a run, an entry a cycle: that of 65 536 takes longest.
    const std::uint64_t runs = config.dests > 4096 ? 2 : 20;
    for (const testing::DriverMix& mix : {barriers(), crowded()})
      for (std::uint64_t run = 0; run < runs; ++run)
        testing::exercise({config, mix, seed + run, 2, 60});
  }
}

TEST_CASE("a host writes and reads registers while traffic flows",
          "[lockstep][switch][registers]") {
  const std::uint64_t seed = muster_seed();
  for (const fabric::SwitchConfig& config : verif::listed_switches(btin::kBarrierSwitch)) {
    CAPTURE(config.name, seed);
    std::uint64_t interrupted = 0;
    for (const testing::DriverMix& mix : {busy(), barriers(), starved()})
      for (const double writing : {0.02, 0.5})
        interrupted += run_random(config, mix, seed + 2, 2, 3000, writing);
    CHECK(interrupted > 5);
  }
}

TEST_CASE("a host reads or writes registers in every cycle while packets read and write them too",
          "[lockstep][switch][registers]") {
  const std::uint64_t seed = muster_seed();
  std::uint64_t run = 0;
  for (const fabric::SwitchConfig& config : verif::listed_switches(btin::kBarrierSwitch))
    for (testing::DriverMix mix : {busy(), light()})
      for (const auto& [writing, polling] :
           {std::pair{0.0, 0.5}, {0.0, 1.0}, {0.05, 0.8}, {0.5, 1.0}, {1.0, 0.0}}) {
        mix.request = 0.6;
        CAPTURE(config.name, seed, run, mix.data, writing, polling);
        const auto result =
            testing::exercise({config, mix, seed + ++run, 2, 3000, writing, polling});
        CHECK(result.quiet);
        CHECK(result.received > 100);
      }
}

TEST_CASE(
    "a switch that guards itself agrees with golden whatever neighbours, packets and hosts do",
    "[lockstep][switch][guard]") {
  const std::uint64_t seed = muster_seed();
  for (const fabric::SwitchConfig& config : verif::listed_switches(btin::kBarrierSwitch)) {
    if (!config.guard) continue;
    std::uint64_t refused = 0, lost = 0, given_up = 0, run = 0;
    for (testing::DriverMix mix : {busy(), barriers(), crowded(), light(), starved(), sparse()})
      for (const double hostile : {0.05, 0.4})
        for (const double writing : {0.0, 0.02, 0.5}) {
          mix.hostile = hostile;
          mix.request = 0.6;
          CAPTURE(config.name, seed, run, hostile, writing, mix.data);
          const auto result = testing::exercise({config, mix, seed + ++run, 2, 3000, writing});
          CHECK(result.quiet);
          refused += result.refused;
          lost += result.lost;
          given_up += result.given_up;
        }
    CAPTURE(config.name, seed);
    CHECK((given_up > 100) == config.spill);
    CHECK(refused > 100);
    CHECK(lost > 100);
  }
}

TEST_CASE("links that go down and come back at any flit mix no packet with another",
          "[lockstep][switch]") {
  const std::uint64_t seed = muster_seed();
  for (const fabric::SwitchConfig& config : verif::listed_switches(btin::kBarrierSwitch)) {
    std::uint64_t run = 0;
    for (testing::DriverMix mix : {busy(), crowded(), light(), starved()})
      for (const double broken : {0.02, 0.4})
        for (const double hostile : {0.0, 0.1}) {
          if (hostile > 0.0 && !config.guard) continue;
          mix.broken = broken;
          mix.hostile = hostile;
          CAPTURE(config.name, seed, run, broken, hostile, mix.data);
          const auto result = testing::exercise({config, mix, seed + ++run, 2, 3000});
          CHECK(result.quiet);
          CHECK(result.headless > (broken > 0.1 ? 100 : 20));
        }
  }
}

TEST_CASE("the counter of packets without a route stays at its end", "[lockstep][switch]") {
  constexpr std::uint32_t kEnd = 0xffff;
  const auto configs = verif::listed_switches(btin::kBarrierSwitch);
  const fabric::SwitchConfig& config = configs.front();
  CAPTURE(config.name);
  auto bank = verif::make_lockstep_engine()->make_switches(config, 1, {});
  for (std::uint32_t d = 0; d < config.dests; ++d)
    bank->write_register(0, fabric::registers::kRoutes + d, 0);
  core::Flit packet;
  packet.kind = core::Flit::kHead | core::Flit::kTail;
  packet.lo = 1;
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

TEST_CASE("every built switch agrees with golden for a million cycles",
          "[lockstep][switch][soak]") {
  const std::uint64_t seed = muster_seed();
  std::uint64_t round = 0;
  for (const fabric::SwitchConfig& config : verif::listed_switches(btin::kBarrierSwitch))
    for (const testing::DriverMix& mix :
         {busy(), barriers(), crowded(), light(), piled(), starved(), sparse(), pressed()})
      for (int twice = 0; twice < 2; ++twice) {
        run_random(config, mix, seed + ++round, 4, 40000);
        run_random(config, mix, seed + ++round, 4, 40000, 0.05);
      }
}

namespace {

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

}  // namespace

TEST_CASE("every built preempting switch agrees with golden under random messages and data",
          "[lockstep][preempt]") {
  every_switch(6, 1000);
}

TEST_CASE("every built preempting switch agrees with golden for long",
          "[lockstep][preempt][soak]") {
  every_switch(60, 10'000);
}
