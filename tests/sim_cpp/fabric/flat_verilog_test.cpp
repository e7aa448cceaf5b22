// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>
#include <string>

#include "fabric/verilog/network_verilog.hpp"
#include "muster/topology/generate.hpp"
#include "systems/btin/switch_kinds.hpp"

using namespace muster;

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
  CHECK(text.find("output wire [23:0]  m_axis_1_tdata") != std::string::npos);
  CHECK(text.find("assign m_axis_1_tdata[23:18] = 6'b0;") != std::string::npos);
  CHECK(text.find(".m_axis_tdata_o({m_axis_1_tdata[17:0], m_axis_0_tdata[17:0]})") !=
        std::string::npos);
  CHECK(text.find(".s_axis_tdata_i({s_axis_1_tdata[17:0], s_axis_0_tdata[17:0]})") !=
        std::string::npos);
  config.flit_w = 16;
  const std::string whole = fabric::to_flat_verilog(
      {.module = "pair", .graph = graph, .config = config, .image = {&load, 1}, .groups = {}});
  CHECK(whole.find("assign") == std::string::npos);
  CHECK(whole.find(".m_axis_tdata_o({m_axis_1_tdata, m_axis_0_tdata})") != std::string::npos);
}
