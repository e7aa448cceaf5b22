// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>
#include <vector>

#include "sim_cpp/fabric/golden/switch_bench.hpp"
#include "systems/btin/switch_kinds.hpp"

namespace muster::golden {
namespace {

using fabric::MessageType;

TEST_CASE("a reduction takes two cycles from wire to wire and combines all children",
          "[golden][barrier]") {
  SwitchBench bench(sw(5, 2));
  bench.load(2, 77, 0b01110, 0);
  bench.send(1, bench.reduction(77, 0b000001));
  bench.step();
  bench.send(2, bench.reduction(77, 0b001000));
  bench.send(3, bench.reduction(77, 0b100000));  // fan-in costs nothing
  const std::uint64_t sent_at = bench.now();
  CHECK(bench.arrived(2) == 0b00010);
  CHECK_FALSE(bench.sent(2));
  bench.step();
  CHECK(bench.arrived(2) == 0b01110);
  CHECK(bench.credits() == 0);
  CHECK(bench.outputs() == 0);
  bench.step();
  CHECK(bench.now() == sent_at + 2);  // L + 1
  CHECK(bench.outputs() == 0b00001);
  CHECK(bench.out(0).kind == core::Flit::kSync);
  CHECK(bench.message(0) == fabric::BarrierMessage{MessageType::kReduction, 77, {0b101001, 0}});
  CHECK(bench.sent(2));
  bench.step();
  CHECK(bench.outputs() == 0);  // once
}

TEST_CASE("a distribution leaves through all children two cycles later", "[golden][barrier]") {
  SwitchBench bench(sw(5, 1));
  bench.load(0, 3, 0b11010, 2);
  for (const std::uint32_t p : {1u, 3u, 4u}) bench.send(p, bench.reduction(3, 1u << p));
  bench.step(6);
  bench.send(2, bench.distribution(3, 0x2a));
  bench.step();
  CHECK(bench.to_serve(0) == 0b11010);
  CHECK(bench.arrived(0) == 0);
  CHECK_FALSE(bench.sent(0));
  CHECK(bench.outputs() == 0);
  bench.step();
  CHECK(bench.outputs() == 0b11010);
  for (const std::uint32_t p : {1u, 3u, 4u}) {
    CHECK(bench.message(p) == fabric::BarrierMessage{MessageType::kDistribution, 3, {0x2a, 0}});
  }
  CHECK(bench.to_serve(0) == 0);
}

TEST_CASE("a register that reflects answers in the time of a hop", "[golden][barrier]") {
  SwitchBench bench(sw(4, 2));
  bench.load(1, 9, 0b1011, 2, true);
  bench.send(0, bench.reduction(9, 0b01));
  bench.step();
  bench.send(1, bench.reduction(9, 0b10));
  bench.send(3, bench.reduction(9, 0b1000));
  bench.step(2);
  CHECK(bench.outputs() == 0b1011);
  CHECK(bench.message(3) == fabric::BarrierMessage{MessageType::kDistribution, 9, {0b1011, 0}});
  // The data of one barrier does not leak into the next.
  bench.step();
  for (const std::uint32_t p : {0u, 1u, 3u}) bench.send(p, bench.reduction(9, 0b100));
  bench.step(2);
  CHECK(bench.message(0).data.lo == 0b100);
}

TEST_CASE("a released port may arrive for the next barrier while others still wait",
          "[golden][barrier]") {
  SwitchBench bench(with_pockets(sw(4, 1, 1)));  // a message leaves with the receiver's pocket
  bench.load(0, 5, 0b0011, 3, true);
  bench.send(0, bench.reduction(5, 0b01));
  bench.send(1, bench.reduction(5, 0b10));
  bench.step(2);
  REQUIRE(bench.outputs() == 0b0011);
  bench.free_pocket(0);
  bench.step();
  // Second barrier: port 1 has no credit, so its release waits.
  bench.send(0, bench.reduction(5, 0b0100));
  bench.send(1, bench.reduction(5, 0b1000));
  bench.step(2);
  CHECK(bench.outputs() == 0b0001);
  CHECK(bench.to_serve(0) == 0b0010);
  bench.free_pocket(0);
  bench.send(0, bench.reduction(5, 0b010000));  // third barrier
  bench.step(2);
  CHECK(bench.arrived(0) == 0b0001);
  CHECK(bench.to_serve(0) == 0b0010);
  CHECK_FALSE(bench.quiescent());
  bench.free_pocket(1);
  bench.step(2);
  CHECK(bench.outputs() == 0b0010);
  CHECK(bench.message(1).data.lo == 0b1100);  // the second barrier's, not mixed with the third's
  CHECK(bench.to_serve(0) == 0);
  bench.free_pocket(1);
  bench.send(1, bench.reduction(5, 0b100000));
  bench.step(2);
  CHECK(bench.outputs() == 0b0011);
  CHECK(bench.message(0).data.lo == 0b110000);
  CHECK(bench.read(0x010) == 0);
  CHECK(bench.read(0x011) == 0);
}

TEST_CASE("groups that want one output leave one a cycle, round robin over the registers",
          "[golden][barrier]") {
  SwitchBench bench(sw(6, 1, 16, 5));
  for (std::uint32_t r = 0; r < 5; ++r) bench.load(r, 20 + r, 1u << r, 5);
  const auto gids = [&](std::uint32_t cycles) {
    std::vector<std::uint32_t> order;
    for (std::uint32_t t = 0; t < cycles; ++t, bench.step()) {
      if (bench.valid(5)) order.push_back(bench.message(5).gid);
    }
    return order;
  };
  bench.send(1, bench.reduction(21));
  CHECK(gids(5) == std::vector<std::uint32_t>{21});  // the pointer stands behind register 1
  for (const std::uint32_t r : {0u, 2u, 3u, 4u}) bench.send(r, bench.reduction(20 + r));
  CHECK(gids(2).empty());
  CHECK(gids(4) == std::vector<std::uint32_t>{22, 23, 24, 20});
}

TEST_CASE("a group of one child and a register that is its own output", "[golden][barrier]") {
  SwitchBench bench(sw(3, 1, 1, 1));
  bench.load(0, 0, 0b001, 0, true);
  bench.send(0, bench.reduction(0, 7));
  bench.step(2);
  CHECK(bench.outputs() == 0b001);
  CHECK(bench.message(0).type == MessageType::kDistribution);
}

TEST_CASE("a register without children requests nothing", "[golden][barrier]") {
  SwitchBench bench(sw(4, 1));
  bench.load(0, 1, 0, 2);
  bench.load(1, 2, 0, 2, true);
  CHECK(bench.quiescent());
  bench.step(5);
  CHECK(bench.outputs() == 0);
}

TEST_CASE("a parent that is not a port gets no message", "[golden][barrier]") {
  SwitchBench bench(sw(4, 1));
  bench.load(0, 1, 0b0001, 9);
  bench.send(0, bench.reduction(1));
  bench.step(6);
  CHECK(bench.arrived(0) == 0b0001);
  CHECK_FALSE(bench.sent(0));
  CHECK(bench.quiescent());
}

TEST_CASE("the widest flit and group identifier keep all their bits", "[golden][barrier]") {
  const std::uint32_t gid_w = GENERATE(4, 12);
  SwitchBench bench({"wide", 16, 4, 2, 16, 80, gid_w, 16, &btin::kBarrierSwitch});
  const std::uint32_t gid = (1u << gid_w) - 2;
  const fabric::Payload ones{~std::uint64_t{0},
                             static_cast<std::uint16_t>((1u << (80 - 2 - gid_w - 64)) - 1)};
  bench.load(15, gid, 1u << 15 | 1u << 7, 14);
  bench.send(15, bench.formats.barrier_flit({MessageType::kReduction, gid, {ones.lo, 0}}, 0));
  bench.send(7, bench.formats.barrier_flit({MessageType::kReduction, gid, {0, ones.hi}}, 0));
  bench.step(2);
  CHECK(bench.outputs() == 1u << 14);
  CHECK(bench.message(14) == fabric::BarrierMessage{MessageType::kReduction, gid, ones});
  bench.send(14, bench.formats.barrier_flit({MessageType::kDistribution, gid, ones}, 0));
  bench.step(2);
  CHECK(bench.outputs() == (1u << 15 | 1u << 7));
  CHECK(bench.message(7) == fabric::BarrierMessage{MessageType::kDistribution, gid, ones});
}

}  // namespace
}  // namespace muster::golden
