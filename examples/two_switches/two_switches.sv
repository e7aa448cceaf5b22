// SPDX-License-Identifier: Apache-2.0
`default_nettype none

// Two barrier switches of 3 ports. Nodes 0 and 1 are on ports 0 and 1 of switch 0, nodes 2 and 3 on
// those of switch 1; port 2 of each leads to the other switch:
//
//   node 0 ─ 0 ┌──────────┐ 2     2 ┌──────────┐ 0 ─ node 2
//   node 1 ─ 1 │ switch 0 ├─────────┤ switch 1 │ 1 ─ node 3
//              └──────────┘         └──────────┘
//
// The links are wires: a switch drives its outputs from registers, so L is 1.
module two_switches #(
  localparam int unsigned Nodes = 4,
  localparam int unsigned FlitW = 16,
  localparam int unsigned KindW = muster_pkg::KindW,
  localparam int unsigned AddrW = muster_pkg::RegAddrW
) (
  input  wire logic                        clk_i,
  input  wire logic                        rst_ni,

  /// what node n sends: a flit, and a credit for each flit that it has taken
  input  wire logic [Nodes-1:0]            node_valid_i,
  input  wire logic [Nodes-1:0][KindW-1:0] node_kind_i,
  input  wire logic [Nodes-1:0][FlitW-1:0] node_payload_i,
  input  wire logic [Nodes-1:0]            node_credit_i,

  /// what node n receives
  output logic [Nodes-1:0]                 node_valid_o,
  output logic [Nodes-1:0][KindW-1:0]      node_kind_o,
  output logic [Nodes-1:0][FlitW-1:0]      node_payload_o,
  output logic [Nodes-1:0]                 node_credit_o,

  /// register ports of the switches: bit s of valid is for switch s
  input  wire logic [1:0]                  reg_valid_i,
  input  wire logic                        reg_write_i,
  input  wire logic [AddrW-1:0]            reg_addr_i,
  input  wire logic [31:0]                 reg_wdata_i,
  output logic [1:0][31:0]                 reg_rdata_o
);
  // Of the ports 2, by switch.
  logic [1:0] link_valid, link_credit;
  logic [1:0][KindW-1:0] link_kind;
  logic [1:0][FlitW-1:0] link_payload;

  for (genvar s = 0; s < 2; s++) begin : gen_switch
    localparam int unsigned Other = 1 - s;

    // What this design has no use for stays open.
    /* verilator lint_off PINCONNECTEMPTY */
    muster_barrier_switch #(
      .Ports(3), .Vcs(1), .Depth(4), .Regs(2), .FlitW(FlitW), .Dests(16)
    ) node_switch (
      .clk_i, .rst_ni,
      .rx_valid_i({link_valid[Other], node_valid_i[2*s+:2]}),
      .rx_vc_i('0),
      .rx_kind_i({link_kind[Other], node_kind_i[2*s+:2]}),
      .rx_payload_i({link_payload[Other], node_payload_i[2*s+:2]}),
      .rx_credit_o({link_credit[s], node_credit_o[2*s+:2]}),
      .tx_valid_o({link_valid[s], node_valid_o[2*s+:2]}),
      .tx_vc_o(),
      .tx_kind_o({link_kind[s], node_kind_o[2*s+:2]}),
      .tx_payload_o({link_payload[s], node_payload_o[2*s+:2]}),
      .tx_credit_i({link_credit[Other], node_credit_i[2*s+:2]}),
      .reg_valid_i(reg_valid_i[s]), .reg_write_i, .reg_addr_i, .reg_wdata_i,
      .reg_rdata_o(reg_rdata_o[s]),
      .irq_o(), .quiescent_o()
    );
    /* verilator lint_on PINCONNECTEMPTY */
  end

endmodule

`default_nettype wire
