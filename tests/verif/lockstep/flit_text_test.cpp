// SPDX-License-Identifier: Apache-2.0
#include "lockstep/fabric/flit_text.hpp"

#include <catch2/catch.hpp>

#include "fabric/register_packets.hpp"
#include "muster/fabric/message_text.hpp"
#include "systems/nic/blocks/nic_message.hpp"
#include "systems/preempt/blocks/bsr_message.hpp"
#include "systems/preempt/bsr_text.hpp"

using namespace muster;
using core::Flit;
using verif::FlitText;

namespace {

const fabric::Formats kFormats(16, 8);

/// What is told of the last flit.
template <class Flits>
std::string told(const Flits& flits, FlitText::SyncText sync = fabric::barrier_message_text) {
  FlitText text(kFormats, sync);
  std::string line;
  for (const Flit& flit : flits) line = text.line({flit, 9, 2, true});
  return line.substr(line.rfind(": ") + 2);
}

}  // namespace

TEST_CASE("flits are told with cycle, direction and port", "[lockstep]") {
  FlitText text(kFormats, fabric::barrier_message_text);
  const Flit sync = kFormats.barrier_flit({fabric::MessageType::kReduction, 5, {3, 0}}, 1);
  CHECK(text.line({sync, 9, 2, false}) ==
        "cycle 9 in port 2: sync vc 1 payload 0x143: reduction of group 5, data 0x3");
  CHECK(text.line({Flit{4, 0, 0, 0, 0}, 10, 2, true}) ==
        "cycle 10 out port 2: body vc 0 payload 0x4");
}

TEST_CASE("packets are told as far as they have gone", "[lockstep]") {
  const auto arrival =
      kFormats.barrier_packet({.source = 3, .destination = 9, .gid = 5, .number = 2}, 0);
  CHECK(told(std::span(arrival).first(1)) == "arrival to 9");
  CHECK(told(std::span(arrival).first(2)) == "from 3");
  CHECK(told(arrival) == "barrier 2 of group 5");
  const auto request =
      fabric::register_request({.destination = 4, .source = 1, .write = true, .address = 0x041}, 0);
  CHECK(told(std::span(request).first(1)) == "register request to 4");
  CHECK(told(std::span(request).first(3)) == "write of register 0x041");
  CHECK(told(nic::nic_flits({nic::NicType::kAck, 3, 5, 1, 7, 2, 8}, 0)) ==
        "ACK from 3 to 5, slot 1, group 7, barrier 2, packet 8");
}

TEST_CASE("messages of preempting switches are told with their last flit", "[lockstep]") {
  const auto flits = preempt::bsr_flits(
      {.type = preempt::BsrType::kReduction, .gid = 77, .destination = 4, .source = 6}, 1);
  CHECK(told(std::span(flits).first(2), preempt::bsr_text) == "reduction of group 77 from 6 to 4");
  CHECK(told(std::array{preempt::control_flit({true, 2})}, preempt::bsr_text) ==
        "padding end of channel 2");
  Flit pad;
  pad.kind = core::Flit::kPad;
  CHECK(told(std::array{pad}, preempt::bsr_text) == "padding");
}

TEST_CASE("sync flits of a kind that tells nothing of them have no meaning but their bits",
          "[lockstep]") {
  FlitText text(kFormats, nullptr);
  const Flit sync = kFormats.barrier_flit({fabric::MessageType::kReduction, 5, {3, 0}}, 1);
  CHECK(text.line({sync, 9, 2, false}) == "cycle 9 in port 2: sync vc 1 payload 0x143");
}
