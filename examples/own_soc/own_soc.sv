// SPDX-License-Identifier: Apache-2.0
`default_nettype none

// A design of one's own around an exported network: soc_mesh_flat, whose ports have the names by
// which tools find interfaces, and a decoder from the one bus of a processor to its five ports of
// AXI4-Lite. The map is that of soc_mesh.h: the control port, then the nodes.
//
//   awaddr_i, araddr_i   port
//   0x00000 .. 0x0ffff   control port: registers of the switches
//   0x10000 .. 0x1ffff   nodes 0 to 3, 16 KiB each
//
// The processor does one access at a time and holds its address until the response. It puts
// address and data of a write on the bus together, with wvalid_i. Streams of packets are not used.
module own_soc (
  input  wire logic        clk_i,
  input  wire logic        rst_ni,

  /// AXI4-Lite of the processor, whose bready and rready are always set
  input  wire logic        wvalid_i,
  input  wire logic [16:0] awaddr_i,
  input  wire logic [31:0] wdata_i,
  output logic             wready_o,
  output logic             bvalid_o,
  input  wire logic        arvalid_i,
  input  wire logic [16:0] araddr_i,
  output logic             arready_o,
  output logic             rvalid_o,
  output logic [31:0]      rdata_o,

  /// interrupts of the nodes
  output logic [3:0]       irq_o
);
  // Port 4 is the control port.
  localparam int unsigned Ports = 5;
  logic [2:0] write_port, read_port;
  assign write_port = awaddr_i[16] ? {1'b0, awaddr_i[15:14]} : 3'd4;
  assign read_port = araddr_i[16] ? {1'b0, araddr_i[15:14]} : 3'd4;

  // An unused port has no request, and no answer. awready and wready of a port rise together.
  logic [Ports-1:0] wvalid, wready, bvalid, arvalid, arready, rvalid;
  logic [Ports-1:0][31:0] rdata;
  assign wvalid = Ports'(wvalid_i) << write_port;
  assign arvalid = Ports'(arvalid_i) << read_port;
  assign wready_o = wready[write_port];
  assign bvalid_o = bvalid[write_port];
  assign arready_o = arready[read_port];
  assign rvalid_o = rvalid[read_port];
  assign rdata_o = rdata[read_port];

  `define AXI_LITE(name, port, addr_w) \
    .s_axil_``name``_awvalid(wvalid[port]), .s_axil_``name``_awaddr(awaddr_i[addr_w-1:0]), \
    .s_axil_``name``_awready(), \
    .s_axil_``name``_wvalid(wvalid[port]), .s_axil_``name``_wdata(wdata_i), \
    .s_axil_``name``_wstrb(4'hf), .s_axil_``name``_wready(wready[port]), \
    .s_axil_``name``_bvalid(bvalid[port]), .s_axil_``name``_bresp(), \
    .s_axil_``name``_bready(1'b1), \
    .s_axil_``name``_arvalid(arvalid[port]), .s_axil_``name``_araddr(araddr_i[addr_w-1:0]), \
    .s_axil_``name``_arready(arready[port]), \
    .s_axil_``name``_rvalid(rvalid[port]), .s_axil_``name``_rdata(rdata[port]), \
    .s_axil_``name``_rresp(), .s_axil_``name``_rready(1'b1)

  `define NO_STREAMS(name) \
    .s_axis_``name``_tvalid(1'b0), .s_axis_``name``_tready(), .s_axis_``name``_tdata('0), \
    .s_axis_``name``_tlast(1'b0), .s_axis_``name``_tid('0), .s_axis_``name``_tdest('0), \
    .s_axis_``name``_tuser('0), \
    .m_axis_``name``_tvalid(), .m_axis_``name``_tready(1'b1), .m_axis_``name``_tdata(), \
    .m_axis_``name``_tlast(), .m_axis_``name``_tid(), .m_axis_``name``_tdest(), \
    .m_axis_``name``_tuser()

  /* verilator lint_off PINCONNECTEMPTY */
  soc_mesh_flat network (
    .aclk(clk_i), .aresetn(rst_ni), .ready(), .irq(irq_o),
    `AXI_LITE(ctl, 4, 16),
    `AXI_LITE(0, 0, 14), `NO_STREAMS(0),
    `AXI_LITE(1, 1, 14), `NO_STREAMS(1),
    `AXI_LITE(2, 2, 14), `NO_STREAMS(2),
    `AXI_LITE(3, 3, 14), `NO_STREAMS(3)
  );
  /* verilator lint_on PINCONNECTEMPTY */

  `undef AXI_LITE
  `undef NO_STREAMS

endmodule

`default_nettype wire
