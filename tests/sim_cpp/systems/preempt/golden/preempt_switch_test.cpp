// SPDX-License-Identifier: Apache-2.0
#include "systems/preempt/golden/preempt_switch.hpp"

#include "sim_cpp/systems/preempt/golden/preempt_bench.hpp"

/// docs/systems/preempting-switches.md: an example of each rule that the paper gives for a whole
/// switch. RTL agrees with golden in each cycle of random traffic (tests/verif/lockstep), data and
/// messages arrive whole whatever is cut (preempt_random_test.cpp).

using namespace muster;
using golden::first;
using golden::later;
using golden::PreemptBench;

namespace {

constexpr std::uint32_t kEntry = 0x100, kLocals = 0x108, kHere = PreemptBench::kHere;

/// Port 0 sends the flits of a message but those of `lost`.
void send_without(PreemptBench& b, const preempt::BsrMessage& message, std::uint32_t lost) {
  const auto flits = preempt::bsr_flits(message, 0);
  for (std::uint32_t i = 0; i < bsr_length(message.type); ++i) {
    const bool gone = lost >> i & 1;
    b.raw[0].push_back(gone ? std::nullopt : std::optional(flits[i]));
    b.room[0] -= i == 0 && gone;  // spent, though it does not arrive
  }
}

TEST_CASE("a message takes 5 cycles from wires to wires, 6 in III, a first message one more",
          "[golden][preempt]") {
  for (const fabric::SwitchKind* kind : golden::kPreemptKinds)
    for (const preempt::BsrMessage& message : {later(31), first(31, 60)}) {
      PreemptBench b(*kind);
      const std::uint64_t hop =
          2 + (b.queued() ? preempt::registers::kHopThree : preempt::registers::kHop);
      CHECK(hop == (b.queued() ? 5 : 4));
      b.take(0, message, 30);
      const auto seen = b.barriers(1);
      REQUIRE(seen.size() == bsr_length(message.type));
      for (std::size_t i = 0; i < seen.size(); ++i)
        CHECK(seen[i].cycle == 1 + hop + (message.type == preempt::BsrType::kFirst) + i);
      CHECK(b.watch[1].messages() == std::vector{message});
      CHECK(b.bank.quiescent(0));
      CHECK(b.room[0] == 1);
    }
}

TEST_CASE("a lost flit costs its message, and the next one is found", "[golden][preempt]") {
  for (const fabric::SwitchKind* kind : golden::kPreemptKinds)
    for (const preempt::BsrMessage& m : {later(31), first(31, 60)})
      for (std::uint32_t lost = 1; lost + 1 < 1u << bsr_length(m.type); ++lost) {
        CAPTURE(kind->name, lost);
        PreemptBench b(*kind);
        send_without(b, m, lost);
        b.run(20);
        CHECK(b.room[0] == 1);  // back, as if the message had left
        CHECK(b.drops(0) == 1);
        CHECK(b.bank.quiescent(0));
        b.take(0, later(31, 51), 20);
        CHECK(b.watch[1].messages() == std::vector{later(31, 51)});
        CHECK(b.room[0] == 1);
        CHECK(b.credit[0][0] == b.config.depth);
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
  b.take(0, first(31, 60), 4);
  b.take(3, first(31, 63), 200);
  preempt::BsrMessage branched = first(31, 63);
  branched.bnt = preempt::Bnt::kNewNode;
  branched.new_node = kHere;
  CHECK(b.watch[1].messages() == std::vector{later(31), first(31, 60), branched});
}

TEST_CASE("a later message takes the way that needs no cut", "[golden][preempt]") {
  PreemptBench b(preempt::kBsr1, 1);
  b.occupy(1);  // output 1 would have to be cut
  b.take(0, later(40), 30);
  CHECK(b.barriers(1).empty());
  CHECK(b.barriers(2).size() == 2);
}

TEST_CASE("a group of the switch's own nodes is synchronized in place", "[golden][preempt]") {
  for (const fabric::SwitchKind* kind : golden::kPreemptKinds) {
    PreemptBench b(*kind);
    b.bank.write_register(0, kLocals, 0b1001);
    b.bank.write_register(0, kEntry, 1u << 31 | 1u << 30 | 2u << 8 | 9);  // center, 2 members
    for (int barrier = 0; barrier < 4; ++barrier)
      for (const std::uint32_t port : {3u, 0u}) {
        b.take(port, barrier == 0 ? first(kHere, kHere) : later(kHere, port), 40);
        for (const std::uint32_t out : {0u, 3u})
          CHECK(b.watch[out].messages().size() == barrier + std::size_t{port == 0});
      }
    CHECK(b.watch[3].messages()[0].type == preempt::BsrType::kDistribution);
    CHECK(b.drops(0) == 0);
    CHECK(b.bank.quiescent(0));
  }
}

TEST_CASE("a free channel is used before any is cut", "[golden][preempt]") {
  for (const fabric::SwitchKind* kind : golden::kPreemptKinds) {
    const std::uint8_t taken = kind == &preempt::kBsr2 ? 1 : 0;
    PreemptBench b(*kind);
    b.packet(2, 1, 20, taken, true);  // owns one channel of output 1; the other is free
    b.run(30);
    b.take(0, later(31), 40);
    REQUIRE(b.barriers(1).size() == 2);
    CHECK(b.barriers(1)[0].flit.vc == 1 - taken);
  }
}

TEST_CASE("a channel is cut: request, message, and after T cycles the end", "[golden][preempt]") {
  for (const fabric::SwitchKind* kind : {&preempt::kBsr1, &preempt::kBsr2}) {
    PreemptBench b(*kind);
    b.occupy(1);
    const std::uint64_t start = b.cycle;
    b.take(0, later(31), 40);
    const auto seen = b.barriers(1);
    const std::uint8_t cut = kind == &preempt::kBsr1 ? 1 : 0;
    REQUIRE(seen.size() == 4);
    CHECK(golden::is(seen[0].flit, {false, cut}));
    CHECK(golden::is(seen[3].flit, {true, cut}));
    // 16 cycles without a barrier flit, then the end.
    for (const auto& [i, after] : {std::pair{0, 5}, {1, 6}, {2, 7}, {3, 7 + 17}}) {
      CHECK(seen[i].cycle == start + after);
      CHECK(seen[i].flit.vc == cut);
    }
  }
}

TEST_CASE("switch III waits until the flits of some channel move", "[golden][preempt]") {
  PreemptBench b(preempt::kBsr3);
  b.occupy(1);
  b.take(0, later(31), 200);
  CHECK(b.barriers(1).empty());
  b.stuck[1] = 0b01;  // channel 1 moves again
  b.run(60);
  const auto seen = b.barriers(1);
  REQUIRE(seen.size() == 4);
  CHECK(golden::is(seen[0].flit, {false, 1}));
  CHECK(seen[1].flit.vc == 1);
  CHECK(golden::is(seen[3].flit, {true, 1}));
  CHECK(b.bank.read_register(0, 0x013) > 190);
}

TEST_CASE("pads follow the cut packet until the end, and pay no credit back", "[golden][preempt]") {
  for (const fabric::SwitchKind* kind : golden::kPreemptKinds) {
    PreemptBench b(*kind);
    b.packet(2, 1, 5, 0, true);
    b.run(20);
    CHECK(b.at(1, 0).size() == 5);
    const std::uint64_t start = b.cycle;
    b.take(2, preempt::LinkControl{false, 0}, 30);
    CHECK(b.pads(1) > 20);
    // On the wires in `start`, in effect from the next cycle on, in III from the one after it.
    CHECK(b.at(1, 0)[5].cycle == start + 3 + b.queued());
    CHECK(b.credit[2][0] == b.config.depth);
    const std::uint64_t last = b.cycle;  // cycle with a pad
    b.take(2, preempt::LinkControl{true, 0}, 30);
    CHECK(b.at(1, 0).back().cycle == last + 2);
  }
}

TEST_CASE("a held output gives data no credit, and I and II cut a channel, III waits",
          "[golden][preempt]") {
  for (const fabric::SwitchKind* kind : golden::kPreemptKinds) {
    PreemptBench b(*kind);
    b.bank.write_register(0, 0x006, 0b10);
    b.link.held = true;
    b.packet(2, 1, 5);
    b.take(0, later(31), 100);
    CHECK(b.at(1, 0).empty());
    CHECK(b.watch[1].cuts() == (b.queued() ? 0 : 1));
    CHECK(b.watch[1].messages().size() == (b.queued() ? 0 : 1));
    b.bank.write_register(0, 0x006, 0);
    b.run(100);
    CHECK(b.at(1, 0).size() == 5);
    CHECK(b.bank.quiescent(0));
  }
}

TEST_CASE("what waits for an output that the host closes is dropped, the next avoid it",
          "[golden][preempt]") {
  for (const fabric::SwitchKind* kind : golden::kPreemptKinds) {
    PreemptBench b(*kind, 1);
    b.stuck[1] = 0b10;  // the neighbour behind port 1 frees no barrier buffer
    b.take(0, later(31), 60);
    b.send(2, later(31));  // served, and waits for room
    b.run(20);
    b.send(0, first(31, 60));  // going, and waits for the output
    b.take(3, later(31), 60);
    b.bank.write_register(0, preempt::registers::kClosed, 0b0010);
    b.run(2);
    CHECK(b.unroutable() == 2);
    CHECK((b.room[0] == 1 && b.room[2] == 0 && b.room[3] == 1));
    b.send(0, later(40));
    b.take(3, later(31), 60);
    CHECK(b.watch[2].messages() == std::vector{later(40)});
    CHECK(b.unroutable() == 3);
    b.stuck[1] = 0;
    b.run(60);
    CHECK(b.watch[1].messages().size() == 2);  // what was served has gone
    CHECK(b.bank.quiescent(0));
  }
}

/// A line of the table of "What is left to data": what passes an output in 3900 cycles in which two
/// neighbours never stop sending it barrier messages and a third has a packet for it, in each
/// channel, that does not end.
struct Share {
  const fabric::SwitchKind* kind;
  std::uint32_t vcs, gap, longest;
  std::uint64_t barriers, data, pause;  ///< flits; the longest pause of the data, cycles
};

void check(const Share& expected) {
  const auto& [kind, vcs, gap, longest, some_barriers, some_data, some_pause] = expected;
  constexpr std::uint64_t kCycles = 4000;
  PreemptBench b(*kind, vcs, 8);
  b.times(16, gap, longest);
  for (std::uint8_t v = 0; v < vcs; ++v) b.packet(3, 1, 2 * kCycles, v, true);
  for (std::uint64_t i = 0; i < kCycles / 2; ++i)
    for (const std::uint32_t port : {0u, 2u}) b.send(port, later(31));
  b.run(kCycles);
  std::uint64_t barriers = 0, data = 0, pause = 0, last = 100;
  for (const auto& s : b.seen[1]) {
    if (s.cycle < 100) continue;
    ++(golden::is_data(s.flit) ? data : barriers);
    if (!golden::is_data(s.flit)) continue;
    pause = std::max(pause, s.cycle - last);
    last = s.cycle;
  }
  CAPTURE(kind->name, vcs, gap, longest);
  CHECK(barriers == some_barriers);
  CHECK(data == some_data);
  CHECK(pause == some_pause);
  CHECK(static_cast<double>(barriers) <= 5.0 / (6 + gap) * (kCycles - 100) + 5);
  CHECK(pause <= longest + 16 + 12);
}

TEST_CASE("barrier messages that never end leave data their share", "[golden][preempt]") {
  for (const fabric::SwitchKind* kind : {&preempt::kBsr1, &preempt::kBsr2})
    for (const Share& share : {Share{kind, 1, 0, 16, 2600, 186, 21},
                               {kind, 1, 0, 64, 2600, 56, 69},
                               {kind, 1, 0, 256, 2600, 15, 261},
                               {kind, 1, 2, 16, 1773, 354, 21},
                               {kind, 1, 2, 64, 1606, 57, 68},
                               {kind, 1, 2, 256, 1578, 30, 261},
                               {kind, 1, 8, 16, 975, 812, 20},
                               {kind, 1, 8, 64, 802, 57, 68},
                               {kind, 1, 8, 256, 734, 105, 260}})
      check(share);
  check({&preempt::kBsr1, 2, 2, 256, 1324, 2576, 5});
}

TEST_CASE("outputs count flits and stalls, ports what they drop, which interrupts",
          "[golden][preempt][counters]") {
  constexpr std::uint32_t kMask = 0x00E, kCauses = 0x00F, kFlits = 0x200, kStalls = 0x201,
                          kLosses = 0x202, kNowhere = 63;
  for (const fabric::SwitchKind* kind : golden::kPreemptKinds) {
    PreemptBench b(*kind);
    const auto read = [&](std::uint32_t word, std::uint32_t port) {
      return b.bank.read_register(0, word + 4 * port);
    };
    b.packet(0, 1, 5);
    b.take(3, later(32), 30);
    CHECK(read(kFlits, 1) == 5);
    CHECK(read(kFlits, 2) == b.barriers(2).size());
    CHECK(read(kStalls, 1) == 0);
    b.occupy(1);
    const std::uint32_t before = read(kStalls, 1);
    CHECK(before > 0);
    b.run(10);
    CHECK(read(kStalls, 1) == before + 10);
    CHECK(read(kStalls, 0) + read(kStalls, 2) + read(kStalls, 3) == 0);

    CHECK(b.bank.read_register(0, kCauses) == 0);
    b.packet(3, kNowhere, 4);
    send_without(b, later(31), 1);
    b.bank.write_register(0, kMask, 1);
    b.run(30);
    CHECK(read(kLosses, 3) == 1);
    CHECK(read(kLosses, 0) == 1);
    CHECK(b.bank.irq(0));
    b.bank.write_register(0, kCauses, 1);
    CHECK_FALSE(b.bank.irq(0));
    b.bank.write_register(0, kLosses, 0);
    CHECK(read(kLosses, 0) == 0);
  }
}

}  // namespace
