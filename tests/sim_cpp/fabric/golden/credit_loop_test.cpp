// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <catch2/catch.hpp>
#include <deque>

#include "muster/core/error.hpp"
#include "sim_cpp/fabric/golden/switch_bench.hpp"
#include "systems/btin/golden/barrier_switch.hpp"

namespace muster::golden {
namespace {

using B = SwitchBench;

/// Two switches in a row: input 0 of the first is always fed with one endless packet, output 1
/// leads to input 0 of the second over a link of the given latency, and what leaves output 1 of
/// that is taken. Returns the flits that pass the link in `cycles` cycles once the flow is steady.
template <class Switch>
std::uint32_t flits_through_link(const fabric::SwitchConfig& config, std::uint32_t latency,
                                 std::uint32_t cycles) {
  SwitchBank<Switch> bank(2, config);
  for (std::uint32_t b = 0; b < 2; ++b) bank.write_register(b, 0x800 + 1, 1u << 1);
  std::deque<bool> forward(latency, false), back(latency, false);
  const std::uint32_t both[] = {0, 1};
  std::uint32_t source_credits = config.depth, passed = 0, sent = 0, came = 0;
  for (std::uint32_t cycle = 0; cycle < 100 + cycles; ++cycle) {
    auto &a = bank.wires(0), &b = bank.wires(1);
    // Latency 1 is a plain wire: what stands on the output register is an input in the same cycle.
    forward.push_front(has(a.tx_valid, 1));
    back.push_front(has(b.rx_back, 0));
    forward.pop_back();
    back.pop_back();
    if (forward[latency - 1]) {
      b.rx_valid = 1;
      bank.rx(1, 0) = came++ == 0 ? B::head(1) : B::body(1);
      if (cycle >= 100) ++passed;
    }
    if (back[latency - 1]) a.tx_back |= bit(lane_of(1, 0));
    if (has(b.tx_valid, 1)) b.tx_back |= bit(lane_of(1, 0));
    source_credits += has(a.rx_back, 0);
    if (source_credits > 0) {
      --source_credits;
      a.rx_valid |= 1;
      bank.rx(0, 0) = sent++ == 0 ? B::head(1) : B::body(1);
    }
    bank.clock(cycle, both);
  }
  return passed;
}

TEST_CASE("the throughput of a link is depth / (2L + 2), at most 1", "[golden][credits]") {
  const std::uint32_t latency = GENERATE(1, 2, 3);
  const std::uint32_t depth = GENERATE(1, 2, 3, 4, 5, 6, 7, 8, 9, 16);
  const std::uint32_t loop = 2 * latency + 2;
  CAPTURE(latency, depth);
  CHECK(flits_through_link<BarrierSwitch>(sw(3, 1, depth), latency, 100 * loop) ==
        100 * std::min(depth, loop));
}

TEST_CASE("through switches with DataPath it is depth / (2L + 3)", "[golden][credits]") {
  const std::uint32_t latency = GENERATE(1, 2, 3);
  const std::uint32_t depth = GENERATE(3, 4, 5, 6, 7, 8, 9, 16);
  const std::uint32_t loop = 2 * latency + 3;
  CAPTURE(latency, depth);
  CHECK(flits_through_link<UnitSwitch>(unit(3, 1, depth), latency, 100 * loop) ==
        100 * std::min(depth, loop));
}

TEST_CASE("a credit is used in its cycle on the wires", "[golden][credits]") {
  SwitchBench bench(sw(3, 1, 1));
  bench.route(1, 1u << 1);
  bench.send(0, B::single(1));
  bench.step(3);
  bench.send(0, B::single(1));  // the first was taken in cycle 2
  bench.step();
  REQUIRE(bench.outputs() == 0b010);
  bench.step(5);
  CHECK(bench.outputs() == 0);
  bench.give_credit(1);
  bench.step();  // taken, then traversal
  CHECK(bench.credits() == bit(lane_of(0, 0)));
  CHECK(bench.outputs() == 0);
  bench.step();
  CHECK(bench.outputs() == 0b010);
}

TEST_CASE("a flit without a credit, or a credit without a flit, is an internal error",
          "[golden][credits]") {
  SwitchBench bench(sw(3, 2, 1));
  SECTION("queue") {
    bench.route(1, 1u << 1);
    for (int n = 0; n < 2; ++n, bench.step(4)) bench.send(2, B::single(1), 1);
    bench.send(2, B::single(1), 1);
  }
  SECTION("virtual channel") { bench.send(2, B::single(1), 2); }
  SECTION("credit") { bench.give_credit(2, 1); }
  CHECK_THROWS_AS(bench.step(), InternalError);
}

TEST_CASE("an internal error names cycle, switch and state", "[golden][credits]") {
  SwitchBench bench(sw(3, 1, 1));
  bench.step(17);
  bench.load(0, 6, 0b101, 1);
  bench.give_credit(0);
  CHECK_THROWS_WITH(bench.step(), Catch::Contains("cycle 17, barrier switch 0") &&
                                      Catch::Contains("group 6 parent 1 children {0,2}"));
}

}  // namespace
}  // namespace muster::golden
