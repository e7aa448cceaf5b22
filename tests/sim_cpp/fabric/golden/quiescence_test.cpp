// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>
#include <string>

#include "sim_cpp/fabric/golden/switch_bench.hpp"

namespace muster::golden {
namespace {

using B = SwitchBench;

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
