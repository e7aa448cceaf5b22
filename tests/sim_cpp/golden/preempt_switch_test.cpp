// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>

#include "sim_cpp/golden/preempt_bench.hpp"

/// docs/preempting-switches.md, cycle by cycle.

using namespace muster;
using golden::PreemptBench;
using network::Bnt;
using network::BsrMessage;
using network::BsrType;
using network::Flit;
using network::LinkControl;
using network::SwitchKind;

namespace {

BsrMessage later(std::uint32_t to, std::uint32_t from = 50) {
  return {BsrType::kReduction, 9, to, from, Bnt::kSource, false, 0};
}
BsrMessage first(std::uint32_t to, std::uint32_t from, std::uint32_t gid = 9) {
  return {BsrType::kFirst, gid, to, from, Bnt::kSource, false, 0};
}
bool is(const Flit& flit, const LinkControl& control) {
  return is_control(flit) && link_control(flit) == control;
}

}  // namespace

TEST_CASE("a message takes 6 cycles from wires to wires where nothing is in the way",
          "[golden][preempt]") {
  for (const SwitchKind kind : {SwitchKind::kBsr1, SwitchKind::kBsr2, SwitchKind::kBsr3}) {
    PreemptBench b(kind);
    b.send(0, later(31));
    b.run(30);
    const auto seen = b.barriers(1);
    REQUIRE(seen.size() == 2);
    CHECK(seen[0].cycle == 6);
    CHECK(seen[1].cycle == 7);
    const std::array<Flit, 2> flits{seen[0].flit, seen[1].flit};
    CHECK(bsr_message(flits) == later(31));
    CHECK(b.bank.quiescent(0));
  }
}

TEST_CASE("a first message is three flits, and one cycle later", "[golden][preempt]") {
  PreemptBench b(SwitchKind::kBsr1);
  b.send(0, first(31, 60));
  b.run(30);
  REQUIRE(b.barriers(1).size() == 3);
  CHECK(b.barriers(1)[0].cycle == 7);
  CHECK((b.bank.read_register(0, 0x400) >> 31) == 1);  // the table has an entry
  CHECK(b.bank.read_register(0, 0x400 + 16) == 60);    // child by port 0
}

TEST_CASE("a free data channel is used before any is cut", "[golden][preempt]") {
  PreemptBench b(SwitchKind::kBsr1);
  b.packet(2, 1, 20, 0, true);  // owns channel 0 of output 1; channel 1 is free
  b.run(30);
  b.send(0, later(31));
  b.run(40);
  REQUIRE(b.barriers(1).size() == 2);
  CHECK(b.bank.read_register(0, 0x00C) == 0);
}

TEST_CASE("a data channel is cut: request, message, and after T cycles the end",
          "[golden][preempt]") {
  for (const SwitchKind kind : {SwitchKind::kBsr1, SwitchKind::kBsr2}) {
    PreemptBench b(kind);
    for (const std::uint8_t vc : {0, 1}) {
      b.stuck[1] |= 1u << vc;
      b.packet(2u + vc, 1, 30, vc, true);  // all of output 1 belongs to packets that stand still
    }
    b.run(60);
    const std::uint64_t start = b.cycle;
    b.send(0, later(31));
    b.run(40);
    const auto seen = b.barriers(1);
    const std::uint8_t cut = kind == SwitchKind::kBsr1 ? 1 : 0;
    REQUIRE(seen.size() == 4);
    CHECK(is(seen[0].flit, {false, cut}));
    CHECK(seen[0].cycle == start + 6);
    CHECK(seen[1].cycle == start + 7);
    CHECK(seen[2].cycle == start + 8);
    CHECK(is(seen[3].flit, {true, cut}));
    CHECK(seen[3].cycle == start + 8 + 17);  // 16 cycles without a barrier flit, then the end
  }
}

TEST_CASE("switch III waits until the flits of some channel move", "[golden][preempt]") {
  PreemptBench b(SwitchKind::kBsr3);
  for (const std::uint8_t vc : {0, 1}) {
    b.stuck[1] |= 1u << vc;
    b.packet(2u + vc, 1, 30, vc, true);
  }
  b.run(60);
  b.send(0, later(31));
  b.run(200);
  CHECK(b.barriers(1).empty());
  b.stuck[1] = 0b01;  // channel 1 moves again
  b.run(40);
  REQUIRE(b.barriers(1).size() == 4);
  CHECK(is(b.barriers(1)[0].flit, {false, 1}));
}

TEST_CASE("nothing of a channel goes while it is cut, all of it goes afterwards, in order",
          "[golden][preempt]") {
  PreemptBench b(SwitchKind::kBsr1, 2);
  b.packet(2, 1, 60);
  b.run(20);
  b.send(0, later(31));
  b.send(3, later(31, 51));
  b.run(150);
  const auto barriers = b.barriers(1);
  REQUIRE(barriers.size() == 6);
  for (const auto& s : b.at(1, 0)) {
    const bool inside = s.cycle > barriers.front().cycle && s.cycle <= barriers.back().cycle;
    CHECK_FALSE(inside);
  }
  std::uint32_t expected = 0;
  for (const auto& s : b.at(1, 0)) {
    if (expected > 0) CHECK(s.flit.lo == 0x200 + expected);
    ++expected;
  }
  CHECK(expected == 60);
  CHECK(b.bank.quiescent(0));
}

TEST_CASE("pads follow the cut packet until the end, and pay no credit back", "[golden][preempt]") {
  PreemptBench b(SwitchKind::kBsr1);
  b.packet(2, 1, 5, 0, true);
  b.run(20);
  CHECK(b.at(1, 0).size() == 5);
  const std::uint64_t start = b.cycle;
  b.send(2, LinkControl{false, 0});
  b.run(30);
  CHECK(b.pads(1) > 20);
  // On the wires in `start`, executed in start + 1, the first pad on the wires in start + 4.
  CHECK(b.at(1, 0)[5].cycle == start + 4);
  CHECK(b.at(1, 0)[5].flit.kind == network::kPad);
  CHECK_FALSE(b.bank.quiescent(0));
  CHECK(b.credit[2][0] == b.config.depth);
  b.send(2, LinkControl{true, 0});
  b.run(10);
  const std::uint64_t pads = b.pads(1);
  b.run(10);
  CHECK(b.pads(1) == pads);
  b.tail(2);
  b.run(20);
  CHECK(b.at(1, 0).back().flit.tail());
  CHECK(b.bank.quiescent(0));
}

TEST_CASE("no pads without a packet under way, nor with padding off", "[golden][preempt]") {
  PreemptBench b(SwitchKind::kBsr1);
  b.send(2, LinkControl{false, 0});
  b.run(20);
  CHECK(b.seen[1].empty());
  CHECK(b.bank.quiescent(0));
  b.bank.write_register(0, 0x009, 2);
  b.packet(2, 1, 5, 0, true);
  b.run(40);
  CHECK(b.pads(1) == 0);
}

TEST_CASE("pads of the switch before pass as flits of their packet", "[golden][preempt]") {
  PreemptBench b(SwitchKind::kBsr1);
  b.packet(2, 1, 3, 0, true);
  Flit pad;
  pad.kind = network::kPad;
  for (int i = 0; i < 4; ++i) b.data[2][0].push_back(pad);
  b.tail(2);
  b.run(30);
  CHECK(b.at(1, 0).size() == 8);
  CHECK(b.pads(1) == 4);
  CHECK(b.credit[2][0] == b.config.depth);
}

TEST_CASE("first messages for one output leave in the order in which the table took them",
          "[golden][preempt]") {
  // The output serves port 2, then nobody for 20 cycles. Meanwhile the table takes a first message
  // from port 0, then one from port 3, which the output's round robin would prefer.
  PreemptBench b(SwitchKind::kBsr1);
  b.bank.write_register(0, 0x00A, 256u << 16 | 20u << 8 | 16);
  b.send(2, later(31));
  b.step();
  b.send(0, first(31, 60));
  b.run(4);
  b.send(3, first(31, 63));
  b.run(200);
  const auto seen = b.barriers(1);
  REQUIRE(seen.size() == 2 + 6);
  const std::array<Flit, 3> one{seen[2].flit, seen[3].flit, seen[4].flit};
  const std::array<Flit, 3> two{seen[5].flit, seen[6].flit, seen[7].flit};
  BsrMessage branched = first(31, 63);
  branched.bnt = Bnt::kNewNode;
  branched.new_node = PreemptBench::kHere;
  CHECK(bsr_message(one) == first(31, 60));
  CHECK(bsr_message(two) == branched);
}

TEST_CASE("first messages of one cycle are taken in the order of their ports",
          "[golden][preempt]") {
  PreemptBench b(SwitchKind::kBsr1);
  for (const std::uint32_t port : {3u, 2u, 0u}) b.send(port, first(31, 60 + port));
  b.run(100);
  std::vector<std::uint32_t> sources;
  for (std::size_t i = 1; i < b.barriers(1).size(); i += 3)
    sources.push_back(static_cast<std::uint32_t>(b.barriers(1)[i].flit.lo & 0x7ff));
  CHECK(sources == std::vector<std::uint32_t>{60, 62, 63});
}

TEST_CASE("no packet begins on the free channel that a message has taken", "[golden][preempt]") {
  PreemptBench b(SwitchKind::kBsr2, 2, 1);
  b.stuck[1] = 0b10;  // the barrier channel: one flit goes, the other waits for the credit
  b.send(0, later(31));
  b.run(20);
  CHECK(b.barriers(1).size() == 1);
  b.packet(2, 1, 5);
  b.packet(3, 2, 5);  // to another output
  b.run(40);
  CHECK(b.at(1, 0).empty());
  CHECK(b.at(2, 0).size() == 5);
  b.stuck[1] = 0;
  b.run(60);
  CHECK(b.barriers(1).size() == 2);
  CHECK(b.at(1, 0).size() == 5);
}

TEST_CASE("a later message takes the way that needs no cut", "[golden][preempt]") {
  PreemptBench b(SwitchKind::kBsr1, 2);
  b.stuck[1] = 1;
  b.packet(2, 1, 30, 0, true);  // output 1 would have to be cut
  b.run(40);
  b.send(0, later(40));
  b.run(30);
  CHECK(b.barriers(1).empty());
  CHECK(b.barriers(2).size() == 2);
  PreemptBench free(SwitchKind::kBsr1, 2);
  free.send(0, later(40));
  free.run(30);
  CHECK(free.barriers(1).size() == 2);
}

TEST_CASE("a held output gives data no credit; I and II pass, III waits", "[golden][preempt]") {
  for (const SwitchKind kind : {SwitchKind::kBsr1, SwitchKind::kBsr2, SwitchKind::kBsr3}) {
    PreemptBench b(kind);
    b.bank.write_register(0, 0x007, 0b10);
    b.packet(2, 1, 5);
    b.send(0, later(31));
    b.run(100);
    CHECK(b.at(1, 0).empty());
    CHECK(b.barriers(1).size() == (kind == SwitchKind::kBsr3 ? 0 : 2));
    b.bank.write_register(0, 0x007, 0);
    b.run(100);
    CHECK(b.at(1, 0).size() == 5);
    CHECK(b.bank.quiescent(0));
  }
}

TEST_CASE("a cut ends after `longest` cycles though messages keep coming", "[golden][preempt]") {
  PreemptBench b(SwitchKind::kBsr1, 2);
  b.bank.write_register(0, 0x00A, 40u << 16 | 0u << 8 | 16);
  b.packet(2, 1, 2000);
  b.run(20);
  for (int i = 0; i < 60; ++i) b.send(0, later(31));
  b.run(600);
  std::uint64_t cut = 0, ends = 0, data_since = 1;
  for (const auto& s : b.seen[1]) {
    data_since += s.flit.vc == 0;
    if (s.flit.vc == 0 || !is_control(s.flit)) continue;
    if (is(s.flit, {false, 0})) {
      cut = s.cycle;
      CHECK(data_since > 0);  // not again before one of its flits has gone
      continue;
    }
    ++ends;
    data_since = 0;
    CHECK(s.cycle - cut <= 40 + 8);
  }
  CHECK(ends > 5);
  std::uint64_t data = 0;
  for (const auto& s : b.at(1, 0)) data += s.flit.kind != network::kPad;
  CHECK(data > 200);
}

TEST_CASE("a channel whose data stand still is cut again 16 cycles after a spent cut",
          "[golden][preempt]") {
  PreemptBench b(SwitchKind::kBsr2);
  b.bank.write_register(0, 0x00A, 10u << 16 | 0u << 8 | 16);
  b.stuck[1] = 1;
  b.packet(2, 1, 30, 0, true);
  b.run(40);
  for (int i = 0; i < 10; ++i) b.send(0, later(31));
  b.run(400);
  std::vector<std::uint64_t> ends, requests;
  for (const auto& s : b.barriers(1)) {
    if (is(s.flit, {false, 0})) requests.push_back(s.cycle);
    if (is(s.flit, {true, 0})) ends.push_back(s.cycle);
  }
  REQUIRE(requests.size() > 3);
  REQUIRE(ends.size() == requests.size());
  for (std::size_t i = 1; i < requests.size(); ++i) CHECK(requests[i] == ends[i - 1] + 17);
}

TEST_CASE("what is no message on the barrier channel is counted and dropped", "[golden][preempt]") {
  PreemptBench b(SwitchKind::kBsr1);
  b.send(0, LinkControl{false, 2});       // there is no data channel 2
  b.send(0, later(PreemptBench::kHere));  // no such group
  b.send(0, later(63));                   // no way
  Flit sync;
  sync.kind = Flit::kSync;
  b.data[0][0].push_back(sync);  // a barrier flit in a data channel
  b.run(40);
  Flit body;
  body.vc = b.channel();
  b.data[0][0].push_back(body);  // data in the barrier channel
  b.run(40);
  CHECK(b.bank.read_register(0, 0x010) == (1u << 8 | 3));
  CHECK(b.bank.read_register(0, 0x004) == 1);
  CHECK(b.bank.quiescent(0));
  CHECK(b.credit[0][0] == b.config.depth);
  CHECK(b.credit[0][b.channel()] == b.config.depth);
}

TEST_CASE("a group of the switch's own nodes is synchronized in place", "[golden][preempt]") {
  PreemptBench b(SwitchKind::kBsr2);
  b.bank.write_register(0, 0x401, 0b1001);                             // nodes 0 and 3
  b.bank.write_register(0, 0x400, 1u << 31 | 1u << 30 | 2u << 8 | 9);  // center, 2 members
  b.send(3, first(PreemptBench::kHere, PreemptBench::kHere));
  b.run(20);
  CHECK(b.seen[3].empty());
  const std::uint64_t start = b.cycle;
  b.send(0, first(PreemptBench::kHere, PreemptBench::kHere));
  b.run(30);
  REQUIRE(b.barriers(0).size() == 2);
  REQUIRE(b.barriers(3).size() == 2);
  CHECK(bsr_type(b.barriers(0)[0].flit) == BsrType::kDistribution);
  // Applied in start + 4; the origin reads the table in + 5, the route in + 6, asks in + 7.
  CHECK(b.barriers(0)[0].cycle == start + 9);
  for (int barrier = 0; barrier < 3; ++barrier) {
    b.send(0, later(PreemptBench::kHere, 0));
    b.run(20);
    b.send(3, later(PreemptBench::kHere, 3));
    b.run(40);
  }
  CHECK(b.barriers(0).size() == 8);
  CHECK(b.barriers(3).size() == 8);
  CHECK(b.bank.read_register(0, 0x010) == 0);
  CHECK(b.bank.quiescent(0));
}
