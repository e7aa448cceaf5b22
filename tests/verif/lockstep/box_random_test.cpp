// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>

#include "engines.hpp"
#include "models/box_models.hpp"
#include "network/box_factory.hpp"
#include "support/box_traffic.hpp"
#include "support/seed.hpp"

using namespace muster;
using testing::BoxMix;

namespace {

/// Calm, all outputs at full rate, one hot output, broadcasts among others and alone, outputs that
/// hardly move, offers that change their mind, and next to nothing.
const BoxMix kMixes[] = {
    {.offer = 0.5, .leave = 0.9},
    {.offer = 1.0, .leave = 1.0},
    {.offer = 0.6, .broadcast = 0.02, .hot = 0.7, .leave = 0.9},
    {.offer = 0.8, .broadcast = 0.4, .leave = 0.8},
    {.offer = 1.0, .broadcast = 1.0, .leave = 1.0},
    {.offer = 0.9, .broadcast = 0.1, .hot = 0.3, .leave = 0.06},
    {.offer = 0.9, .broadcast = 0.2, .leave = 0.5, .change = 0.5, .withdraw = 0.2},
    {.offer = 0.02, .broadcast = 0.2, .leave = 0.5},
};

/// Eight boxes of one configuration in several stages: each mix for `cycles` cycles, all in one
/// run, so that one begins with what the other has left; then until they are empty.
void run_random(const network::BoxConfig& config, std::uint64_t seed, std::uint64_t cycles) {
  CAPTURE(config.size, config.depth, seed);
  const std::vector<std::uint8_t> stages = {0, 0, 1, 1, 2, 3, 4, 5};
  const auto engine = verif::make_lockstep_engine();
  const auto bank = engine->boxes()->make_boxes(config, stages);
  for (std::uint16_t round = 0; round < 2; ++round) {  // a reset in mid-traffic forgets everything
    std::vector<std::uint16_t> seeds;
    for (std::uint16_t b = 0; b < stages.size(); ++b)
      seeds.push_back(static_cast<std::uint16_t>(b * (seed + round)));
    bank->reset(seeds);
    testing::BoxTraffic traffic(*bank, stages, seed + round);
    std::uint64_t cycle = 0;
    for (const BoxMix& mix : kMixes) {
      CAPTURE(mix.offer, mix.broadcast, mix.hot, mix.leave);
      const std::uint64_t before = traffic.taken();
      for (const std::uint64_t end = cycle + cycles; cycle < end; ++cycle) {
        traffic.offer(mix);
        bank->settle();
        traffic.take(mix);
        bank->clock(cycle);
      }
      CHECK(traffic.taken() - before > cycles / 20);
    }
    if (round == 0) continue;
    bool quiet = false;
    for (const std::uint64_t end = cycle + config.depth + 1; cycle < end; ++cycle) {
      std::fill(bank->rx().begin(), bank->rx().end(), 0);
      bank->settle();
      std::fill(bank->tx_ready().begin(), bank->tx_ready().end(), std::uint8_t{1});
      bank->clock(cycle);
      quiet = true;
      for (std::uint32_t b = 0; b < bank->blocks(); ++b) quiet = quiet && bank->quiescent(b);
    }
    CHECK(quiet);
  }
  CHECK(bank->comparisons() > 2 * 8 * cycles * (2 * config.size + 1));
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
