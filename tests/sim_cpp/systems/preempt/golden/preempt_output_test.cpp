// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>

#include "sim_cpp/systems/preempt/golden/preempt_bench.hpp"

/// docs/systems/preempting-switches.md, Output p: a whole switch whose outputs cut channels and
/// give them back.

using namespace muster;
using core::Flit;
using golden::first;
using golden::is;
using golden::is_data;
using golden::later;
using golden::PreemptBench;
using preempt::LinkControl;

TEST_CASE("a free channel is used before any is cut", "[golden][preempt]") {
  for (const fabric::SwitchKind* kind : golden::kPreemptKinds) {
    const std::uint8_t taken = kind == &preempt::kBsr2 ? 1 : 0;
    PreemptBench b(*kind);
    b.packet(2, 1, 20, taken, true);  // owns one channel of output 1; the other is free
    b.run(30);
    b.send(0, later(31));
    b.run(40);
    REQUIRE(b.barriers(1).size() == 2);
    CHECK(b.barriers(1)[0].flit.vc == 1 - taken);
    CHECK(b.bank.read_register(0, 0x00C) == 0);
  }
}

TEST_CASE("a channel is cut: request, message, and after T cycles the end", "[golden][preempt]") {
  for (const fabric::SwitchKind* kind : {&preempt::kBsr1, &preempt::kBsr2}) {
    PreemptBench b(*kind);
    b.occupy(1);
    const std::uint64_t start = b.cycle;
    b.send(0, later(31));
    b.run(40);
    const auto seen = b.barriers(1);
    const std::uint8_t cut = kind == &preempt::kBsr1 ? 1 : 0;
    REQUIRE(seen.size() == 4);
    CHECK(is(seen[0].flit, {false, cut}));
    CHECK(seen[0].cycle == start + 5);
    for (const std::uint64_t i : {1u, 2u}) {
      CHECK(seen[i].cycle == start + 5 + i);
      CHECK(seen[i].flit.vc == cut);
    }
    CHECK(is(seen[3].flit, {true, cut}));
    CHECK(seen[3].cycle == start + 7 + 17);  // 16 cycles without a barrier flit, then the end
  }
}

TEST_CASE("switch III waits until the flits of some channel move", "[golden][preempt]") {
  PreemptBench b(preempt::kBsr3);
  b.occupy(1);
  b.send(0, later(31));
  b.run(200);
  CHECK(b.barriers(1).empty());
  b.stuck[1] = 0b01;  // channel 1 moves again
  b.run(60);
  const auto seen = b.barriers(1);
  REQUIRE(seen.size() == 4);
  CHECK(is(seen[0].flit, {false, 1}));
  CHECK(seen[1].flit.vc == 1);
  CHECK(is(seen[3].flit, {true, 1}));
  CHECK(b.bank.read_register(0, 0x00C) > 190);
}

TEST_CASE("in III a cut waits for three credits, and its end for one", "[golden][preempt]") {
  PreemptBench b(preempt::kBsr3, 1, 4);
  b.packet(2, 1, 40, 0, true);
  b.run(30);
  b.stuck[1] = 0b01;
  b.send(0, later(31));
  b.run(30);  // the request takes the last credit, or there is none
  CHECK(b.watch[1].messages().empty());
  b.stuck[1] = 0;
  while (b.watch[1].messages().empty() && b.cycle < 200) b.step();
  b.stuck[1] = 0b01;
  b.run(100);
  CHECK(b.watch[1].messages().size() == 1);
  b.stuck[1] = 0;
  b.run(100);
  CHECK(b.watch[1].at_rest());
  CHECK(b.watch[1].cuts() == 1);
}

TEST_CASE("nothing of a channel goes while it is cut, all of it goes afterwards, in order",
          "[golden][preempt]") {
  for (const fabric::SwitchKind* kind : golden::kPreemptKinds) {
    PreemptBench b(*kind, 1);
    b.packet(2, 1, 60);
    b.run(20);
    b.send(0, later(31));  // two groups use one cut
    preempt::BsrMessage other = later(31, 51);
    other.gid = 77;
    b.send(3, other);
    b.run(150);
    const auto barriers = b.barriers(1);
    REQUIRE(barriers.size() == 6);
    CHECK(b.watch[1].cuts() == 1);
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
}

TEST_CASE("both ends of a link cut at once", "[golden][preempt]") {
  for (const fabric::SwitchKind* kind : golden::kPreemptKinds) {
    PreemptBench b(*kind, 1);
    b.packet(2, 1, 60);
    b.packet(1, 3, 60);
    b.run(20);
    b.send(0, later(31));
    b.run(5);
    b.send(1, LinkControl{false, 0});  // while the switch cuts the other direction
    b.send(1, later(30, 51));
    b.run(10);
    CHECK(b.cut[1] == 1);
    CHECK_FALSE(b.watch[1].at_rest());
    b.run(20);
    b.send(1, LinkControl{true, 0});
    b.run(150);
    CHECK(b.watch[0].messages() == std::vector{later(30, 51)});
    CHECK(b.watch[1].messages() == std::vector{later(31)});
    CHECK(b.at(1, 0).size() == 60);
    CHECK(b.at(3, 0).size() == 60 + b.pads(3));
    CHECK(b.pads(3) > 10);
    CHECK(b.bank.quiescent(0));
  }
}

TEST_CASE("no packet begins on the free channel that a message has taken", "[golden][preempt]") {
  for (const fabric::SwitchKind* kind : golden::kPreemptKinds)
    for (const std::uint8_t vc : {0, 1}) {
      PreemptBench b(*kind);
      b.send(0, first(31, 60));
      b.run(3 + b.queued());
      b.packet(2, 1, 5, vc);  // its head could go with the first flit
      b.run(40);
      const auto seen = b.barriers(1);
      REQUIRE(seen.size() == 3);
      REQUIRE(seen[2].flit.vc == 0);
      // The other channel is held until the last flit goes, this one in that cycle as well.
      CHECK(b.at(1, vc)[0].cycle == seen[2].cycle + (vc == 0 ? 2 : 1));
    }
}

TEST_CASE("a held output gives data no credit, and I and II pass, III waits", "[golden][preempt]") {
  for (const fabric::SwitchKind* kind : golden::kPreemptKinds) {
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
  for (const fabric::SwitchKind* kind : golden::kPreemptKinds) {
    PreemptBench b(*kind, 1);
    b.times(16, 0, 40);
    b.packet(2, 1, 2000);
    b.run(20);
    for (int i = 0; i < 60; ++i) b.send(0, later(31));
    b.run(600);
    std::uint64_t cut = 0, ends = 0, data_since = 1;
    for (const auto& s : b.seen[1]) {
      data_since += is_data(s.flit);
      if (is(s.flit, {false, 0})) {
        cut = s.cycle;
        CHECK(data_since > 0);  // not again before one of its flits has gone
      }
      if (!is(s.flit, {true, 0})) continue;
      ++ends;
      data_since = 0;
      CHECK(s.cycle - cut <= 40 + 7);
    }
    CHECK(ends > 5);
    CHECK(b.at(1, 0).size() - b.pads(1) > 150);
  }
}

TEST_CASE("a channel whose data stand still is cut again 16 cycles after a spent cut",
          "[golden][preempt]") {
  PreemptBench b(preempt::kBsr2, 1);
  b.times(16, 0, 10);
  b.occupy(1);
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
  CHECK(b.bank.read_register(0, 0x00C) <= 19);
}
