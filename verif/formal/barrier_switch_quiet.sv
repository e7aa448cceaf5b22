// SPDX-License-Identifier: Apache-2.0
`default_nettype none

// quiescent_o of barrier_switch, for scripts/prove: `still` names the cycles in which nothing at
// all may change. Not in reset, idle links, no write on the register port; a read may stand there.
module barrier_switch_quiet #(
  parameter int unsigned Ports = 3,
  parameter int unsigned Vcs = 1,
  parameter int unsigned Depth = 1,
  parameter int unsigned Regs = 1,
  parameter int unsigned FlitW = 16,
  parameter int unsigned GidW = 4,
  parameter int unsigned Dests = 16,
  parameter int unsigned Serial = 0,
  localparam int unsigned VcW = (Vcs > 1) ? $clog2(Vcs) : 1,
  localparam int unsigned KindW = muster_pkg::KindW
) (
  input  wire logic                         clk_i,
  input  wire logic [Ports-1:0]             rx_valid_i,
  input  wire logic [Ports-1:0][VcW-1:0]    rx_vc_i,
  input  wire logic [Ports-1:0][KindW-1:0]  rx_kind_i,
  input  wire logic [Ports-1:0][FlitW-1:0]  rx_payload_i,
  input  wire logic [Ports-1:0][Vcs-1:0]    tx_credit_i,
  input  wire logic                         reg_valid_i,
  input  wire logic                         reg_write_i,
  input  wire logic [11:0]                  reg_addr_i,
  input  wire logic [31:0]                  reg_wdata_i,
  // All outputs, so that what can only be seen there is kept.
  output logic [Ports-1:0][Vcs-1:0]         rx_credit_o,
  output logic [Ports-1:0]                  tx_valid_o,
  output logic [Ports-1:0][VcW-1:0]         tx_vc_o,
  output logic [Ports-1:0][KindW-1:0]       tx_kind_o,
  output logic [Ports-1:0][FlitW-1:0]       tx_payload_o,
  output logic [31:0]                       reg_rdata_o,
  output logic                              quiescent,
  output logic                              still
);
  barrier_switch #(
    .Ports(Ports),
    .Vcs(Vcs),
    .Depth(Depth),
    .Regs(Regs),
    .FlitW(FlitW),
    .GidW(GidW),
    .Dests(Dests),
    .Serial(Serial)
  ) dut (
    .clk_i,
    .rst_ni(1'b1),
    .rx_valid_i,
    .rx_vc_i,
    .rx_kind_i,
    .rx_payload_i,
    .rx_credit_o,
    .tx_valid_o,
    .tx_vc_o,
    .tx_kind_o,
    .tx_payload_o,
    .tx_credit_i,
    .reg_valid_i,
    .reg_write_i,
    .reg_addr_i,
    .reg_wdata_i,
    .reg_rdata_o,
    .quiescent_o(quiescent)
  );

  assign still = quiescent && (rx_valid_i == '0) && (tx_credit_i == '0) &&
                 !(reg_valid_i && reg_write_i);

endmodule

`default_nettype wire
