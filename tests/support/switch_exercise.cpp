// SPDX-License-Identifier: Apache-2.0
#include "support/switch_exercise.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <vector>

#include "fabric/register_map.hpp"
#include "muster/verif.hpp"
#include "support/register_host.hpp"

namespace muster::testing {

namespace regs = fabric::registers;

ExerciseResult exercise(const SwitchExercise& what) {
  fabric::BankOptions options;
  options.random_init = true;
  options.seed = what.seed;
  auto bank = verif::make_lockstep_engine()->make_switches(what.config, what.blocks, options);
  // What a reset leaves: the first write to a barrier register clears it.
  for (std::uint32_t b = 0; b < what.blocks; ++b)
    for (std::uint32_t address = 0; address < 0x100; ++address) bank->read_register(b, address);
  std::vector<SwitchDriver> drivers;
  std::vector<RegisterHost> hosts;
  for (std::uint32_t b = 0; b < what.blocks; ++b)
    drivers.emplace_back(*bank, b, what.config, what.mix, what.seed);
  const bool hosted = what.writing > 0.0 || what.polling > 0.0;
  for (std::uint32_t b = 0; hosted && b < what.blocks; ++b)
    hosts.emplace_back(*bank, b, what.config, what.writing, what.polling, what.seed,
                       what.mix.hostile > 0.0);
  std::vector<std::uint32_t> all(what.blocks);
  std::iota(all.begin(), all.end(), 0);

  std::uint64_t cycle = 0;
  for (; cycle < what.cycles; ++cycle) {
    for (auto& driver : drivers) driver.drive();
    for (auto& host : hosts) host.act();
    bank->clock(cycle, all);
  }
  for (std::uint32_t b = 0; what.writing > 0.0 && b < what.blocks; ++b)
    bank->request({b, true, fabric::registers::kHold, 0});
  if (what.config.retry) {  // registers under way would never be quiet
    if (what.writing > 0.0) {
      for (auto& driver : drivers) driver.drain();
      bank->clock(cycle++, all);
    }
    for (std::uint32_t b = 0; b < what.blocks; ++b)
      bank->request({b, true, fabric::registers::kPeriods, 0});
  }
  ExerciseResult result;
  for (; cycle < what.cycles + 5000 && !result.quiet; ++cycle) {
    result.quiet = true;
    for (auto& driver : drivers) result.quiet = driver.drain() && result.quiet;
    bank->clock(cycle, all);
  }
  if (what.config.guard) {  // times begin while nothing else happens
    for (std::uint32_t b = 0; b < what.blocks; ++b)
      bank->request({b, true, regs::kPatience, 3u << regs::kPatienceSpill.low | 3});
    for (const std::uint64_t end = cycle + 20; cycle < end; ++cycle) bank->clock(cycle, all);
  }
  result.sent = result.received = result.writes = std::numeric_limits<std::uint64_t>::max();
  for (std::uint32_t b = 0; b < what.blocks; ++b) {
    result.sent = std::min(result.sent, drivers[b].sent());
    result.received = std::min(result.received, drivers[b].received());
    result.uninvited += drivers[b].uninvited();
    result.headless += regs::kNoRouteDropsHeadless.of(bank->read_register(b, regs::kNoRouteDrops));
    result.refused += regs::kDropsCount.of(bank->read_register(b, regs::kRefusals));
    result.lost += regs::kDropsCount.of(bank->read_register(b, regs::kOverflows));
    result.given_up += regs::kDropsCount.of(bank->read_register(b, regs::kGivenUp));
    for (std::uint32_t address = 0; address < 0x100; ++address) bank->read_register(b, address);
  }
  for (const auto& host : hosts) {
    result.writes = std::min(result.writes, host.writes());
    result.interrupted += host.interrupted();
  }
  return result;
}

}  // namespace muster::testing
