// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "fabric/verilog/sections.hpp"

namespace muster::fabric::verilog {
namespace {

/// Free text on one line.
std::string line_of(std::string text) {
  std::replace_if(
      text.begin(), text.end(), [](char c) { return std::iscntrl(static_cast<unsigned char>(c)); },
      ' ');
  return text;
}

/// The signals of an AXI4-Lite subordinate, `range` before those of several.
std::string axi_lite(const std::string& prefix, const std::string& range, const std::string& addr) {
  std::string text;
  for (const AxiSignal& s : kAxiLite) {
    const std::string width = s.width == 0   ? addr
                              : s.width == 1 ? ""
                                             : fmt::format("[{}:0]", s.width - 1);
    text += fmt::format("  {} {:<28} {}{}_{},\n", s.out ? "output logic     " : "input  wire logic",
                        range + width, prefix, s.name, s.out ? 'o' : 'i');
  }
  return text;
}

constexpr const char* kStreams = R"(
  /// streams of node n in element n, as axis_endpoint has them
  input  wire logic [Nodes-1:0]                  s_axis_tvalid_i,
  output logic      [Nodes-1:0]                  s_axis_tready_o,
  input  wire logic [Nodes-1:0][FlitW-1:0]       s_axis_tdata_i,
  input  wire logic [Nodes-1:0]                  s_axis_tlast_i,
  input  wire logic [Nodes-1:0][VcW-1:0]         s_axis_tid_i,
  input  wire logic [Nodes-1:0][15:0]            s_axis_tdest_i,
  input  wire logic [Nodes-1:0][OpcodeW-1:0]     s_axis_tuser_i,
  output logic      [Nodes-1:0]                  m_axis_tvalid_o,
  input  wire logic [Nodes-1:0]                  m_axis_tready_i,
  output logic      [Nodes-1:0][FlitW-1:0]       m_axis_tdata_o,
  output logic      [Nodes-1:0]                  m_axis_tlast_o,
  output logic      [Nodes-1:0][VcW-1:0]         m_axis_tid_o,
  output logic      [Nodes-1:0][15:0]            m_axis_tdest_o,
  output logic      [Nodes-1:0][OpcodeW-1:0]     m_axis_tuser_o,
  /// a group of node n whose interrupt is wanted has been released
  output logic      [Nodes-1:0]                  irq_o
);
)";

}  // namespace

std::string summary(const NetworkDesign& design, const std::string& mark) {
  const topology::Graph& graph = design.graph;
  std::string text;
  if (!graph.name.empty()) text += fmt::format("{}Network: {}\n", mark, line_of(graph.name));
  if (!graph.generator.empty())
    text += fmt::format("{}Made by: {}\n", mark, line_of(graph.generator));
  return text + fmt::format("{}Switches: {}, configuration {}; nodes: {}; words of the image: {}\n",
                            mark, graph.switches(), design.config.name, graph.nodes(),
                            design.image.size());
}

std::string header(const NetworkDesign& design) {
  const topology::Graph& graph = design.graph;
  const SwitchConfig& config = design.config;
  const std::uint32_t register_width = address_width(config);
  std::string text =
      "// SPDX-License-Identifier: Apache-2.0\n`default_nettype none\n\n"
      "// Written by `muster topo export --format verilog`; docs/how-to/generated-top.md says what "
      "the\n// ports do.\n//\n";
  text += summary(design, "// ");
  text += fmt::format(
      "module {} #(\n"
      "  localparam int unsigned Switches = {},\n"
      "  localparam int unsigned Nodes = {},\n"
      "  localparam int unsigned Ports = {},\n"
      "  localparam int unsigned Vcs = {},\n"
      "  localparam int unsigned Depth = {},\n"
      "  localparam int unsigned FlitW = {},\n"
      "  localparam int unsigned GidW = {},\n"
      "  localparam int unsigned RegAddrW = {},\n"
      "  localparam int unsigned CtlAddrW = {},\n"
      "  localparam int unsigned NodeAddrW = muster_pkg::RegAddrW + 2,\n"
      "  localparam int unsigned VcW = {},\n"
      "  localparam int unsigned OpcodeW = muster_pkg::OpcodeW\n"
      ") (\n",
      design.module, graph.switches(), graph.nodes(), config.ports, config.vcs, config.depth,
      config.flit_w, config.gid_w, register_width,
      number_width(graph.switches()) + register_width + 2, number_width(config.vcs));
  text +=
      fmt::format("  input  wire logic {0:<28} clk_i,\n  input  wire logic {0:<28} rst_ni,\n", "");
  text += "  /// the switches have the image; until then all that follows waits\n";
  text += fmt::format("  output logic      {:<28} ready_o,\n\n", "");
  text += "  /// AXI4-Lite: registers of switch s from byte s << (RegAddrW + 2) on\n";
  text += axi_lite("ctl_", "", "[CtlAddrW-1:0]");
  text += "\n  /// AXI4-Lite: registers of node n in element n\n";
  text += axi_lite("node_", "[Nodes-1:0]", "[NodeAddrW-1:0]");
  return text + kStreams;
}

}  // namespace muster::fabric::verilog
