// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "muster/core/bank.hpp"
#include "muster/core/rng.hpp"
#include "muster/fabric/switch_config.hpp"
#include "support/preempt_driver.hpp"

namespace muster::testing {

/// A host that uses the register port of one preempting switch at random while traffic flows:
/// holds, closed outputs, routes, times and choice of cuts, the LFSR, entries of the status table,
/// among them two of one group, the switch's own address, and words that cannot be written.
class PreemptHost {
 public:
  /// `rate`: requests a cycle, 0 to 1; `here`: address of the switch. Others are 10 to 14, groups 0
  /// to 5 times 40.
  PreemptHost(core::Bank& bank, const fabric::SwitchConfig& config, std::uint32_t here, double rate,
              std::uint64_t seed);

  /// Perhaps puts a request on the port for the coming clock().
  void act();
  /// Puts a request on the port that ends all holds.
  void let_go();
  std::uint64_t writes() const { return writes_; }

 private:
  std::uint32_t word() { return static_cast<std::uint32_t>(rng_.next()); }
  std::uint32_t below(std::uint32_t limit) { return static_cast<std::uint32_t>(rng_.below(limit)); }
  void write(std::uint32_t address, std::uint32_t value);
  void write_entry();

  core::Bank& port_;
  fabric::SwitchConfig config_;
  std::uint32_t here_;
  double rate_;
  Rng rng_;
  std::uint64_t writes_ = 0;
};

/// What a preempting switch did in an exercise.
struct PreemptResult {
  bool quiet = false;  ///< all came to rest after the traffic, and all cuts had ended
  std::uint64_t sent = 0, cuts = 0, pads = 0, messages = 0, writes = 0;
  std::uint32_t wait = 0;  ///< the longest
};

/// Random traffic for one preempting switch in lockstep for `cycles` cycles, then, but with held
/// links, until nothing moves; then every address is read. Throws InternalError where RTL and
/// golden differ or an assertion fails.
PreemptResult exercise(const fabric::SwitchConfig& config, const PreemptMix& mix,
                       std::uint64_t seed, std::uint64_t cycles);

inline constexpr PreemptMix kPreemptMixes[] = {
    // data messages here controls faults send credit stuck host held
    {0.10, 0.05, 0.3, 0.01, 0.002, 1.0, 0.95, 0.001, 8, false},  // busy
    {0.30, 0.10, 0.1, 0.02, 0.0, 1.0, 0.5, 0.01, 5, false},      // much to cut
    {0.0, 0.30, 0.5, 0.0, 0.01, 1.0, 1.0, 0.0, 9, false},        // only messages
    {0.02, 0.02, 0.7, 0.01, 0.01, 0.5, 0.9, 0.001, 10, false},   // few, with gaps
    {0.20, 0.30, 0.0, 0.0, 0.0, 1.0, 0.9, 0.01, 0, false},     // cuts that last, channels that stop
    {0.20, 0.05, 0.1, 0.10, 0.05, 0.9, 0.3, 0.005, 5, false},  // faults, and pads everywhere
    {0.20, 0.03, 0.2, 0.01, 0.001, 1.0, 0.9, 0.001, 8, true},  // held links
    {0.10, 0.10, 0.4, 0.02, 0.001, 1.0, 0.9, 0.001, 9, false, 0.02},  // the host writes,
    {0.10, 0.20, 0.5, 0.02, 0.001, 1.0, 0.9, 0.001, 5, false, 0.5},   // all the time
};

}  // namespace muster::testing
