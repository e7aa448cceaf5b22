// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>

#include "models/box_models.hpp"
#include "support/box_exercise.hpp"
#include "support/seed.hpp"

using namespace muster;

namespace {

void run_random(const esc::BoxConfig& config, std::uint64_t seed, std::uint64_t cycles) {
  CAPTURE(config.size, config.depth, seed);
  const auto result = testing::exercise(config, seed, cycles);
  CHECK(result.quiet);
  for (const std::uint64_t taken : result.taken) CHECK(taken > cycles / 20);
  CHECK(result.comparisons > 2 * 8 * cycles * (2 * config.size + 1));
}

}  // namespace

TEST_CASE("every built box agrees with golden under random traffic", "[lockstep][esc]") {
  REQUIRE_FALSE(verif::box_models().empty());
  for (const verif::BoxModel& model : verif::box_models())
    run_random(model.config, muster_seed(), 400);
}

TEST_CASE("every built box agrees with golden for a million cycles", "[lockstep][esc][soak]") {
  std::uint64_t round = 0;
  for (const verif::BoxModel& model : verif::box_models())
    for (int i = 0; i < 4; ++i) run_random(model.config, muster_seed() + ++round, 2000);
}
