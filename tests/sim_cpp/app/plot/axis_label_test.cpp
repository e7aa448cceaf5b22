// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>

#include "app/plot/curves.hpp"

using muster::app::plot::axis_label;

TEST_CASE("an axis has the unit that its field's name says", "[plot][label]") {
  CHECK(axis_label("result.latency_us.mean") == "latency, mean (us)");
  CHECK(axis_label("result.member_wait_cycles_mean") == "member wait mean (cycles)");
  CHECK(axis_label("result.data.offered_flits_per_node_cycle") ==
        "data, offered (flits per node and cycle)");
  CHECK(axis_label("result.padding_flits") == "padding (flits)");
}

TEST_CASE("options have the units of the command line", "[plot][label]") {
  CHECK(axis_label("parameters.load") == "load (share of the route bound)");
  CHECK(axis_label("parameters.load-flits") == "load flits (flits per node and cycle)");
  CHECK(axis_label("parameters.spread") == "spread (cycles)");
}

TEST_CASE("what is a count has no unit", "[plot][label]") {
  CHECK(axis_label("parameters.network.switches") == "network, switches");
  CHECK(axis_label("result.cycles") == "cycles");
  CHECK(axis_label("result.bus_cycles_used") == "bus used (cycles)");
  CHECK(axis_label("result.flit_hops") == "flit hops");
  CHECK(axis_label("seed") == "seed");
}
