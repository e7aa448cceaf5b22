// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>

#include "models/model_library.hpp"
#include "support/random.hpp"
#include "support/switch_exercise.hpp"
#include "systems/switch_kinds.hpp"

using namespace muster;
using testing::DriverMix;

namespace {

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

}  // namespace

TEST_CASE("every built multicast switch agrees with golden under random worms and data",
          "[lockstep][multicast]") {
  run_worms(1, 4000);
}

TEST_CASE("every built multicast switch agrees with golden for long",
          "[lockstep][multicast][soak]") {
  run_worms(10, 40000);
}
