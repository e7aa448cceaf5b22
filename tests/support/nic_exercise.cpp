// SPDX-License-Identifier: Apache-2.0
#include "support/nic_exercise.hpp"

#include <numeric>
#include <vector>

#include "muster/verif.hpp"
#include "systems/nic/blocks/nic_factory.hpp"
#include "systems/nic/blocks/nic_registers.hpp"

namespace muster::testing {

namespace {

constexpr std::uint32_t kNics = 2, kReadPeriod = 97;

void read_all(nic::NicBank& bank) {
  for (std::uint32_t b = 0; b < kNics; ++b)
    for (std::uint32_t address = 0; address < 0x0b0; ++address) bank.read_register(b, address);
}

}  // namespace

NicExerciseResult exercise(const nic::NicConfig& config, const NicConditions& world,
                           std::uint64_t seed, std::uint64_t cycles) {
  fabric::BankOptions options;
  options.random_init = true;
  options.seed = seed;
  const auto bank = nic::nics_of(*verif::make_lockstep_engine())->make_nics(config, kNics, options);
  read_all(*bank);
  std::vector<NicDriver> drivers;
  for (std::uint32_t b = 0; b < kNics; ++b) drivers.emplace_back(*bank, b, config, world, seed);
  std::vector<std::uint32_t> all(kNics);
  std::iota(all.begin(), all.end(), 0u);

  NicExerciseResult result;
  for (std::uint64_t cycle = 0; cycle < cycles; ++cycle) {
    for (NicDriver& driver : drivers) driver.drive();
    bank->clock(cycle, all);
    if (cycle % kReadPeriod == 0) read_all(*bank);
    for (std::uint32_t b = 0; b < kNics; ++b) result.quiet += bank->quiescent(b);
  }
  read_all(*bank);
  for (std::uint32_t b = 0; b < kNics; ++b) {
    result.sent += drivers[b].sent();
    for (unsigned kind = 0; kind < 6; ++kind) result.events[kind] += drivers[b].events(kind);
    const std::uint32_t drops = bank->read_register(b, nic::registers::kDrops);
    for (unsigned i = 0; i < 4; ++i) result.drops[i] += drops >> (8 * i) & 0xff;
    result.drops[4] += bank->read_register(b, nic::registers::kRefused);
  }
  result.comparisons = bank->comparisons();
  return result;
}

}  // namespace muster::testing
