// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>

#include "sim_cpp/systems/preempt/golden/preempt_bench.hpp"

/// docs/systems/preempting-switches.md, cycle by cycle: messages on their way through a switch.

using namespace muster;
using golden::first;
using golden::later;
using golden::PreemptBench;
using preempt::Bnt;
using preempt::BsrMessage;
using preempt::BsrType;

TEST_CASE("a message takes 5 cycles from wires to wires where nothing is in the way, 6 in III",
          "[golden][preempt]") {
  for (const fabric::SwitchKind* kind : golden::kPreemptKinds) {
    PreemptBench b(*kind);
    const std::uint64_t hop =
        1 + (b.queued() ? preempt::registers::kHopThree : preempt::registers::kHop);
    b.send(0, later(31));
    b.run(30);
    const auto seen = b.barriers(1);
    REQUIRE(seen.size() == 2);
    CHECK(seen[0].cycle == hop);
    CHECK(seen[1].cycle == hop + 1);
    CHECK(b.watch[1].messages() == std::vector{later(31)});
    CHECK(b.bank.quiescent(0));
    CHECK(b.room[0] == 1);
  }
}

TEST_CASE("a first message is three flits, and one cycle later", "[golden][preempt]") {
  for (const fabric::SwitchKind* kind : golden::kPreemptKinds) {
    PreemptBench b(*kind);
    b.send(0, first(31, 60));
    b.run(30);
    REQUIRE(b.barriers(1).size() == 3);
    CHECK(b.barriers(1)[0].cycle == (b.queued() ? 7 : 6));
    CHECK((b.bank.read_register(0, 0x400) >> 31) == 1);  // the table has an entry
    CHECK(b.bank.read_register(0, 0x400 + 16) == 60);    // child by port 0
  }
}

TEST_CASE("messages of one link follow each other as the credit of the barrier buffer returns",
          "[golden][preempt]") {
  // Its first flit goes in g, its last in g + 1, the credit is on the wires in g + 2.
  PreemptBench b(preempt::kBsr1);
  b.times(16, 0, 256);
  for (int i = 0; i < 3; ++i) b.send(0, later(31));
  b.run(60);
  const auto seen = b.barriers(1);
  REQUIRE(seen.size() == 6);
  CHECK(seen[2].cycle - seen[0].cycle == 6);
  CHECK(seen[4].cycle - seen[2].cycle == 6);
  CHECK(b.room[0] == 1);
}

TEST_CASE("no channel is the barriers', so 0x003 reads 0, whatever is written",
          "[golden][preempt][registers]") {
  for (const fabric::SwitchKind* kind : {&preempt::kBsr1, &preempt::kBsr2, &preempt::kBsr3}) {
    PreemptBench b(*kind);
    CHECK(b.bank.read_register(0, 0x003) == 0);
    b.bank.write_register(0, 0x003, 0xffffffff);
    CHECK(b.bank.read_register(0, 0x003) == 0);
  }
}

TEST_CASE("an output without room says so, though it has nothing to do", "[golden][preempt]") {
  PreemptBench b(preempt::kBsr1);
  CHECK_THAT(b.bank.describe(0), !Catch::Contains("no room"));
  b.bank.wires(0).tx_back = 0;
  b.send(2, later(31));
  std::string text;
  for (int cycle = 0; cycle < 9; ++cycle) {
    b.step();
    text += b.bank.describe(0) + "\n";
  }
  CHECK_THAT(text, Catch::Contains("output 1: serves 2") && Catch::Contains("output 1: no room"));
}

TEST_CASE("messages of all ports in one cycle are received at once", "[golden][preempt]") {
  PreemptBench b(preempt::kBsr1);
  for (const std::uint32_t port : {0u, 1u, 2u, 3u}) b.send(port, later(30 + (port + 1) % 4));
  b.run(30);
  // Taken by the unit one a cycle, the lowest port first.
  for (const std::uint32_t port : {0u, 1u, 2u, 3u}) {
    REQUIRE(b.barriers((port + 1) % 4).size() == 2);
    CHECK(b.barriers((port + 1) % 4)[0].cycle == 5 + port);
  }
}

TEST_CASE("first messages for one output leave in the order in which the table took them",
          "[golden][preempt]") {
  // The output serves port 2, then none for 20 cycles. Meanwhile the table takes a first message
  // from port 0, then one from port 3, which the output's round robin would prefer.
  PreemptBench b(preempt::kBsr1);
  b.times(16, 20, 256);
  b.send(2, later(31));
  b.step();
  b.send(0, first(31, 60));
  b.run(4);
  b.send(3, first(31, 63));
  b.run(200);
  BsrMessage branched = first(31, 63);
  branched.bnt = Bnt::kNewNode;
  branched.new_node = PreemptBench::kHere;
  CHECK(b.watch[1].messages() == std::vector{later(31), first(31, 60), branched});
}

TEST_CASE("first messages of one cycle are taken in the order of their ports",
          "[golden][preempt]") {
  for (const fabric::SwitchKind* kind : golden::kPreemptKinds) {
    PreemptBench b(*kind);
    for (const std::uint32_t port : {3u, 2u, 0u}) b.send(port, first(31, 60 + port));
    b.run(100);
    std::vector<std::uint32_t> sources;
    for (const BsrMessage& m : b.watch[1].messages()) sources.push_back(m.source);
    CHECK(sources == std::vector<std::uint32_t>{60, 62, 63});
  }
}

TEST_CASE("a later message takes the way that needs no cut", "[golden][preempt]") {
  PreemptBench b(preempt::kBsr1, 1);
  b.occupy(1);  // output 1 would have to be cut
  b.send(0, later(40));
  b.run(30);
  CHECK(b.barriers(1).empty());
  CHECK(b.barriers(2).size() == 2);
  PreemptBench free(preempt::kBsr1, 1);
  free.send(0, later(40));
  free.run(30);
  CHECK(free.barriers(1).size() == 2);
}

TEST_CASE("a group of the switch's own nodes is synchronized in place", "[golden][preempt]") {
  for (const fabric::SwitchKind* kind : golden::kPreemptKinds) {
    PreemptBench b(*kind);
    b.bank.write_register(0, 0x401, 0b1001);                             // nodes 0 and 3
    b.bank.write_register(0, 0x400, 1u << 31 | 1u << 30 | 2u << 8 | 9);  // center, 2 members
    b.send(3, first(PreemptBench::kHere, PreemptBench::kHere));
    b.run(20);
    CHECK(b.seen[3].empty());
    CHECK(b.room[3] == 1);  // consumed
    const std::uint64_t start = b.cycle;
    b.send(0, first(PreemptBench::kHere, PreemptBench::kHere));
    b.run(30);
    REQUIRE(b.barriers(0).size() == 2);
    REQUIRE(b.barriers(3).size() == 2);
    CHECK(preempt::bsr_type(b.barriers(0)[0].flit) == BsrType::kDistribution);
    // Applied in start + 3; the origin reads the table in + 4, the route in + 5, asks in + 6.
    CHECK(b.barriers(0)[0].cycle == start + 8 + b.queued());
    for (int barrier = 0; barrier < 3; ++barrier) {
      b.send(0, later(PreemptBench::kHere, 0));
      b.run(20);
      b.send(3, later(PreemptBench::kHere, 3));
      b.run(40);
    }
    CHECK(b.barriers(0).size() == 8);
    CHECK(b.barriers(3).size() == 8);
    CHECK(b.drops(0) == 0);
    CHECK(b.bank.quiescent(0));
  }
}

TEST_CASE(
    "golden refuses what no correct network has: credits that were not spent, flits without "
    "credit or of no channel",
    "[golden][preempt]") {
  const std::uint32_t all[] = {0};
  PreemptBench room(preempt::kBsr1, 2);
  room.bank.wires(0).tx_back = 0b100;
  CHECK_THROWS_AS(room.bank.clock(0, all), InternalError);
  PreemptBench credit(preempt::kBsr1, 2);
  credit.bank.wires(0).tx_back = 0b010;
  CHECK_THROWS_AS(credit.bank.clock(0, all), InternalError);
  for (const fabric::SwitchKind* kind : golden::kPreemptKinds) {
    PreemptBench b(*kind, 2);
    core::Flit sync;
    sync.kind = core::Flit::kFirst;
    sync.vc = 2;
    b.bank.rx(0, 1) = sync;
    b.bank.wires(0).rx_valid = 0b10;
    CHECK_THROWS_AS(b.bank.clock(0, all), InternalError);
    PreemptBench full(*kind, 1, kind->min_depth);
    core::Flit head;
    head.kind = core::Flit::kHead;
    head.lo = 3;
    full.bank.write_register(0, 0x007, 0b1000);  // output 3 is held
    for (std::uint32_t i = 0; i <= kind->min_depth; ++i) {
      full.bank.rx(0, 1) = head;
      full.bank.wires(0).rx_valid = 0b10;
      if (i < kind->min_depth)
        full.bank.clock(i, all);
      else
        CHECK_THROWS_AS(full.bank.clock(i, all), InternalError);
    }
  }
}
