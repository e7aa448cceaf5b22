// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <catch2/catch.hpp>
#include <vector>

#include "sim_cpp/fabric/golden/switch_bench.hpp"
#include "systems/switch_kinds.hpp"

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

constexpr std::uint32_t kMostDrops = 255;
enum : std::uint32_t { kTaken, kMalformed, kUnknown, kRefused };

/// What the word at 0x010 says of one message, and that it says which: count, port, type, group.
std::uint32_t reason(std::uint32_t word, std::uint32_t port,
                     const fabric::BarrierMessage& message) {
  if (word == 0) return kTaken;
  const std::uint32_t type = word >> 20 & 3;
  CHECK(word >> 24 == 1);
  CHECK((word >> 16 & 0xf) == port);
  CHECK(type == static_cast<std::uint32_t>(message.type));
  CHECK((word & 0xfff) == message.gid);
  const bool known = (word >> 22 & 1) != 0;
  if (type >= 2) return known ? kTaken : kMalformed;
  return known ? kRefused : kUnknown;
}

/// The outcome of a message at `port`; it is taken at once and leaves no trace but in the record.
std::uint32_t drops_of(SwitchBench& bench, std::uint32_t port, const core::Flit& flit,
                       std::uint8_t vc = 0) {
  bench.write(0x010, 0);
  bench.send(port, flit, vc);
  bench.step();
  CHECK(bench.credits() == 0);
  CHECK(bench.read(0x010) == 0);  // it is counted at the edge of the next cycle
  bench.step(3);
  CHECK(bench.outputs() == 0);
  return reason(bench.read(0x010), port, bench.formats.barrier_message(flit));
}

TEST_CASE("a malformed message is dropped", "[golden][barrier][drop]") {
  SwitchBench bench(sw(4, 2));
  bench.load(0, 7, 0b0011, 3);
  const auto of_type = [&](int type) {
    return bench.formats.barrier_flit({static_cast<MessageType>(type), 7, {}}, 0);
  };
  CHECK(drops_of(bench, 0, of_type(2)) == kMalformed);
  CHECK(drops_of(bench, 0, of_type(3)) == kMalformed);
  CHECK(bench.arrived(0) == 0);
  CHECK(drops_of(bench, 0, of_type(0), 1) == kTaken);  // the virtual channel is ignored
  CHECK(bench.arrived(0) == 0b0001);
}

TEST_CASE("a message for a group that no valid register has is dropped",
          "[golden][barrier][drop]") {
  SwitchBench bench(sw(4, 1));
  CHECK(drops_of(bench, 1, bench.reduction(0)) == kUnknown);  // empty registers are not group 0
  bench.load(0, 7, 0b0011, 3);
  CHECK(drops_of(bench, 1, bench.distribution(8)) == kUnknown);
  bench.write(0x040, 7);  // no longer valid
  CHECK(drops_of(bench, 1, bench.reduction(7)) == kUnknown);
}

TEST_CASE("a message at a port that is neither child nor parent is refused",
          "[golden][barrier][drop]") {
  SwitchBench bench(sw(4, 1));
  bench.load(0, 7, 0b0011, 3);
  CHECK(drops_of(bench, 2, bench.reduction(7)) == kRefused);
  CHECK(drops_of(bench, 3, bench.reduction(7)) == kRefused);
  CHECK(drops_of(bench, 2, bench.distribution(7)) == kRefused);
  CHECK(drops_of(bench, 0, bench.distribution(7)) == kRefused);
  bench.load(1, 8, 0b0011, 3, true);
  CHECK(drops_of(bench, 3, bench.distribution(8)) ==
        kRefused);  // a register that reflects has no parent
}

TEST_CASE("a message in the wrong phase is refused", "[golden][barrier][drop]") {
  SwitchBench bench(sw(4, 1, 1));
  bench.load(0, 7, 0b0011, 3);
  CHECK(drops_of(bench, 3, bench.distribution(7)) == kRefused);  // nothing sent yet
  CHECK(drops_of(bench, 0, bench.reduction(7)) == kTaken);
  CHECK(drops_of(bench, 0, bench.reduction(7)) == kRefused);  // twice
  CHECK(drops_of(bench, 3, bench.distribution(7)) == kRefused);
  bench.send(1, bench.reduction(7));
  bench.step(5);
  REQUIRE(bench.sent(0));
  CHECK(drops_of(bench, 1, bench.reduction(7)) == kRefused);
}

std::uint32_t drops(SwitchBench& bench) { return bench.read(0x010) >> 24; }

TEST_CASE("a reduction is refused until the release of its port has left",
          "[golden][barrier][drop]") {
  SwitchBench bench(with_pockets(sw(4, 1, 1)));
  bench.load(0, 7, 0b0001, 3, true);
  bench.send(0, bench.reduction(7));
  bench.step(2);
  REQUIRE(bench.outputs() == 0b0001);  // takes the only credit of port 0's pocket
  bench.step();
  bench.send(0, bench.reduction(7));
  bench.step(2);
  REQUIRE(bench.to_serve(0) == 0b0001);
  bench.send(0, bench.reduction(7));
  bench.step(2);
  CHECK(drops(bench) == 1);

  // The release goes in the very cycle in which the next reduction comes: the state at the
  // beginning of that cycle decides.
  bench.free_pocket(0);
  bench.step();
  bench.send(0, bench.reduction(7));
  bench.step();
  CHECK(bench.outputs() == 0b0001);
  CHECK(bench.arrived(0) == 0);
  // One cycle later it is accepted.
  bench.free_pocket(0);
  bench.send(0, bench.reduction(7));
  bench.step(2);
  CHECK(bench.outputs() == 0b0001);
  bench.step(2);
  CHECK(drops(bench) == 2);
}

TEST_CASE("the count of drops stays at its end, and the first is kept until the host clears them",
          "[golden][barrier][drop]") {
  SwitchBench bench(sw(3, 1, 1, 1));
  const std::uint32_t first = 2u << 16 | 9;
  for (std::uint32_t n = 1; n <= 300; ++n) {
    bench.send(n == 1 ? 2 : 0, bench.reduction(n == 1 ? 9 : 8));
    bench.step();
    bench.step();
    CHECK(bench.read(0x010) == (std::min(n, kMostDrops) << 24 | first));
  }
  CHECK(bench.quiescent());
  bench.write(0x010, ~0u);
  CHECK(bench.read(0x010) == 0);
  bench.send(1, bench.distribution(5));
  bench.step(2);
  CHECK(bench.read(0x010) == (1u << 24 | 1u << 20 | 1u << 16 | 5));
}

TEST_CASE("a clear forgets what is counted at its edge and not what is dropped in its cycle",
          "[golden][barrier][drop]") {
  SwitchBench bench(sw(3, 1, 1, 1));
  bench.send(2, bench.reduction(9));
  bench.step();
  CHECK_FALSE(bench.quiescent());
  bench.send(1, bench.reduction(8));
  bench.step();
  bench.write(0x010, 0);  // takes effect at the edge that has just been
  CHECK(bench.read(0x010) == 0);
  bench.step();
  CHECK(bench.read(0x010) == (1u << 24 | 1u << 16 | 8));
}

TEST_CASE("drops of several ports in a cycle count each, the lowest port is the first",
          "[golden][barrier][drop]") {
  SwitchBench bench(sw(4, 1));
  bench.send(3, bench.reduction(3));
  bench.send(1, bench.distribution(1));
  bench.send(2, bench.reduction(2));
  bench.step(2);
  CHECK(bench.read(0x010) == (3u << 24 | 1u << 20 | 1u << 16 | 1));
}

TEST_CASE("ports do not disturb each other in one cycle", "[golden][barrier][drop]") {
  SwitchBench bench(sw(6, 1));
  bench.load(0, 1, 0b000011, 5);
  bench.load(1, 2, 0b000100, 5);
  bench.send(0, bench.reduction(1, 1));
  bench.send(1, bench.reduction(1, 2));
  bench.send(2, bench.reduction(2, 4));
  bench.send(3, bench.reduction(1, 8));
  bench.send(4, bench.reduction(3, 16));
  bench.send(5, bench.distribution(1, 32));
  bench.step();
  CHECK(bench.arrived(0) == 0b000011);
  CHECK(bench.arrived(1) == 0b000100);
  bench.step();
  CHECK(drops(bench) == 3);
  CHECK(bench.message(5) == fabric::BarrierMessage{MessageType::kReduction, 1, {3, 0}});
}

}  // namespace

}  // namespace muster::golden
