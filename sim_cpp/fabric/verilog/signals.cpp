// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "fabric/verilog/sections.hpp"

namespace muster::fabric::verilog {
namespace {

constexpr const char* kEnds = R"(
  // Ends of links: port p of switch s is end Ports * s + p, node n is end First + n. "Out" is what
  // the block at an end puts on its wires, "in" what comes to it.
  localparam int unsigned First = Ports * Switches;
  localparam int unsigned Ends = First + Nodes;
)";

constexpr const char* kWires = R"(  logic [Ends-1:0] out_valid, in_valid;
  logic [Ends-1:0][VcW-1:0] out_vc, in_vc;
  logic [Ends-1:0][KindW-1:0] out_kind, in_kind;
  logic [Ends-1:0][FlitW-1:0] out_payload, in_payload;
  logic [Ends-1:0][BackW-1:0] out_credit, in_credit;
)";

constexpr const char* kRegisters = R"(
  // Register ports of the switches.
  logic [Switches-1:0] reg_valid;
  logic reg_write;
  logic [RegAddrW-1:0] reg_addr;
  logic [31:0] reg_wdata;
  logic [Switches-1:0][31:0] reg_rdata;
)";

bool has_open_port(const NetworkDesign& design) {
  const topology::Graph& graph = design.graph;
  return 2 * graph.links().size() + graph.nodes() <
         std::size_t{design.config.ports} * graph.switches();
}

}  // namespace

std::string signals(const NetworkDesign& design) {
  std::string text = fmt::format(
      "  localparam int unsigned KindW = muster_pkg::KindW;\n"
      "  localparam int unsigned BackW = Vcs{};\n{}\n",
      has_pockets(design.config) ? " + 1" : "", kEnds);
  if (has_open_port(design)) {
    text +=
        "  // What leaves an open port goes nowhere.\n  /* verilator lint_off UNUSEDSIGNAL */\n";
    text += kWires;
    text += "  /* verilator lint_on UNUSEDSIGNAL */\n";
  } else {
    text += kWires;
  }
  return text + kRegisters;
}

std::string register_ports(const NetworkDesign& design) {
  const std::uint32_t image_width = number_width(static_cast<std::uint32_t>(design.image.size()));
  return fmt::format(
      R"(
  logic [{}:0] image_at;
  logic [{}:0] image_word;
  network_registers #(
    .Blocks(Switches), .RegAddrW(RegAddrW), .Words({}), .Routes({}), .Wait({})
  ) registers (
    .clk_i, .rst_ni,
    .awvalid_i(ctl_awvalid_i), .awaddr_i(ctl_awaddr_i), .awready_o(ctl_awready_o),
    .wvalid_i(ctl_wvalid_i), .wdata_i(ctl_wdata_i), .wstrb_i(ctl_wstrb_i),
    .wready_o(ctl_wready_o),
    .bvalid_o(ctl_bvalid_o), .bresp_o(ctl_bresp_o), .bready_i(ctl_bready_i),
    .arvalid_i(ctl_arvalid_i), .araddr_i(ctl_araddr_i), .arready_o(ctl_arready_o),
    .rvalid_o(ctl_rvalid_o), .rdata_o(ctl_rdata_o), .rresp_o(ctl_rresp_o),
    .rready_i(ctl_rready_i),
    .image_at_o(image_at), .image_word_i(image_word), .ready_o,
    .reg_valid_o(reg_valid), .reg_write_o(reg_write), .reg_addr_o(reg_addr),
    .reg_wdata_o(reg_wdata), .reg_rdata_i(reg_rdata)
  );
)",
      image_width - 1,
      number_width(design.graph.switches()) + address_width(design.config) + 32 - 1,
      design.image.size(), design.config.dests, design.config.groups);
}

}  // namespace muster::fabric::verilog
