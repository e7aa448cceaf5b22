// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <catch2/catch.hpp>

#include "models/link_models.hpp"
#include "muster/verif.hpp"
#include "support/link_worlds.hpp"
#include "support/seed.hpp"

using namespace muster;
using testing::LinkConditions;
using testing::LinkCounts;
using testing::LinkPair;

namespace {

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
  for (std::size_t world = 0; world < testing::kLinkWorlds.size(); ++world)
    for (unsigned run = 0; run < runs; ++run) {
      CAPTURE(config.name, seed, world, run, cycles);
      const LinkConditions conditions = world_for(config, testing::kLinkWorlds[world]);
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
        CHECK(link.read(side, 0x000) == 0x4D530805);
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

}  // namespace

TEST_CASE("every built link end agrees with golden whatever blocks, wires and hosts do",
          "[lockstep][link]") {
  const std::uint64_t seed = muster_seed();
  for (const verif::LinkModel& model : verif::link_models())
    run_worlds(model.config, seed, 4, 3000);
}

TEST_CASE("link ends agree with golden for millions of cycles", "[lockstep][link][soak]") {
  const std::uint64_t seed = muster_seed();
  for (const verif::LinkModel& model : verif::link_models())
    run_worlds(model.config, seed + 100, 40, 20000);
}
