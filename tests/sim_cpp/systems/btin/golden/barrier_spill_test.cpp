// SPDX-License-Identifier: Apache-2.0
#include "fabric/register_map.hpp"
#include "sim_cpp/fabric/golden/switch_bench.hpp"

namespace muster::golden {

/// docs/systems/barrier-switch.md, "Spill", by hand.
namespace {
using fabric::MessageType;

constexpr std::uint32_t kSpillPort = 1;

struct Spilling : SwitchBench {
  Spilling() : SwitchBench(sw(4, 1, {.spill = true})) { write(0x00C, 1u << kSpillPort); }
};

fabric::BarrierMessage is(MessageType type, std::uint32_t gid, std::uint64_t value) {
  return {type, gid, {value, 0}};
}

TEST_CASE("a message without register is handed over as place and data", "[golden][spill]") {
  Spilling bench;
  bench.take(2, bench.distribution(9, 0x2a), 2);
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

TEST_CASE("an answer goes out by the port that its place names", "[golden][spill]") {
  Spilling bench;
  bench.send(kSpillPort, bench.formats.barrier_flit(
                             fabric::spill_place({MessageType::kReduction, 9, {}}, 3), 0));
  bench.step(3);
  bench.take(kSpillPort, bench.formats.barrier_flit(is(MessageType::kSpillData, 9, 0x15), 0), 2);
  CHECK(bench.outputs() == 0);
  bench.step();
  REQUIRE(bench.outputs() == 1u << 3);
  CHECK(bench.message(3) == is(MessageType::kReduction, 9, 0x15));
  bench.step();
  CHECK(bench.quiescent());
  CHECK(bench.read(0x010) == 0);
}

TEST_CASE("the narrowest flit that holds a place has 7 bits besides the group identifier",
          "[golden][spill]") {
  fabric::SwitchConfig narrow = sw(4, 1, {.spill = true});
  narrow.gid_w = 10;
  CHECK_THROWS_WITH(validate(narrow), Contains("flit_w = 16 is not in 17..80"));
  narrow.gid_w = 9;
  SwitchBench bench(narrow);
  bench.write(0x00C, 0x12);
  CHECK(bench.read(0x00C) == 2);
}

/// docs/systems/guard.md, "Time-outs of the spill", by hand.
namespace regs = fabric::registers;

constexpr std::uint32_t kNodePort = 3, kSpilled = 9, kRegistered = 5;

/// A switch with spill port 3, whose spill waits for 16 cycles, or for ever.
struct PatientSpill : SwitchBench {
  explicit PatientSpill(bool guard = true)
      : SwitchBench(sw(4, 1, {.guard = guard, .spill = true})) {
    write(regs::kSpill, 1u << kNodePort);
    write(regs::kPatience, 4u << regs::kPatienceSpill.low);
  }
};

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
  CHECK(bench.read(regs::kGivenUp) == (1u << 24 | kSpilled));
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

}  // namespace
}  // namespace muster::golden
