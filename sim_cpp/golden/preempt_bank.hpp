// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "golden/preempt_switch.hpp"
#include "network/bank.hpp"

namespace muster::golden {

/// Preempting switches of one kind and configuration (docs/preempting-switches.md).
class GoldenPreemptBank : public network::Bank {
 public:
  /// All switches as after reset, their routing tables empty. Throws InputError if `config` is out
  /// of range.
  GoldenPreemptBank(std::uint32_t blocks, const network::SwitchConfig& config);

  /// Throws InternalError, naming cycle, switch and state, if a flit comes for a full queue or a
  /// credit that nobody spent.
  void clock(std::uint64_t cycle, std::span<const std::uint32_t> awake) override;
  /// Takes effect at once. A block that is quiescent may be no longer so.
  void write_register(std::uint32_t block, std::uint32_t address, std::uint32_t value) override;
  std::uint32_t read_register(std::uint32_t block, std::uint32_t address) override {
    return switches_[block].read_register(address);
  }
  std::string describe(std::uint32_t block) const override { return switches_[block].describe(); }

 private:
  void update_quiescent(std::uint32_t block);

  std::vector<network::Flit> queues_;  // of all switches
  std::vector<std::uint16_t> routes_;  // of all switches
  std::vector<PreemptSwitch> switches_;
};

}  // namespace muster::golden
