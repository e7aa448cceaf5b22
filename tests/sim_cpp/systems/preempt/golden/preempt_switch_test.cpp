// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>

#include "sim_cpp/systems/preempt/golden/preempt_bench.hpp"
#include "systems/preempt/switch_kinds.hpp"

/// docs/systems/preempting-switches.md, cycle by cycle.

using namespace muster;
using core::Flit;
using golden::first;
using golden::later;
using golden::PreemptBench;
using preempt::Bnt;
using preempt::BsrMessage;
using preempt::BsrType;
using preempt::LinkControl;

TEST_CASE("a message takes 6 cycles from wires to wires where nothing is in the way",
          "[golden][preempt]") {
  for (const fabric::SwitchKind* kind : {&preempt::kBsr1, &preempt::kBsr2, &preempt::kBsr3}) {
    PreemptBench b(*kind);
    b.send(0, later(31));
    b.run(30);
    const auto seen = b.barriers(1);
    REQUIRE(seen.size() == 2);
    CHECK(seen[0].cycle == 6);
    CHECK(seen[1].cycle == 7);
    const std::array<Flit, 2> flits{seen[0].flit, seen[1].flit};
    CHECK(preempt::bsr_message(flits) == later(31));
    CHECK(b.bank.quiescent(0));
  }
}

TEST_CASE("a first message is three flits, and one cycle later", "[golden][preempt]") {
  PreemptBench b(preempt::kBsr1);
  b.send(0, first(31, 60));
  b.run(30);
  REQUIRE(b.barriers(1).size() == 3);
  CHECK(b.barriers(1)[0].cycle == 7);
  CHECK((b.bank.read_register(0, 0x400) >> 31) == 1);  // the table has an entry
  CHECK(b.bank.read_register(0, 0x400 + 16) == 60);    // child by port 0
}

TEST_CASE("first messages for one output leave in the order in which the table took them",
          "[golden][preempt]") {
  // The output serves port 2, then nobody for 20 cycles. Meanwhile the table takes a first message
  // from port 0, then one from port 3, which the output's round robin would prefer.
  PreemptBench b(preempt::kBsr1);
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
  CHECK(preempt::bsr_message(one) == first(31, 60));
  CHECK(preempt::bsr_message(two) == branched);
}

TEST_CASE("first messages of one cycle are taken in the order of their ports",
          "[golden][preempt]") {
  PreemptBench b(preempt::kBsr1);
  for (const std::uint32_t port : {3u, 2u, 0u}) b.send(port, first(31, 60 + port));
  b.run(100);
  std::vector<std::uint32_t> sources;
  for (std::size_t i = 1; i < b.barriers(1).size(); i += 3)
    sources.push_back(static_cast<std::uint32_t>(b.barriers(1)[i].flit.lo & 0x7ff));
  CHECK(sources == std::vector<std::uint32_t>{60, 62, 63});
}

TEST_CASE("a later message takes the way that needs no cut", "[golden][preempt]") {
  PreemptBench b(preempt::kBsr1, 2);
  b.stuck[1] = 1;
  b.packet(2, 1, 30, 0, true);  // output 1 would have to be cut
  b.run(40);
  b.send(0, later(40));
  b.run(30);
  CHECK(b.barriers(1).empty());
  CHECK(b.barriers(2).size() == 2);
  PreemptBench free(preempt::kBsr1, 2);
  free.send(0, later(40));
  free.run(30);
  CHECK(free.barriers(1).size() == 2);
}

TEST_CASE("later messages go round a faulty channel that the host has taken out of the routes",
          "[golden][preempt]") {
  for (const bool taken_out : {false, true}) {
    PreemptBench b(preempt::kBsr1, 2);
    b.stuck[1] = 0b11;  // the neighbour behind port 1 returns no credits
    for (int i = 0; i < 3; ++i) b.send(0, later(31));
    b.run(100);
    REQUIRE(b.barriers(1).size() == b.config.depth);
    if (taken_out) b.bank.write_register(0, 0x800 + 40, 0b1100);
    b.send(0, later(40));
    b.run(100);
    CHECK(b.barriers(2).size() == (taken_out ? 2 : 0));
    CHECK(b.bank.quiescent(0) == taken_out);
  }
}

TEST_CASE("what is no message on the barrier channel is counted and dropped", "[golden][preempt]") {
  PreemptBench b(preempt::kBsr1);
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
  PreemptBench b(preempt::kBsr2);
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
  CHECK(preempt::bsr_type(b.barriers(0)[0].flit) == BsrType::kDistribution);
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
