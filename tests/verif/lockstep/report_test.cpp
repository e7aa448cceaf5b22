// SPDX-License-Identifier: Apache-2.0
#include "lockstep/report.hpp"

#include "fabric/register_packets.hpp"
#include "muster/fabric/barrier_message.hpp"
#include "systems/nic/nic_bank.hpp"
#include "systems/preempt/bsr_message.hpp"
#include "verif/lockstep/worlds.hpp"

using namespace muster;
using namespace muster::testing;

TEMPLATE_TEST_CASE("lockstep reports a change of each output by its name", "[lockstep]",
                   SwitchWorld, NicWorld, LinkWorld, BoxWorld, PolicyWorld, InjectionWorld) {
  using Plant = decltype(TestType::faults().front().plant);
  CHECK_FALSE(failure<TestType>(Plant{}));
  for (const auto& fault : TestType::faults()) {
    CAPTURE(fault.report);
    const auto error = failure<TestType>(fault.plant);
    REQUIRE(error);
    const std::string text = error->what();
    CHECK(text.substr(0, text.find('\n')) == fault.report);
    CHECK_THAT(text, Contains(fmt::format("cycle {}, {}, ", error->cycle(), error->instance())));
  }
}

TEMPLATE_TEST_CASE("lockstep compares what registers answer", "[lockstep]", SwitchWorld, NicWorld) {
  const auto bank = TestType::make(nullptr);
  CHECK(bank->read_register(0, 0x001) != 0);
  CHECK_THROWS_WITH(bank->read_register(0, TestType::kWrongRegister),
                    Contains("golden 0x0, RTL 0x1"));
}

TEST_CASE("a report has both states side by side and marks what differs", "[lockstep]") {
  const verif::Difference difference{
      .cycle = 7,
      .settled = true,
      .instance = "sw3",
      .output = "tx_valid",
      .golden = {"0x2",
                 {{"permits (0x00a)", "0x3"}, {"mode (0x003)", ""}, {"tx_valid", "0x2"}},
                 "all of golden"},
      .rtl = {"0x0",
              {{"permits (0x00a)", "0x3"}, {"mode (0x003)", ""}, {"tx_valid", ""}},
              "all of RTL"},
      .messages = {"cycle 6 in port 0: head", "cycle 7 in port 0: tail"}};
  CHECK(verif::report(difference) ==
        "lockstep: in cycle 7, sw3, tx_valid: golden 0x2, RTL 0x0\n"
        "  state            golden  RTL\n"
        "  permits (0x00a)  0x3     0x3\n"
        "  tx_valid         0x2     0  differs\n"
        "  golden: all of golden\n"
        "  RTL:    all of RTL\n"
        "  last messages:\n"
        "    cycle 6 in port 0: head\n"
        "    cycle 7 in port 0: tail");
}

TEST_CASE("a report has registers and outputs, and the last messages decoded", "[lockstep]") {
  const auto text = [](const std::optional<BlockError>& error) {
    REQUIRE(error);
    return std::string(error->what());
  };
  CHECK_THAT(text(failure<SwitchWorld>([](auto& t) { t.tx(0, 1).lo ^= 4; })),
             Contains("permits (0x00a)") && Contains("0x1  differs") &&
                 Contains("tail vc 0 payload 0x6  tail vc 0 payload 0x2  differs") &&
                 Contains("RTL:    tampered") &&
                 Contains("cycle 3 out port 1: head vc 0 payload 0x5: data to 5"));
  CHECK_THAT(text(failure<LinkWorld>([](auto& t) { t.tx(0, 1).hi ^= 1; })),
             Contains("cycle 2 in block: head vc 1 payload 0x5") &&
                 Contains("start, reason 0, 0 replays, 1 rejected") &&
                 Contains("init ack 0 count 0 0 ask, CRC 0xf01a  differs"));
  CHECK_THAT(text(failure<NicWorld>([](auto& t) { t.tx(0, 0).lo ^= 4; })),
             Contains("cycle 0 host writes 0x00a10700 to send (0x006)") &&
                 Contains("cycle 3 out port 0: head vc 0 payload 0x8005: NIC message to 5"));
  CHECK_THAT(text(failure<BoxWorld>(BoxWorld::What::kPacket)),
             Contains("cycle 1 port 1: background from 7 to tag 0x1, born in cycle 1"));
}

namespace {

const fabric::Formats kFormats(16, 8);

/// What is told of the last flit.
template <class Flits>
std::string told(const Flits& flits,
                 verif::FlitText::SyncText sync = fabric::barrier_message_text) {
  verif::FlitText text(kFormats, sync);
  std::string line;
  for (const core::Flit& flit : flits) line = text.line({flit, 9, 2, true});
  return line.substr(line.rfind(": ") + 2);
}

}  // namespace

TEST_CASE("packets are told as far as they have gone", "[lockstep]") {
  const auto arrival =
      kFormats.barrier_packet({.source = 3, .destination = 9, .gid = 5, .number = 2}, 0);
  CHECK(told(std::span(arrival).first(1)) == "arrival to 9");
  CHECK(told(std::span(arrival).first(2)) == "from 3");
  CHECK(told(arrival) == "barrier 2 of group 5");
  const auto request =
      fabric::register_request({.destination = 4, .source = 1, .write = true, .address = 0x102}, 0);
  CHECK(told(std::span(request).first(1)) == "register request to 4");
  CHECK(told(std::span(request).first(3)) == "write of register 0x102");
  CHECK(told(nic::nic_flits({nic::NicType::kAck, 3, 5, 1, 7, 2, 8}, 0)) ==
        "ACK from 3 to 5, slot 1, group 7, barrier 2, packet 8");
}

TEST_CASE("messages of preempting switches are told with their last flit", "[lockstep]") {
  const auto flits = preempt::bsr_flits(
      {.type = preempt::BsrType::kReduction, .gid = 77, .destination = 4, .source = 6}, 1);
  CHECK(told(std::span(flits).first(2), preempt::bsr_text) == "reduction of group 77 from 6 to 4");
  CHECK(told(std::array{preempt::control_flit({true, 2})}, preempt::bsr_text) ==
        "padding end of channel 2");
  core::Flit pad;
  pad.kind = core::Flit::kPad;
  CHECK(told(std::array{pad}, preempt::bsr_text) == "padding");
}

TEST_CASE("flits are told with cycle, direction and port, and what their kind says of them",
          "[lockstep]") {
  verif::FlitText text(kFormats, fabric::barrier_message_text), bare(kFormats, nullptr);
  const core::Flit sync = kFormats.barrier_flit({fabric::MessageType::kReduction, 5, {3, 0}}, 1);
  const std::string line = "cycle 9 in port 2: sync vc 1 payload 0x143";
  CHECK(text.line({sync, 9, 2, false}) == line + ": reduction of group 5, data 0x3");
  CHECK(bare.line({sync, 9, 2, false}) == line);
  CHECK(text.line({core::Flit{4, 0, 0, 0, 0}, 10, 2, true}) ==
        "cycle 10 out port 2: body vc 0 payload 0x4");
}
