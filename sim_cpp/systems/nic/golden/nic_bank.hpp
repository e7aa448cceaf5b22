// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "muster/core/divisible.hpp"
#include "systems/nic/blocks/nic_bank.hpp"
#include "systems/nic/golden/nic_engine.hpp"

namespace muster::golden {

/// NIC barrier engines of one configuration on the engine `golden`.
class GoldenNicBank : public nic::NicBank, public core::Divisible {
 public:
  /// Throws InputError if `config` is out of range.
  GoldenNicBank(const nic::NicConfig& config, std::uint32_t nics)
      : NicBank(nics), nics_(nics, NicEngine(nic::validate(config))) {
    quiescent_.assign(nics, 1);
  }

  core::Divisible* divisible() override { return this; }
  void clock(std::uint64_t cycle, std::span<const std::uint32_t> awake) override {
    clock_some(cycle, awake);
  }
  void clock_some(std::uint64_t, std::span<const std::uint32_t> awake) override {
    for (const std::uint32_t b : awake) {
      nics_[b].clock(wires_[b], rx_[b], tx_[b], hosts_[b]);
      quiescent_[b] = wires_[b].tx_valid == 0 && wires_[b].rx_back == 0 && nics_[b].quiet();
    }
  }
  void write_register(std::uint32_t block, std::uint32_t address, std::uint32_t value) override {
    nics_[block].write_register(address, value);
    quiescent_[block] = nics_[block].quiet();
  }
  std::uint32_t read_register(std::uint32_t block, std::uint32_t address) override {
    return nics_[block].read_register(address);
  }
  std::string describe(std::uint32_t block) const override { return nics_[block].describe(); }

 private:
  std::vector<NicEngine> nics_;
};

}  // namespace muster::golden
