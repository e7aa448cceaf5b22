// SPDX-License-Identifier: Apache-2.0
`default_nettype none

// quiescent_o of nic_engine, for scripts/prove: `still` names the cycles in which nothing at all
// may change. Not in reset, no flit, no credit, no write on the register port; a read, and a host
// that is ready for an event, change nothing.
module nic_engine_quiet #(
  parameter int unsigned Contexts = 1,
  parameter int unsigned Steps = 2,
  parameter int unsigned Conns = 1,
  parameter int unsigned Records = 1,
  parameter int unsigned SeqW = 2,
  parameter int unsigned Vcs = 1,
  parameter int unsigned Depth = 1,
  localparam int unsigned VcW = (Vcs > 1) ? $clog2(Vcs) : 1
) (
  input  wire logic            clk_i,
  input  wire logic            rx_valid_i,
  input  wire logic [VcW-1:0]  rx_vc_i,
  input  wire logic [2:0]      rx_kind_i,
  input  wire logic [15:0]     rx_payload_i,
  input  wire logic [Vcs-1:0]  tx_credit_i,
  input  wire logic            reg_valid_i,
  input  wire logic            reg_write_i,
  input  wire logic [11:0]     reg_addr_i,
  input  wire logic [31:0]     reg_wdata_i,
  input  wire logic            event_ready_i,
  // All outputs, so that what can only be seen there is kept.
  output logic [Vcs-1:0]       rx_credit_o,
  output logic                 tx_valid_o,
  output logic [VcW-1:0]       tx_vc_o,
  output logic [2:0]           tx_kind_o,
  output logic [15:0]          tx_payload_o,
  output logic [31:0]          reg_rdata_o,
  output logic                 event_valid_o,
  output logic [31:0]          event_o,
  output logic                 quiescent,
  output logic                 still
);
  nic_engine #(
    .Contexts(Contexts),
    .Steps(Steps),
    .Conns(Conns),
    .Records(Records),
    .SeqW(SeqW),
    .Vcs(Vcs),
    .Depth(Depth)
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
    .event_valid_o,
    .event_o,
    .event_ready_i,
    .quiescent_o(quiescent)
  );

  assign still = quiescent && !rx_valid_i && (tx_credit_i == '0) && !(reg_valid_i && reg_write_i);

endmodule

`default_nettype wire
