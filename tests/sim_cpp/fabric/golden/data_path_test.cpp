// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>
#include <vector>

#include "sim_cpp/fabric/golden/switch_bench.hpp"

namespace muster::golden {
namespace {

using U = UnitBench;

/// Steps until `port` shows a flit, at most 50 cycles.
std::uint64_t cycle_of_next(UnitBench& bench, std::uint32_t port) {
  for (int i = 0; i < 50 && !bench.valid(port); ++i) bench.step();
  REQUIRE(bench.valid(port));
  return bench.now();
}

TEST_CASE(
    "DataPath: a packet behind another in the same queue loses one cycle for its table access",
    "[golden][data]") {
  UnitBench bench(unit(4, 1));
  bench.route(1, 1u << 1);
  bench.route(2, 1u << 2);
  bench.send(0, U::single(1));
  bench.step();
  bench.send(0, U::single(2));
  bench.step();
  CHECK(cycle_of_next(bench, 1) == 4);
  CHECK(cycle_of_next(bench, 2) == 6);
}

TEST_CASE("DataPath: an output serves the inputs in turn, from input 0 after reset",
          "[golden][data]") {
  UnitBench bench(unit(4, 1, 4));
  bench.route(1, 1u << 3);
  for (std::uint32_t round = 0; round < 2; ++round) {
    for (std::uint32_t i = 0; i < 3; ++i) bench.send(i, U::single(1));
    bench.step();
  }
  // Each input needs a table access for its second packet, hidden behind the others' turns.
  std::vector<std::uint32_t> order;
  for (int t = 0; t < 12; ++t) {
    for_each_bit(bench.credits(), [&](std::uint32_t lane) { order.push_back(port_of(lane)); });
    if (bench.valid(3)) bench.give_credit(3);
    bench.step();
  }
  CHECK(order == std::vector<std::uint32_t>{0, 1, 2, 0, 1, 2});

  // The pointer stands behind input 2.
  bench.send(0, U::single(1));
  bench.send(3, U::single(1));
  bench.step(3);
  CHECK(bench.credits() == bit(lane_of(3, 0)));
  bench.step();
  CHECK(bench.credits() == bit(lane_of(0, 0)));
}

TEST_CASE("DataPath: an input serves its virtual channels in turn, one flit a cycle",
          "[golden][data]") {
  const std::uint32_t last = GENERATE(0, 1, 2, 3);
  UnitBench bench(unit(5, 4, 4));
  for (std::uint32_t d = 0; d < 4; ++d) bench.route(d, 1u << d);
  // Spend all credits of lane v at output v, channel `last` last: its pointer stands behind it.
  for (std::uint32_t i = 1; i <= 4; ++i) {
    const auto v = static_cast<std::uint8_t>((last + i) % 4);
    for (int n = 0; n < 4; ++n, bench.step()) bench.send(4, U::single(v), v);
    bench.step(12);
  }
  for (std::uint8_t v = 0; v < 4; ++v, bench.step()) bench.send(4, U::single(v), v);
  bench.step(8);
  REQUIRE(bench.outputs() == 0);
  for (std::uint32_t v = 0; v < 4; ++v) bench.give_credit(v, v);
  bench.step(2);  // the counter rises at the first edge, allocation follows at the second
  for (std::uint32_t i = 1; i <= 4; ++i, bench.step()) {
    CHECK(bench.credits() == bit(lane_of(4, (last + i) % 4)));
  }
  CHECK(bench.credits() == 0);
}

TEST_CASE("DataPath: only the winner's pointers move", "[golden][data]") {
  // Inputs 0 and 1 want output 2 on both channels.
  UnitBench bench(unit(4, 2, 4));
  bench.route(1, 1u << 2);
  for (std::uint8_t v = 0; v < 2; ++v) {
    bench.send(0, U::single(1), v);
    bench.send(1, U::single(1), v);
    bench.step();
  }
  std::vector<std::uint32_t> lanes;
  for (int t = 0; t < 8; ++t, bench.step()) {
    for_each_bit(bench.credits(), [&](std::uint32_t lane) { lanes.push_back(lane); });
  }
  // t+2: input 0 with vc 0 (only those are active), then input 1, whose pointer stayed at vc 0
  // although its pick lost; then input 0 with vc 1, input 1 with vc 1.
  CHECK(lanes ==
        std::vector<std::uint32_t>{lane_of(0, 0), lane_of(1, 0), lane_of(0, 1), lane_of(1, 1)});
}

TEST_CASE("DataPath: a packet without a route is discarded and counted at its tail",
          "[golden][data]") {
  UnitBench bench(unit(4, 2, 4));
  // Port 1 interleaves two packets, port 2 sends one: all three tails are taken in cycle 4.
  const auto drive = [&](std::uint64_t t) {
    if (t == 0) bench.send(1, U::head(5), 1);
    if (t == 1) bench.send(1, U::head(6), 0);
    if (t == 2) bench.send(1, U::tail(0), 0);
    if (t == 3) bench.send(1, U::tail(0), 1);
    if (t == 1) bench.send(2, U::head(7), 0);
    if (t == 2) bench.send(2, U::tail(0), 0);
  };
  const std::uint64_t a = bit(lane_of(1, 0)), b = bit(lane_of(1, 1)), c = bit(lane_of(2, 0));
  const std::vector<std::uint64_t> credits = {0, 0, 0, b, a | c, a | b | c, 0};
  for (std::uint64_t t = 0; t < credits.size(); ++t, bench.step()) {
    CAPTURE(t);
    CHECK(bench.credits() == credits[t]);
    CHECK(bench.read(0x004) == (t < 5 ? 0 : 3));
    CHECK(bench.outputs() == 0);
    drive(t);
  }
  CHECK(bench.quiescent());
  // The queue is idle again.
  bench.route(5, 1u << 0);
  bench.send(1, U::single(5), 1);
  bench.step(4);
  CHECK(bench.outputs() == 1);
}

}  // namespace
}  // namespace muster::golden
