// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <muster/bank.hpp>
#include <string>
#include <vector>

namespace token_ring {

/// Golden ring switches, written from the header of rtl/ring_switch.sv, which also lists the
/// registers.
class RingBank : public muster::core::Bank {
 public:
  RingBank(std::uint32_t blocks, const muster::fabric::SwitchConfig& config);
  void clock(std::uint64_t cycle, std::span<const std::uint32_t> awake) override;
  void write_register(std::uint32_t block, std::uint32_t address, std::uint32_t value) override;
  std::uint32_t read_register(std::uint32_t block, std::uint32_t address) override;
  std::string describe(std::uint32_t block) const override;

 private:
  /// What a switch does in the next cycle.
  enum class Step : std::uint8_t { kNothing, kSendToken, kRelease };
  struct Switch {
    std::uint32_t control = 0, members = 0;  ///< registers
    std::uint32_t arrived = 0;               ///< ports
    bool token = false, released = false;    ///< what came from the previous switch
    bool under_way = false;                  ///< home: a token or its release

    bool in_use() const { return control >> 31 != 0; }
    bool home() const { return control >> 30 & 1; }
    bool all_arrived() const { return in_use() && (arrived & members) == members; }
  };
  static Step next(const Switch& s);
  void send(std::uint32_t block, std::uint32_t ports, muster::fabric::MessageType type);
  void receive(std::uint32_t block);

  muster::fabric::SwitchConfig config_;
  muster::fabric::Formats formats_;
  std::vector<Switch> switches_;
};

}  // namespace token_ring
