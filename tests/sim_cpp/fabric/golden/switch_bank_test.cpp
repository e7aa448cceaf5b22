// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <catch2/catch.hpp>
#include <deque>
#include <string>

#include "fabric/golden/route_table.hpp"
#include "muster/core/error.hpp"
#include "muster/topology/generate.hpp"
#include "sim_cpp/fabric/golden/switch_bench.hpp"
#include "systems/btin/golden/barrier_switch.hpp"
#include "systems/preempt/bsr_message.hpp"
#include "systems/switch_kinds.hpp"

namespace muster::golden {
namespace {

TEST_CASE("identity and parameters read as the map says", "[golden][registers]") {
  SwitchBench bench({"x", 5, 3, 7, 9, 80, 11, 2048, &btin::kBarrierSwitch});
  CHECK(bench.read(0x000) == 0x4D530105);
  CHECK(bench.read(0x001) == 0x09070305);
  CHECK(bench.read(0x002) == 0x08000B50);
  CHECK(bench.read(0x003) == 0);
  CHECK(bench.read(0x004) == 0);
  bench.write(0x000, ~0u);
  bench.write(0x001, ~0u);
  bench.write(0x004, ~0u);
  CHECK(bench.read(0x000) == 0x4D530105);
  CHECK(bench.read(0x001) == 0x09070305);
  CHECK(bench.read(0x004) == 0);
}

TEST_CASE("a barrier register keeps the bits that exist", "[golden][registers]") {
  SwitchBench bench({"x", 5, 1, 1, 3, 16, 6, 16, &btin::kBarrierSwitch});
  bench.write(0x041 + 8, 0xffffffff);
  bench.write(0x040 + 8, 0xffffffff);
  CHECK(bench.read(0x041 + 8) == 0x1f);
  CHECK(bench.read(0x040 + 8) == 0xFC0F003F);
  bench.write(0x042 + 8, 0xffffffff);
  bench.write(0x043 + 8, 0xffffffff);
  CHECK(bench.read(0x042 + 8) == 0);
  CHECK(bench.read(0x043 + 8) == 0);
}

TEST_CASE("addresses without a meaning read 0 and ignore writes", "[golden][registers]") {
  fabric::SwitchConfig config = sw(5, 1, 1, 3);
  config.dests = 32;
  SwitchBench bench(config);
  for (const std::uint32_t address : {0x003u, 0x008u, 0x00fu, 0x015u, 0x03fu, 0x04cu, 0x07fu,
                                      0x7ffu, 0x025u, 0x800u, 0x820u, 0xfffu}) {
    CAPTURE(address);
    bench.write(address, 0xffffffff);
    CHECK(bench.read(address) == 0);
  }
}

TEST_CASE("writing the control word forgets the barrier under way", "[golden][registers]") {
  SwitchBench bench(sw(4, 1));
  bench.load(0, 5, 0b0011, 3);
  bench.send(0, bench.reduction(5, 0x3f));
  bench.step(4);
  REQUIRE(bench.arrived(0) == 1);
  bench.load(0, 6, 0b0011, 3);
  CHECK(bench.arrived(0) == 0);
  bench.send(0, bench.reduction(6, 1));
  bench.send(1, bench.reduction(6, 2));
  bench.step(2);
  REQUIRE(bench.valid(3));
  CHECK(bench.message(3) == fabric::BarrierMessage{fabric::MessageType::kReduction, 6, {3, 0}});
  REQUIRE(bench.sent(0));
  bench.write(0x040, bench.read(0x040));
  CHECK_FALSE(bench.sent(0));
  bench.step(3);
  CHECK(bench.quiescent());
}

TEST_CASE("a register written while nothing moves takes effect in the next cycle",
          "[golden][registers]") {
  SwitchBench bench(sw(4, 2, 1));
  bench.route(5, 0b0100);
  bench.write(0x007, 0b0100);
  bench.send(1, bench.single(5));
  bench.step(6);
  REQUIRE(bench.outputs() == 0);
  bench.write(0x007, 0);  // from now on the link is not held
  bench.step(2);
  CHECK(bench.outputs() == 0b0100);
}

TEST_CASE("routing table entries keep the bits of the ports", "[golden][registers]") {
  SwitchBench bench(sw(4, 1));
  bench.route(3, 0xfff0);  // no port of this switch
  bench.send(0, SwitchBench::single(3));
  bench.step(5);
  CHECK(bench.read(0x004) == 1);
}

TEST_CASE("parameters outside their range are refused", "[golden][registers]") {
  using Config = fabric::SwitchConfig;
  struct Bad {
    std::uint32_t Config::*parameter;
    std::uint32_t value;
  };
  for (const Bad& bad : {Bad{&Config::ports, 2},
                         {&Config::ports, 17},
                         {&Config::vcs, 0},
                         {&Config::vcs, 5},
                         {&Config::depth, 0},
                         {&Config::depth, 17},
                         {&Config::regs, 0},
                         {&Config::regs, 17},
                         {&Config::flit_w, 15},
                         {&Config::flit_w, 81},
                         {&Config::gid_w, 3},
                         {&Config::gid_w, 13},
                         {&Config::dests, 15},
                         {&Config::dests, 2049}}) {
    Config config{.name = "test", .kind = &btin::kBarrierSwitch};
    config.*bad.parameter = bad.value;
    CHECK_THROWS_AS(SwitchBank<BarrierSwitch>(1, config), InputError);
  }
  CHECK_THROWS_AS(fabric::validate({.name = "test", .gid_w = 9, .kind = &preempt::kBsr1}),
                  InputError);
}

TEST_CASE("the blocks of a bank are independent", "[golden][registers]") {
  SwitchBank<BarrierSwitch> bank(3, sw(4, 1));
  for (std::uint32_t b = 0; b < 3; ++b) bank.write_register(b, 0x800 + 1, 1u << b);
  const std::uint32_t all[] = {0, 1, 2};
  for (std::uint32_t b = 0; b < 3; ++b) {
    bank.wires(b).rx_valid = 1u << 3;
    bank.rx(b, 3) = SwitchBench::single(1);
  }
  for (std::uint32_t cycle = 0; cycle < 4; ++cycle) bank.clock(cycle, all);
  for (std::uint32_t b = 0; b < 3; ++b) CHECK(bank.wires(b).tx_valid == 1u << b);
}

TEST_CASE("a routing table has what the host has written", "[golden][routes]") {
  RouteTable table(16);
  CHECK(table.dests() == 16);
  CHECK(table.mask(3) == 0);
  CHECK_FALSE(table.local(3));
  table.write(3, 0b110, false);
  table.write(4, 0, true);
  table.write(5, 0, true);
  CHECK(table.mask(3) == 0b110);
  CHECK((table.local(4) && table.local(5)));
  table.write(4, 0b1, false);
  CHECK(table.mask(4) == 0b1);
  CHECK((!table.local(4) && table.local(5)));
}

TEST_CASE("a shared table is the network's until the host writes", "[golden][routes]") {
  const topology::Graph graph = topology::generate_mesh(4, 3, 2);
  const topology::Routes routes = topology::routes_for(graph);
  RouteTable table(graph.destinations()), other(graph.destinations());
  table.write(0, 0b1000, true);  // forgotten
  table.share(routes, 5, true);
  other.share(routes, 5, false);
  const std::uint32_t own = graph.nodes() + 5;
  for (std::uint32_t d = 0; d < graph.destinations(); ++d) {
    REQUIRE(table.mask(d) == routes.mask(5, d));
    REQUIRE(table.local(d) == (d == own));
    REQUIRE_FALSE(other.local(d));
  }
  table.write(7, 0b11, false);
  for (std::uint32_t d = 0; d < graph.destinations(); ++d) {
    REQUIRE(table.mask(d) == (d == 7 ? 0b11 : routes.mask(5, d)));
    REQUIRE(other.mask(d) == routes.mask(5, d));
  }
  CHECK(table.local(own));
  table.write(own, 0, false);
  CHECK_FALSE(table.local(own));
}

TEST_CASE("where the network has no destination a shared table has no route", "[golden][routes]") {
  const topology::Graph trees[] = {topology::generate_fat_tree(2, 3),
                                   topology::generate_mesh(4, 3, 2)};
  for (const topology::Graph& graph : trees) {
    const topology::Routes routes = topology::routes_for(graph);
    RouteTable table(2 * graph.destinations());
    table.share(routes, 1, false);
    for (std::uint32_t d = graph.destinations(); d < table.dests(); ++d)
      REQUIRE(table.mask(d) == 0);
    table.write(0, 0b1, false);  // has its own entries now
    for (std::uint32_t d = graph.destinations(); d < table.dests(); ++d)
      REQUIRE(table.mask(d) == 0);
  }
}

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

/// One character a cycle, from the present one on: q quiescent, . not.
std::string quiescence(SwitchBench& bench, std::uint32_t cycles) {
  std::string seen;
  for (std::uint32_t t = 0; t < cycles; ++t, bench.step()) seen += bench.quiescent() ? 'q' : '.';
  return seen;
}

TEST_CASE("a switch is quiescent after reset and after its registers are loaded",
          "[golden][quiescence]") {
  SwitchBench bench(sw(5, 2));
  CHECK(bench.quiescent());
  bench.load(0, 1, 0b11, 2);
  bench.route(1, 1);
  CHECK(bench.quiescent());
}

TEST_CASE("a switch that holds or drives something is not quiescent", "[golden][quiescence]") {
  SwitchBench bench(sw(5, 2));
  bench.route(1, 1);
  bench.load(0, 5, 0b0110, 3);
  SECTION("data: queue in 1 and 2, crossbar and credit in 3, wires in 4") {
    bench.send(1, B::single(1));
    CHECK(quiescence(bench, 7) == "q....qq");
  }
  SECTION("a reduction that is not the last: its data are combined in 1") {
    bench.send(1, bench.reduction(5));
    CHECK(quiescence(bench, 5) == "q.qqq");
  }
  SECTION("a dropped message is counted in 1") {
    bench.send(1, bench.reduction(6));
    CHECK(quiescence(bench, 5) == "q.qqq");
  }
  SECTION("the last reduction: request in 1, wires in 2") {
    bench.send(1, bench.reduction(5));
    bench.send(2, bench.reduction(5));
    CHECK(quiescence(bench, 6) == "q..qqq");
  }
  SECTION("a packet under way with nothing in its queue is quiescent") {
    bench.send(1, B::head(1));
    CHECK(quiescence(bench, 7) == "q....qq");
    bench.send(1, B::tail(1));
    CHECK(quiescence(bench, 6) == "q...qq");
  }
}

TEST_CASE("data or a request without a credit keeps a switch awake, a credit alone does not",
          "[golden][quiescence]") {
  SwitchBench bench(with_pockets(sw(4, 1, 1)));
  bench.load(0, 5, 0b0001, 3);
  bench.load(1, 6, 0b0010, 3);
  bench.send(0, bench.reduction(5));
  bench.send(1, bench.reduction(6));
  bench.step(10);
  CHECK_FALSE(bench.quiescent());
  bench.free_pocket(3);
  bench.step(3);
  CHECK(bench.quiescent());
  bench.free_pocket(3);
  bench.step();
  CHECK(bench.quiescent());
}

}  // namespace

}  // namespace muster::golden
