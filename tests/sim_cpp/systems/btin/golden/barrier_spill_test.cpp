// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>
#include <deque>
#include <vector>

#include "fabric/register_map.hpp"
#include "sim_cpp/fabric/golden/switch_bench.hpp"

namespace muster::golden {

/// docs/systems/barrier-switch.md, "Spill", by hand.
namespace {

using fabric::BarrierMessage;
using fabric::MessageType;

constexpr std::uint32_t kSpillPort = 1;

struct Spilling : SwitchBench {
  explicit Spilling(std::uint32_t ports = 4, std::uint32_t depth = 4)
      : SwitchBench(with_pockets(sw(ports, 1, depth))) {
    write(0x006, 1u << kSpillPort);
  }
};

core::Flit place(const SwitchBench& bench, std::uint32_t gid, MessageType type,
                 std::uint32_t port) {
  return bench.formats.barrier_flit(fabric::spill_place({type, gid, {}}, port), 0);
}
core::Flit data(const SwitchBench& bench, std::uint32_t gid, std::uint64_t value) {
  return bench.formats.barrier_flit({MessageType::kSpillData, gid, {value, 0}}, 0);
}

BarrierMessage is(MessageType type, std::uint32_t gid, std::uint64_t value) {
  return {type, gid, {value, 0}};
}

TEST_CASE("a message without register is handed over as place and data", "[golden][spill]") {
  Spilling bench;
  bench.send(2, bench.distribution(9, 0x2a));
  bench.step(2);
  CHECK(bench.credits() == bit(lane_of(2, 1)));  // in its pocket in 1, and taken
  CHECK(bench.outputs() == 0);
  CHECK_FALSE(bench.quiescent());
  bench.step();
  REQUIRE(bench.outputs() == 1u << kSpillPort);
  CHECK(bench.message(kSpillPort) == is(MessageType::kSpillPlace, 9, 1u << 4 | 2));
  bench.step();
  CHECK(bench.outputs() == 0);  // the node's pocket is not free
  bench.free_pocket(kSpillPort);
  bench.step(2);
  REQUIRE(bench.outputs() == 1u << kSpillPort);
  CHECK(bench.message(kSpillPort) == is(MessageType::kSpillData, 9, 0x2a));
  bench.step();
  CHECK(bench.quiescent());
  CHECK(bench.read(0x012) == 0);
}

TEST_CASE("messages for the spill are taken in round robin", "[golden][spill]") {
  Spilling bench;
  for (const std::uint32_t p : {0u, 2u, 3u}) bench.send(p, bench.reduction(9, p));
  bench.step(1);
  std::vector<std::uint32_t> turns;
  for (int i = 0; i < 40; ++i) {
    if (bench.valid(kSpillPort)) {
      const BarrierMessage m = bench.message(kSpillPort);
      if (m.type == MessageType::kSpillPlace) turns.push_back(fabric::spill_place(m).port);
      bench.free_pocket(kSpillPort);
    }
    if (i == 2) bench.send(0, bench.reduction(9, 5));  // again, behind the others
    bench.step();
  }
  CHECK(turns == std::vector<std::uint32_t>{0, 2, 3, 0});
}

TEST_CASE("an answer goes out by the port that its place names", "[golden][spill]") {
  Spilling bench;
  bench.send(kSpillPort, place(bench, 9, MessageType::kReduction, 3));
  bench.step(3);
  bench.send(kSpillPort, data(bench, 9, 0x15));
  bench.step(2);
  CHECK(bench.outputs() == 0);
  bench.step();
  REQUIRE(bench.outputs() == 1u << 3);
  CHECK(bench.message(3) == is(MessageType::kReduction, 9, 0x15));
  bench.step();
  CHECK(bench.quiescent());
  CHECK(bench.read(0x010) == 0);
}

TEST_CASE("halves of answers out of order are malformed, the next answer is not",
          "[golden][spill]") {
  Spilling bench(3);
  const auto after = [&](const core::Flit& flit) {
    bench.send(kSpillPort, flit);
    bench.step(4);
    return bench.read(0x010) >> 24;
  };
  CHECK(after(data(bench, 9, 1)) == 1);                               // no place
  CHECK(after(place(bench, 9, MessageType::kReduction, 3)) == 2);     // no such port
  CHECK(after(data(bench, 9, 1)) == 3);                               // so no place
  CHECK(after(place(bench, 9, MessageType::kReduction, 0)) == 3);     //
  CHECK(bench.quiescent());                                           // a place is quiet
  CHECK(after(place(bench, 9, MessageType::kDistribution, 2)) == 4);  // the first is lost
  bench.send(kSpillPort, data(bench, 9, 1));
  bench.step(3);
  REQUIRE(bench.outputs() == 1u << 2);
  CHECK(bench.message(2) == is(MessageType::kDistribution, 9, 1));
  CHECK(bench.read(0x010) == (4u << 24 | 3u << 20 | kSpillPort << 16 | 9));
}

TEST_CASE("spill messages at any other port are malformed", "[golden][spill]") {
  Spilling bench;
  for (const std::uint32_t p : {0u, 2u, 3u}) {
    bench.send(p, place(bench, 9, MessageType::kReduction, 0));
    bench.step();
    bench.send(p, data(bench, 9, 0));
    bench.step(5);
    CHECK(bench.read(0x010) == (2u << 24 | 2u << 20 | p << 16 | 9));
    bench.write(0x010, 0);
    CHECK(bench.outputs() == 0);
  }
}

TEST_CASE("a group with a register is not handed over", "[golden][spill]") {
  Spilling bench;
  bench.load(0, 7, 0b0001, 3);
  bench.send(0, bench.reduction(7, 3));
  bench.send(2, bench.reduction(7, 3));  // wrong port
  bench.step(2);
  CHECK(bench.outputs() == 1u << 3);
  CHECK(bench.read(0x010) == (1u << 24 | 1u << 22 | 2u << 16 | 7));
  bench.step(5);
  CHECK(bench.outputs() == 0);
}

TEST_CASE("a message that waits for the latch waits in its pocket, and data pass",
          "[golden][spill]") {
  Spilling bench;
  bench.route(5, 1u << 3);
  bench.send(0, bench.reduction(9, 1));
  bench.step(6);  // its place is out, its data wait for the node's pocket
  bench.send(0, bench.reduction(9, 1));
  bench.step();
  bench.send(0, SwitchBench::single(5));
  bench.step(4);
  REQUIRE(bench.outputs() == 1u << 3);
  CHECK_FALSE(bench.out(3).sync());
  bench.step(10);
  CHECK(bench.outputs() == 0);
  CHECK_FALSE(bench.quiescent());
  CHECK(bench.read(0x010) == 0);
}

TEST_CASE("a full answer latch holds the spill port's pocket and no other", "[golden][spill]") {
  Spilling bench;
  const auto answer = [&](std::uint32_t port) {
    bench.send(kSpillPort, place(bench, 9, MessageType::kReduction, port));
    bench.step(3);
    bench.send(kSpillPort, data(bench, 9, 0));
    bench.step(3);
  };
  answer(3);  // takes the credit of the neighbour's pocket
  bench.step();
  answer(3);  // waits for one
  bench.step(5);
  bench.send(kSpillPort, place(bench, 9, MessageType::kReduction, 2));  // stays in the pocket
  bench.step(5);
  CHECK(bench.credits() == 0);
  bench.send(0, bench.reduction(9, 7));  // goes by the other latch
  bench.step(3);
  CHECK(bench.valid(kSpillPort));
  bench.free_pocket(3);
  bench.step(2);
  CHECK(bench.valid(3));
  bench.step();
  CHECK(bench.credits() == bit(lane_of(kSpillPort, 1)));
}

TEST_CASE("latches and registers take turns at an output", "[golden][spill]") {
  Spilling bench;
  // Registers 0 and 1 want port 3, and so does an answer, in the same cycle.
  bench.load(0, 4, 0b0001, 3);
  bench.load(1, 5, 0b0100, 3);
  bench.send(kSpillPort, place(bench, 9, MessageType::kReduction, 3));
  bench.step(3);
  bench.send(kSpillPort, data(bench, 9, 0));
  bench.step();
  bench.send(0, bench.reduction(4));
  bench.send(2, bench.reduction(5));
  std::vector<std::uint32_t> gids;
  for (int i = 0; i < 14; ++i) {
    bench.step();
    if (!bench.valid(3)) continue;
    gids.push_back(bench.message(3).gid);
    bench.free_pocket(3);
  }
  CHECK(gids == std::vector<std::uint32_t>{9, 4, 5});
}

TEST_CASE("without a spill port an unknown group is dropped as in other switches",
          "[golden][spill]") {
  Spilling bench;
  bench.write(0x006, 0);
  bench.send(0, bench.reduction(9));
  bench.send(kSpillPort, place(bench, 9, MessageType::kReduction, 3));
  bench.step(5);
  CHECK(bench.read(0x010) == (2u << 24 | 9));
  CHECK(bench.outputs() == 0);
}

TEST_CASE("a switch without a spill port drops unknown groups whatever is written",
          "[golden][spill]") {
  SwitchBench bench(sw(4, 1));
  bench.write(0x006, 2);
  CHECK(bench.read(0x006) == 0);
  bench.send(0, bench.reduction(9));
  bench.step(5);
  CHECK(bench.read(0x010) == (1u << 24 | 9));
  CHECK(bench.outputs() == 0);
}

TEST_CASE("the narrowest flit that holds a place has 7 bits besides the group identifier",
          "[golden][spill]") {
  fabric::SwitchConfig narrow = with_pockets(sw(4, 1));
  narrow.gid_w = 10;
  CHECK_THROWS_WITH(validate(narrow), Catch::Contains("flit_w = 16 is not in 17..80"));
  narrow.gid_w = 9;
  SwitchBench bench(narrow);
  bench.write(0x006, 0x12);
  CHECK(bench.read(0x006) == 2);
}

/// docs/systems/guard.md, "Time-outs of the spill", by hand.
namespace regs = fabric::registers;

constexpr std::uint32_t kNodePort = 3, kSpilled = 9, kRegistered = 5;
constexpr std::uint32_t kAnswer = 1u << 22, kDistributed = 1u << 20;

/// A switch with spill port 3, whose spill waits for 16 cycles, or for ever.
struct PatientSpill : SwitchBench {
  static fabric::SwitchConfig config(bool guard) {
    fabric::SwitchConfig made = with_pockets(sw(4, 1));
    made.guard = guard;
    return made;
  }
  explicit PatientSpill(bool guard = true) : SwitchBench(config(guard)) {
    write(regs::kSpill, 1u << kNodePort);
    write(regs::kPatience, 4u << regs::kPatienceSpill.low);
  }
  /// Place and data of an answer at the spill port, three cycles apart; in the latch from the next
  /// cycle on.
  void answer(std::uint32_t gid, MessageType type, std::uint32_t port) {
    send(kNodePort, formats.barrier_flit(fabric::spill_place({type, gid, {}}, port), 0));
    step(3);
    send(kNodePort, formats.barrier_flit({MessageType::kSpillData, gid, {1, 0}}, 0));
    step(2);
  }
};

std::uint32_t once(std::uint32_t port, std::uint32_t info) { return 1u << 24 | port << 16 | info; }

/// Members at ports 0 to 2, each arriving at a spilled group and then, as soon as its pocket is
/// free, at one with a register, while the spill node takes no message. The cycle in which the
/// second group is released; 0 if that is not within a thousand.
std::uint64_t released_beside_dead_node(PatientSpill& bench) {
  bench.load(0, kRegistered, 0b0111, 0, true);
  std::vector<std::deque<core::Flit>> members(
      3, {bench.reduction(kSpilled), bench.reduction(kRegistered)});
  std::vector<bool> credit(3, true);
  while (bench.now() < 1000) {
    for (std::uint32_t p = 0; p < 3; ++p) {
      if (has(bench.credits(), lane_of(p, 1))) credit[p] = true;
      if (members[p].empty() || !credit[p]) continue;
      bench.send(p, members[p].front());
      members[p].pop_front();
      credit[p] = false;
    }
    bench.step();
    if ((bench.outputs() & 0b0111) != 0) return bench.now();
  }
  return 0;
}

TEST_CASE("a spill node that takes nothing costs only its own groups", "[golden][guard][spill]") {
  PatientSpill bench;
  // Place out in 3; 16 cycles later the data are given up, and two others dropped.
  const std::uint64_t released = released_beside_dead_node(bench);
  CHECK(released > 16);
  CHECK(released < 30);
  CHECK(bench.read(regs::kGivenUp) == once(0, kSpilled));
  CHECK(bench.read(regs::kDrops) == (2u << 24 | 1u << 16 | kSpilled));
  bench.step(40);
  CHECK(bench.quiescent());
}

TEST_CASE("without a guard groups with registers wait for a spill node that takes nothing",
          "[golden][guard][spill]") {
  PatientSpill bench(false);
  CHECK(released_beside_dead_node(bench) == 0);
  CHECK(bench.arrived(0) == 0b0001);
  CHECK(bench.read(regs::kGivenUp) == 0);
  CHECK(bench.read(regs::kPatience) == 0);
}

TEST_CASE("a message is handed over again once the node has given its credit back",
          "[golden][guard][spill]") {
  PatientSpill bench;
  bench.send(0, bench.reduction(kSpilled));
  bench.step(2);  // in the latch; the place leaves in 2
  bench.step(16);
  CHECK_FALSE(bench.quiescent());  // the last cycle of waiting
  bench.step();
  bench.send(1, bench.distribution(kSpilled));  // closed: dropped from the wires
  bench.step(3);
  CHECK(bench.read(regs::kDrops) == once(1, kDistributed | kSpilled));
  CHECK(bench.quiescent());
  bench.free_pocket(kNodePort);
  bench.step();
  CHECK_FALSE(bench.quiescent());  // it opens
  bench.step();
  CHECK(bench.quiescent());
  bench.send(2, bench.reduction(kSpilled));
  bench.step(3);
  REQUIRE(bench.outputs() == 1u << kNodePort);
  CHECK(bench.message(kNodePort) ==
        fabric::spill_place({MessageType::kReduction, kSpilled, {}}, 2));  // whole, from its place
  bench.free_pocket(kNodePort);
  bench.step(2);
  REQUIRE(bench.outputs() == 1u << kNodePort);
  CHECK(bench.message(kNodePort).type == MessageType::kSpillData);
  CHECK(bench.read(regs::kGivenUp) == once(0, kSpilled));
}

TEST_CASE("a node that is slow, but not too slow, loses nothing", "[golden][guard][spill]") {
  PatientSpill bench;
  bench.send(0, bench.reduction(kSpilled));
  bench.step(3);
  REQUIRE(bench.outputs() == 1u << kNodePort);
  bench.step(14);
  bench.free_pocket(kNodePort);  // in 17; the latch has waited since 3
  bench.step(2);
  REQUIRE(bench.outputs() == 1u << kNodePort);
  CHECK(bench.message(kNodePort).type == MessageType::kSpillData);
  bench.step(3);
  CHECK(bench.read(regs::kGivenUp) == 0);
  // The other half of a message that is not taken is whole.
  bench.send(1, bench.reduction(kSpilled));
  bench.step(2 + 16 + 2);
  CHECK(bench.outputs() == 0);
  CHECK(bench.read(regs::kGivenUp) == once(1, kSpilled));
}

TEST_CASE("an answer that its output does not take is given up", "[golden][guard][spill]") {
  PatientSpill bench;
  bench.answer(kSpilled, MessageType::kDistribution, 2);
  bench.step();
  CHECK(bench.valid(2));  // takes the credit of the neighbour's pocket
  bench.answer(kSpilled, MessageType::kDistribution, 2);
  bench.load(0, kRegistered, 1u << kNodePort, 1);
  bench.send(kNodePort, bench.formats.barrier_flit(
                            fabric::spill_place({MessageType::kReduction, 7, {}}, 0), 0));
  bench.step(15);
  CHECK(bench.credits() == 0);
  CHECK(bench.read(regs::kGivenUp) == 0);
  bench.step(2);
  // What stood behind it has gone on, and so does the node's message for a register.
  CHECK(bench.credits() == bit(lane_of(kNodePort, 1)));
  bench.send(kNodePort, bench.reduction(kRegistered));
  bench.step(2);
  CHECK(bench.valid(1));
  CHECK(bench.read(regs::kGivenUp) == once(2, kAnswer | kDistributed | kSpilled));
  // What comes from the spill port is no matter of the hand-over latch, which is open.
  bench.send(0, bench.reduction(kSpilled));
  bench.step(3);
  CHECK(bench.valid(kNodePort));
}

TEST_CASE("without patience the spill waits for ever", "[golden][guard][spill]") {
  PatientSpill bench;
  bench.write(regs::kPatience, 0xf);
  bench.send(0, bench.reduction(kSpilled));
  bench.step(70000);
  CHECK(bench.read(regs::kGivenUp) == 0);
  bench.free_pocket(kNodePort);
  bench.step(2);
  CHECK(bench.valid(kNodePort));
}

TEST_CASE("another spill port opens the spill at once", "[golden][guard][spill]") {
  PatientSpill bench;
  bench.send(0, bench.reduction(kSpilled));
  bench.step(30);
  bench.request(regs::kSpill, 1u << 2);
  bench.step(2);
  bench.send(0, bench.reduction(kSpilled));
  bench.step(3);
  CHECK(bench.outputs() == 1u << 2);
}

}  // namespace

}  // namespace muster::golden
