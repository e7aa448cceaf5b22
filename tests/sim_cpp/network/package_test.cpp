// SPDX-License-Identifier: Apache-2.0
#include <bit>
#include <catch2/catch.hpp>
#include <fstream>
#include <map>
#include <string>

#include "network/formats.hpp"
#include "network/register_map.hpp"

namespace muster::network {
namespace {

/// A literal of muster_pkg.sv: decimal, or sized as in 2'd3 and 12'h0a8.
std::uint64_t literal(const std::string& text) {
  const auto quote = text.find('\'');
  if (quote == std::string::npos) return std::stoull(text);
  return std::stoull(text.substr(quote + 2), nullptr, text[quote + 1] == 'h' ? 16 : 10);
}

/// The localparams of muster_pkg.sv: "localparam TYPE NAME = LITERAL;", one on a line.
std::map<std::string, std::uint64_t> package_constants() {
  std::ifstream file(std::string(MUSTER_SOURCE_DIR) + "/rtl/common/muster_pkg.sv");
  std::map<std::string, std::uint64_t> constants;
  for (std::string line; std::getline(file, line);) {
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
      {"KindTail", std::countr_zero(Flit::kTail)},
      {"KindHead", std::countr_zero(Flit::kHead)},
      {"KindSync", std::countr_zero(Flit::kSync)},
      {"DestW", kDestinationWidth},
      {"OpcodeW", kOpcodeWidth},
      {"OpcodeData", kOpcodeData},
      {"OpcodeArrival", kOpcodeArrival},
      {"OpcodeRelease", kOpcodeRelease},
      {"OpcodeWorm", kOpcodeWorm},
      {"OpcodeRequest", kOpcodeRequest},
      {"OpcodeAnswer", kOpcodeAnswer},
      {"OpcodeGroup", kOpcodeGroup},
      {"AgentWordW", 16},
      {"RequestFlits", kRequestFlits},
      {"AnswerFlits", kAnswerFlits},
      {"StatusDone", static_cast<std::uint64_t>(AccessStatus::kDone)},
      {"StatusDiffers", static_cast<std::uint64_t>(AccessStatus::kDiffers)},
      {"StatusNoPermit", static_cast<std::uint64_t>(AccessStatus::kNoPermit)},
      {"StatusNotWritable", static_cast<std::uint64_t>(AccessStatus::kNotWritable)},
      {"MsgTypeW", kTypeWidth},
      {"MsgReduction", static_cast<std::uint64_t>(MessageType::kReduction)},
      {"MsgDistribution", static_cast<std::uint64_t>(MessageType::kDistribution)},
      {"MsgSpillPlace", static_cast<std::uint64_t>(MessageType::kSpillPlace)},
      {"MsgSpillData", static_cast<std::uint64_t>(MessageType::kSpillData)},
      {"RegAddrW", registers::kAddressWidth},
      {"RegDataW", registers::kDataWidth},
      {"RegMagic", registers::kMagic},
      {"RegMapVersion", registers::kMapVersion},
      {"KindWormholeSwitch", registers::kWormholeSwitch},
      {"KindBarrierSwitch", registers::kBarrierSwitch},
      {"KindMulticastSwitch", registers::kMulticastSwitch},
      {"RegIdentity", registers::kIdentity},
      {"RegSizes", registers::kSizes},
      {"RegWidths", registers::kWidths},
      {"RegControl", registers::kMode},
      {"RegUnroutable", registers::kNoRouteDrops},
      {"RegPermits", registers::kPermits},
      {"SpillPlaceW", kSpillPlaceWidth},
      {"RegSpill", registers::kSpill},
      {"RegDrops", registers::kDrops},
      {"RegAgentDrops", registers::kAgentDrops},
      {"RegBarrier", registers::control(0)},
      {"RegRoutes", registers::kRoutes}};
  CHECK(package_constants() == mirror);
}

TEST_CASE("words of the register map are composed as registers.md says", "[network][formats]") {
  CHECK(registers::control(3) == 0x04C);
  CHECK(registers::children(3) == 0x04D);
  CHECK(registers::progress(3) == 0x04E);
  CHECK(registers::control_word(0xABC, 5, false) == 0x80050ABCu);
  CHECK(registers::control_word(0x001, 0, true) == 0xC0000001u);
  CHECK(registers::arrived(0x00F0'1234u) == 0x1234);
  CHECK(registers::to_serve(0x00F0'1234u) == 0x00F0);
}

}  // namespace
}  // namespace muster::network
