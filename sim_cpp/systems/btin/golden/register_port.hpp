// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "fabric/register_map.hpp"
#include "systems/btin/golden/barrier_spill.hpp"

namespace muster::golden::inline MUSTER_SWITCHES {

/// What a barrier switch that guards itself knows beside the others: which writes it refuses, and
/// the records of what it has refused, lost and given up. docs/systems/guard.md.
class WriteGuard {
 public:
  explicit WriteGuard(const fabric::SwitchConfig& config) : config_(config) {}

  /// Why a write of this value would do harm, if it would.
  std::optional<fabric::registers::Refusal> harm(const BarrierUnit& unit, std::uint32_t address,
                                                 std::uint32_t value) const;
  /// A write by a packet from `port`: it concerns a group that is not of the port.
  bool foreign(const BarrierUnit& unit, std::uint32_t address, std::uint32_t value,
               std::uint32_t port) const;

  /// The host's write has been refused in the cycle that is over.
  void refused_host(std::uint32_t address, fabric::registers::Refusal why) {
    refusals_.note_past(kByHost | what(address, why));
  }
  void refused_packet(std::uint32_t port, std::uint32_t address, fabric::registers::Refusal why) {
    refusals_.note(port, what(address, why));
  }
  void lost(std::uint32_t port, const core::Flit& flit) {
    losses_.note(port, flit.sync() ? kSync : std::uint32_t{flit.vc} << kReasonShift);
  }
  void given_up(const BarrierSpill::GivenUp& messages);
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
  void write(std::uint32_t address, std::uint32_t value);
  std::uint32_t read(std::uint32_t address) const;

 private:
  static constexpr std::uint32_t kByHost = 1u << 14, kSync = 1u << 14, kAnswer = 1u << 14;
  static constexpr std::uint32_t kReasonShift = 12, kTypeShift = 12;
  struct Groups {
    std::uint32_t mask = 0, value = 0;
  };
  std::uint32_t what(std::uint32_t address, fabric::registers::Refusal why) const {
    return static_cast<std::uint32_t>(why) << kReasonShift | (address >> 4 & 0xf);
  }
  std::optional<std::uint32_t> register_at(std::uint32_t address) const;

  fabric::SwitchConfig config_;
  std::array<Groups, kMaxPorts> groups_{};  // by port
  DropRecord refusals_, losses_, given_up_;
};

}  // namespace muster::golden::inline MUSTER_SWITCHES
