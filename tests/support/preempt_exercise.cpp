// SPDX-License-Identifier: Apache-2.0
#include "support/preempt_exercise.hpp"

#include "muster/verif.hpp"
#include "support/preempt_host.hpp"
#include "systems/preempt/blocks/preempt_registers.hpp"

namespace muster::testing {

PreemptResult exercise(const fabric::SwitchConfig& config, const PreemptMix& mix,
                       std::uint64_t seed, std::uint64_t cycles) {
  fabric::BankOptions options;
  options.random_init = true;
  options.seed = seed;
  const auto bank = verif::make_lockstep_engine()->make_switches(config, 1, options);
  PreemptDriver driver(*bank, config, mix, seed);
  PreemptHost host(*bank, config, PreemptDriver::kHere, mix.writes, seed);
  const std::uint32_t all[] = {0};
  std::uint64_t cycle = 0;
  for (; cycle < cycles; ++cycle) {
    driver.drive(true);
    if (cycle + 1 < cycles)
      host.act();
    else if (mix.writes > 0.0)
      host.let_go();
    bank->clock(cycle, all);
    bank->read_register(0, driver.address());
  }
  const std::uint64_t end = mix.held ? cycles : cycles + 20000;
  for (; cycle < end && !driver.quiet(); ++cycle) {
    driver.drive(false);
    bank->clock(cycle, all);
  }
  for (std::uint32_t address = 0; address < 0x1000; ++address) bank->read_register(0, address);
  const bool quiet = mix.held || (driver.quiet() && driver.cuts == driver.ends);
  return {quiet,
          driver.sent,
          driver.cuts,
          driver.pads,
          driver.messages,
          host.writes(),
          bank->read_register(0, preempt::registers::kLongestWait)};
}

}  // namespace muster::testing
