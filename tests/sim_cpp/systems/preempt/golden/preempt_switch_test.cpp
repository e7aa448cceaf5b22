// SPDX-License-Identifier: Apache-2.0
#include "systems/preempt/golden/preempt_switch.hpp"

#include <algorithm>
#include <catch2/catch.hpp>

#include "fabric/golden/switch_bank.hpp"
#include "sim_cpp/systems/preempt/golden/preempt_bench.hpp"
#include "support/preempt_driver.hpp"
#include "support/seed.hpp"
#include "systems/preempt/bsr_message.hpp"

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

/// docs/systems/preempting-switches.md, What is left to data.

using golden::is_data;

namespace {

/// What passes an output in 4000 cycles in which two neighbours never stop sending it barrier
/// messages and a third has a packet for it, in each channel, that does not end; in flits, from
/// cycle 100 on.
struct Shares {
  std::uint64_t barriers = 0, data = 0, longest_pause = 0;  ///< of the data, cycles
  Shares(const fabric::SwitchKind& kind, std::uint32_t vcs, std::uint32_t gap,
         std::uint32_t longest) {
    constexpr std::uint64_t kCycles = 4000;
    PreemptBench b(kind, vcs, 8);
    b.times(16, gap, longest);
    for (std::uint8_t v = 0; v < vcs; ++v) b.packet(3, 1, 2 * kCycles, v, true);
    for (std::uint64_t i = 0; i < kCycles / 2; ++i)
      for (const std::uint32_t port : {0u, 2u}) b.send(port, later(31));
    b.run(kCycles);
    std::uint64_t last = 100;
    for (const auto& s : b.seen[1]) {
      if (s.cycle < 100) continue;
      ++(is_data(s.flit) ? data : barriers);
      if (!is_data(s.flit)) continue;
      longest_pause = std::max(longest_pause, s.cycle - last);
      last = s.cycle;
    }
    CAPTURE(gap, longest, vcs, barriers, data, longest_pause);
    CHECK(static_cast<double>(barriers) <= 5.0 / (6 + gap) * (kCycles - 100) + 5);
    CHECK(data > 0);
    CHECK(longest_pause <= longest + 16 + 12);
  }
};

/// A line of the table.
struct Row {
  std::uint32_t vcs, gap, longest;
  std::uint64_t barriers, data, pause;
};
constexpr Row kRows[] = {
    {1, 0, 16, 2600, 186, 21}, {1, 0, 64, 2600, 56, 69}, {1, 0, 256, 2600, 15, 261},
    {1, 2, 16, 1773, 354, 21}, {1, 2, 64, 1606, 57, 68}, {1, 2, 256, 1578, 30, 261},
    {1, 8, 16, 975, 812, 20},  {1, 8, 64, 802, 57, 68},  {1, 8, 256, 734, 105, 260},
};

}  // namespace

TEST_CASE("barrier messages that never end leave data their share", "[golden][preempt]") {
  for (const fabric::SwitchKind* kind : {&preempt::kBsr1, &preempt::kBsr2})
    for (const Row& row : kRows) {
      const Shares shares(*kind, row.vcs, row.gap, row.longest);
      CAPTURE(kind->name, row.gap, row.longest);
      CHECK(shares.barriers == row.barriers);
      CHECK(shares.data == row.data);
      CHECK(shares.longest_pause == row.pause);
    }
}

TEST_CASE("with another channel the link is shared, with one alone a cut takes all of it",
          "[golden][preempt]") {
  const Shares one(preempt::kBsr1, 1, 2, 256), two(preempt::kBsr1, 2, 2, 256);
  CHECK(two.barriers == 1324);
  CHECK(two.data == 2576);
  CHECK(two.longest_pause == 5);
  CHECK(two.data > 3 * one.data);
  CHECK(Shares(preempt::kBsr1, 1, 2, 16).data > 3 * one.data);
}

/// The neighbours of the lockstep tests (tests/verif/lockstep) against the golden model alone, with
/// lost flits, strays and flits of every kind.

using testing::PreemptDriver;
using testing::PreemptMix;

namespace {

struct FaultTotals {
  std::uint64_t cuts = 0, messages = 0, malformed = 0;
  std::uint32_t vcs = 0, longest_wait = 0;  // of one switch
};

/// W of docs/systems/preempting-switches.md, Bounded waits; III has none.
std::uint32_t bound(const fabric::SwitchKind& kind, std::uint32_t vcs) {
  if (vcs == 1) return 19;
  return &kind == &preempt::kBsr1 ? 3 : 20;
}

FaultTotals exercise(const fabric::SwitchKind& kind, const PreemptMix& mix, std::uint64_t seed) {
  Rng rng(seed, 1);
  const auto of = [&](std::uint32_t least, std::uint32_t most) {
    return least + static_cast<std::uint32_t>(rng.below(most + 1 - least));
  };
  const fabric::SwitchConfig config{.name = "test",
                                    .ports = of(3, 6),
                                    .vcs = of(1, 3),
                                    .depth = of(kind.min_depth, 6),
                                    .regs = of(1, 4),
                                    .dests = 64,
                                    .kind = &kind};
  golden::SwitchBank<golden::PreemptSwitch> bank(1, config);
  PreemptDriver driver(bank, config, mix, seed);
  const std::uint32_t all[] = {0};
  std::uint64_t cycle = 0;
  for (; cycle < 1000; ++cycle) {
    driver.drive(true);
    bank.clock(cycle, all);
  }
  for (; cycle < 20'000 && !driver.quiet(); ++cycle) {
    driver.drive(false);
    bank.clock(cycle, all);
  }
  INFO(bank.describe(0));
  CHECK(driver.quiet());
  CHECK(driver.cuts == driver.ends);
  FaultTotals one{driver.cuts, driver.messages, 0, config.vcs, bank.read_register(0, 0x00C)};
  for (std::uint32_t p = 0; p < config.ports; ++p)
    one.malformed += bank.read_register(0, 0x010 + p) & 0xff;
  return one;
}

}  // namespace

TEST_CASE("a preempting switch comes to rest with all credits, whatever its neighbours send",
          "[golden][preempt]") {
  const PreemptMix mixes[] = {
      // data messages here controls faults send credit stuck host held
      {0.10, 0.05, 0.3, 0.01, 0.0, 1.0, 0.95, 0.001, 8, false},  // no faults
      {0.20, 0.05, 0.1, 0.10, 0.05, 0.9, 0.3, 0.005, 5, false},  // many
      {0.05, 0.30, 0.3, 0.02, 0.02, 1.0, 0.9, 0.001, 5, false},  // in many messages
      {0.20, 0.30, 0.0, 0.0, 0.001, 1.0, 0.9, 0.01, 0, false},   // few, long cuts
  };
  std::uint64_t seed = muster_seed();
  for (const fabric::SwitchKind* kind : {&preempt::kBsr1, &preempt::kBsr2, &preempt::kBsr3}) {
    FaultTotals total;
    std::uint32_t longest[4] = {};  // by virtual channels
    for (const PreemptMix& mix : mixes)
      for (int round = 0; round < 40; ++round) {
        CAPTURE(kind->name, mix.faults, ++seed);
        const FaultTotals one = exercise(*kind, mix, seed);
        total.cuts += one.cuts;
        total.messages += one.messages;
        total.malformed += one.malformed;
        longest[one.vcs] = std::max(longest[one.vcs], one.longest_wait);
        if (kind != &preempt::kBsr3) CHECK(one.longest_wait <= bound(*kind, one.vcs));
        if (mix.faults == 0.0) CHECK(one.malformed == 0);
      }
    CAPTURE(kind->name);
    CHECK(total.cuts > 1000);
    CHECK(total.messages > 5000);
    CHECK(total.malformed > 1000);
    // Some waited behind a guard, where there is no way round it.
    if (kind != &preempt::kBsr3) CHECK(longest[1] > 16);
    if (kind == &preempt::kBsr2) CHECK((longest[2] > 16 && longest[3] > 16));
  }
}
