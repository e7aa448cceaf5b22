// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "fabric/golden/lanes.hpp"
#include "muster/fabric/formats.hpp"
#include "muster/fabric/switch_config.hpp"
#include "systems/btin/golden/port_messages.hpp"
#include "systems/btin/golden/retry_register.hpp"
#include "systems/btin/golden/retry_ticks.hpp"

namespace muster::golden {

/// The barrier registers of a switch whose registers repeat, their ticks, and what they request of
/// the outputs.
class RetryUnit {
 public:
  /// REQUIRES: config.retry.
  explicit RetryUnit(const fabric::SwitchConfig& config);

  /// Something changes at the edge, whatever comes.
  bool busy() const { return busy_; }
  /// Outputs that have a candidate, and the message of the one at output `port` of these.
  std::uint16_t requested() const { return requested_; }
  fabric::BarrierMessage message(std::uint32_t port) const;
  bool holds(std::uint32_t gid) const { return find(gid) != registers_.size(); }
  /// A register is suspect: irq_o.
  bool suspect() const;

  /// What a message of a port is to the registers.
  enum class Fate : std::uint8_t { kTaken, kUnknown, kRefused };
  using Fates = std::array<Fate, kMaxPorts>;  ///< by port

  /// The clock edge: the reduction and distribution messages of `ports` are taken, the candidates
  /// of the outputs `departed` have left.
  Fates edge(std::uint16_t ports, const PortMessages& messages, std::uint16_t departed);

  /// The host's words: 0x011, and from 0x040 on. After edge() of the same cycle.
  void write_ticks(std::uint32_t value);
  std::uint32_t read_ticks() const { return ticks_.read(); }
  void write(std::uint32_t word, std::uint32_t value);
  std::uint32_t read(std::uint32_t word) const;

  /// Valid registers as text.
  std::string describe() const;

 private:
  static constexpr std::uint32_t kWords = 4;  // of a register
  std::uint32_t candidate(std::uint32_t port) const {
    return round_robin(requests_[port], pointer_[port]);
  }
  std::size_t find(std::uint32_t gid) const;
  bool under_way() const;
  void look();

  fabric::Formats formats_;
  std::uint32_t ports_;
  std::vector<RetryRegister> registers_;
  RetryTicks ticks_;
  std::array<std::uint16_t, kMaxPorts> requests_{};  // per output, the registers
  std::array<std::uint8_t, kMaxPorts> pointer_{};    // per output, round robin over registers
  std::uint16_t requested_ = 0;
  bool busy_ = false;
};

}  // namespace muster::golden
