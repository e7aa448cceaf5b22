// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "fabric/register_map.hpp"
#include "systems/btin/golden/barrier_spill.hpp"

namespace muster::golden::inline MUSTER_SWITCHES {

/// What a barrier switch that guards itself knows beside the others: which writes it refuses, and
/// the records of what it has refused, lost and given up. docs/systems/guard.md.
class WriteGuard {
  using Refusal = fabric::registers::Refusal;

 public:
  // Of the register map (docs/reference/registers.md), whose other addresses are the switch's.
  static constexpr std::uint32_t kSpill = 0x00C, kGroupPermits = 0x040, kRegisters = 0x100;

  /// A word of a barrier register that packets may write.
  static bool written_by_packets(std::uint32_t address, std::uint32_t ports) {
    const std::uint32_t word = address % kRegisterWords;
    return word == kControlWord || is_half(word, kChildrenWord, ports);
  }

  explicit WriteGuard(const fabric::SwitchConfig& config) : config_(config) {}

  /// Why a write of this value would do harm, if it would.
  std::optional<Refusal> harm(const BarrierUnit& unit, std::uint32_t address,
                              std::uint32_t value) const {
    if (address == kSpill && btin::variant(config_).spill) {
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
    refusals_.note_past(kByHost | what(address, why));
  }
  void refused_packet(std::uint32_t port, std::uint32_t address, Refusal why) {
    refusals_.note(port, what(address, why));
  }
  void lost(std::uint32_t port, const core::Flit& flit) {
    losses_.note(port, flit.sync() ? kSync : std::uint32_t{flit.vc} << kReasonShift);
  }
  void given_up(const BarrierSpill::GivenUp& messages) {
    const auto note = [&](const BarrierSpill::Latch& latch, std::uint32_t which) {
      const auto type = static_cast<std::uint32_t>(latch.message.type);
      given_up_.note(latch.port, which | type << kTypeShift | latch.message.gid);
    };
    if (messages.hand_over) note(*messages.hand_over, 0);
    if (messages.answer) note(*messages.answer, kAnswer);
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
    if (address == kRefusals) refusals_.clear();
    if (address == kOverflows) losses_.clear();
    if (address == kGivenUp) given_up_.clear();
    if (address < kGroupPermits || address >= kGroupPermits + config_.ports) return;
    const auto bits = static_cast<std::uint32_t>(bit(config_.gid_w)) - 1;
    groups_[address - kGroupPermits] = {value >> kMaskShift & bits, value & bits};
  }
  std::uint32_t read(std::uint32_t address) const {
    if (address == kRefusals) return refusals_.word();
    if (address == kOverflows) return losses_.word();
    if (address == kGivenUp) return given_up_.word();
    if (address < kGroupPermits || address >= kGroupPermits + config_.ports) return 0;
    const Groups& at = groups_[address - kGroupPermits];
    return at.mask << kMaskShift | at.value;
  }

 private:
  static constexpr std::uint32_t kRefusals = 0x012, kOverflows = 0x013, kGivenUp = 0x015;
  static constexpr std::uint32_t kMaskShift = 16;
  static constexpr std::uint32_t kByHost = 1u << 14, kSync = 1u << 14, kAnswer = 1u << 14;
  static constexpr std::uint32_t kReasonShift = 12, kTypeShift = 12;
  struct Groups {
    std::uint32_t mask = 0, value = 0;
  };
  std::uint32_t what(std::uint32_t address, Refusal why) const {
    return static_cast<std::uint32_t>(why) << kReasonShift | (address >> 4 & 0xf);
  }
  std::optional<std::uint32_t> register_at(std::uint32_t address) const {
    if (address < kRegisters || address >= kRegisters + kRegisterWords * config_.regs)
      return std::nullopt;
    return (address - kRegisters) / kRegisterWords;
  }

  fabric::SwitchConfig config_;
  std::array<Groups, kMaxPorts> groups_{};  // by port
  DropRecord refusals_, losses_, given_up_;
};

}  // namespace muster::golden::inline MUSTER_SWITCHES
