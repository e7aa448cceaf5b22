// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "fabric/register_map.hpp"
#include "systems/btin/golden/barrier_spill.hpp"

namespace muster::golden::inline MUSTER_SWITCHES {

namespace regs = fabric::registers;

/// What a barrier switch that guards itself knows beside the others: which writes it refuses, and
/// the records of what it has refused, lost and given up. docs/systems/guard.md.
class WriteGuard {
  using Refusal = regs::Refusal;

 public:
  /// A word of a barrier register that packets may write.
  static bool written_by_packets(std::uint32_t address, std::uint32_t ports) {
    const std::uint32_t word = address % kRegisterWords;
    return word == kControlWord || is_half(word, kChildrenWord, ports);
  }

  explicit WriteGuard(const fabric::SwitchConfig& config) : config_(config) {}

  /// Why a write of this value would do harm, if it would.
  std::optional<Refusal> harm(const BarrierUnit& unit, std::uint32_t address,
                              std::uint32_t value) const {
    if (address == regs::kSpill && btin::variant(config_).spill) {
      if (std::popcount(value & all_ports(config_.ports)) > 1) return Refusal::kSpillPorts;
      return std::nullopt;
    }
    const auto r = register_at(address);
    if (!r || !written_by_packets(address, config_.ports)) return std::nullopt;
    Written next = unit.written(*r);
    if (address % kRegisterWords == kControlWord)
      next.control = Control::of(value, config_.gid_w, config_.ports);
    else
      next.children = written_mask(next.children, address & 1, value, config_.ports);
    if (!next.control.valid) return std::nullopt;
    for (std::uint32_t other = 0; other < config_.regs; ++other) {
      const Control at = unit.written(other).control;
      if (other != *r && at.valid && at.gid == next.control.gid) return Refusal::kGroupInUse;
    }
    if (!next.control.reflect && has(next.children, next.control.parent))
      return Refusal::kParentIsChild;
    return std::nullopt;
  }
  /// A write by a packet from `port`: it concerns a group that is not of the port.
  bool foreign(const BarrierUnit& unit, std::uint32_t address, std::uint32_t value,
               std::uint32_t port) const {
    const auto r = register_at(address);
    if (!r) return false;
    const auto of_port = [&](std::uint32_t gid) {
      return (gid & groups_[port].mask) == groups_[port].value;
    };
    const Control at = unit.written(*r).control;
    if ((at.valid || at.claimed) && !of_port(at.gid)) return true;
    const Control next = Control::of(value, config_.gid_w, config_.ports);
    return address % kRegisterWords == kControlWord && (next.valid || next.claimed) &&
           !of_port(next.gid);
  }

  /// The host's write has been refused in the cycle that is over.
  void refused_host(std::uint32_t address, Refusal why) {
    refusals_.note_past(regs::kRefusalsHost.mask() | what(address, why));
  }
  void refused_packet(std::uint32_t port, std::uint32_t address, Refusal why) {
    refusals_.note(port, what(address, why));
  }
  void lost(std::uint32_t port, const core::Flit& flit) {
    losses_.note(port, flit.sync() ? regs::kOverflowsSync.mask() : regs::kOverflowsVc.put(flit.vc));
  }
  void given_up(const BarrierSpill::GivenUp& messages) {
    const auto note = [&](const BarrierSpill::Latch& latch, std::uint32_t which) {
      const auto type = static_cast<std::uint32_t>(latch.message.type);
      given_up_.note(latch.port, which | regs::kGivenUpWhat.put(type) | latch.message.gid);
    };
    if (messages.hand_over) note(*messages.hand_over, 0);
    if (messages.answer) note(*messages.answer, regs::kGivenUpAnswer.mask());
  }
  void edge() {
    refusals_.edge();
    losses_.edge();
    given_up_.edge();
  }
  bool pending() const { return refusals_.pending() || losses_.pending() || given_up_.pending(); }
  /// Of the cycle whose clock edge was the last edge(): a write was refused; the ports at which a
  /// flit was lost or a message given up.
  bool refused() const { return refusals_.pending(); }
  Ports overflowed() const { return losses_.pending_ports() | given_up_.pending_ports(); }

  /// The words of the register map that are kept here; others are 0 and stay so.
  void write(std::uint32_t address, std::uint32_t value) {
    if (address == regs::kRefusals) refusals_.clear();
    if (address == regs::kOverflows) losses_.clear();
    if (address == regs::kGivenUp) given_up_.clear();
    if (!is_permit(address)) return;
    const auto bits = static_cast<std::uint32_t>(bit(config_.gid_w)) - 1;
    groups_[address - regs::kGroupPermits] = {regs::kGroupPermitsMask.of(value) & bits,
                                              value & bits};
  }
  std::uint32_t read(std::uint32_t address) const {
    if (address == regs::kRefusals) return refusals_.word();
    if (address == regs::kOverflows) return losses_.word();
    if (address == regs::kGivenUp) return given_up_.word();
    if (!is_permit(address)) return 0;
    const Groups& at = groups_[address - regs::kGroupPermits];
    return regs::kGroupPermitsMask.put(at.mask) | at.value;
  }

 private:
  struct Groups {
    std::uint32_t mask = 0, value = 0;
  };
  std::uint32_t what(std::uint32_t address, Refusal why) const {
    return regs::kRefusalsReason.put(static_cast<std::uint32_t>(why)) |
           regs::kRefusalsSlot.put(address >> 4);
  }
  bool is_permit(std::uint32_t address) const {
    return address >= regs::kGroupPermits && address < regs::kGroupPermits + config_.ports;
  }
  std::optional<std::uint32_t> register_at(std::uint32_t address) const {
    const std::uint32_t r = (address - regs::kBarrierControl) / kRegisterWords;
    return address >= regs::kBarrierControl && r < config_.regs ? std::optional(r) : std::nullopt;
  }

  fabric::SwitchConfig config_;
  std::array<Groups, kMaxPorts> groups_{};  // by port
  DropRecord refusals_, losses_, given_up_;
};

}  // namespace muster::golden::inline MUSTER_SWITCHES
