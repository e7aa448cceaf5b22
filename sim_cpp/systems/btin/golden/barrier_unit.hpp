// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "fabric/golden/drop_record.hpp"
#include "fabric/golden/lanes.hpp"
#include "muster/fabric/formats.hpp"
#include "muster/fabric/switch_config.hpp"
#include "systems/btin/golden/barrier_register.hpp"
#include "systems/btin/golden/many_unit.hpp"
#include "systems/btin/golden/port_messages.hpp"
#include "systems/btin/golden/retry_unit.hpp"

namespace muster::golden {

/// The barrier registers of one switch, what they request of the outputs, and the record of the
/// messages that none of them took.
class BarrierUnit {
 public:
  explicit BarrierUnit(const fabric::SwitchConfig& config);

  /// Some register, or many() or retry(), has something to do: the unit needs its edge().
  bool busy() const {
    return busy_ != 0 || (many_ != nullptr && many_->busy()) ||
           (retry_ != nullptr && retry_->busy());
  }
  /// Outputs that have a candidate.
  std::uint16_t requested() const { return retry_ ? retry_->requested() : requested_; }
  /// Groups in block RAM instead of registers; null without. It takes its part in edge().
  ManyUnit* many() { return many_.get(); }
  const ManyUnit* many() const { return many_.get(); }
  /// Registers that repeat instead of others; null without. The host's words are its own.
  RetryUnit* retry() { return retry_.get(); }
  const RetryUnit* retry() const { return retry_.get(); }
  /// The message of the candidate at output `port`, one of requested().
  core::Flit message(std::uint32_t port) const;

  /// A valid register has the group.
  bool holds(std::uint32_t gid) const { return find(gid) != regs_; }

  /// The clock edge: the messages of `ports` are taken, the candidates of the outputs `departed`
  /// have left. `malformed`: ports at which others have found a message malformed.
  void edge(std::uint16_t ports, const PortMessages& messages, std::uint16_t departed,
            std::uint16_t malformed);

  const BarrierRegister& at(std::uint32_t r) const { return registers_[r]; }
  /// What was written into register r last, of either kind, and no state.
  BarrierRegister written(std::uint32_t r) const;
  /// The host writes a register: `registers_[r] = value`.
  void write(std::uint32_t r, const BarrierRegister& value);

  /// Messages that were dropped; its edge is the switch's to call.
  DropRecord& drops() { return drops_; }
  const DropRecord& drops() const { return drops_; }

 private:
  void drop(std::uint32_t port, const fabric::BarrierMessage& message, bool known);
  std::uint32_t candidate(std::uint32_t port) const {
    return round_robin(requests_[port], pointer_[port]);
  }
  std::uint32_t find(std::uint32_t gid) const;  // the valid register of the group, or regs_
  void update_requests(std::uint32_t r);
  void edge_of_retry(std::uint16_t ports, const PortMessages& messages, std::uint16_t departed);
  void edge_of_many(std::uint16_t ports, const PortMessages& messages, std::uint16_t departed);

  fabric::Formats formats_;
  std::uint32_t ports_, regs_;
  std::uint16_t requested_ = 0;
  std::uint16_t busy_ = 0;                                // registers
  std::array<std::uint16_t, kMaxPorts> requests_{};       // per output, the registers
  std::array<std::uint8_t, kMaxPorts> pointer_{};         // per output, round robin over registers
  std::array<std::uint16_t, kMaxRegisters> announced_{};  // requests of register r in requests_
  std::vector<BarrierRegister> registers_;
  DropRecord drops_;
  std::unique_ptr<ManyUnit> many_;
  std::unique_ptr<RetryUnit> retry_;
};

}  // namespace muster::golden
