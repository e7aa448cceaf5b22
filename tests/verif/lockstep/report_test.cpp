// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>

#include "lockstep/difference.hpp"
#include "verif/lockstep/worlds.hpp"

using namespace muster;
using namespace muster::testing;
using Catch::Matchers::Contains;

TEST_CASE("a report has both states side by side and marks what differs", "[lockstep]") {
  const verif::Difference difference{
      .cycle = 7,
      .settled = true,
      .instance = "sw3",
      .output = "tx_valid",
      .golden = "0x2",
      .rtl = "0x0",
      .golden_state = {{"permits (0x005)", "0x3"}, {"mode (0x003)", ""}, {"tx_valid", "0x2"}},
      .rtl_state = {{"permits (0x005)", "0x3"}, {"mode (0x003)", ""}, {"tx_valid", ""}},
      .golden_text = "all of golden",
      .rtl_text = "all of RTL",
      .messages = {"cycle 6 in port 0: head", "cycle 7 in port 0: tail"}};
  CHECK(verif::report(difference) ==
        "lockstep: in cycle 7, sw3, tx_valid: golden 0x2, RTL 0x0\n"
        "  state            golden  RTL\n"
        "  permits (0x005)  0x3     0x3\n"
        "  tx_valid         0x2     0  differs\n"
        "  golden: all of golden\n"
        "  RTL:    all of RTL\n"
        "  last messages:\n"
        "    cycle 6 in port 0: head\n"
        "    cycle 7 in port 0: tail");
}

TEST_CASE("the report of a switch has its registers, its outputs and its decoded messages",
          "[lockstep]") {
  const auto error = failure<SwitchWorld>([](auto& t) { t.tx(0, 1).lo ^= 4; });
  REQUIRE(error);
  const std::string text = error->what();
  CAPTURE(text);
  CHECK_THAT(text, Contains("permits (0x005)") && Contains("0x1  differs"));
  CHECK_THAT(text, Contains("identity (0x000)") && Contains("0x4d530105"));
  CHECK_THAT(text, Contains("tail vc 0 payload 0x6  tail vc 0 payload 0x2  differs"));
  CHECK_THAT(text, Contains("RTL:    tampered"));
  CHECK_THAT(text, Contains("cycle 0 in port 0: head vc 0 payload 0x5: data to 5") &&
                       Contains("cycle 1 in port 0: tail vc 0 payload 0x6: from 6") &&
                       Contains("cycle 3 out port 1: head vc 0 payload 0x5: data to 5"));
}

TEST_CASE("the report of a link end has its frames decoded", "[lockstep][link]") {
  const auto error = failure<LinkWorld>([](auto& t) { t.tx(0, 1).hi ^= 1; });
  REQUIRE(error);
  const std::string text = error->what();
  CAPTURE(text);
  CHECK_THAT(text, Contains("cycle 2 in block: head vc 1 payload 0x5") &&
                       Contains("cycle 4 in wires: ack 0 count 0 0, CRC 0x0000") &&
                       Contains("start, reason 0, 0 replays, 1 rejected") &&
                       Contains("init ack 0 count 0 0 ask, CRC 0xf01a  differs"));
}

TEST_CASE("the report of a NIC has what the host wrote", "[lockstep][nic]") {
  const auto error = failure<NicWorld>([](auto& t) { t.tx(0, 0).lo ^= 4; });
  REQUIRE(error);
  const std::string text = error->what();
  CAPTURE(text);
  CHECK_THAT(text, Contains("cycle 0 host writes 0x00a10700 to send (0x006)") &&
                       Contains("cycle 4 in port 0: body vc 0 payload 0x0") &&
                       Contains("cycle 3 out port 0: head vc 0 payload 0x8005: NIC message to 5") &&
                       Contains("connection 0 (0x080)"));
}

TEST_CASE("the report of a box has its packets", "[lockstep][esc]") {
  const auto error = failure<BoxWorld>(BoxWorld::What::kPacket);
  REQUIRE(error);
  CHECK_THAT(error->what(),
             Contains("cycle 1 port 1: background from 7 to tag 0x1, born in cycle 1") &&
                 Contains("tampered"));
}
