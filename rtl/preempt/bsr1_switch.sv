// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "muster_assert.svh"

// Switch I of the paper (Figure 7): crossbar I, (k+1) x (k+1), connects any input with the barrier
// unit or the padding generator with any input of crossbar II, (k+2) x k, so a barrier message may
// cut any data channel. docs/systems/preempting-switches.md; what is built of the crossbars is
// there too.
//
// A message that is served waits for at most 3 cycles with a credit (a traversing flit, the end of
// a spent cut, the padding request), 20 with one data channel, which may be guarded.
module bsr1_switch #(
  /// ports, 3 to 16
  parameter int unsigned Ports = 8,
  /// virtual channels, 2 to 4: of data, and the barrier channel
  parameter int unsigned Vcs = 2,
  /// flits in an input queue, 1 to 16
  parameter int unsigned Depth = 4,
  /// entries of the status table, 1 to 16
  parameter int unsigned Regs = 4,
  /// payload bits of a flit, 16 to 80
  parameter int unsigned FlitW = 16,
  /// bits of a group identifier that hosts may use, 4 to 8
  parameter int unsigned GidW = 8,
  /// entries of the routing table: nodes and switches of the network, 16 to 2048
  parameter int unsigned Dests = 2048,
  localparam int unsigned VcW = $clog2(Vcs),
  localparam int unsigned KindW = muster_pkg::KindW
) (
  input  wire logic                         clk_i,
  input  wire logic                         rst_ni,

  /// links in: a flit of port p on virtual channel rx_vc_i[p]; never without a credit
  input  wire logic [Ports-1:0]             rx_valid_i,
  input  wire logic [Ports-1:0][VcW-1:0]    rx_vc_i,
  input  wire logic [Ports-1:0][KindW-1:0]  rx_kind_i,
  input  wire logic [Ports-1:0][FlitW-1:0]  rx_payload_i,
  output logic [Ports-1:0][Vcs-1:0]         rx_credit_o,

  /// links out; tie tx_credit_i of an open port to 0
  output logic [Ports-1:0]                  tx_valid_o,
  output logic [Ports-1:0][VcW-1:0]         tx_vc_o,
  output logic [Ports-1:0][KindW-1:0]       tx_kind_o,
  output logic [Ports-1:0][FlitW-1:0]       tx_payload_o,
  input  wire logic [Ports-1:0][Vcs-1:0]    tx_credit_i,

  /// register port; a read is answered in the same cycle
  input  wire logic                         reg_valid_i,
  input  wire logic                         reg_write_i,
  input  wire logic [11:0]                  reg_addr_i,
  input  wire logic [31:0]                  reg_wdata_i,
  output logic [31:0]                       reg_rdata_o,

  /// a clock with idle inputs would change nothing: the condition of a clock gate
  output logic                              quiescent_o
);
  localparam int unsigned Channels = Vcs - 1;  // of data

  // Usable without credit as well.
  /* verilator lint_off UNUSEDSIGNAL */
  logic [Ports-1:0][Channels-1:0] credited;
  /* verilator lint_on UNUSEDSIGNAL */
  logic [Ports-1:0][Channels-1:0] usable;
  logic [15:0] longest_wait;

  preempt_switch #(
    .Kind(muster_pkg::KindBsr1Switch),
    .Ports(Ports),
    .Vcs(Vcs),
    .Depth(Depth),
    .Regs(Regs),
    .FlitW(FlitW),
    .GidW(GidW),
    .Dests(Dests)
  ) shared (
    .clk_i,
    .rst_ni,
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
    .credited_o(credited),
    .usable_i(usable),
    .longest_wait_o(longest_wait),
    .quiescent_o
  );

  // Any data channel may be taken or cut, whether its flits move or not.
  assign usable = '1;

  localparam logic [15:0] LongestWait = (Channels > 1) ? 16'd3 : 16'd20;
  `MUSTER_ASSERT(WaitIsBounded_A, longest_wait <= LongestWait)

endmodule

`default_nettype wire
