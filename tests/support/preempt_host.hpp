// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "muster/core/bank.hpp"
#include "muster/core/rng.hpp"
#include "muster/fabric/switch_config.hpp"

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
  /// Likewise, for the last time: no output is on hold.
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

}  // namespace muster::testing
