// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <vector>

#include "fabric/block_list.hpp"
#include "fabric/verilog/sections.hpp"

namespace muster::fabric::verilog {
namespace {

using topology::Peer;

/// "port 0 to switch 1, 2 to node 0"
std::string neighbours(const topology::Graph& graph, topology::SwitchId s) {
  std::vector<std::string> ports;
  for (std::uint32_t p = 0; p < graph.ports(s); ++p) {
    const Peer& peer = graph.peer(s, p);
    if (peer.kind == Peer::Kind::kSwitch)
      ports.push_back(fmt::format("{} to port {} of switch {}", p, peer.port, peer.id));
    if (peer.kind == Peer::Kind::kNode) ports.push_back(fmt::format("{} to node {}", p, peer.id));
  }
  std::string text, line = fmt::format("  // Switch {}: port", s);
  for (std::size_t i = 0; i < ports.size(); ++i) {
    const std::string part = fmt::format(" {}{}", ports[i], i + 1 < ports.size() ? "," : ".");
    if (line.size() + part.size() > 100) {
      text += line + "\n";
      line = "  //";
    }
    line += part;
  }
  return text + line + "\n";
}

/// Parameters by which switches of the module differ; the others have names in the header.
std::string parameters(const SwitchConfig& config) {
  std::string text = ".Ports(Ports), .Vcs(Vcs), .Depth(Depth), .FlitW(FlitW), .GidW(GidW)";
  std::string line = "    " + text;
  text.clear();
  for (const auto& [name, value] : block_of(config).params) {
    if (name == "Ports" || name == "Vcs" || name == "Depth" || name == "FlitW" || name == "GidW")
      continue;
    if (value == 0) continue;
    const std::string part = fmt::format(".{}({})", name, value);
    line += ",";
    if (line.size() + part.size() + 1 > 100) {
      text += line + "\n";
      line = "    " + part;
    } else {
      line += " " + part;
    }
  }
  return text + line + "\n";
}

/// The signals of a switch's ports are elements of `of`, those of a node's are one.
std::string link_ports(const std::string& of) {
  std::string text;
  for (const auto& [port, way, last] :
       {std::tuple{"rx", "in", "out"}, std::tuple{"tx", "out", "in"}}) {
    const char put = port[0] == 'r' ? 'i' : 'o', back = port[0] == 'r' ? 'o' : 'i';
    text += fmt::format(
        "    .{0}_valid_{1}({2}_valid{3}), .{0}_vc_{1}({2}_vc{3}),\n"
        "    .{0}_kind_{1}({2}_kind{3}), .{0}_payload_{1}({2}_payload{3}),\n"
        "    .{0}_credit_{4}({5}_credit{3}),\n",
        port, put, way, of, back, last);
  }
  return text;
}

}  // namespace

std::string switches(const NetworkDesign& design) {
  std::string text =
      "\n  // Their clocks are not gated here, and they do not repeat messages.\n"
      "  /* verilator lint_off PINCONNECTEMPTY */\n";
  for (topology::SwitchId s = 0; s < design.graph.switches(); ++s) {
    text += neighbours(design.graph, s);
    text += fmt::format("  {} #(\n{}  ) sw{} (\n    .clk_i, .rst_ni,\n", design.config.kind->module,
                        parameters(design.config), s);
    text += link_ports(fmt::format("[Ports*{}+:Ports]", s));
    text += fmt::format(
        "    .reg_valid_i(reg_valid[{0}]), .reg_write_i(reg_write), .reg_addr_i(reg_addr),\n"
        "    .reg_wdata_i(reg_wdata), .reg_rdata_o(reg_rdata[{0}]),\n"
        "    .irq_o(), .quiescent_o()\n  );\n{1}",
        s, s + 1 < design.graph.switches() ? "\n" : "");
  }
  return text + "  /* verilator lint_on PINCONNECTEMPTY */\n";
}

std::string nodes(const NetworkDesign& design) {
  std::string text;
  for (topology::NodeId n = 0; n < design.graph.nodes(); ++n) {
    const topology::PortRef at = design.graph.node(n).at;
    text += fmt::format(R"(
  // Node {0}, at port {1} of switch {2}.
  network_node #(
    .Vcs(Vcs), .Depth(Depth), .FlitW(FlitW), .GidW(GidW), .Groups({3}), .Pocket({4}),
    .Dests({6}), .Address({0})
  ) node{0} (
    .clk_i, .rst_ni, .ready_i(ready_o),
    .awvalid_i(node_awvalid_i[{0}]), .awaddr_i(node_awaddr_i[{0}]),
    .awready_o(node_awready_o[{0}]),
    .wvalid_i(node_wvalid_i[{0}]), .wdata_i(node_wdata_i[{0}]), .wstrb_i(node_wstrb_i[{0}]),
    .wready_o(node_wready_o[{0}]),
    .bvalid_o(node_bvalid_o[{0}]), .bresp_o(node_bresp_o[{0}]), .bready_i(node_bready_i[{0}]),
    .arvalid_i(node_arvalid_i[{0}]), .araddr_i(node_araddr_i[{0}]),
    .arready_o(node_arready_o[{0}]),
    .rvalid_o(node_rvalid_o[{0}]), .rdata_o(node_rdata_o[{0}]), .rresp_o(node_rresp_o[{0}]),
    .rready_i(node_rready_i[{0}]),
    .s_axis_tvalid_i(s_axis_tvalid_i[{0}]), .s_axis_tready_o(s_axis_tready_o[{0}]),
    .s_axis_tdata_i(s_axis_tdata_i[{0}]), .s_axis_tlast_i(s_axis_tlast_i[{0}]),
    .s_axis_tid_i(s_axis_tid_i[{0}]), .s_axis_tdest_i(s_axis_tdest_i[{0}]),
    .s_axis_tuser_i(s_axis_tuser_i[{0}]),
    .m_axis_tvalid_o(m_axis_tvalid_o[{0}]), .m_axis_tready_i(m_axis_tready_i[{0}]),
    .m_axis_tdata_o(m_axis_tdata_o[{0}]), .m_axis_tlast_o(m_axis_tlast_o[{0}]),
    .m_axis_tid_o(m_axis_tid_o[{0}]), .m_axis_tdest_o(m_axis_tdest_o[{0}]),
    .m_axis_tuser_o(m_axis_tuser_o[{0}]),
{5}    .irq_o(irq_o[{0}])
  );
)",
                        n, at.port, at.sw, design.node_groups, has_pockets(design.config) ? 1 : 0,
                        link_ports(fmt::format("[First+{}]", n)), design.config.dests);
  }
  return text;
}

}  // namespace muster::fabric::verilog
