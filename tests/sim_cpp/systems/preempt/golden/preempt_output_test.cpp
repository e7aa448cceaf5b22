// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>

#include "sim_cpp/systems/preempt/golden/preempt_bench.hpp"
#include "systems/preempt/switch_kinds.hpp"

/// docs/systems/preempting-switches.md, cycle by cycle.

using namespace muster;
using core::Flit;
using golden::later;
using golden::PreemptBench;
using preempt::LinkControl;

namespace {

bool is(const Flit& flit, const LinkControl& control) {
  return preempt::is_control(flit) && preempt::link_control(flit) == control;
}

}  // namespace

TEST_CASE("a free data channel is used before any is cut", "[golden][preempt]") {
  PreemptBench b(preempt::kBsr1);
  b.packet(2, 1, 20, 0, true);  // owns channel 0 of output 1; channel 1 is free
  b.run(30);
  b.send(0, later(31));
  b.run(40);
  REQUIRE(b.barriers(1).size() == 2);
  CHECK(b.bank.read_register(0, 0x00C) == 0);
}

TEST_CASE("a data channel is cut: request, message, and after T cycles the end",
          "[golden][preempt]") {
  for (const fabric::SwitchKind* kind : {&preempt::kBsr1, &preempt::kBsr2}) {
    PreemptBench b(*kind);
    for (const std::uint8_t vc : {0, 1}) {
      b.stuck[1] |= 1u << vc;
      b.packet(2u + vc, 1, 30, vc, true);  // all of output 1 belongs to packets that stand still
    }
    b.run(60);
    const std::uint64_t start = b.cycle;
    b.send(0, later(31));
    b.run(40);
    const auto seen = b.barriers(1);
    const std::uint8_t cut = kind == &preempt::kBsr1 ? 1 : 0;
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
  PreemptBench b(preempt::kBsr3);
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
  PreemptBench b(preempt::kBsr1, 2);
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
  PreemptBench b(preempt::kBsr1);
  b.packet(2, 1, 5, 0, true);
  b.run(20);
  CHECK(b.at(1, 0).size() == 5);
  const std::uint64_t start = b.cycle;
  b.send(2, LinkControl{false, 0});
  b.run(30);
  CHECK(b.pads(1) > 20);
  // On the wires in `start`, executed in start + 1, the first pad on the wires in start + 4.
  CHECK(b.at(1, 0)[5].cycle == start + 4);
  CHECK(b.at(1, 0)[5].flit.kind == core::Flit::kPad);
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
  PreemptBench b(preempt::kBsr1);
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
  PreemptBench b(preempt::kBsr1);
  b.packet(2, 1, 3, 0, true);
  Flit pad;
  pad.kind = core::Flit::kPad;
  for (int i = 0; i < 4; ++i) b.data[2][0].push_back(pad);
  b.tail(2);
  b.run(30);
  CHECK(b.at(1, 0).size() == 8);
  CHECK(b.pads(1) == 4);
  CHECK(b.credit[2][0] == b.config.depth);
}

TEST_CASE("no packet begins on the free channel that a message has taken", "[golden][preempt]") {
  PreemptBench b(preempt::kBsr2, 2, 1);
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

TEST_CASE("a held output gives data no credit; I and II pass, III waits", "[golden][preempt]") {
  for (const fabric::SwitchKind* kind : {&preempt::kBsr1, &preempt::kBsr2, &preempt::kBsr3}) {
    PreemptBench b(*kind);
    b.bank.write_register(0, 0x007, 0b10);
    b.packet(2, 1, 5);
    b.send(0, later(31));
    b.run(100);
    CHECK(b.at(1, 0).empty());
    CHECK(b.barriers(1).size() == (kind == &preempt::kBsr3 ? 0 : 2));
    b.bank.write_register(0, 0x007, 0);
    b.run(100);
    CHECK(b.at(1, 0).size() == 5);
    CHECK(b.bank.quiescent(0));
  }
}

TEST_CASE("a cut ends after `longest` cycles though messages keep coming", "[golden][preempt]") {
  PreemptBench b(preempt::kBsr1, 2);
  b.bank.write_register(0, 0x00A, 40u << 16 | 0u << 8 | 16);
  b.packet(2, 1, 2000);
  b.run(20);
  for (int i = 0; i < 60; ++i) b.send(0, later(31));
  b.run(600);
  std::uint64_t cut = 0, ends = 0, data_since = 1;
  for (const auto& s : b.seen[1]) {
    data_since += s.flit.vc == 0;
    if (s.flit.vc == 0 || !preempt::is_control(s.flit)) continue;
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
  for (const auto& s : b.at(1, 0)) data += s.flit.kind != core::Flit::kPad;
  CHECK(data > 200);
}

TEST_CASE("a channel whose data stand still is cut again 16 cycles after a spent cut",
          "[golden][preempt]") {
  PreemptBench b(preempt::kBsr2);
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

namespace {

/// What passes an output in 4000 cycles in which two neighbours never stop sending it barrier
/// messages and a third has a packet for it that does not end, in flits.
struct Shares {
  std::uint64_t barriers = 0, data = 0, longest_pause = 0;  ///< of the data, cycles
  Shares(const fabric::SwitchKind& kind, std::uint32_t vcs, std::uint32_t gap,
         std::uint32_t longest) {
    constexpr std::uint64_t kCycles = 4000;
    PreemptBench b(kind, vcs, 8);
    b.bank.write_register(0, 0x00A, longest << 16 | gap << 8 | 16);
    for (std::uint8_t v = 0; v + 1u < vcs; ++v) b.packet(3, 1, 2 * kCycles, v, true);
    for (std::uint64_t i = 0; i < kCycles / 2; ++i)
      for (const std::uint32_t port : {0u, 2u}) b.send(port, later(31));
    b.run(kCycles);
    std::uint64_t last = 100;
    for (const auto& s : b.seen[1]) {
      if (s.cycle < 100) continue;
      const bool barrier = s.flit.vc == b.channel();
      ++(barrier ? barriers : data);
      if (barrier) continue;
      longest_pause = std::max(longest_pause, s.cycle - last);
      last = s.cycle;
    }
    INFO(gap << " gap, " << longest << " longest, " << vcs << " channels: barriers " << barriers
             << ", data " << data << ", pause " << longest_pause);
    // docs/systems/preempting-switches.md, What is left to data
    CHECK(static_cast<double>(barriers) <= 5.0 / (6 + gap) * (kCycles - 100) + 5);
    CHECK(data > 0);
    CHECK(longest_pause <= longest + 16 + 12);
  }
};

}  // namespace

TEST_CASE("barrier messages that never end leave data their share", "[golden][preempt]") {
  for (const fabric::SwitchKind* kind : {&preempt::kBsr1, &preempt::kBsr2})
    for (const std::uint32_t gap : {0u, 2u, 8u})
      for (const std::uint32_t longest : {16u, 64u, 256u}) Shares(*kind, 2, gap, longest);
  // With another data channel the link is shared, with one alone a cut takes all of it.
  const Shares one(preempt::kBsr1, 2, 2, 256), two(preempt::kBsr1, 3, 2, 256);
  CHECK(two.data > 3 * one.data);
  CHECK(Shares(preempt::kBsr1, 2, 2, 16).data > 3 * one.data);
}
