// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>

#include "models/nic_models.hpp"
#include "support/nic_exercise.hpp"
#include "support/seed.hpp"

using namespace muster;
using testing::NicConditions;
using testing::NicExerciseResult;

namespace {

/// All worlds; what they add up to shows that nothing was left out.
void run_worlds(const nic::NicConfig& config, std::uint64_t seed, unsigned runs,
                std::uint64_t cycles) {
  NicExerciseResult sum;
  for (const NicConditions& world : testing::kNicConditions) {
    for (unsigned run = 0; run < runs; ++run) {
      CAPTURE(config.name, seed, world.packet, world.credit, world.ready, run, cycles);
      const NicExerciseResult one = testing::exercise(config, world, seed + run, cycles);
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

}  // namespace

TEST_CASE("every built NIC barrier engine agrees with golden whatever link and host do",
          "[lockstep][nic]") {
  const std::uint64_t seed = muster_seed();
  for (const verif::NicModel& model : verif::nic_models()) run_worlds(model.config, seed, 6, 2500);
}

TEST_CASE("NIC barrier engines agree with golden for a million cycles", "[lockstep][nic][soak]") {
  const std::uint64_t seed = muster_seed();
  for (const verif::NicModel& model : verif::nic_models())
    run_worlds(model.config, seed + 100, 20, 10000);
}
