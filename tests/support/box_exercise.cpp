// SPDX-License-Identifier: Apache-2.0
#include "support/box_exercise.hpp"

#include <algorithm>

#include "muster/verif.hpp"
#include "systems/esc/box_factory.hpp"

namespace muster::testing {

namespace {

bool drain(esc::BoxBank& bank, std::uint64_t cycle) {
  for (const std::uint64_t end = cycle + bank.config().depth + 1; cycle < end; ++cycle) {
    std::fill(bank.rx().begin(), bank.rx().end(), 0);
    bank.settle();
    std::fill(bank.tx_ready().begin(), bank.tx_ready().end(), std::uint8_t{1});
    bank.clock(cycle);
  }
  for (std::uint32_t b = 0; b < bank.blocks(); ++b)
    if (!bank.quiescent(b)) return false;
  return true;
}

}  // namespace

BoxExerciseResult exercise(const esc::BoxConfig& config, std::uint64_t seed, std::uint64_t cycles) {
  const std::vector<std::uint8_t> stages = {0, 0, 1, 1, 2, 3, 4, 5};
  const auto engine = verif::make_lockstep_engine();
  const auto bank = esc::boxes_of(*engine)->make_boxes(config, stages);
  BoxExerciseResult result;
  Rng seed_rng(seed);
  for (std::uint16_t round = 0; round < 2; ++round) {  // a reset in mid-traffic forgets everything
    std::vector<std::uint16_t> seeds;
    seeds.push_back(0);  // stands for 1
    for (std::uint16_t b = 1; b < stages.size(); ++b) {
      // Of every other box a single bit, each of the 16 in two exercises of following seeds.
      const std::uint64_t one_bit = 1U << (seed * 8 + round * 4 + b / 2) % 16;
      seeds.push_back(static_cast<std::uint16_t>(b % 2 == 1 ? one_bit : seed_rng.below(0x10000)));
    }
    bank->reset(seeds);
    BoxTraffic traffic(*bank, stages, seed + round);
    std::uint64_t cycle = 0;
    for (const BoxMix& mix : kBoxMixes) {
      const std::uint64_t before = traffic.taken();
      for (const std::uint64_t end = cycle + cycles; cycle < end; ++cycle) {
        traffic.offer(mix);
        bank->settle();
        traffic.take(mix);
        bank->clock(cycle);
      }
      result.taken.push_back(traffic.taken() - before);
    }
    if (round == 1) result.quiet = drain(*bank, cycle);
  }
  result.comparisons = bank->comparisons();
  return result;
}

}  // namespace muster::testing
