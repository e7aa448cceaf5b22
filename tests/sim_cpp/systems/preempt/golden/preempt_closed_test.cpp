// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>

#include "sim_cpp/systems/preempt/golden/preempt_bench.hpp"

/// docs/systems/preempting-switches.md, Choice of an output: outputs that the host has closed, and
/// messages that have no way.

using namespace muster;
using golden::first;
using golden::later;
using golden::PreemptBench;
using preempt::registers::kClosed;

namespace {

void write(PreemptBench& b, std::uint32_t address, std::uint32_t value) {
  b.bank.write_register(0, address, value);
}

}  // namespace

TEST_CASE("register closed keeps the bits of ports", "[golden][preempt]") {
  PreemptBench b(preempt::kBsr1);
  CHECK(b.bank.read_register(0, kClosed) == 0);
  write(b, kClosed, ~0u);
  CHECK(b.bank.read_register(0, kClosed) == 0xf);
}

TEST_CASE(
    "later messages avoid an output whose neighbour returns no credit, if the host has "
    "closed it or has taken it out of the routes",
    "[golden][preempt]") {
  for (const std::uint32_t how : {0, 1, 2}) {
    PreemptBench b(preempt::kBsr1, 1);
    b.stuck[1] = 0b10;  // the neighbour behind port 1 frees no barrier buffer
    b.send(0, later(31));
    b.run(100);
    REQUIRE(b.barriers(1).size() == 2);
    if (how == 1) write(b, 0x800 + 40, 0b1100);
    if (how == 2) write(b, kClosed, 0b0010);
    b.send(0, later(40));
    b.run(100);
    CHECK(b.barriers(2).size() == (how != 0 ? 2 : 0));
    CHECK(b.bank.quiescent(0) == (how != 0));
  }
}

TEST_CASE("a message that is going and has no output left is dropped", "[golden][preempt]") {
  for (const fabric::SwitchKind* kind : golden::kPreemptKinds) {
    PreemptBench b(*kind, 1);
    b.stuck[1] = 0b10;
    b.send(0, later(31));
    b.run(60);
    b.send(2, later(31));  // served, and waits for room
    b.run(20);
    b.send(0, first(31, 60));  // going, and waits for the output
    b.send(3, later(31));
    b.run(60);
    CHECK(b.room[0] == 0);
    CHECK(b.room[3] == 0);
    write(b, kClosed, 0b0010);
    b.step();  // dropped at the edge of this cycle
    CHECK(b.unroutable() == 2);
    b.step();
    CHECK(b.room[0] == 1);
    CHECK(b.room[3] == 1);
    CHECK(b.room[2] == 0);
    b.stuck[1] = 0;
    b.run(60);
    CHECK(b.watch[1].messages().size() == 2);  // what was served has gone
    CHECK(b.room[2] == 1);
    CHECK(b.unroutable() == 2);
    CHECK(b.bank.quiescent(0));
  }
}

TEST_CASE("a message without a way is dropped by the unit, and has changed no table",
          "[golden][preempt]") {
  for (const bool closed : {false, true}) {
    PreemptBench b(preempt::kBsr2);
    if (closed) write(b, kClosed, 0b0010);
    b.send(0, later(closed ? 31 : 63));
    b.send(3, first(closed ? 31 : 63, 60));
    b.run(30);
    CHECK(b.seen[1].empty());
    CHECK(b.unroutable() == 2);
    CHECK(b.drops(0) == 0);
    CHECK(b.bank.read_register(0, 0x400) == 0);
    CHECK(b.room[0] == 1);
    CHECK(b.room[3] == 1);
    CHECK(b.bank.quiescent(0));
  }
}

TEST_CASE("a message of the switch itself for a closed output is dropped", "[golden][preempt]") {
  for (const std::uint32_t delay : {0u, 1u, 2u}) {
    CAPTURE(delay);
    PreemptBench b(preempt::kBsr1);
    write(b, 0x401, 0b1001);  // nodes 0 and 3
    write(b, 0x400, 1u << 31 | 1u << 30 | 1u << 8 | 9);
    b.send(3, first(PreemptBench::kHere, PreemptBench::kHere));
    // Applied in 3; the origin is filled in 4, has its route in 5, asks in 6.
    b.run(5 + delay);
    write(b, kClosed, 0b0001);
    b.run(30);
    CHECK(b.barriers(0).empty() == (delay < 2));
    CHECK(b.unroutable() == (delay < 2 ? 1 : 0));
    CHECK(b.barriers(3).size() == 2);  // the others go
    CHECK(b.bank.quiescent(0));
  }
}

TEST_CASE("first messages keep their order though outputs are closed", "[golden][preempt]") {
  // Two first messages, one with output 1 or 2, one with 2 alone: with 1 closed the second waits
  // until the first is served.
  PreemptBench b(preempt::kBsr1);
  write(b, 0x800 + 41, 0b0110);
  write(b, kClosed, 0b0010);
  b.times(16, 30, 256);
  b.send(1, later(32));
  b.step();
  b.send(3, first(41, 63));
  b.run(5);
  b.send(0, first(32, 60, 7));
  b.run(20);
  CHECK(b.bank.read_register(0, 0x420) == 0);  // the table has not taken the second
  b.run(200);
  REQUIRE(b.watch[2].messages().size() == 3);
  CHECK(b.watch[2].messages()[1].gid == 9);
  CHECK(b.watch[2].messages()[2].gid == 7);
}

TEST_CASE("a closed output gives back the channel that it has cut", "[golden][preempt]") {
  for (const fabric::SwitchKind* kind : golden::kPreemptKinds) {
    PreemptBench b(*kind, 1);
    b.packet(2, 1, 60);
    b.run(20);
    b.send(0, later(31));
    while (b.barriers(1).empty() && b.cycle < 100) b.step();
    write(b, kClosed, 0b0010);
    b.run(150);
    CHECK(b.watch[1].messages().size() == 1);
    CHECK(b.watch[1].at_rest());
    CHECK(b.at(1, 0).size() == 60);
    CHECK(b.bank.quiescent(0));
  }
}
