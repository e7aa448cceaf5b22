// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>
#include <vector>

#include "muster/fabric/reduce_op.hpp"
#include "sim_cpp/fabric/golden/switch_bench.hpp"

/// docs/systems/serial-unit.md by hand.
namespace muster::golden {
namespace {

using fabric::MessageType;

fabric::SwitchConfig serial(std::uint32_t ports) {
  fabric::SwitchConfig config = sw(ports, 1);
  config.serial = true;
  return config;
}

/// Ports whose pockets are free again, by cycle, until nothing moves.
std::vector<std::uint32_t> order(SwitchBench& bench) {
  std::vector<std::uint32_t> ports;
  for (int i = 0; i < 40; ++i) {
    bench.step();
    if (bench.credits() == 0) continue;
    REQUIRE(has_one(bench.credits()));
    ports.push_back(port_of(lowest(bench.credits())));
  }
  return ports;
}

TEST_CASE("n arrivals in one cycle are taken in n, whatever the operation", "[golden][serial]") {
  for (const fabric::NamedReduceOp& named : fabric::kReduceOps) {
    for (std::uint32_t n = 1; n <= 4; ++n) {
      CAPTURE(named.name, n);
      SwitchBench bench(serial(5));
      bench.write(0x041, ((1u << n) - 1) << 1);
      bench.write(0x040, 1u << 31 | static_cast<std::uint32_t>(named.op) << 26 | 9);
      for (std::uint32_t p = 1; p <= n; ++p) bench.send(p, bench.reduction(9, 5 * p));
      const std::uint64_t sent = bench.now();
      while (!bench.valid(0)) {
        bench.step();
        REQUIRE(bench.now() < sent + 20);
        CHECK(bench.read(0x043) < 2);  // nothing waits to be folded
      }
      CHECK(bench.now() == sent + 1 + n);
      fabric::Payload expected{5, 0};
      for (std::uint64_t p = 2; p <= n; ++p)
        expected = fabric::reduce(named.op, expected, {5 * p, 0}, 6);
      CHECK(bench.message(0).data == expected);
    }
  }
}

TEST_CASE("messages are taken in round robin over the ports", "[golden][serial]") {
  SwitchBench bench(serial(4));
  bench.load(0, 9, 0b1110, 0);
  bench.send(2, bench.reduction(9));
  CHECK(order(bench) == std::vector<std::uint32_t>{2});
  // The next is port 3, and a message without register or for the wrong port has its turn as well.
  bench.send(0, bench.reduction(9));
  bench.send(1, bench.reduction(8));
  bench.send(2, bench.distribution(9));
  bench.send(3, bench.reduction(9));
  CHECK(order(bench) == std::vector<std::uint32_t>{3, 0, 1, 2});
  CHECK(bench.arrived(0) == 0b1100);
  CHECK(bench.read(0x010) == (3u << 24 | 1u << 22 | 9));
}

TEST_CASE("messages of different groups wait for each other", "[golden][serial]") {
  SwitchBench bench(serial(5));
  bench.load(0, 7, 0b00011, 4);
  bench.load(1, 8, 0b01100, 4);
  for (std::uint32_t p = 0; p < 4; ++p) bench.send(p, bench.reduction(p < 2 ? 7 : 8));
  std::vector<std::uint64_t> out;
  for (int i = 0; i < 12; ++i) {
    bench.step();
    if (!bench.valid(4)) continue;
    out.push_back(bench.now());
    bench.free_pocket(4);
  }
  CHECK(out == std::vector<std::uint64_t>{3, 5});
}

TEST_CASE("malformed messages take no turn", "[golden][serial]") {
  SwitchBench bench(serial(4));
  for (std::uint32_t p = 0; p < 4; ++p) {
    const auto type = p % 2 == 0 ? MessageType::kSpillData : MessageType::kReduction;
    bench.send(p, bench.formats.barrier_flit({type, 9, {}}, 0));
  }
  bench.step();
  CHECK(bench.credits() == (bit(lane_of(0, 1)) | bit(lane_of(2, 1)) | bit(lane_of(1, 1))));
  bench.step();
  CHECK(bench.credits() == bit(lane_of(3, 1)));
  CHECK(bench.read(0x010) == (3u << 24 | 3u << 20 | 9));
}

fabric::SwitchConfig serial_with_spill() {
  fabric::SwitchConfig config = serial(4);
  config.spill = true;
  return config;
}

TEST_CASE("a message for a full hand-over latch keeps its turn, and the others wait",
          "[golden][serial][spill]") {
  SwitchBench bench(serial_with_spill());
  bench.write(0x006, 1u << 1);
  bench.load(0, 9, 0b1101, 1);
  bench.send(0, bench.reduction(5));
  bench.send(2, bench.reduction(6));
  bench.send(3, bench.reduction(9));
  std::vector<std::uint64_t> taken;
  for (int i = 0; i < 12; ++i) {
    bench.step();
    if (bench.credits() != 0) taken.push_back(bench.now());
    if (bench.now() == 4) CHECK(bench.arrived(0) == 0);
    if (bench.valid(1)) bench.free_pocket(1);
  }
  // The latch is taken in 1, from the pocket, sends its halves in 2 and, with the pocket of the
  // node free again, in 4, and is free in 5.
  CHECK(taken == std::vector<std::uint64_t>{2, 6, 7});
  CHECK(bench.arrived(0) == 0b1000);
}

TEST_CASE("an answer of the spill node does not wait for its port's turn",
          "[golden][serial][spill]") {
  SwitchBench bench(serial_with_spill());
  bench.write(0x006, 1u << 1);
  bench.load(0, 9, 0b1101, 1);
  for (const std::uint32_t p : {0u, 2u, 3u}) bench.send(p, bench.reduction(9));
  bench.send(1, bench.formats.barrier_flit(
                    fabric::spill_place({MessageType::kDistribution, 5, {}}, 2), 0));
  bench.step();
  CHECK(bench.credits() == bit(lane_of(0, 1)));
  bench.step();
  CHECK(bench.credits() == (bit(lane_of(1, 1)) | bit(lane_of(2, 1))));
}

}  // namespace
}  // namespace muster::golden
