// SPDX-License-Identifier: Apache-2.0
#include <bit>
#include <catch2/catch.hpp>
#include <fstream>
#include <map>
#include <regex>
#include <sstream>
#include <string>

#include "network/formats.hpp"
#include "network/register_map.hpp"

namespace muster::network {
namespace {

/// The localparams of muster_pkg.sv: decimal, or sized as in 12'h0a8.
std::map<std::string, std::uint64_t> package_constants() {
  std::ifstream file(std::string(MUSTER_SOURCE_DIR) + "/rtl/common/muster_pkg.sv");
  std::stringstream text;
  text << file.rdbuf();
  const std::string source = text.str();
  const std::regex line(R"(localparam [^;=]*?(\w+) = (?:\d*'([hd]))?([0-9a-fA-F_]+);)");
  std::map<std::string, std::uint64_t> constants;
  for (std::sregex_iterator at(source.begin(), source.end(), line), end; at != end; ++at) {
    constants[(*at)[1]] = std::stoull((*at)[3], nullptr, (*at)[2] == "h" ? 16 : 10);
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
      {"MsgTypeW", kTypeWidth},
      {"MsgReduction", static_cast<std::uint64_t>(MessageType::kReduction)},
      {"MsgDistribution", static_cast<std::uint64_t>(MessageType::kDistribution)},
      {"MsgReserved", static_cast<std::uint64_t>(MessageType::kReserved)},
      {"MsgExtension", static_cast<std::uint64_t>(MessageType::kExtension)},
      {"RegAddrW", registers::kAddressWidth},
      {"RegDataW", registers::kDataWidth},
      {"RegMagic", registers::kMagic},
      {"RegMapVersion", registers::kMapVersion},
      {"KindWormholeSwitch", registers::kWormholeSwitch},
      {"KindBarrierSwitch", registers::kBarrierSwitch},
      {"RegIdentity", registers::kIdentity},
      {"RegSizes", registers::kSizes},
      {"RegWidths", registers::kWidths},
      {"RegControl", registers::kMode},
      {"RegUnroutable", registers::kNoRouteDrops},
      {"RegDrops", registers::kDrops},
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
