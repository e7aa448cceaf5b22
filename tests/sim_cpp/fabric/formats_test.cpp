// SPDX-License-Identifier: Apache-2.0
#include "muster/fabric/formats.hpp"

#include <fstream>

#include "fabric/register_map.hpp"
#include "support/test.hpp"
#include "systems/nic/nic_bank.hpp"
#include "systems/nic/nic_registers.hpp"
#include "systems/preempt/bsr_message.hpp"

namespace muster::fabric {
namespace {

TEST_CASE("a barrier message of 16 bits has type, gid and data where formats.md puts them",
          "[network][formats]") {
  const Formats formats(16, 8);
  CHECK(formats.data_width() == 6);
  const core::Flit flit = formats.barrier_flit({MessageType::kDistribution, 0xA5, {0x2B, 0}}, 1);
  CHECK(flit.lo == 0x696Bu);  // 01 10100101 101011
  CHECK(flit.hi == 0);
  CHECK(flit.vc == 1);
  CHECK(flit.kind == core::Flit::kSync);
}

TEST_CASE("barrier messages of every width come back as they were", "[network][formats]") {
  Random rng(muster_seed());
  for (unsigned width = kMinFlitWidth; width <= kMaxFlitWidth; ++width) {
    for (unsigned gid = kMinGidWidth; gid <= kMaxGidWidth; ++gid) {
      CAPTURE(width, gid);
      const Formats formats(width, gid);
      for (int i = 0; i < 8; ++i) {
        const BarrierMessage message{static_cast<MessageType>(rng.below(4)), rng.below(1u << gid),
                                     Formats::low_bits(rng.payload(), formats.data_width())};
        const core::Flit flit = formats.barrier_flit(message, 0);
        REQUIRE(formats.barrier_message(flit) == message);
        REQUIRE(Formats::low_bits({flit.lo, flit.hi}, width) == Payload{flit.lo, flit.hi});
      }
    }
  }
}

TEST_CASE("a flit of FlitW bits names 2^(FlitW - 5) addresses, at most 2^16",
          "[network][formats]") {
  CHECK(addresses(16) == 2048);
  CHECK(addresses(17) == 4096);
  CHECK(addresses(80) == 65536);
  CHECK(flit_width_for(2048) == 16);
  CHECK(flit_width_for(2049) == 17);
  CHECK(flit_width_for(65536) == 21);
}

TEST_CASE("packets of every width of flits and group identifiers come back as they were",
          "[network][formats]") {
  Random rng(muster_seed());
  for (unsigned width = kMinFlitWidth; width <= 24; ++width)
    for (unsigned gid = kMinGidWidth; gid <= kMaxGidWidth; ++gid) {
      CAPTURE(width, gid);
      const Formats formats(width, gid);
      for (int i = 0; i < 16; ++i) {
        const auto any = [&] { return rng.below(addresses(width)); };
        const std::uint64_t barrier = rng.below(100000);
        const BarrierPacket packet{
            any(), any(), rng.below(1u << gid),
            static_cast<std::uint32_t>(barrier % (1u << formats.number_width())), kOpcodeRelease};
        const std::vector<core::Flit> flits = formats.barrier_packet(packet, 3);
        REQUIRE(flits.size() == kBarrierPacketFlits);
        REQUIRE(formats.barrier_packet(flits) == packet);
        REQUIRE(Formats::stream(flits[1]) == 3);
        for (const std::uint64_t near : {barrier, barrier + 1, barrier == 0 ? 0 : barrier - 1})
          REQUIRE(formats.barrier_near(near, packet.number) == barrier);
        for (const core::Flit& flit : flits) REQUIRE(flit.lo >> width == 0);
        const Packet data{
            .source = any(), .destination = any(), .length = 3, .vc = 1, .opcode = 21};
        const core::Flit head = formats.packet_flit(data, 0), second = formats.packet_flit(data, 1);
        REQUIRE(Formats::destination(head) == data.destination);
        REQUIRE(Formats::opcode(head) == 21);
        REQUIRE(Formats::source(second) == data.source);
        REQUIRE((head.lo | second.lo) >> width == 0);
      }
    }
}

TEST_CASE("a data packet is head, source, sequence, words, tail", "[network][formats]") {
  const Formats formats(16, 8);
  const Packet packet{
      .source = 2047, .destination = 1025, .length = 5, .sequence = 0xBEEF, .vc = 3};
  const core::Flit head = formats.packet_flit(packet, 0);
  CHECK(head.kind == core::Flit::kHead);
  CHECK((Formats::destination(head) == 1025 && Formats::opcode(head) == kOpcodeData));
  const core::Flit second = formats.packet_flit(packet, 1);
  CHECK(second.kind == 0);
  CHECK(second.lo == 0x1FFFu);
  CHECK(Formats::source(second) == 2047);
  CHECK(Formats::stream(second) == 3);
  CHECK(Formats::sequence(formats.packet_flit(packet, 2)) == 0xBEEF);
  CHECK(formats.packet_flit(packet, 3).lo == (data_word(2047, 1025, 0xBEEF, 3) & 0xffff));
  CHECK(formats.packet_flit(packet, 3).kind == 0);
  CHECK(formats.packet_flit(packet, 4).kind == core::Flit::kTail);
  for (std::uint32_t i = 0; i < 5; ++i) CHECK(formats.packet_flit(packet, i).vc == 3);
}

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
      {"RegisterFlagsW", 9},
      {"MsgMostW", kMaxFlitWidth},
      {"LabelW", 4}};
  CHECK(package_constants() == mirror);
}

TEST_CASE("a NIC's packet carries its message and a CRC, with addresses of 16 bits",
          "[network][formats][nic]") {
  const nic::NicMessage step{nic::NicType::kStep, 3, 5, 2, 7, 1, 0};
  const std::uint64_t words[] = {0x8005, 0x0003, 0x0207, 0x0001, 0x2313};
  for (std::size_t i = 0; i < nic::kNicFlits; ++i) CHECK(nic::nic_flits(step, 0)[i].lo == words[i]);
  const nic::NicMessage data{nic::NicType::kData, 2047, 1024, 31, 255, 254, 253};
  CHECK(nic::nic_message(nic::nic_flits(data, 3)) == data);

  const nic::NicMessage wide{nic::NicType::kStep, 0xfffe, 0x9c40, 2, 7, 1, 0};
  const auto flits = nic::nic_flits(wide, 1);
  CHECK(flits[0].lo == (address_bits(0x9c40) | 0x8000));
  CHECK(flits[1].lo == (address_bits(0xfffe) | 0x0800));
  CHECK(nic::nic_message(flits) == wide);
  // One, two and three bits wrong are found, wherever they are: in the 80 bits of words, and in
  // five more of each address. The CRC is linear, so what holds for one message holds for all.
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
