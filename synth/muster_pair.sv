// SPDX-License-Identifier: Apache-2.0
`default_nettype none

// Written by `muster topo export --format verilog`; docs/how-to/generated-top.md says what the
// ports do.
//
// Network: pair
// Switches: 2, configuration sw4v1; nodes: 4; words of the image: 20
module muster_pair #(
  localparam int unsigned Switches = 2,
  localparam int unsigned Nodes = 4,
  localparam int unsigned Ports = 4,
  localparam int unsigned Vcs = 1,
  localparam int unsigned Depth = 4,
  localparam int unsigned FlitW = 16,
  localparam int unsigned GidW = 8,
  localparam int unsigned RegAddrW = 12,
  localparam int unsigned CtlAddrW = 15,
  localparam int unsigned NodeAddrW = muster_pkg::RegAddrW + 2,
  localparam int unsigned VcW = 1,
  localparam int unsigned OpcodeW = muster_pkg::OpcodeW
) (
  input  wire logic                              clk_i,
  input  wire logic                              rst_ni,
  /// the switches have the image; until then all that follows waits
  output logic                                   ready_o,

  /// AXI4-Lite: registers of switch s from byte s << (RegAddrW + 2) on
  input  wire logic                              ctl_awvalid_i,
  input  wire logic [CtlAddrW-1:0]               ctl_awaddr_i,
  output logic                                   ctl_awready_o,
  input  wire logic                              ctl_wvalid_i,
  input  wire logic [31:0]                       ctl_wdata_i,
  input  wire logic [3:0]                        ctl_wstrb_i,
  output logic                                   ctl_wready_o,
  output logic                                   ctl_bvalid_o,
  output logic      [1:0]                        ctl_bresp_o,
  input  wire logic                              ctl_bready_i,
  input  wire logic                              ctl_arvalid_i,
  input  wire logic [CtlAddrW-1:0]               ctl_araddr_i,
  output logic                                   ctl_arready_o,
  output logic                                   ctl_rvalid_o,
  output logic      [31:0]                       ctl_rdata_o,
  output logic      [1:0]                        ctl_rresp_o,
  input  wire logic                              ctl_rready_i,

  /// AXI4-Lite: registers of node n in element n
  input  wire logic [Nodes-1:0]                  node_awvalid_i,
  input  wire logic [Nodes-1:0][NodeAddrW-1:0]   node_awaddr_i,
  output logic      [Nodes-1:0]                  node_awready_o,
  input  wire logic [Nodes-1:0]                  node_wvalid_i,
  input  wire logic [Nodes-1:0][31:0]            node_wdata_i,
  input  wire logic [Nodes-1:0][3:0]             node_wstrb_i,
  output logic      [Nodes-1:0]                  node_wready_o,
  output logic      [Nodes-1:0]                  node_bvalid_o,
  output logic      [Nodes-1:0][1:0]             node_bresp_o,
  input  wire logic [Nodes-1:0]                  node_bready_i,
  input  wire logic [Nodes-1:0]                  node_arvalid_i,
  input  wire logic [Nodes-1:0][NodeAddrW-1:0]   node_araddr_i,
  output logic      [Nodes-1:0]                  node_arready_o,
  output logic      [Nodes-1:0]                  node_rvalid_o,
  output logic      [Nodes-1:0][31:0]            node_rdata_o,
  output logic      [Nodes-1:0][1:0]             node_rresp_o,
  input  wire logic [Nodes-1:0]                  node_rready_i,

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
  localparam int unsigned KindW = muster_pkg::KindW;
  localparam int unsigned BackW = Vcs;

  // Ends of links: port p of switch s is end Ports * s + p, node n is end First + n. "Out" is what
  // the block at an end puts on its wires, "in" what comes to it.
  localparam int unsigned First = Ports * Switches;
  localparam int unsigned Ends = First + Nodes;

  // What leaves an open port goes nowhere.
  /* verilator lint_off UNUSEDSIGNAL */
  logic [Ends-1:0] out_valid, in_valid;
  logic [Ends-1:0][VcW-1:0] out_vc, in_vc;
  logic [Ends-1:0][KindW-1:0] out_kind, in_kind;
  logic [Ends-1:0][FlitW-1:0] out_payload, in_payload;
  logic [Ends-1:0][BackW-1:0] out_credit, in_credit;
  /* verilator lint_on UNUSEDSIGNAL */

  // Register ports of the switches.
  logic [Switches-1:0] reg_valid;
  logic reg_write;
  logic [RegAddrW-1:0] reg_addr;
  logic [31:0] reg_wdata;
  logic [Switches-1:0][31:0] reg_rdata;

  logic [4:0] image_at;
  logic [44:0] image_word;
  network_registers #(
    .Blocks(Switches), .RegAddrW(RegAddrW), .Words(20), .Routes(64), .Wait(0)
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

  // Their clocks are not gated here, and they do not repeat messages.
  /* verilator lint_off PINCONNECTEMPTY */
  // Switch 0: port 0 to node 0, 1 to node 1, 2 to port 2 of switch 1.
  barrier_switch #(
    .Ports(Ports), .Vcs(Vcs), .Depth(Depth), .FlitW(FlitW), .GidW(GidW), .Dests(64), .Regs(4)
  ) sw0 (
    .clk_i, .rst_ni,
    .rx_valid_i(in_valid[Ports*0+:Ports]), .rx_vc_i(in_vc[Ports*0+:Ports]),
    .rx_kind_i(in_kind[Ports*0+:Ports]), .rx_payload_i(in_payload[Ports*0+:Ports]),
    .rx_credit_o(out_credit[Ports*0+:Ports]),
    .tx_valid_o(out_valid[Ports*0+:Ports]), .tx_vc_o(out_vc[Ports*0+:Ports]),
    .tx_kind_o(out_kind[Ports*0+:Ports]), .tx_payload_o(out_payload[Ports*0+:Ports]),
    .tx_credit_i(in_credit[Ports*0+:Ports]),
    .reg_valid_i(reg_valid[0]), .reg_write_i(reg_write), .reg_addr_i(reg_addr),
    .reg_wdata_i(reg_wdata), .reg_rdata_o(reg_rdata[0]),
    .irq_o(), .quiescent_o()
  );

  // Switch 1: port 0 to node 2, 1 to node 3, 2 to port 2 of switch 0.
  barrier_switch #(
    .Ports(Ports), .Vcs(Vcs), .Depth(Depth), .FlitW(FlitW), .GidW(GidW), .Dests(64), .Regs(4)
  ) sw1 (
    .clk_i, .rst_ni,
    .rx_valid_i(in_valid[Ports*1+:Ports]), .rx_vc_i(in_vc[Ports*1+:Ports]),
    .rx_kind_i(in_kind[Ports*1+:Ports]), .rx_payload_i(in_payload[Ports*1+:Ports]),
    .rx_credit_o(out_credit[Ports*1+:Ports]),
    .tx_valid_o(out_valid[Ports*1+:Ports]), .tx_vc_o(out_vc[Ports*1+:Ports]),
    .tx_kind_o(out_kind[Ports*1+:Ports]), .tx_payload_o(out_payload[Ports*1+:Ports]),
    .tx_credit_i(in_credit[Ports*1+:Ports]),
    .reg_valid_i(reg_valid[1]), .reg_write_i(reg_write), .reg_addr_i(reg_addr),
    .reg_wdata_i(reg_wdata), .reg_rdata_o(reg_rdata[1]),
    .irq_o(), .quiescent_o()
  );
  /* verilator lint_on PINCONNECTEMPTY */

  // Node 0, at port 0 of switch 0.
  network_node #(
    .Vcs(Vcs), .Depth(Depth), .FlitW(FlitW), .GidW(GidW), .Groups(2), .Pocket(0),
    .Dests(64), .Address(0)
  ) node0 (
    .clk_i, .rst_ni, .ready_i(ready_o),
    .awvalid_i(node_awvalid_i[0]), .awaddr_i(node_awaddr_i[0]),
    .awready_o(node_awready_o[0]),
    .wvalid_i(node_wvalid_i[0]), .wdata_i(node_wdata_i[0]), .wstrb_i(node_wstrb_i[0]),
    .wready_o(node_wready_o[0]),
    .bvalid_o(node_bvalid_o[0]), .bresp_o(node_bresp_o[0]), .bready_i(node_bready_i[0]),
    .arvalid_i(node_arvalid_i[0]), .araddr_i(node_araddr_i[0]),
    .arready_o(node_arready_o[0]),
    .rvalid_o(node_rvalid_o[0]), .rdata_o(node_rdata_o[0]), .rresp_o(node_rresp_o[0]),
    .rready_i(node_rready_i[0]),
    .s_axis_tvalid_i(s_axis_tvalid_i[0]), .s_axis_tready_o(s_axis_tready_o[0]),
    .s_axis_tdata_i(s_axis_tdata_i[0]), .s_axis_tlast_i(s_axis_tlast_i[0]),
    .s_axis_tid_i(s_axis_tid_i[0]), .s_axis_tdest_i(s_axis_tdest_i[0]),
    .s_axis_tuser_i(s_axis_tuser_i[0]),
    .m_axis_tvalid_o(m_axis_tvalid_o[0]), .m_axis_tready_i(m_axis_tready_i[0]),
    .m_axis_tdata_o(m_axis_tdata_o[0]), .m_axis_tlast_o(m_axis_tlast_o[0]),
    .m_axis_tid_o(m_axis_tid_o[0]), .m_axis_tdest_o(m_axis_tdest_o[0]),
    .m_axis_tuser_o(m_axis_tuser_o[0]),
    .rx_valid_i(in_valid[First+0]), .rx_vc_i(in_vc[First+0]),
    .rx_kind_i(in_kind[First+0]), .rx_payload_i(in_payload[First+0]),
    .rx_credit_o(out_credit[First+0]),
    .tx_valid_o(out_valid[First+0]), .tx_vc_o(out_vc[First+0]),
    .tx_kind_o(out_kind[First+0]), .tx_payload_o(out_payload[First+0]),
    .tx_credit_i(in_credit[First+0]),
    .irq_o(irq_o[0])
  );

  // Node 1, at port 1 of switch 0.
  network_node #(
    .Vcs(Vcs), .Depth(Depth), .FlitW(FlitW), .GidW(GidW), .Groups(2), .Pocket(0),
    .Dests(64), .Address(1)
  ) node1 (
    .clk_i, .rst_ni, .ready_i(ready_o),
    .awvalid_i(node_awvalid_i[1]), .awaddr_i(node_awaddr_i[1]),
    .awready_o(node_awready_o[1]),
    .wvalid_i(node_wvalid_i[1]), .wdata_i(node_wdata_i[1]), .wstrb_i(node_wstrb_i[1]),
    .wready_o(node_wready_o[1]),
    .bvalid_o(node_bvalid_o[1]), .bresp_o(node_bresp_o[1]), .bready_i(node_bready_i[1]),
    .arvalid_i(node_arvalid_i[1]), .araddr_i(node_araddr_i[1]),
    .arready_o(node_arready_o[1]),
    .rvalid_o(node_rvalid_o[1]), .rdata_o(node_rdata_o[1]), .rresp_o(node_rresp_o[1]),
    .rready_i(node_rready_i[1]),
    .s_axis_tvalid_i(s_axis_tvalid_i[1]), .s_axis_tready_o(s_axis_tready_o[1]),
    .s_axis_tdata_i(s_axis_tdata_i[1]), .s_axis_tlast_i(s_axis_tlast_i[1]),
    .s_axis_tid_i(s_axis_tid_i[1]), .s_axis_tdest_i(s_axis_tdest_i[1]),
    .s_axis_tuser_i(s_axis_tuser_i[1]),
    .m_axis_tvalid_o(m_axis_tvalid_o[1]), .m_axis_tready_i(m_axis_tready_i[1]),
    .m_axis_tdata_o(m_axis_tdata_o[1]), .m_axis_tlast_o(m_axis_tlast_o[1]),
    .m_axis_tid_o(m_axis_tid_o[1]), .m_axis_tdest_o(m_axis_tdest_o[1]),
    .m_axis_tuser_o(m_axis_tuser_o[1]),
    .rx_valid_i(in_valid[First+1]), .rx_vc_i(in_vc[First+1]),
    .rx_kind_i(in_kind[First+1]), .rx_payload_i(in_payload[First+1]),
    .rx_credit_o(out_credit[First+1]),
    .tx_valid_o(out_valid[First+1]), .tx_vc_o(out_vc[First+1]),
    .tx_kind_o(out_kind[First+1]), .tx_payload_o(out_payload[First+1]),
    .tx_credit_i(in_credit[First+1]),
    .irq_o(irq_o[1])
  );

  // Node 2, at port 0 of switch 1.
  network_node #(
    .Vcs(Vcs), .Depth(Depth), .FlitW(FlitW), .GidW(GidW), .Groups(2), .Pocket(0),
    .Dests(64), .Address(2)
  ) node2 (
    .clk_i, .rst_ni, .ready_i(ready_o),
    .awvalid_i(node_awvalid_i[2]), .awaddr_i(node_awaddr_i[2]),
    .awready_o(node_awready_o[2]),
    .wvalid_i(node_wvalid_i[2]), .wdata_i(node_wdata_i[2]), .wstrb_i(node_wstrb_i[2]),
    .wready_o(node_wready_o[2]),
    .bvalid_o(node_bvalid_o[2]), .bresp_o(node_bresp_o[2]), .bready_i(node_bready_i[2]),
    .arvalid_i(node_arvalid_i[2]), .araddr_i(node_araddr_i[2]),
    .arready_o(node_arready_o[2]),
    .rvalid_o(node_rvalid_o[2]), .rdata_o(node_rdata_o[2]), .rresp_o(node_rresp_o[2]),
    .rready_i(node_rready_i[2]),
    .s_axis_tvalid_i(s_axis_tvalid_i[2]), .s_axis_tready_o(s_axis_tready_o[2]),
    .s_axis_tdata_i(s_axis_tdata_i[2]), .s_axis_tlast_i(s_axis_tlast_i[2]),
    .s_axis_tid_i(s_axis_tid_i[2]), .s_axis_tdest_i(s_axis_tdest_i[2]),
    .s_axis_tuser_i(s_axis_tuser_i[2]),
    .m_axis_tvalid_o(m_axis_tvalid_o[2]), .m_axis_tready_i(m_axis_tready_i[2]),
    .m_axis_tdata_o(m_axis_tdata_o[2]), .m_axis_tlast_o(m_axis_tlast_o[2]),
    .m_axis_tid_o(m_axis_tid_o[2]), .m_axis_tdest_o(m_axis_tdest_o[2]),
    .m_axis_tuser_o(m_axis_tuser_o[2]),
    .rx_valid_i(in_valid[First+2]), .rx_vc_i(in_vc[First+2]),
    .rx_kind_i(in_kind[First+2]), .rx_payload_i(in_payload[First+2]),
    .rx_credit_o(out_credit[First+2]),
    .tx_valid_o(out_valid[First+2]), .tx_vc_o(out_vc[First+2]),
    .tx_kind_o(out_kind[First+2]), .tx_payload_o(out_payload[First+2]),
    .tx_credit_i(in_credit[First+2]),
    .irq_o(irq_o[2])
  );

  // Node 3, at port 1 of switch 1.
  network_node #(
    .Vcs(Vcs), .Depth(Depth), .FlitW(FlitW), .GidW(GidW), .Groups(2), .Pocket(0),
    .Dests(64), .Address(3)
  ) node3 (
    .clk_i, .rst_ni, .ready_i(ready_o),
    .awvalid_i(node_awvalid_i[3]), .awaddr_i(node_awaddr_i[3]),
    .awready_o(node_awready_o[3]),
    .wvalid_i(node_wvalid_i[3]), .wdata_i(node_wdata_i[3]), .wstrb_i(node_wstrb_i[3]),
    .wready_o(node_wready_o[3]),
    .bvalid_o(node_bvalid_o[3]), .bresp_o(node_bresp_o[3]), .bready_i(node_bready_i[3]),
    .arvalid_i(node_arvalid_i[3]), .araddr_i(node_araddr_i[3]),
    .arready_o(node_arready_o[3]),
    .rvalid_o(node_rvalid_o[3]), .rdata_o(node_rdata_o[3]), .rresp_o(node_rresp_o[3]),
    .rready_i(node_rready_i[3]),
    .s_axis_tvalid_i(s_axis_tvalid_i[3]), .s_axis_tready_o(s_axis_tready_o[3]),
    .s_axis_tdata_i(s_axis_tdata_i[3]), .s_axis_tlast_i(s_axis_tlast_i[3]),
    .s_axis_tid_i(s_axis_tid_i[3]), .s_axis_tdest_i(s_axis_tdest_i[3]),
    .s_axis_tuser_i(s_axis_tuser_i[3]),
    .m_axis_tvalid_o(m_axis_tvalid_o[3]), .m_axis_tready_i(m_axis_tready_i[3]),
    .m_axis_tdata_o(m_axis_tdata_o[3]), .m_axis_tlast_o(m_axis_tlast_o[3]),
    .m_axis_tid_o(m_axis_tid_o[3]), .m_axis_tdest_o(m_axis_tdest_o[3]),
    .m_axis_tuser_o(m_axis_tuser_o[3]),
    .rx_valid_i(in_valid[First+3]), .rx_vc_i(in_vc[First+3]),
    .rx_kind_i(in_kind[First+3]), .rx_payload_i(in_payload[First+3]),
    .rx_credit_o(out_credit[First+3]),
    .tx_valid_o(out_valid[First+3]), .tx_vc_o(out_vc[First+3]),
    .tx_kind_o(out_kind[First+3]), .tx_payload_o(out_payload[First+3]),
    .tx_credit_i(in_credit[First+3]),
    .irq_o(irq_o[3])
  );

  // From port 2 of switch 0 to port 2 of switch 1.
  assign in_valid[Ports*1+2] = out_valid[Ports*0+2];
  assign in_vc[Ports*1+2] = out_vc[Ports*0+2];
  assign in_kind[Ports*1+2] = out_kind[Ports*0+2];
  assign in_payload[Ports*1+2] = out_payload[Ports*0+2];
  assign in_credit[Ports*0+2] = out_credit[Ports*1+2];

  // From port 2 of switch 1 to port 2 of switch 0.
  assign in_valid[Ports*0+2] = out_valid[Ports*1+2];
  assign in_vc[Ports*0+2] = out_vc[Ports*1+2];
  assign in_kind[Ports*0+2] = out_kind[Ports*1+2];
  assign in_payload[Ports*0+2] = out_payload[Ports*1+2];
  assign in_credit[Ports*1+2] = out_credit[Ports*0+2];

  // From node 0 to port 0 of switch 0.
  assign in_valid[Ports*0+0] = out_valid[First+0];
  assign in_vc[Ports*0+0] = out_vc[First+0];
  assign in_kind[Ports*0+0] = out_kind[First+0];
  assign in_payload[Ports*0+0] = out_payload[First+0];
  assign in_credit[First+0] = out_credit[Ports*0+0];

  // From port 0 of switch 0 to node 0.
  assign in_valid[First+0] = out_valid[Ports*0+0];
  assign in_vc[First+0] = out_vc[Ports*0+0];
  assign in_kind[First+0] = out_kind[Ports*0+0];
  assign in_payload[First+0] = out_payload[Ports*0+0];
  assign in_credit[Ports*0+0] = out_credit[First+0];

  // From node 1 to port 1 of switch 0.
  assign in_valid[Ports*0+1] = out_valid[First+1];
  assign in_vc[Ports*0+1] = out_vc[First+1];
  assign in_kind[Ports*0+1] = out_kind[First+1];
  assign in_payload[Ports*0+1] = out_payload[First+1];
  assign in_credit[First+1] = out_credit[Ports*0+1];

  // From port 1 of switch 0 to node 1.
  assign in_valid[First+1] = out_valid[Ports*0+1];
  assign in_vc[First+1] = out_vc[Ports*0+1];
  assign in_kind[First+1] = out_kind[Ports*0+1];
  assign in_payload[First+1] = out_payload[Ports*0+1];
  assign in_credit[Ports*0+1] = out_credit[First+1];

  // From node 2 to port 0 of switch 1.
  assign in_valid[Ports*1+0] = out_valid[First+2];
  assign in_vc[Ports*1+0] = out_vc[First+2];
  assign in_kind[Ports*1+0] = out_kind[First+2];
  assign in_payload[Ports*1+0] = out_payload[First+2];
  assign in_credit[First+2] = out_credit[Ports*1+0];

  // From port 0 of switch 1 to node 2.
  assign in_valid[First+2] = out_valid[Ports*1+0];
  assign in_vc[First+2] = out_vc[Ports*1+0];
  assign in_kind[First+2] = out_kind[Ports*1+0];
  assign in_payload[First+2] = out_payload[Ports*1+0];
  assign in_credit[Ports*1+0] = out_credit[First+2];

  // From node 3 to port 1 of switch 1.
  assign in_valid[Ports*1+1] = out_valid[First+3];
  assign in_vc[Ports*1+1] = out_vc[First+3];
  assign in_kind[Ports*1+1] = out_kind[First+3];
  assign in_payload[Ports*1+1] = out_payload[First+3];
  assign in_credit[First+3] = out_credit[Ports*1+1];

  // From port 1 of switch 1 to node 3.
  assign in_valid[First+3] = out_valid[Ports*1+1];
  assign in_vc[First+3] = out_vc[Ports*1+1];
  assign in_kind[First+3] = out_kind[Ports*1+1];
  assign in_payload[First+3] = out_payload[Ports*1+1];
  assign in_credit[Ports*1+1] = out_credit[First+3];

  // Port 3 of switch 0 is open.
  assign in_valid[Ports*0+3] = '0;
  assign in_vc[Ports*0+3] = '0;
  assign in_kind[Ports*0+3] = '0;
  assign in_payload[Ports*0+3] = '0;
  assign in_credit[Ports*0+3] = '0;

  // Port 3 of switch 1 is open.
  assign in_valid[Ports*1+3] = '0;
  assign in_vc[Ports*1+3] = '0;
  assign in_kind[Ports*1+3] = '0;
  assign in_payload[Ports*1+3] = '0;
  assign in_credit[Ports*1+3] = '0;

  // The image: {switch, address, data} of each word.
  always_comb begin
    case (image_at)
      5'd0: image_word = {1'd0, 12'h800, 32'h00000001};  // route to node 0
      5'd1: image_word = {1'd0, 12'h801, 32'h00000002};  // route to node 1
      5'd2: image_word = {1'd0, 12'h802, 32'h00000004};  // route to node 2
      5'd3: image_word = {1'd0, 12'h803, 32'h00000004};  // route to node 3
      5'd4: image_word = {1'd0, 12'h804, 32'h00000000};  // route to switch 0
      5'd5: image_word = {1'd0, 12'h805, 32'h00000004};  // route to switch 1
      5'd6: image_word = {1'd0, 12'h804, 32'h00010000};  // route to switch 0
      5'd7: image_word = {1'd1, 12'h800, 32'h00000004};  // route to node 0
      5'd8: image_word = {1'd1, 12'h801, 32'h00000004};  // route to node 1
      5'd9: image_word = {1'd1, 12'h802, 32'h00000001};  // route to node 2
      5'd10: image_word = {1'd1, 12'h803, 32'h00000002};  // route to node 3
      5'd11: image_word = {1'd1, 12'h804, 32'h00000004};  // route to switch 0
      5'd12: image_word = {1'd1, 12'h805, 32'h00000000};  // route to switch 1
      5'd13: image_word = {1'd1, 12'h805, 32'h00010000};  // route to switch 1
      5'd14: image_word = {1'd0, 12'h005, 32'h00000003};  // permits
      5'd15: image_word = {1'd1, 12'h005, 32'h00000003};  // permits
      5'd16: image_word = {1'd0, 12'h041, 32'h00000007};  // children of register 0
      5'd17: image_word = {1'd0, 12'h040, 32'hc0000000};  // control of register 0
      5'd18: image_word = {1'd1, 12'h041, 32'h00000003};  // children of register 0
      5'd19: image_word = {1'd1, 12'h040, 32'h80020000};  // control of register 0
      default: image_word = '0;
    endcase
  end

endmodule

`default_nettype wire
