// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/bank.hpp"
#include "fabric/switch_config.hpp"
#include "systems/btin/golden/barrier_switch.hpp"

namespace muster::golden {

/// Barrier switches of one configuration on the engine `golden`: the reference that the RTL is
/// compared with in every cycle (docs/systems/barrier-switch.md, docs/reference/registers.md).
class GoldenSwitchBank : public core::Bank {
 public:
  /// All switches as after reset, their routing tables empty. Throws InputError if `config` is out
  /// of range.
  GoldenSwitchBank(std::uint32_t blocks, const fabric::SwitchConfig& config);

  const fabric::SwitchConfig& config() const { return config_; }

  /// Throws InternalError, naming cycle, switch and state, if a flit comes for a full queue or a
  /// credit that nobody spent.
  void clock(std::uint64_t cycle, std::span<const std::uint32_t> awake) override;

  /// Takes effect at once and moves no flit. A block that is quiescent may be no longer so.
  void write_register(std::uint32_t block, std::uint32_t address, std::uint32_t value) override;
  std::uint32_t read_register(std::uint32_t block, std::uint32_t address) override;
  void request(const core::RegisterRequest& request) override { requests_.push_back(request); }
  std::string describe(std::uint32_t block) const override;

 private:
  bool host_at(std::uint32_t block) const;  // a request stands on its register port
  void update_quiescent(std::uint32_t block);

  fabric::SwitchConfig config_;
  std::vector<core::Flit> queues_;     // of all switches
  std::vector<std::uint16_t> routes_;  // of all switches
  std::vector<BarrierSwitch> switches_;
  std::vector<core::RegisterRequest> requests_;  // for the next clock()
};

}  // namespace muster::golden
