// SPDX-License-Identifier: Apache-2.0
#include "models/model_library.hpp"
#include "muster/verif.hpp"
#include "support/exercises.hpp"
#include "support/link_pair.hpp"
#include "systems/esc/box_factory.hpp"
#include "systems/nic/nic_factory.hpp"

namespace muster::testing {
namespace {

/// Calm; bad wires; wires that are dead at times; everything at once, over the longest of two
/// latencies; blocks that give no credit to speak of; blocks that break the rules; frames that no
/// wires make.
const std::array<LinkConditions, 7> kLinkWorlds = {{
    {.traffic = {.send = 0.3}, .kill = 0.0005, .late = 30},
    {.traffic = {.send = 0.9}, .faults = {.lost = 0.1, .doubled = 0.05, .corrupted = 0.1}},
    {.latency = 3,
     .traffic = {.send = 0.1},
     .faults = {.lost = 0.01, .dead = 0.003, .dead_cycles = 250},
     .kill = 0.0002},
    {.latency = 5,
     .traffic = {.send = 1, .credit = 0.9},
     .faults =
         {.lost = 0.02, .doubled = 0.02, .corrupted = 0.02, .dead = 0.0005, .dead_cycles = 250},
     .kill = 0.002,
     .reset = 0.001,
     .host = 0.2},
    {.traffic = {.send = 0.9, .credit = 0.03},
     .faults = {.lost = 0.02, .corrupted = 0.02},
     .kill = 0.002},
    {.traffic = {.send = 0.9, .sync = 0.5, .flood = 0.3},
     .faults = {.lost = 0.02, .dead = 0.002, .dead_cycles = 40},
     .restart = 0.2},
    {.traffic = {.send = 0.6},
     .faults = {.lost = 0.01, .corrupted = 0.01, .forged = 0.02},
     .kill = 0.0005,
     .restart = 0.2,
     .checked = false},
}};

void run_random(const esc::BoxConfig& config, std::uint64_t seed, std::uint64_t cycles) {
  CAPTURE(config.size, config.depth, seed);
  const auto result = exercise(config, seed, cycles);
  CHECK(result.quiet);
  for (const std::uint64_t taken : result.taken) CHECK(taken > cycles / 20);
  CHECK(result.comparisons > 2 * 8 * cycles * (2 * config.size + 1));
}

TEST_CASE("every built box agrees with golden under random traffic", "[lockstep][esc]") {
  const auto configs = verif::listed("box", esc::box_config);
  REQUIRE_FALSE(configs.empty());
  for (const esc::BoxConfig& config : configs) run_random(config, muster_seed(), 400);
}

TEST_CASE("every built box agrees with golden for a million cycles", "[lockstep][esc][soak]") {
  std::uint64_t round = 0;
  for (const esc::BoxConfig& config : verif::listed("box", esc::box_config))
    for (int i = 0; i < 4; ++i) run_random(config, muster_seed() + ++round, 2000);
}

/// The world for ends of this configuration: wires that may be too long for them, or dead for too
/// short a time.
LinkConditions world_for(const fabric::LinkConfig& config, LinkConditions world) {
  constexpr std::uint32_t kMargin = 5;
  const std::uint32_t longest = config.timeout < kMargin + 2 ? 1 : (config.timeout - kMargin) / 2;
  world.latency = std::min(world.latency, longest);
  if (world.faults.dead_cycles != 0)
    world.faults.dead_cycles = 2 * (config.retries + 1) * config.timeout;
  return world;
}

/// Pairs of ends in all worlds; what they add up to shows that nothing was left out.
void run_worlds(const fabric::LinkConfig& config, std::uint64_t seed, unsigned runs,
                std::uint64_t cycles) {
  const auto engine = verif::make_lockstep_engine();
  LinkCounts sum;
  for (std::size_t world = 0; world < kLinkWorlds.size(); ++world)
    for (unsigned run = 0; run < runs; ++run) {
      CAPTURE(config.name, seed, world, run, cycles);
      const LinkConditions conditions = world_for(config, kLinkWorlds[world]);
      const auto make = [&](std::uint64_t end) {
        fabric::BankOptions options;
        options.assertions = conditions.checked;
        options.random_init = true;
        options.seed = end;
        return fabric::links_of(*engine)->make_links(config, 1, options);
      };
      LinkPair link(config, make, conditions, seed + run);
      link.run(cycles);
      CHECK(link.counts().comparisons > 8 * cycles);
      for (const unsigned side : {0u, 1u}) {
        CHECK(link.read(side, 0x000) == 0x4D530807);
        CHECK(link.read(side, 0x002) ==
              (config.retries << 28 | config.timeout << 20 | config.slots << 12 |
               config.pocket << 11 | config.depth << 6 | config.vcs << 3 | config.lossy << 2));
        for (const std::uint32_t none : {0x003u, 0x101u, 0xfffu}) CHECK(link.read(side, none) == 0);
      }
      if (config.lossy != 0 && conditions.checked) CHECK(link.counts().downs[3] == 0);
      sum += link.counts();
    }
  CAPTURE(config.name, seed);
  // Where a timeout is long there are fewer of everything.
  const std::uint64_t some = config.timeout < 32 ? 20 : 1;
  CHECK(sum.delivered > 20 * some);
  CHECK(sum.sessions > some);
  CHECK(sum.quiet > 0);
  CHECK(sum.resets > 0);
  CHECK(sum.ended > 0);
  CHECK(sum.replays > some);
  CHECK(sum.rejected > some);
  CHECK(sum.downs[2] > 0);
  CHECK(sum.downs[4] > 0);
  CHECK((sum.lost > some) == (config.lossy != 0));
  // Wires are dead for long enough; credits and groups are more than places.
  if (cycles > 8 * (config.retries + 1) * config.timeout) CHECK(sum.downs[1] > 0);
  const bool overflows = config.pocket == 0 || config.slots < config.vcs * config.depth;
  if (overflows && config.lossy == 0) CHECK(sum.downs[3] > 0);
}

TEST_CASE("every built link end agrees with golden whatever blocks, wires and hosts do",
          "[lockstep][link]") {
  for (const fabric::LinkConfig& config : verif::listed("link", fabric::link_config))
    run_worlds(config, muster_seed(), 4, 3000);
}

TEST_CASE("link ends agree with golden for millions of cycles", "[lockstep][link][soak]") {
  for (const fabric::LinkConfig& config : verif::listed("link", fabric::link_config))
    run_worlds(config, muster_seed() + 100, 40, 20000);
}

/// All worlds; what they add up to shows that nothing was left out.
void run_worlds(const nic::NicConfig& config, std::uint64_t seed, unsigned runs,
                std::uint64_t cycles) {
  NicExerciseResult sum;
  for (const NicConditions& world : kNicConditions) {
    for (unsigned run = 0; run < runs; ++run) {
      CAPTURE(config.name, seed, world.packet, world.credit, world.ready, run, cycles);
      const NicExerciseResult one = exercise(config, world, seed + run, cycles);
      CHECK(one.comparisons > 8 * cycles);
      sum.sent += one.sent;
      sum.quiet += one.quiet;
      for (unsigned i = 0; i < one.events.size(); ++i) sum.events[i] += one.events[i];
      for (unsigned i = 0; i < one.drops.size(); ++i) sum.drops[i] += one.drops[i];
    }
  }
  CAPTURE(config.name, seed);
  CHECK(sum.sent > 1000);
  CHECK(sum.quiet > 0);
  for (unsigned kind = 0; kind < sum.events.size(); ++kind) {
    CAPTURE(kind);
    const bool dead = kind == 1;  // an event unit asks no peer, so it takes none for dead
    CHECK((sum.events[kind] > 0) == !(dead && config.chained != 0));
  }
  for (unsigned i = 0; i < sum.drops.size(); ++i) {
    CAPTURE(i);
    CHECK(sum.drops[i] > 0);
  }
}

TEST_CASE("every built NIC barrier engine agrees with golden whatever link and host do",
          "[lockstep][nic]") {
  for (const nic::NicConfig& config : verif::listed("nic", nic::nic_config))
    run_worlds(config, muster_seed(), 6, 2500);
}

TEST_CASE("NIC barrier engines agree with golden for a million cycles", "[lockstep][nic][soak]") {
  for (const nic::NicConfig& config : verif::listed("nic", nic::nic_config))
    run_worlds(config, muster_seed() + 100, 20, 10000);
}

}  // namespace
}  // namespace muster::testing
