// SPDX-License-Identifier: Apache-2.0
#include "muster/verif.hpp"
#include "support/exercises.hpp"

namespace muster::testing {

namespace regs = fabric::registers;

namespace {

/// A host that uses the register port of one preempting switch at random while traffic flows:
/// holds, closed outputs, routes, times and choice of cuts, the LFSR, entries of the status table,
/// among them two of one group, the switch's own address, and words that cannot be written.
class PreemptHost {
 public:
  PreemptHost(core::Bank& bank, const fabric::SwitchConfig& config, double rate, std::uint64_t seed)
      : bank_(bank), config_(config), rate_(rate), rng_(seed, 2) {}

  /// Perhaps puts a request on the port for the coming clock().
  void act() {
    if (config_.variant[0] != 0 && rng_.chance(rate_ / 4)) {  // counters
      const std::uint32_t address = word_of_counters(rng_, config_.ports);
      return write(address, word());
    }
    if (rng_.uniform() >= rate_) return;
    const std::uint32_t what = rng_.below(20);
    if (what < 9)  // of the switches that messages are for
      return write(
          regs::kRoutes + (rng_.below(4) != 0 ? 10 + rng_.below(5) : rng_.below(config_.dests)),
          rng_.below(8) == 0 ? 0 : word());
    switch (what) {
      case 9:
      case 10:
        return write_entry();
      case 11:  // most of the time none
        return write(regs::kHold, rng_.below(2) == 0 ? 0 : word() & word());
      case 12:
        return write(preempt::registers::kClosed, rng_.below(2) == 0 ? 0 : word() & word());
      case 13:
      case 14:  // short ones, and all there are
        return write(preempt::registers::kTimes,
                     rng_.below(4) == 0 ? word()
                                        : preempt::registers::times(rng_.below(30), rng_.below(6),
                                                                    rng_.below(300)));
      case 15:
        return write(preempt::registers::kPolicy, word());
      case 16:
        return write(preempt::registers::kLfsr, word() * rng_.below(2));
      case 17:
        return write(preempt::registers::kAddress, rng_.below(2) == 0
                                                       ? PreemptContent::kHere
                                                       : (word() & ~0x7ffu) | (10 + rng_.below(5)));
      case 18:
        return write(rng_.below(1u << regs::kAddressWidth), word());
      default:
        bank_.request({0, false, rng_.below(1u << regs::kAddressWidth), word()});
    }
  }
  void write(std::uint32_t address, std::uint32_t value) {
    bank_.request({0, true, address, value});
    ++writes;
  }
  std::uint64_t writes = 0;

 private:
  std::uint32_t word() { return rng_.word(); }
  /// Mostly of the few groups that messages name, with a small count, and with ignored bits.
  void write_entry() {
    const std::uint32_t e = rng_.below(config_.regs);
    if (rng_.below(2) == 0)
      return write(preempt::registers::entry(e, preempt::registers::kEntriesLocals),
                   word() & (rng_.below(3) == 0 ? word() : ~0u));
    std::uint32_t value = preempt::registers::entry_word(
                              PreemptContent::kGroupIds[rng_.below(PreemptContent::kGroups)],
                              rng_.below(2) == 0, rng_.below(4)) |
                          (word() & 31u << 25);
    if (rng_.below(8) == 0) value = word();
    if (rng_.below(8) == 0) value &= ~(1u << 31);
    write(preempt::registers::entry(e), value);
  }

  core::Bank& bank_;
  const fabric::SwitchConfig& config_;
  double rate_;
  Random rng_;
};

}  // namespace

PreemptResult exercise(const fabric::SwitchConfig& config, const PreemptMix& mix,
                       std::uint64_t seed, std::uint64_t cycles) {
  fabric::BankOptions options;
  options.random_init = true;
  options.seed = seed;
  const auto bank = verif::make_lockstep_engine()->make_switches(config, 1, options);
  PreemptDriver driver(*bank, config, mix, seed);
  PreemptHost host(*bank, config, mix.writes, seed);
  if (config.variant[0] != 0)  // counters: every other time what is dropped interrupts
    bank->write_register(0, regs::kIrqEnable, static_cast<std::uint32_t>(seed));
  const std::uint32_t all[] = {0};
  std::uint64_t cycle = 0;
  for (; cycle < cycles; ++cycle) {
    driver.drive(true);
    if (cycle + 1 < cycles)
      host.act();
    else if (mix.writes > 0.0)
      host.write(regs::kHold, 0);
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
          host.writes,
          bank->read_register(0, preempt::registers::kLongestWait)};
}

}  // namespace muster::testing
