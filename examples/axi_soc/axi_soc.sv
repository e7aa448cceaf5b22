// SPDX-License-Identifier: Apache-2.0
`default_nettype none

// Two endpoints at a barrier switch, everything that a host does by AXI4-Lite:
//
//   host 0 ── axi_lite_registers ── endpoint 0 ── 0 ┌────────┐
//   host 1 ── axi_lite_registers ── endpoint 1 ── 1 │ switch │
//   either ── axi_lite_registers ───────────────────┤        │
//                                                   └────────┘
//
// Bus b of each AXI signal is that of endpoint b, bus 2 that of the switch. The streams of the
// endpoints are ports. Port 2 of the switch is open.
module axi_soc #(
  localparam int unsigned Nodes = 2,
  localparam int unsigned Buses = Nodes + 1,
  localparam int unsigned AddrW = 16,
  localparam int unsigned FlitW = 16,
  localparam int unsigned KindW = muster_pkg::KindW
) (
  input  wire logic                         clk_i,
  input  wire logic                         rst_ni,

  input  wire logic [Buses-1:0]             awvalid_i,
  input  wire logic [Buses-1:0][AddrW-1:0]  awaddr_i,
  output logic [Buses-1:0]                  awready_o,
  input  wire logic [Buses-1:0]             wvalid_i,
  input  wire logic [Buses-1:0][31:0]       wdata_i,
  output logic [Buses-1:0]                  wready_o,
  output logic [Buses-1:0]                  bvalid_o,
  output logic [Buses-1:0][1:0]             bresp_o,
  input  wire logic [Buses-1:0]             bready_i,
  input  wire logic [Buses-1:0]             arvalid_i,
  input  wire logic [Buses-1:0][AddrW-1:0]  araddr_i,
  output logic [Buses-1:0]                  arready_o,
  output logic [Buses-1:0]                  rvalid_o,
  output logic [Buses-1:0][31:0]            rdata_o,
  output logic [Buses-1:0][1:0]             rresp_o,
  input  wire logic [Buses-1:0]             rready_i,

  input  wire logic [Nodes-1:0]             s_axis_tvalid_i,
  output logic [Nodes-1:0]                  s_axis_tready_o,
  input  wire logic [Nodes-1:0][FlitW-1:0]  s_axis_tdata_i,
  input  wire logic [Nodes-1:0]             s_axis_tlast_i,
  input  wire logic [Nodes-1:0][15:0]       s_axis_tdest_i,
  output logic [Nodes-1:0]                  m_axis_tvalid_o,
  output logic [Nodes-1:0][FlitW-1:0]       m_axis_tdata_o,
  output logic [Nodes-1:0]                  m_axis_tlast_o,
  output logic [Nodes-1:0]                  irq_o
);
  logic [Buses-1:0] reg_valid, reg_write;
  logic [Buses-1:0][11:0] reg_addr;
  logic [Buses-1:0][31:0] reg_wdata, reg_rdata;

  for (genvar b = 0; b < Buses; b++) begin : gen_bus
    axi_lite_registers #(
      .AddrW(AddrW)
    ) bus (
      .clk_i, .rst_ni,
      .awvalid_i(awvalid_i[b]), .awaddr_i(awaddr_i[b]), .awready_o(awready_o[b]),
      .wvalid_i(wvalid_i[b]), .wdata_i(wdata_i[b]), .wstrb_i('1), .wready_o(wready_o[b]),
      .bvalid_o(bvalid_o[b]), .bresp_o(bresp_o[b]), .bready_i(bready_i[b]),
      .arvalid_i(arvalid_i[b]), .araddr_i(araddr_i[b]), .arready_o(arready_o[b]),
      .rvalid_o(rvalid_o[b]), .rdata_o(rdata_o[b]), .rresp_o(rresp_o[b]), .rready_i(rready_i[b]),
      .reg_valid_o(reg_valid[b]), .reg_write_o(reg_write[b]), .reg_addr_o(reg_addr[b]),
      .reg_wdata_o(reg_wdata[b]), .reg_rdata_i(reg_rdata[b])
    );
  end

  // Of the links: up leads to the switch, down to the endpoint.
  logic [Nodes-1:0] up_valid, up_credit, down_valid, down_credit;
  logic [Nodes-1:0][KindW-1:0] up_kind, down_kind;
  logic [Nodes-1:0][FlitW-1:0] up_payload, down_payload;

  // What this design has no use for stays open.
  /* verilator lint_off PINCONNECTEMPTY */
  for (genvar n = 0; n < Nodes; n++) begin : gen_node
    axis_endpoint #(
      .Vcs(1), .Depth(4), .FlitW(FlitW), .Groups(1), .Dests(16), .Address(n)
    ) node (
      .clk_i, .rst_ni,
      .s_axis_tvalid_i(s_axis_tvalid_i[n]), .s_axis_tready_o(s_axis_tready_o[n]),
      .s_axis_tdata_i(s_axis_tdata_i[n]), .s_axis_tlast_i(s_axis_tlast_i[n]),
      .s_axis_tid_i('0), .s_axis_tdest_i(s_axis_tdest_i[n]), .s_axis_tuser_i('0),
      .m_axis_tvalid_o(m_axis_tvalid_o[n]), .m_axis_tready_i(1'b1),
      .m_axis_tdata_o(m_axis_tdata_o[n]), .m_axis_tlast_o(m_axis_tlast_o[n]),
      .m_axis_tid_o(), .m_axis_tdest_o(), .m_axis_tuser_o(),
      .reg_valid_i(reg_valid[n]), .reg_write_i(reg_write[n]), .reg_addr_i(reg_addr[n]),
      .reg_wdata_i(reg_wdata[n]), .reg_rdata_o(reg_rdata[n]),
      .tx_valid_o(up_valid[n]), .tx_vc_o(), .tx_kind_o(up_kind[n]), .tx_payload_o(up_payload[n]),
      .tx_credit_i(up_credit[n]),
      .rx_valid_i(down_valid[n]), .rx_vc_i('0), .rx_kind_i(down_kind[n]),
      .rx_payload_i(down_payload[n]), .rx_credit_o(down_credit[n]),
      .irq_o(irq_o[n]), .quiescent_o()
    );
  end

  // Of the open port.
  /* verilator lint_off UNUSEDSIGNAL */
  logic open_valid, open_credit;
  logic [KindW-1:0] open_kind;
  logic [FlitW-1:0] open_payload;
  /* verilator lint_on UNUSEDSIGNAL */
  barrier_switch #(
    .Ports(3), .Vcs(1), .Depth(4), .Regs(2), .FlitW(FlitW), .Dests(16)
  ) node_switch (
    .clk_i, .rst_ni,
    .rx_valid_i({1'b0, up_valid}), .rx_vc_i('0), .rx_kind_i({KindW'(0), up_kind}),
    .rx_payload_i({FlitW'(0), up_payload}), .rx_credit_o({open_credit, up_credit}),
    .tx_valid_o({open_valid, down_valid}), .tx_vc_o(), .tx_kind_o({open_kind, down_kind}),
    .tx_payload_o({open_payload, down_payload}), .tx_credit_i({1'b0, down_credit}),
    .reg_valid_i(reg_valid[Nodes]), .reg_write_i(reg_write[Nodes]), .reg_addr_i(reg_addr[Nodes]),
    .reg_wdata_i(reg_wdata[Nodes]), .reg_rdata_o(reg_rdata[Nodes]),
    .irq_o(), .quiescent_o()
  );
  /* verilator lint_on PINCONNECTEMPTY */

endmodule

`default_nettype wire
