// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>
#include <vector>

#include "sim_cpp/fabric/golden/switch_bench.hpp"

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

TEST_CASE("a message at the wrong port, in the wrong phase or of no register is dropped",
          "[golden][barrier][drop]") {
  enum : std::uint32_t { kTaken = 0, kUnknown = 1u << 24, kRefused = kUnknown | 1u << 14 };
  SwitchBench bench(sw(4, 1, 1));
  bench.load(0, 7, 0b0011, 3);
  bench.load(1, 8, 0b0011, 3, true);
  /// The outcome of a message that is taken at once, as the record of drops has it: it names port,
  /// type and group as well.
  const auto outcome = [&](std::uint32_t port, const core::Flit& flit) {
    bench.write(0x010, 0);
    bench.send(port, flit);
    bench.step();
    CHECK(bench.credits() == 0);
    CHECK(bench.read(0x010) == 0);  // it is counted at the edge of the next cycle
    bench.step(3);
    const std::uint32_t word = bench.read(0x010);
    const fabric::BarrierMessage message = bench.formats.barrier_message(flit);
    const std::uint32_t what =
        port << 16 | static_cast<std::uint32_t>(message.type) << 12 | message.gid;
    return word == 0 ? 0 : word - what;
  };
  CHECK(outcome(1, bench.reduction(0)) == kUnknown);  // empty registers are not group 0
  CHECK(outcome(2, bench.reduction(7)) == kRefused);
  CHECK(outcome(3, bench.reduction(7)) == kRefused);
  CHECK(outcome(2, bench.distribution(7)) == kRefused);
  CHECK(outcome(0, bench.distribution(7)) == kRefused);
  CHECK(outcome(3, bench.distribution(8)) == kRefused);  // that which reflects has no parent
  CHECK(outcome(3, bench.distribution(7)) == kRefused);  // nothing sent yet
  CHECK(outcome(0, bench.reduction(7)) == kTaken);
  CHECK(outcome(0, bench.reduction(7)) == kRefused);  // twice
  CHECK(outcome(3, bench.distribution(7)) == kRefused);
  bench.send(1, bench.reduction(7));
  bench.step(5);
  REQUIRE(bench.sent(0));
  CHECK(outcome(1, bench.reduction(7)) == kRefused);
}

}  // namespace

}  // namespace muster::golden
