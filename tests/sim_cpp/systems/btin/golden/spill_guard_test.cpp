// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>
#include <deque>
#include <vector>

#include "fabric/register_map.hpp"
#include "sim_cpp/fabric/golden/switch_bench.hpp"

/// docs/systems/guard.md, "Time-outs of the spill", by hand.
namespace muster::golden {
namespace {

using fabric::BarrierMessage;
using fabric::MessageType;
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
