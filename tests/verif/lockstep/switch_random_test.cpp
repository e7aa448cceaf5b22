// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>

#include "models/switch_models.hpp"
#include "support/seed.hpp"
#include "support/switch_exercise.hpp"

using namespace muster;
using testing::barriers;
using testing::busy;
using testing::crowded;
using testing::light;
using testing::piled;
using testing::sparse;
using testing::starved;

namespace {

/// Returns how many barriers under way the host has cleared; it makes `writing` requests a cycle.
std::uint64_t run_random(const network::SwitchConfig& config, const testing::DriverMix& mix,
                         std::uint64_t seed, std::uint32_t blocks, std::uint64_t cycles,
                         double writing = 0.0) {
  CAPTURE(config.name, seed, mix.data, mix.sync, mix.credit, mix.own, writing);
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
  for (const verif::SwitchModel& model : verif::switch_models(network::SwitchKind::kBarrier)) {
    for (testing::DriverMix mix :
         {busy(), barriers(), crowded(), light(), piled(), starved(), sparse()}) {
      run_random(model.config, mix, seed, 2, 3000);
      if (model.config.vcs == 1) continue;
      mix.own = true;
      run_random(model.config, mix, seed + 1, 2, 3000);
    }
  }
}

TEST_CASE("short runs agree with golden before the counters of drops are full",
          "[lockstep][switch]") {
  const std::uint64_t seed = muster_seed();
  for (const verif::SwitchModel& model : verif::switch_models(network::SwitchKind::kBarrier))
    for (const testing::DriverMix& mix : {barriers(), crowded()})
      for (std::uint64_t run = 0; run < 20; ++run)
        testing::exercise({model.config, mix, seed + run, 2, 60});
}

TEST_CASE("a host writes and reads registers while traffic flows",
          "[lockstep][switch][registers]") {
  const std::uint64_t seed = muster_seed();
  for (const verif::SwitchModel& model : verif::switch_models(network::SwitchKind::kBarrier)) {
    CAPTURE(model.config.name, seed);
    std::uint64_t interrupted = 0;
    for (testing::DriverMix mix : {busy(), barriers(), starved()})
      for (const double writing : {0.02, 0.5}) {
        mix.own = model.config.vcs > 1 && writing > 0.1;
        interrupted += run_random(model.config, mix, seed + 2, 2, 3000, writing);
      }
    CHECK(interrupted > 5);
  }
}

TEST_CASE("every built switch agrees with golden for a million cycles",
          "[lockstep][switch][soak]") {
  const std::uint64_t seed = muster_seed();
  std::uint64_t round = 0;
  for (const verif::SwitchModel& model : verif::switch_models(network::SwitchKind::kBarrier))
    for (testing::DriverMix mix :
         {busy(), barriers(), crowded(), light(), piled(), starved(), sparse()})
      for (const bool own : {false, true}) {
        if (own && model.config.vcs == 1) continue;
        mix.own = own;
        run_random(model.config, mix, seed + ++round, 4, 40000);
        run_random(model.config, mix, seed + ++round, 4, 40000, 0.05);
      }
}
