// SPDX-License-Identifier: Apache-2.0
#include "golden/ring_switch.hpp"

#include <fmt/format.h>

#include <string>
#include <vector>

namespace token_ring {

using namespace muster;
using fabric::MessageType;

namespace {

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

  Step next() const {
    if (home()) {
      if (token) return Step::kRelease;
      return all_arrived() && !under_way ? Step::kSendToken : Step::kNothing;
    }
    if (released) return Step::kRelease;
    return token && all_arrived() ? Step::kSendToken : Step::kNothing;
  }
};

/// Golden ring switches, written from the header of rtl/ring_switch.sv, which also lists the
/// registers.
class RingBank final : public core::Bank {
 public:
  RingBank(std::uint32_t blocks, const fabric::SwitchConfig& config)
      : Bank(blocks, config.ports),
        config_(config),
        formats_(config.flit_w, config.gid_w),
        switches_(blocks) {
    quiescent_.assign(blocks, 1);
  }

  void clock(std::uint64_t /*cycle*/, std::span<const std::uint32_t> awake) override {
    for (const std::uint32_t b : awake) {
      Switch& s = switches_[b];
      const Step step = s.next();
      const std::uint32_t ring = 1u << next_port(s.control) & ((1u << ports_) - 1);
      if (s.home() && s.released) s.under_way = false;
      s.released = false;
      if (step == Step::kNothing) {
        send(b, 0, {});
      } else if (step == Step::kSendToken) {
        if (s.home()) s.under_way = true;
        s.token = false;
        send(b, ring, MessageType::kReduction);
      } else {
        s.token = false;
        s.arrived &= ~s.members;
        send(b, ring | s.members, MessageType::kDistribution);
      }
      receive(b);
      quiescent_[b] = wires_[b].tx_valid == 0 && !s.released && s.next() == Step::kNothing;
    }
  }

  void write_register(std::uint32_t block, std::uint32_t address, std::uint32_t value) override {
    Switch& s = switches_[block];
    if (address == kControl) s.control = value & control_bits(ports_);
    if (address == kMembers) s.members = value & ((1u << ports_) - 1);
  }

  std::uint32_t read_register(std::uint32_t block, std::uint32_t address) override {
    if (address == kWidths) return config_.gid_w << 8 | config_.flit_w;
    const Switch& s = switches_[block];
    if (address == kControl) return s.control;
    if (address == kMembers) return s.members;
    return address == kProgress ? std::uint32_t{s.token} << 31 | s.arrived : 0;
  }

  std::string describe(std::uint32_t block) const override {
    const Switch& s = switches_[block];
    return fmt::format("ring switch {}: arrived {:#x} of {:#x}{}{}{}", block, s.arrived, s.members,
                       s.home() ? ", home" : "", s.token ? ", has the token" : "",
                       s.under_way ? ", token under way" : "");
  }

 private:
  void send(std::uint32_t block, std::uint32_t ports, MessageType type) {
    wires_[block].tx_valid = ports;
    for (std::uint32_t p = 0; p < ports_; ++p)
      if (ports >> p & 1) tx_[index(block, p)] = formats_.barrier_flit({type, 0, {}}, 0);
  }

  void receive(std::uint32_t block) {
    Switch& s = switches_[block];
    core::BlockWires& wires = wires_[block];
    wires.rx_back = 0;
    for (std::uint32_t p = 0; p < ports_; ++p) {
      if ((wires.rx_valid >> p & 1) == 0) continue;
      const MessageType type = formats_.barrier_message(rx_[index(block, p)]).type;
      const bool previous = s.in_use() && p == previous_port(s.control);
      if (type == MessageType::kReduction && (s.members >> p & 1) != 0)
        s.arrived |= 1u << p;
      else if (type == MessageType::kReduction && previous)
        s.token = true;
      else if (type == MessageType::kDistribution && previous)
        s.released = true;
    }
    wires.rx_valid = 0;
    wires.tx_back = 0;
  }

  fabric::SwitchConfig config_;
  fabric::Formats formats_;
  std::vector<Switch> switches_;
};

}  // namespace

const fabric::SwitchKind kRingSwitch{
    .name = "ring",
    .module = "ring_switch",
    .number = 0x80,
    .min_vcs = 1,
    .min_regs = 1,
    .max_regs = 1,
    .golden = [](std::uint32_t blocks,
                 const fabric::SwitchConfig& config) -> std::unique_ptr<core::Bank> {
      return std::make_unique<RingBank>(blocks, validate(config));
    },
    .sync_text = fabric::barrier_message_text};

}  // namespace token_ring
