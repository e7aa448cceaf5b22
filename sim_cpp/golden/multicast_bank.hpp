// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "golden/multicast_switch.hpp"
#include "network/bank.hpp"

namespace muster::golden {

/// Multicast switches of one configuration (docs/multicast-switch.md).
class GoldenMulticastBank : public network::Bank {
 public:
  /// All switches as after reset, their routing tables empty. Throws InputError if `config` is out
  /// of range or has one virtual channel.
  GoldenMulticastBank(std::uint32_t blocks, const network::SwitchConfig& config);

  /// Throws InternalError, naming cycle, switch and state, if a flit comes for a full queue or a
  /// credit that nobody spent.
  void clock(std::uint64_t cycle, std::span<const std::uint32_t> awake) override;
  void write_register(std::uint32_t block, std::uint32_t address, std::uint32_t value) override {
    switches_[block].write_register(address, value);
  }
  std::uint32_t read_register(std::uint32_t block, std::uint32_t address) override {
    return switches_[block].read_register(address);
  }
  std::string describe(std::uint32_t block) const override { return switches_[block].describe(); }

 private:
  std::vector<network::Flit> queues_;  // of all switches
  std::vector<std::uint16_t> routes_;  // of all switches
  std::vector<MulticastSwitch> switches_;
};

}  // namespace muster::golden
