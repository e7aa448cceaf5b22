// SPDX-License-Identifier: Apache-2.0
`default_nettype none

// A node of a network: an muster_axis_endpoint whose registers are behind an AXI4-Lite port, byte
// address = 4 x word (muster_axi_lite_registers, docs/systems/wrappers.md). Until ready_i is set,
// which is when the switches have their image, addresses, data and beats wait: awready_o, wready_o,
// arready_o and s_axis_tready_o are low. Once set ready_i stays so until reset.
module muster_network_node #(
  /// virtual channels, 1 to 4
  parameter int unsigned Vcs = 2,
  /// places in each queue, of its own and of its switch, 1 to 16
  parameter int unsigned Depth = 4,
  /// payload bits of a flit and bits of a beat, 16 to 512
  parameter int unsigned FlitW = 16,
  /// bits of a group identifier, 4 to 12
  parameter int unsigned GidW = 8,
  /// groups that it can be a member of at once, 1 to 8
  parameter int unsigned Groups = 2,
  /// its switch has pockets (Spill, Serial or Groups); 0 to 1
  parameter int unsigned Pocket = 0,
  /// destinations, as those of its switch, 16 to 65536. Requires FlitW >= $clog2(Dests) + 5; a
  /// packet to send for an address of at least this is discarded
  parameter int unsigned Dests = 2048,
  /// own address after reset, 0 to 65536: packets for others are dropped; 65536: the check is off
  /// until software writes word 0x008; set Address, as exported networks do. Requires
  /// Address == 65536 || Address < Dests
  parameter int unsigned Address = 65536,
  /// cycles without a beat after which a packet to send is ended, 0 to 65535; 0: never
  parameter int unsigned Timeout = 65535,
  localparam int unsigned AddrW = muster_pkg::RegAddrW + 2,
  localparam int unsigned VcW = (Vcs > 1) ? $clog2(Vcs) : 1,
  localparam int unsigned KindW = muster_pkg::KindW,
  localparam int unsigned OpcodeW = muster_pkg::OpcodeW,
  localparam int unsigned BackW = Vcs + Pocket
) (
  input  wire logic                clk_i,
  input  wire logic                rst_ni,

  /// the network is set up
  input  wire logic                ready_i,

  /// AXI4-Lite
  input  wire logic                awvalid_i,
  input  wire logic [AddrW-1:0]    awaddr_i,
  output logic                     awready_o,
  input  wire logic                wvalid_i,
  input  wire logic [31:0]         wdata_i,
  input  wire logic [3:0]          wstrb_i,
  output logic                     wready_o,
  output logic                     bvalid_o,
  output logic [1:0]               bresp_o,
  input  wire logic                bready_i,
  input  wire logic                arvalid_i,
  input  wire logic [AddrW-1:0]    araddr_i,
  output logic                     arready_o,
  output logic                     rvalid_o,
  output logic [31:0]              rdata_o,
  output logic [1:0]               rresp_o,
  input  wire logic                rready_i,

  /// streams, see muster_axis_endpoint
  input  wire logic                s_axis_tvalid_i,
  output logic                     s_axis_tready_o,
  input  wire logic [FlitW-1:0]    s_axis_tdata_i,
  input  wire logic                s_axis_tlast_i,
  input  wire logic [VcW-1:0]      s_axis_tid_i,
  input  wire logic [15:0]         s_axis_tdest_i,
  input  wire logic [OpcodeW-1:0]  s_axis_tuser_i,
  output logic                     m_axis_tvalid_o,
  input  wire logic                m_axis_tready_i,
  output logic [FlitW-1:0]         m_axis_tdata_o,
  output logic                     m_axis_tlast_o,
  output logic [VcW-1:0]           m_axis_tid_o,
  output logic [15:0]              m_axis_tdest_o,
  output logic [OpcodeW-1:0]       m_axis_tuser_o,
  /// a group whose interrupt is wanted has been released
  output logic                     irq_o,

  /// link to and from a port of a switch
  output logic                     tx_valid_o,
  output logic [VcW-1:0]           tx_vc_o,
  output logic [KindW-1:0]         tx_kind_o,
  output logic [FlitW-1:0]         tx_payload_o,
  input  wire logic [BackW-1:0]    tx_credit_i,
  input  wire logic                rx_valid_i,
  input  wire logic [VcW-1:0]      rx_vc_i,
  input  wire logic [KindW-1:0]    rx_kind_i,
  input  wire logic [FlitW-1:0]    rx_payload_i,
  output logic [BackW-1:0]         rx_credit_o
);
  logic reg_valid, reg_write, awready, wready, arready, tready;
  logic [muster_pkg::RegAddrW-1:0] reg_addr;
  logic [31:0] reg_wdata, reg_rdata;

  assign awready_o = awready && ready_i;
  assign wready_o = wready && ready_i;
  assign arready_o = arready && ready_i;
  assign s_axis_tready_o = tready && ready_i;

  muster_axi_lite_registers #(.AddrW(AddrW)) bus (
    .awvalid_i(awvalid_i && ready_i),
    .awready_o(awready),
    .wvalid_i(wvalid_i && ready_i),
    .wready_o(wready),
    .arvalid_i(arvalid_i && ready_i),
    .arready_o(arready),
    .reg_valid_o(reg_valid),
    .reg_write_o(reg_write),
    .reg_addr_o(reg_addr),
    .reg_wdata_o(reg_wdata),
    .reg_rdata_i(reg_rdata),
    .*
  );

  // Its clock is not gated here.
  /* verilator lint_off UNUSEDSIGNAL */
  logic quiescent;
  /* verilator lint_on UNUSEDSIGNAL */
  muster_axis_endpoint #(
    .Vcs(Vcs), .Depth(Depth), .FlitW(FlitW), .GidW(GidW), .Groups(Groups), .Pocket(Pocket),
    .Dests(Dests), .Address(Address), .Timeout(Timeout)
  ) endpoint (
    .s_axis_tvalid_i(s_axis_tvalid_i && ready_i),
    .s_axis_tready_o(tready),
    .reg_valid_i(reg_valid),
    .reg_write_i(reg_write),
    .reg_addr_i(reg_addr),
    .reg_wdata_i(reg_wdata),
    .reg_rdata_o(reg_rdata),
    .quiescent_o(quiescent),
    .*
  );

endmodule

`default_nettype wire
