// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>

#include "Vnic_crc.h"
#include "muster/core/rng.hpp"
#include "rtl/nic_engine_bench.hpp"
#include "support/seed.hpp"
#include "systems/nic/nic_bank.hpp"

// The point-to-point path of one NIC, against docs/systems/nic-link.md.
using namespace muster;
using namespace muster::test;

namespace {

constexpr std::uint32_t kPeer = 9;

struct Linked : EngineBench {
  explicit Linked(std::uint32_t times = 0) {
    store(regs::kTimes, times);
    store(regs::connection(1), regs::connection_word(kPeer));
  }
  void give(std::uint32_t slot) { store(regs::kSend, regs::send_word(kPeer, slot, 20, 1)); }
};

}  // namespace

TEST_CASE("a host's message is sent, acknowledged, and its token comes back", "[rtl][nic]") {
  Linked nic;
  const std::uint64_t bell = nic.cycle();
  nic.give(17);
  nic.give(18);
  nic.give(19);  // two tokens a connection
  nic.steps(20);
  CHECK(nic.read(regs::kRefused) == 1);
  REQUIRE(nic.sent.size() == 1);  // it stops and waits
  CHECK(nic.sent[0].cycle == bell + 4);
  CHECK(nic.sent[0].message == from_node(NicType::kData, kPeer, 17, 20, 1, 0));
  nic.send(to_node(NicType::kAck, kPeer, 17, 20, 1, 3));  // of no packet under way
  nic.send(to_node(NicType::kAck, kPeer, 17, 20, 1, 0));
  nic.steps(30);
  CHECK(nic.read(regs::kDrops) == 1u << 16);
  REQUIRE(nic.sent.size() == 2);
  CHECK(nic.sent[1].message == from_node(NicType::kData, kPeer, 18, 20, 1, 1));
  REQUIRE(nic.events.size() == 1);
  CHECK(nic.events[0].word == (4u << 29 | 1u << 24));
}

TEST_CASE("a packet without ACK is sent again after T, 2 T, .. cycles, and then the peer is dead",
          "[rtl][nic]") {
  constexpr std::uint32_t kT = 20;
  Linked nic(regs::times_word(kT, 2, 0));
  nic.give(1);
  nic.give(2);
  nic.steps(250);
  REQUIRE(nic.sent.size() == 3);
  for (const Sent& s : nic.sent) CHECK(s.message == nic.sent[0].message);
  // From grant to grant: one cycle, the limit, and the one in which it wants again.
  CHECK(nic.sent[1].cycle - nic.sent[0].cycle == kT + 2);
  CHECK(nic.sent[2].cycle - nic.sent[1].cycle == 2 * kT + 2);
  REQUIRE(nic.events.size() == 1);
  CHECK(nic.events[0].word == (5u << 29 | 1u << 24 | kPeer));
  CHECK(nic.read(regs::connection(1)) >> 27 == 0b11000);  // valid, dead, no tokens
  CHECK(nic.quiescent());
  nic.give(3);
  CHECK(nic.read(regs::kRefused) == 1);
  nic.store(regs::connection(1), regs::connection_word(kPeer));
  nic.give(4);
  nic.steps(10);
  CHECK(nic.sent.size() == 4);
}

TEST_CASE("a DATA is accepted once and acknowledged as often as it comes", "[rtl][nic]") {
  Linked nic;
  nic.send(to_node(NicType::kData, kPeer, 17, 20, 1, 0));
  nic.send(to_node(NicType::kData, kPeer, 17, 20, 1, 0));
  nic.send(to_node(NicType::kData, kPeer, 18, 20, 1, 2));  // one is missing before it
  nic.send(to_node(NicType::kData, 8, 18, 20, 1, 1));      // no connection
  nic.steps(60);
  REQUIRE(nic.sent.size() == 2);
  for (const Sent& s : nic.sent) CHECK(s.message == from_node(NicType::kAck, kPeer, 17, 20, 1, 0));
  REQUIRE(nic.events.size() == 1);
  CHECK(nic.events[0].word == (3u << 29 | 17u << 24 | 20u << 8 | 1));
  CHECK(nic.read(regs::kDrops) == (2u << 16 | 1u << 8));
}

TEST_CASE("a packet that a cut mark ends is malformed even if its CRC would fit", "[rtl][nic]") {
  Linked nic;
  std::uint32_t cut = 0;
  for (std::uint32_t group = 0; group < 256; ++group) {
    auto flits = nic::nic_flits(
        to_node(NicType::kData, kPeer, 17, static_cast<std::uint8_t>(group), 1, 0), 0);
    flits.back().kind = core::Flit::kHead | core::Flit::kTail;
    if (!flits.back().cut()) continue;
    for (const core::Flit& flit : flits) nic.send(flit);
    ++cut;
  }
  REQUIRE(cut > 2);
  nic.send(core::Flit::cut_mark(0));  // of no packet
  nic.steps(5 * cut + 20);
  CHECK(nic.sent.empty());
  CHECK(nic.events.empty());
  CHECK(nic.read(regs::kDrops) == cut);
  nic.send(to_node(NicType::kData, kPeer, 17, 20, 1, 0));
  nic.steps(20);
  CHECK(nic.sent.size() == 1);
  CHECK(nic.events.size() == 1);
}

TEST_CASE("a connection begins anew when both ends are written, not when one is", "[rtl][nic]") {
  Linked nic;
  nic.send(to_node(NicType::kData, kPeer, 17, 20, 1, 0));
  nic.steps(30);
  REQUIRE(nic.events.size() == 1);
  // The peer's end alone is new and counts from 0: its message is taken for the one before.
  nic.send(to_node(NicType::kData, kPeer, 18, 20, 2, 0));
  nic.steps(30);
  CHECK(nic.events.size() == 1);
  CHECK(nic.sent.size() == 2);  // acknowledged, and lost
  // Written here, too, it is a first one.
  nic.write(regs::connection(1), regs::connection_word(kPeer));
  nic.send(to_node(NicType::kData, kPeer, 18, 20, 2, 0));
  nic.steps(30);
  REQUIRE(nic.events.size() == 2);
  CHECK(nic.events[1].word == (3u << 29 | 18u << 24 | 20u << 8 | 2));
  REQUIRE(nic.sent.size() == 3);
  CHECK(nic.sent[2].message == from_node(NicType::kAck, kPeer, 18, 20, 2, 0));
}

TEST_CASE("a host that takes no events limits what is accepted", "[rtl][nic]") {
  Linked nic;
  nic.ready = false;
  for (std::uint8_t i = 0; i < 11; ++i) nic.send(to_node(NicType::kData, kPeer, i, 20, 1, i & 3));
  nic.steps(120);
  // One at the port, eight in the queue; the tenth is not accepted, the eleventh not expected.
  CHECK(nic.sent.size() == 9);
  CHECK(nic.read(regs::kDrops) == (1u << 24 | 1u << 16));
  nic.ready = true;
  nic.steps(20);
  REQUIRE(nic.events.size() == 9);
  for (std::uint32_t i = 0; i < 9; ++i) CHECK(regs::event_slot(nic.events[i].word) == i);
}

TEST_CASE("a direct context sends through its connection and is released by a DATA", "[rtl][nic]") {
  Linked nic;
  const std::uint32_t list[] = {send_to(kPeer, 1, 1), last(wait_for(kPeer, 0, 0))};
  nic.load(0, {list[0], list[1]}, 20, 2, true);
  nic.start(0, 20);
  REQUIRE(nic.sent.size() == 1);
  CHECK(nic.sent[0].message == from_node(NicType::kData, kPeer, 1, 20, 2, 0));
  nic.send(to_node(NicType::kStep, kPeer, 1, 20, 2));  // no way to a direct context
  nic.send(to_node(NicType::kAck, kPeer, 1, 20, 2, 0));
  nic.send(to_node(NicType::kData, kPeer, 1, 20, 2, 0));
  nic.steps(40);
  REQUIRE(nic.sent.size() == 2);
  CHECK(nic.sent[1].message == from_node(NicType::kAck, kPeer, 1, 20, 2, 0));
  REQUIRE(nic.events.size() == 1);
  CHECK(nic.events[0].word == 2);
  CHECK(nic.read(regs::kDrops) == 1u << 8);
  CHECK(nic.quiescent());
}

namespace {

std::uint16_t crc(Vnic_crc& dut, const std::array<std::uint16_t, 4>& words) {
  std::uint16_t value = 0xffff;
  for (const std::uint16_t word : words) {
    dut.crc_i = value;
    dut.word_i = word;
    dut.eval();
    value = dut.crc_o;
  }
  return value;
}

}  // namespace

TEST_CASE("the CRC is that of the example, and of the C++ mirror", "[rtl][nic]") {
  const std::uint64_t seed = muster_seed();
  CAPTURE(seed);
  Rng rng(seed);
  VerilatedContext context;
  Vnic_crc dut(&context, "dut");
  CHECK(crc(dut, {0x8005, 0x0003, 0x0207, 0x0001}) == 0x2313);
  for (int i = 0; i < 1000; ++i) {
    std::array<std::uint16_t, 4> words;
    std::array<core::Flit, 4> flits;
    for (unsigned k = 0; k < 4; ++k)
      flits[k].lo = words[k] = static_cast<std::uint16_t>(rng.next());
    REQUIRE(crc(dut, words) == nic::nic_crc(flits));
  }
}

TEST_CASE("the CRC finds every error of up to three bits", "[rtl][nic]") {
  // Linear: an error is found if the CRC of the flipped bits alone, from 0, is not what the tail
  // has flipped.
  VerilatedContext context;
  Vnic_crc dut(&context, "dut");
  std::array<std::uint16_t, 80> change{};
  for (unsigned bit = 0; bit < 64; ++bit) {
    std::uint16_t value = 0;
    for (unsigned k = 0; k < 4; ++k) {
      dut.crc_i = value;
      dut.word_i = static_cast<SData>(bit / 16 == k ? 1u << (bit % 16) : 0);
      dut.eval();
      value = dut.crc_o;
    }
    change[bit] = value;
  }
  for (unsigned bit = 64; bit < 80; ++bit)
    change[bit] = static_cast<std::uint16_t>(1u << (bit - 64));
  unsigned missed = 0;
  for (unsigned a = 0; a < 80; ++a) {
    missed += change[a] == 0;
    for (unsigned b = 0; b < a; ++b) {
      missed += change[a] == change[b];
      for (unsigned c = 0; c < b; ++c) missed += (change[a] ^ change[b] ^ change[c]) == 0;
    }
  }
  CHECK(missed == 0);
}
