// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace muster::golden {

/// The ticks of the registers of a switch that repeat (docs/systems/retry-registers.md, Ticks).
class RetryTicks {
 public:
  bool repeat() const { return repeat_; }  ///< in this cycle
  bool age() const { return age_; }        ///< likewise
  /// Something changes at the edge; `under_way` as for edge().
  bool busy(bool under_way) const {
    return repeat_ || cycles_ != 0 || ticks_ != 0 || (under_way && period_ != 0);
  }

  /// The clock edge; `under_way`: a register has been, from the beginning of the cycle.
  void edge(bool under_way) {
    repeat_ = age_ = false;
    if (!under_way || period_ == 0) {
      cycles_ = ticks_ = 0;
      return;
    }
    if (++cycles_ < period_) return;
    cycles_ = 0;
    repeat_ = true;
    if (ages_ == 0 || ++ticks_ < ages_) return;
    ticks_ = 0;
    age_ = true;
  }

  /// The host's word, after edge() of the same cycle.
  void write(std::uint32_t value) {
    period_ = value & 0xffff;
    ages_ = value >> 16 & 0xff;
    cycles_ = ticks_ = 0;
    repeat_ = age_ = false;
  }
  std::uint32_t read() const { return ages_ << 16 | period_; }

 private:
  std::uint32_t period_ = 0, ages_ = 0;   // cycles, repeat ticks; 0: never
  std::uint32_t cycles_ = 0, ticks_ = 0;  // since the last tick of each kind
  bool repeat_ = false, age_ = false;
};

}  // namespace muster::golden
