// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "fabric/golden/lanes.hpp"
#include "muster/fabric/barrier_message.hpp"
#include "muster/fabric/formats.hpp"
#include "muster/fabric/switch_config.hpp"
#include "systems/btin/golden/barrier_register.hpp"

namespace muster::golden {

/// A barrier register that repeats (docs/systems/retry-registers.md). Masks have one bit a port.
class RetryRegister {
 public:
  /// What comes and goes in a cycle.
  struct Cycle {
    std::uint16_t arriving = 0;  ///< ports with a message of this group, not refused
    const fabric::RetryMessage* by_port = nullptr;  ///< of these
    std::uint16_t departed = 0;                     ///< outputs through which its message has left
    bool repeat = false;                            ///< a repeat tick
    bool age = false;                               ///< an age tick
  };

  explicit RetryRegister(std::uint8_t data_width = 2) { data_.width = data_width; }

  bool valid() const { return control_.valid; }
  std::uint32_t gid() const { return control_.gid; }
  /// Rules 1 to 4 apply to the message; else it is refused.
  bool accepts(const fabric::RetryMessage& message, std::uint32_t port) const;
  /// A barrier is under way: ticks count.
  bool under_way() const { return control_.valid && (up_ || failed_ || arrived_ != 0); }
  bool suspect() const { return control_.valid && age_ == kOldest; }
  /// Something changes at the edge, ticks apart, whatever comes.
  bool busy() const { return fresh_ || data_.folding != 0 || full(); }

  /// Outputs at which its message stands, of a switch of so many ports; and that message.
  std::uint16_t requests(std::uint32_t ports) const;
  fabric::RetryMessage message() const;

  /// The clock edge.
  void edge(const Cycle& cycle, std::uint32_t ports);

  /// The host's words, after edge() of the same cycle.
  void write(std::uint32_t word, std::uint32_t value, std::uint32_t ports, std::uint32_t gid_width);
  std::uint32_t read(std::uint32_t word) const;
  Written written() const { return {control_, children_}; }

 private:
  static constexpr std::uint8_t kOldest = 15;
  bool has_parent(std::uint32_t ports) const {
    return !control_.reflect && control_.parent < ports;
  }
  bool all_here() const { return children_ != 0 && (children_ & ~arrived_) == 0; }
  bool full() const {
    return control_.valid && !failed_ && !up_ && all_here() && data_.folding == 0;
  }
  void release(const fabric::Payload& data);
  void fail(bool parent);
  void abort(std::uint32_t ports);
  void begin(std::uint32_t control, std::uint32_t ports, std::uint32_t gid_width);

  // Written by the host.
  Control control_;
  std::uint16_t children_ = 0;

  bool phase_ = false, failed_ = false, up_ = false, ask_ = false, sent_ = false;
  std::uint16_t arrived_ = 0;  // of a failed register: children that notice is still to be given to
  std::uint16_t serve_ = 0;
  std::uint8_t age_ = 0;
  bool fresh_ = false;     // data have come or a message has become due, at the last edge
  bool released_ = false;  // at the last edge
  GroupData data_;         // of those that have arrived
  fabric::Payload kept_;   // of the last release, or while up_ of the UP
};

/// The ticks of the registers of a switch that repeat (docs/systems/retry-registers.md, Ticks).
class RetryTicks {
 public:
  bool repeat() const { return repeat_; }  ///< a repeat tick, in this cycle
  bool age() const { return age_; }        ///< an age tick, in this cycle
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

/// The barrier registers of a switch whose registers repeat, their ticks, and what they request of
/// the outputs.
class RetryUnit {
 public:
  /// REQUIRES: the variant with `retry`.
  explicit RetryUnit(const fabric::SwitchConfig& config);

  /// Something changes at the edge, whatever comes.
  bool busy() const { return busy_; }
  /// Outputs that have a candidate, and the message of the one at output `port` of these.
  std::uint16_t requested() const { return requests_.ports(); }
  fabric::BarrierMessage message(std::uint32_t port) const;
  /// A register is suspect: irq_o.
  bool suspect() const;

  using Fates = std::array<Fate, kMaxPorts>;  ///< by port

  /// The clock edge: the reduction and distribution messages of `ports` are taken, the candidates
  /// of the outputs `departed` have left.
  Fates edge(std::uint16_t ports, const PortMessages& messages, std::uint16_t departed);

  /// The host's words: 0x011, and from 0x100 on. After edge() of the same cycle.
  void write_ticks(std::uint32_t value);
  std::uint32_t read_ticks() const { return ticks_.read(); }
  void write(std::uint32_t word, std::uint32_t value);
  std::uint32_t read(std::uint32_t word) const;
  Written written(std::uint32_t r) const { return registers_[r].written(); }

  /// Valid registers as text.
  std::string describe() const;

 private:
  std::size_t find(std::uint32_t gid) const;
  bool under_way() const;
  void look();

  fabric::Formats formats_;
  std::uint32_t ports_;
  std::vector<RetryRegister> registers_;
  RetryTicks ticks_;
  OutputRequests requests_;
  bool busy_ = false;
};

}  // namespace muster::golden
