// SPDX-License-Identifier: Apache-2.0
#include "fabric/golden/route_table.hpp"
#include "muster/topology/generate.hpp"
#include "sim_cpp/fabric/golden/switch_bench.hpp"
#include "systems/preempt/bsr_message.hpp"

namespace muster::golden {
namespace {

TEST_CASE("parameters outside their range are refused", "[golden][registers]") {
  using Config = fabric::SwitchConfig;
  struct Range {
    std::uint32_t Config::*parameter;
    std::uint32_t below, above;
  };
  for (const Range& range : {Range{&Config::ports, 2, 65},
                             {&Config::vcs, 0, 5},
                             {&Config::depth, 0, 17},
                             {&Config::regs, 0, 17},
                             {&Config::flit_w, 15, 81},
                             {&Config::gid_w, 3, 13},
                             {&Config::dests, 15, 2049}})
    for (const std::uint32_t value : {range.below, range.above}) {
      Config config{.name = "test", .kind = &btin::kBarrierSwitch};
      config.*range.parameter = value;
      CHECK_THROWS_AS(SwitchBank<BarrierSwitch>(1, config), InputError);
    }
  CHECK_THROWS_AS(fabric::validate({.name = "test", .gid_w = 9, .kind = &preempt::kBsr1}),
                  InputError);
}

TEST_CASE("a shared table is the network's until the host writes", "[golden][routes]") {
  for (const topology::Graph& graph :
       {topology::generate_fat_tree(2, 3), topology::generate_mesh(4, 3, 2)}) {
    const topology::Routes routes = topology::routes_for(graph);
    const std::uint32_t all = graph.destinations(), own = graph.nodes() + 5;
    RouteTable table(2 * all), other(all);
    table.write(0, 0b1000, true);  // forgotten
    table.share(routes, 5, true);
    other.share(routes, 5, false);
    for (const bool written : {false, true}) {
      if (written) table.write(7, 0b11, false);
      for (std::uint32_t d = 0; d < table.dests(); ++d) {
        const unsigned shared = d < all ? routes.mask(5, d) : 0;
        REQUIRE(table.mask(d) == (written && d == 7 ? 0b11 : shared));
        REQUIRE(table.local(d) == (d == own));
        if (d < all) REQUIRE((other.mask(d) == shared && !other.local(d)));
      }
    }
    table.write(own, 0, false);
    CHECK_FALSE(table.local(own));
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

TEST_CASE("the throughput of a link is depth / loop, at most 1", "[golden][credits]") {
  const std::uint32_t latency = GENERATE(1, 2, 3), depth = GENERATE(3, 4, 5, 6, 7, 8, 9, 16);
  CAPTURE(latency, depth);
  const std::uint32_t loop = 2 * latency + 2, with_data_path = loop + 1;
  CHECK(flits_through_link<BarrierSwitch>(sw(3, 1, depth), latency, 100 * loop) ==
        100 * std::min(depth, loop));
  CHECK(flits_through_link<UnitSwitch>(unit(3, 1, depth), latency, 100 * with_data_path) ==
        100 * std::min(depth, with_data_path));
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

}  // namespace
}  // namespace muster::golden
