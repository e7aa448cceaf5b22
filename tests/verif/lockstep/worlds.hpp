// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "fabric/golden/link_bank.hpp"
#include "fabric/golden/switch_bank.hpp"
#include "lockstep/lockstep_esc.hpp"
#include "lockstep/lockstep_link.hpp"
#include "lockstep/lockstep_nic.hpp"
#include "lockstep/lockstep_switch.hpp"
#include "muster/core/bank.hpp"
#include "support/test.hpp"
#include "systems/btin/golden/barrier_switch.hpp"
#include "systems/esc/box_factory.hpp"
#include "systems/nic/golden/nic_engine.hpp"
#include "systems/nic/nic_registers.hpp"
#include "systems/switch_kinds.hpp"

namespace muster::testing {

/// A golden bank of blocks with a register port, one of whose outputs is changed after the edge of
/// one cycle. One register reads as one more.
template <class Golden>
class Tampered final : public Golden {
 public:
  using Tamper = void (*)(Tampered&);
  static constexpr std::uint64_t kCycle = 4;

  template <class... Shape>
  Tampered(Tamper tamper, std::uint32_t wrong_register, Shape&&... shape)
      : Golden(std::forward<Shape>(shape)...), tamper_(tamper), wrong_register_(wrong_register) {}
  void clock(std::uint64_t cycle, std::span<const std::uint32_t> awake) override {
    Golden::clock(cycle, awake);
    if (cycle == kCycle && tamper_ != nullptr) tamper_(*this);
  }
  core::Divisible* divisible() override { return nullptr; }  // the change is one of clock()
  std::uint32_t read_register(std::uint32_t b, std::uint32_t address) override {
    return Golden::read_register(b, address) + (address == wrong_register_);
  }
  std::string describe(std::uint32_t) const override { return "tampered"; }
  void quiet(bool value) { this->quiescent_[0] = value; }
  void interrupt() { this->irq_[0] = 1; }

 private:
  Tamper tamper_;
  std::uint32_t wrong_register_;
};

// For each kind of block a few cycles in lockstep of golden with a golden that has one output
// changed, and the list of those changes with the first line of the report.

template <class Plant>
struct PlantedFault {
  Plant plant;
  std::string report;
};

/// A head that comes in cycle 0 on port 0 stands on the wires of port 1 after the edge of cycle 3,
/// the tail that follows it after that of cycle 4.
struct SwitchWorld {
  using Bank = Tampered<golden::SwitchBank<golden::BarrierSwitch>>;
  using Fault = PlantedFault<Bank::Tamper>;
  static constexpr std::uint32_t kWrongRegister = fabric::registers::kPermits;

  static std::unique_ptr<verif::LockstepSwitchBank> make(Bank::Tamper tamper) {
    const fabric::SwitchConfig config{.name = "test", .kind = &btin::kBarrierSwitch};
    return std::make_unique<verif::LockstepSwitchBank>(
        std::make_unique<golden::SwitchBank<golden::BarrierSwitch>>(1, config),
        std::make_unique<Bank>(tamper, kWrongRegister, 1, config));
  }
  static void run(Bank::Tamper tamper) {
    const auto bank = make(tamper);
    bank->write_register(0, 0x800 + 5, 0b10);
    const std::uint32_t all[] = {0};
    for (std::uint64_t cycle = 0; cycle < 10; ++cycle) {
      if (cycle < 2) {
        bank->rx(0, 0) = {.lo = 5 + cycle,
                          .kind = cycle == 0 ? core::Flit::kHead : core::Flit::kTail};
        bank->wires(0).rx_valid = 1;
      }
      bank->clock(cycle, all);
    }
  }
  static std::vector<Fault> faults() {
    const std::string at = "lockstep: after the edge of cycle 4, sw0, ";
    const std::string tail = "golden tail vc 0 payload 0x6, RTL ";
    return {
        {[](Bank& t) { t.wires(0).tx_valid = 0; }, at + "tx_valid: golden 0x2, RTL 0x0"},
        {[](Bank& t) { t.wires(0).rx_back ^= 0x20; }, at + "rx_credit: golden 0x0, RTL 0x20"},
        {[](Bank& t) { t.quiet(true); }, at + "quiescent: golden 0x0, RTL 0x1"},
        {[](Bank& t) { t.interrupt(); }, at + "irq: golden 0x0, RTL 0x1"},
        {[](Bank& t) { t.tx(0, 1).lo ^= 4; }, at + "tx port 1: " + tail + "tail vc 0 payload 0x2"},
        {[](Bank& t) { t.tx(0, 1).vc ^= 1; }, at + "tx port 1: " + tail + "tail vc 1 payload 0x6"},
        {[](Bank& t) { t.tx(0, 1).kind = 0; },
         at + "tx port 1: " + tail + "body vc 0 payload 0x6"}};
  }
};

/// The host gives a token in cycle 0; after the edge of cycle 3 the head is on the wires, after
/// that of cycle 4 the second flit. A flit for no context comes in cycle 4.
struct NicWorld {
  using Bank = Tampered<golden::GoldenNicBank>;
  using Fault = PlantedFault<Bank::Tamper>;
  static constexpr std::uint32_t kWrongRegister = nic::registers::kDrops;
  static inline const nic::NicConfig kConfig{.contexts = 1, .steps = 2, .conns = 1, .records = 1};

  static std::unique_ptr<verif::LockstepNicBank> make(Bank::Tamper tamper) {
    return std::make_unique<verif::LockstepNicBank>(
        std::make_unique<golden::GoldenNicBank>(kConfig, 1),
        std::make_unique<Bank>(tamper, kWrongRegister, kConfig, 1));
  }
  static void run(Bank::Tamper tamper) {
    namespace regs = nic::registers;
    const auto bank = make(tamper);
    bank->write_register(0, regs::kAddress, regs::address_word(3, 0));
    bank->write_register(0, regs::connection(0), regs::connection_word(5));
    const std::uint32_t all[] = {0};
    for (std::uint64_t cycle = 0; cycle < 8; ++cycle) {
      nic::HostWires& host = bank->host(0);
      host.access = host.write = cycle == 0;
      host.address = regs::kSend;
      host.data = regs::send_word(5, 1, 7, 0);
      bank->rx(0, 0) = {};
      bank->wires(0).rx_valid = cycle == 4;
      bank->clock(cycle, all);
    }
  }
  static std::vector<Fault> faults() {
    const std::string at = "lockstep: after the edge of cycle 4, nic0, ";
    const std::string body = "golden body vc 0 payload 0x3, RTL ";
    return {
        {[](Bank& t) { t.wires(0).tx_valid = 0; }, at + "tx_valid: golden 0x1, RTL 0x0"},
        {[](Bank& t) { t.wires(0).rx_back = 0; }, at + "rx_credit: golden 0x1, RTL 0x0"},
        {[](Bank& t) { t.host(0).event = true; }, at + "event_valid: golden 0x0, RTL 0x1"},
        {[](Bank& t) { t.quiet(true); }, at + "quiescent: golden 0x0, RTL 0x1"},
        {[](Bank& t) { t.tx(0, 0).lo ^= 4; }, at + "tx port 0: " + body + "body vc 0 payload 0x7"},
        {[](Bank& t) { t.tx(0, 0).vc ^= 1; }, at + "tx port 0: " + body + "body vc 1 payload 0x3"}};
  }
};

/// A link end that calls the other: its first frame is on the wires after the edge of cycle 4. A
/// flit comes from the block in cycle 2, a frame that is not right in cycle 4.
struct LinkWorld {
  using Bank = Tampered<golden::GoldenLinkBank>;
  using Fault = PlantedFault<Bank::Tamper>;
  static constexpr std::uint32_t kWrongRegister = 0x003;
  static inline const fabric::LinkConfig kConfig{.timeout = 4};

  static std::unique_ptr<verif::LockstepLinkBank> make(Bank::Tamper tamper) {
    return std::make_unique<verif::LockstepLinkBank>(
        std::make_unique<golden::GoldenLinkBank>(kConfig, 1),
        std::make_unique<Bank>(tamper, kWrongRegister, kConfig, 1));
  }
  static void run(Bank::Tamper tamper) {
    const auto bank = make(tamper);
    const std::uint32_t all[] = {0};
    for (std::uint64_t cycle = 0; cycle < 8; ++cycle) {
      bank->rx(0, 0) = {.lo = 5, .vc = 1, .kind = core::Flit::kHead};
      bank->rx(0, 1) = {};
      bank->wires(0).rx_valid = cycle == 2 ? 1 : cycle == 4 ? 2 : 0;
      bank->clock(cycle, all);
    }
  }
  static std::vector<Fault> faults() {
    const std::string at = "lockstep: after the edge of cycle 4, link0, ";
    const std::string frame = "golden init ack 0 count 0 0 ask, CRC 0xf01b, RTL init ack 0 count ";
    return {
        {[](Bank& t) { t.wires(0).tx_valid = 3; }, at + "tx_valid: golden 0x0, RTL 0x1"},
        {[](Bank& t) { t.wires(0).tx_valid = 0; }, at + "frame_valid: golden 0x1, RTL 0x0"},
        {[](Bank& t) { t.wires(0).rx_back = 2; }, at + "rx_credit: golden 0x0, RTL 0x2"},
        {[](Bank& t) { t.interrupt(); }, at + "irq: golden 0x0, RTL 0x1"},
        {[](Bank& t) { t.quiet(true); }, at + "quiescent: golden 0x0, RTL 0x1"},
        {[](Bank& t) { t.tx(0, 1).spare ^= 8; }, at + "frame: " + frame + "0 1 ask, CRC 0xf01b"},
        {[](Bank& t) { t.tx(0, 1).hi ^= 1; }, at + "frame: " + frame + "0 0 ask, CRC 0xf01a"}};
  }
};

/// Two boxes of stages 1 and 0; packets for both outputs at both inputs of the second in every
/// cycle.
struct BoxWorld {
  enum class What { kNothing, kReady, kPacket, kQuiescent };
  using Fault = PlantedFault<What>;
  static void run(What what);
  static std::vector<Fault> faults() {
    const std::string at = "cycle 2, stage0_box0, ";
    return {{What::kReady, "lockstep: in " + at + "ready port 1: golden 1, RTL 0"},
            {What::kPacket,
             "lockstep: after the edge of " + at +
                 "tx port 0: golden background from 7 to tag 0x0, born in cycle 2 "
                 "(0x40000008001c0000), RTL background from 7 to tag 0x4, born in cycle 2 "
                 "(0x40000008001c0004)"},
            {What::kQuiescent, "lockstep: after the edge of " + at + "quiescent: golden 0, RTL 1"}};
  }
};

/// Four policies, one of which is offered a packet in cycle 0.
struct PolicyWorld {
  enum class What { kNothing, kDigit, kFlag };
  using Fault = PlantedFault<What>;
  static void run(What what);
  static std::vector<Fault> faults() {
    return {
        {What::kDigit, "lockstep: in cycle 0, pe2_policy, digit: golden 0, RTL 1"},
        {What::kFlag, "lockstep: after the edge of cycle 0, pe3_policy, flag: golden 0, RTL 1"}};
  }
};

/// Four injection blocks of the adaptive choice, one of which offers a packet in cycle 0.
struct InjectionWorld {
  enum class What { kNothing, kOffer, kDigit, kLeaves, kSections };
  using Fault = PlantedFault<What>;
  static void run(What what);
  static std::vector<Fault> faults() {
    const std::string in = "lockstep: in cycle 0, pe2_injection, ";
    const std::string after = "lockstep: after the edge of cycle 0, pe2_injection, ";
    return {{What::kOffer, in + "offer: golden background from 2 to tag 0x1, born in cycle 0 "
                                "(0x4000000000080001), RTL no packet"},
            {What::kDigit, in + "digit: golden 0, RTL 1"},
            {What::kLeaves, after + "head leaves: golden 1, RTL 0"},
            {What::kSections, after + "sections: golden 0, RTL 2"}};
  }
};

/// The report of a run with a fault, or none.
template <class World, class Plant>
std::optional<BlockError> failure(Plant plant) {
  try {
    World::run(plant);
  } catch (const BlockError& error) {
    return error;
  }
  return std::nullopt;
}

}  // namespace muster::testing
