// SPDX-License-Identifier: Apache-2.0
`default_nettype none

// A line of three barrier switches of 4 ports, with Guard. Nodes 2s and 2s + 1 are on ports 0 and 1
// of switch s; port 2 leads to the switch before it and port 3 to the one behind it:
//
//   node 0 ─ 0 ┌──────────┐ 3     2 ┌──────────┐ 3     2 ┌──────────┐ 0 ─ node 4
//   node 1 ─ 1 │ switch 0 ├─────────┤ switch 1 ├─────────┤ switch 2 │ 1 ─ node 5
//              └──────────┘         └─0──────1─┘         └──────────┘
//                                 node 2  node 3
//
// The links are wires: a switch drives its outputs from registers, so L is 1.
module line_of_switches #(
  localparam int unsigned Switches = 3,
  localparam int unsigned Nodes = 2 * Switches,
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

  /// register ports of the switches: bit s of valid is for switch s
  input  wire logic [Switches-1:0]         reg_valid_i,
  input  wire logic                        reg_write_i,
  input  wire logic [AddrW-1:0]            reg_addr_i,
  input  wire logic [31:0]                 reg_wdata_i,
  output logic [Switches-1:0][31:0]        reg_rdata_o
);
  // What leaves switch s to the right and to the left; before the first and behind the last one
  // there is nothing.
  logic [Switches:0] right_valid, right_credit, left_valid, left_credit;
  logic [Switches:0][KindW-1:0] right_kind, left_kind;
  logic [Switches:0][FlitW-1:0] right_payload, left_payload;
  assign {right_valid[0], right_credit[0], right_kind[0], right_payload[0]} = '0;
  assign {left_valid[Switches], left_credit[Switches], left_kind[Switches],
          left_payload[Switches]} = '0;
  // Those of the ports that lead nowhere.
  /* verilator lint_off UNUSEDSIGNAL */
  logic unused;
  assign unused = &{right_valid[Switches], right_credit[Switches], right_kind[Switches],
                    right_payload[Switches], left_valid[0], left_credit[0], left_kind[0],
                    left_payload[0]};
  /* verilator lint_on UNUSEDSIGNAL */

  for (genvar s = 0; s < Switches; s++) begin : gen_switch
    // What this design has no use for stays open; its nodes keep the number of flits below Depth.
    /* verilator lint_off PINCONNECTEMPTY */
    /* verilator lint_off UNUSEDSIGNAL */
    logic [1:0] node_credit;
    /* verilator lint_on UNUSEDSIGNAL */
    barrier_switch #(
      .Ports(4), .Vcs(1), .Depth(4), .Regs(2), .FlitW(FlitW), .Dests(16), .Guard(1)
    ) node_switch (
      .clk_i, .rst_ni,
      .rx_valid_i({left_valid[s+1], right_valid[s], node_valid_i[2*s+:2]}),
      .rx_vc_i('0),
      .rx_kind_i({left_kind[s+1], right_kind[s], node_kind_i[2*s+:2]}),
      .rx_payload_i({left_payload[s+1], right_payload[s], node_payload_i[2*s+:2]}),
      .rx_credit_o({right_credit[s+1], left_credit[s], node_credit}),
      .tx_valid_o({right_valid[s+1], left_valid[s], node_valid_o[2*s+:2]}),
      .tx_vc_o(),
      .tx_kind_o({right_kind[s+1], left_kind[s], node_kind_o[2*s+:2]}),
      .tx_payload_o({right_payload[s+1], left_payload[s], node_payload_o[2*s+:2]}),
      .tx_credit_i({left_credit[s+1], right_credit[s], node_credit_i[2*s+:2]}),
      .reg_valid_i(reg_valid_i[s]), .reg_write_i, .reg_addr_i, .reg_wdata_i,
      .reg_rdata_o(reg_rdata_o[s]),
      .irq_o(), .quiescent_o()
    );
    /* verilator lint_on PINCONNECTEMPTY */
  end

endmodule

`default_nettype wire
