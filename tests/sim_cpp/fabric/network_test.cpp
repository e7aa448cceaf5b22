// SPDX-License-Identifier: Apache-2.0
#include "fabric/verilog/network_verilog.hpp"
#include "muster/fabric/layout.hpp"
#include "muster/topology/generate.hpp"
#include "support/test.hpp"
#include "systems/switch_kinds.hpp"

namespace muster::fabric {
namespace {

TEST_CASE("channels lie in pairs, links first, then nodes", "[network][layout]") {
  topology::Graph graph;
  graph.add_switch(4);
  graph.add_switch(3);
  graph.add_link({0, 3}, {1, 2}, 7);
  graph.add_node({1, 0}, 2);
  graph.add_node({0, 1});
  const Layout layout(graph);
  REQUIRE(layout.channels().size() == 6);
  CHECK(layout.name(0) == "0:3 -> 1:2");
  CHECK(layout.name(1) == "1:2 -> 0:3");
  CHECK(layout.channels()[1].latency == 7);
  CHECK(layout.name(layout.into_switch(0)) == "n0 -> 1:0");
  CHECK(layout.name(layout.into_node(0)) == "1:0 -> n0");
  CHECK(layout.channels()[layout.into_node(0)].latency == 2);
  CHECK(layout.name(layout.into_switch(1)) == "n1 -> 0:1");
  CHECK(layout.into_node(1) == 5);

  graph.switch_names = {{0, "leaf"}};
  graph.node_names = {{1, "host"}};
  const Layout named(graph);
  CHECK(named.name(0) == "0:3 \"leaf\" -> 1:2");
  CHECK(named.name(named.into_switch(1)) == "n1 \"host\" -> 0:1 \"leaf\"");
}

TEST_CASE("streams of a flat module carry whole bytes, whatever the width of a flit",
          "[fabric][verilog]") {
  const topology::Graph graph = topology::generate_mesh(2, 1);
  fabric::SwitchConfig config{.name = "wide", .kind = &btin::kBarrierSwitch};
  config.ports = 4;
  config.dests = 64;
  config.flit_w = 18;
  const fabric::RegisterLoad load{0, 0x800, 1};
  const std::string text = fabric::to_flat_verilog(
      {.module = "pair", .graph = graph, .config = config, .image = {&load, 1}, .groups = {}});
  for (const char* line :
       {"output wire [23:0]  m_axis_1_tdata", "assign m_axis_1_tdata[23:18] = 6'b0;",
        ".m_axis_tdata_o({m_axis_1_tdata[17:0], m_axis_0_tdata[17:0]})",
        ".s_axis_tdata_i({s_axis_1_tdata[17:0], s_axis_0_tdata[17:0]})"})
    CHECK_THAT(text, Contains(line));
}

}  // namespace
}  // namespace muster::fabric
