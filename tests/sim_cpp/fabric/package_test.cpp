// SPDX-License-Identifier: Apache-2.0
#include <bit>
#include <catch2/catch.hpp>
#include <fstream>
#include <map>
#include <string>

#include "fabric/link_registers.hpp"
#include "fabric/register_map.hpp"
#include "muster/fabric/formats.hpp"
#include "systems/btin/switch_kinds.hpp"
#include "systems/nic/blocks/nic_message.hpp"
#include "systems/nic/blocks/nic_registers.hpp"
#include "systems/packets/switch_kinds.hpp"
#include "systems/preempt/blocks/bsr_message.hpp"
#include "systems/preempt/blocks/preempt_registers.hpp"
#include "systems/preempt/switch_kinds.hpp"

namespace muster::fabric {
namespace {

/// A literal of muster_pkg.sv: decimal, or sized as in 2'd3, 3'b011 and 12'h0a8.
std::uint64_t literal(const std::string& text) {
  const auto quote = text.find('\'');
  if (quote == std::string::npos) return std::stoull(text);
  const char base = text[quote + 1];
  return std::stoull(text.substr(quote + 2), nullptr, base == 'h' ? 16 : base == 'b' ? 2 : 10);
}

/// The localparams of muster_pkg.sv: "localparam TYPE NAME = LITERAL;", one on a line. Those of the
/// registers are written by the script that writes the C++ side too.
std::map<std::string, std::uint64_t> package_constants() {
  std::ifstream file(std::string(MUSTER_SOURCE_DIR) + "/rtl/common/muster_pkg.sv");
  std::map<std::string, std::uint64_t> constants;
  bool registers = false;
  for (std::string line; std::getline(file, line);) {
    if (line.find("// registers, written by scripts/registers") != std::string::npos)
      registers = true;
    if (line.find("// end of registers") != std::string::npos) registers = false;
    if (registers) continue;
    const auto equals = line.find(" = ");
    if (line.find("localparam ") == std::string::npos || equals == std::string::npos) continue;
    const auto name = line.rfind(' ', equals - 1) + 1;
    constants[line.substr(name, equals - name)] =
        literal(line.substr(equals + 3, line.find(';') - equals - 3));
  }
  return constants;
}

TEST_CASE("the C++ mirror has the constants of muster_pkg.sv, one by one", "[network][formats]") {
  const std::map<std::string, std::uint64_t> mirror{
      {"KindW", 3},
      {"KindTail", std::countr_zero(core::Flit::kTail)},
      {"KindHead", std::countr_zero(core::Flit::kHead)},
      {"KindSync", std::countr_zero(core::Flit::kSync)},
      {"DestW", kDestinationWidth},
      {"OpcodeW", kOpcodeWidth},
      {"OpcodeData", kOpcodeData},
      {"OpcodeArrival", kOpcodeArrival},
      {"OpcodeRelease", kOpcodeRelease},
      {"OpcodeWorm", kOpcodeWorm},
      {"OpcodeRequest", kOpcodeRequest},
      {"OpcodeAnswer", kOpcodeAnswer},
      {"OpcodeGroup", kOpcodeGroup},
      {"OpcodeNic", fabric::kOpcodeDevice},
      {"OpcodeCut", core::Flit::kCutWord >> kDestinationWidth},
      {"KindCut", core::Flit::cut_mark(0).kind},
      {"CutWord", core::Flit::kCutWord},
      {"NicFlits", nic::kNicFlits},
      {"NicTypeW", nic::kNicTypeWidth},
      {"NicSlotW", nic::kNicSlotWidth},
      {"NicGroupW", nic::kNicGroupWidth},
      {"NicSeqW", nic::kNicSequenceWidth},
      {"NicStep", static_cast<std::uint64_t>(nic::NicType::kStep)},
      {"NicNack", static_cast<std::uint64_t>(nic::NicType::kNack)},
      {"NicNotYet", static_cast<std::uint64_t>(nic::NicType::kNotYet)},
      {"NicAck", static_cast<std::uint64_t>(nic::NicType::kAck)},
      {"NicData", static_cast<std::uint64_t>(nic::NicType::kData)},
      {"NicMessageW", nic::kNicTypeWidth + kSourceWidth + nic::kNicSlotWidth + nic::kNicGroupWidth +
                          2 * nic::kNicSequenceWidth},
      {"NicEntryW", 2 + 2 * nic::kNicSlotWidth + kDestinationWidth},
      {"NicCountW", nic::kNicCountWidth},
      {"NicEventW", 2 + nic::kNicCountWidth + 2 * nic::kNicSlotWidth + kDestinationWidth},
      {"AgentWordW", 16},
      {"RequestFlits", kRequestFlits},
      {"AnswerFlits", kAnswerFlits},
      {"StatusDone", static_cast<std::uint64_t>(AccessStatus::kDone)},
      {"StatusDiffers", static_cast<std::uint64_t>(AccessStatus::kDiffers)},
      {"StatusNoPermit", static_cast<std::uint64_t>(AccessStatus::kNoPermit)},
      {"StatusNotWritable", static_cast<std::uint64_t>(AccessStatus::kNotWritable)},
      {"StatusBusy", static_cast<std::uint64_t>(AccessStatus::kBusy)},
      {"MsgTypeW", kTypeWidth},
      {"MsgReduction", static_cast<std::uint64_t>(MessageType::kReduction)},
      {"MsgDistribution", static_cast<std::uint64_t>(MessageType::kDistribution)},
      {"MsgSpillPlace", static_cast<std::uint64_t>(MessageType::kSpillPlace)},
      {"MsgSpillData", static_cast<std::uint64_t>(MessageType::kSpillData)},
      {"RegAddrW", registers::kAddressWidth},
      {"DestHighAt", kDestinationHighAt},
      {"RegWideAddrW", registers::kWideAddressWidth},
      {"RegDataW", registers::kDataWidth},
      {"BsrFlits", preempt::kBsrFlits},
      {"BsrFlitW", 16},
      {"BsrGidW", preempt::kBsrGidWidth},
      {"BsrReduction", static_cast<std::uint64_t>(preempt::BsrType::kReduction)},
      {"BsrDistribution", static_cast<std::uint64_t>(preempt::BsrType::kDistribution)},
      {"BsrFirst", static_cast<std::uint64_t>(preempt::BsrType::kFirst)},
      {"BntSource", static_cast<std::uint64_t>(preempt::Bnt::kSource)},
      {"BntNewNode", static_cast<std::uint64_t>(preempt::Bnt::kNewNode)},
      {"BntNothing", static_cast<std::uint64_t>(preempt::Bnt::kNothing)},
      {"BntFree", static_cast<std::uint64_t>(preempt::Bnt::kFree)},
      {"KindMessage", core::Flit::kSync},
      {"KindFirst", core::Flit::kFirst},
      {"KindPad", core::Flit::kPad},
      {"KindControl", core::Flit::kControl},
      {"PadRequest", preempt::control_flit({.end = false, .channel = 0}).lo >> 14},
      {"PadEnd", preempt::control_flit({.end = true, .channel = 0}).lo >> 14},
      {"SpillPlaceW", kSpillPlaceWidth},
      {"RetryW", kRetryWidth},
      {"RegisterFlagsW", 7}};
  CHECK(package_constants() == mirror);
}

TEST_CASE("words of the register map are composed as registers.md says", "[network][formats]") {
  CHECK(registers::control(3) == 0x04C);
  CHECK(registers::children(3) == 0x04D);
  CHECK(registers::progress(3) == 0x04E);
  CHECK(registers::control_word(0xABC, 5, false) == 0x80050ABCu);
  CHECK(registers::control_word(0x001, 0, true) == 0xC0000001u);
  CHECK(registers::identity_word(1) == 0x4D530105u);
  CHECK(registers::kBarrierProgressArrived.of(0x00F0'1234u) == 0x1234);
  CHECK(registers::kBarrierProgressServe.of(0x00F0'1234u) == 0x00F0);
}

TEST_CASE("a NIC's packet carries its message and a CRC", "[network][formats][nic]") {
  const nic::NicMessage step{nic::NicType::kStep, 3, 5, 2, 7, 1, 0};
  const auto flits = nic::nic_flits(step, 0);
  const std::uint64_t words[] = {0x8005, 0x0003, 0x0207, 0x0001, 0x2313};
  for (std::size_t i = 0; i < nic::kNicFlits; ++i) CHECK(flits[i].lo == words[i]);
  const nic::NicMessage data{nic::NicType::kData, 2047, 1024, 31, 255, 254, 253};
  CHECK(nic::nic_message(nic::nic_flits(data, 3)) == data);
  // One, two and three bits wrong are found, wherever they are.
  for (unsigned a = 0; a < 80; ++a) {
    for (unsigned b = a; b < 80; ++b) {
      for (unsigned c = b; c < 80; ++c) {
        auto damaged = nic::nic_flits(data, 3);
        damaged[a / 16].lo ^= 1u << a % 16;
        if (b != a) damaged[b / 16].lo ^= 1u << b % 16;
        if (c != b) damaged[c / 16].lo ^= 1u << c % 16;
        REQUIRE_FALSE(nic::nic_message(damaged));
      }
    }
  }
}

TEST_CASE("a NIC's packet carries and protects addresses of 16 bits", "[network][formats][nic]") {
  const nic::NicMessage step{nic::NicType::kStep, 0xfffe, 0x9c40, 2, 7, 1, 0};
  const auto flits = nic::nic_flits(step, 1);
  CHECK(flits[0].lo == (address_bits(0x9c40) | 0x8000));
  CHECK(flits[1].lo == (address_bits(0xfffe) | 0x0800));
  CHECK(nic::nic_message(flits) == step);
  // 80 bits of words, and five more of each address.
  const auto flip = [](auto& packet, unsigned bit) {
    if (bit < 80)
      packet[bit / 16].lo ^= 1u << bit % 16;
    else
      packet[(bit - 80) / 5].lo ^= 1u << (16 + bit % 5);
  };
  for (unsigned a = 0; a < 90; ++a)
    for (unsigned b = a; b < 90; ++b)
      for (unsigned c = b; c < 90; ++c) {
        auto damaged = flits;
        flip(damaged, a);
        if (b != a) flip(damaged, b);
        if (c != b) flip(damaged, c);
        REQUIRE_FALSE(nic::nic_message(damaged));
      }
}

}  // namespace
}  // namespace muster::fabric
