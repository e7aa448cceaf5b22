// SPDX-License-Identifier: Apache-2.0
`default_nettype none

// Switch III of the paper (Figure 10): the input buffers have no crossbar in front of them, so
// flits other than data wait in the queue of their channel. A barrier message may cut any channel
// whose flits advance: one with a credit. docs/systems/preempting-switches.md. Its wait has no
// bound.
module bsr3_switch #(
  /// ports, 3 to 16
  parameter int unsigned Ports = 8,
  /// virtual channels, 1 to 3
  parameter int unsigned Vcs = 2,
  /// flits in an input queue, 3 to 16
  parameter int unsigned Depth = 4,
  /// entries of the status table, 1 to 16
  parameter int unsigned Regs = 4,
  /// payload bits of a flit, 16 to 80
  parameter int unsigned FlitW = 16,
  /// bits of a group identifier that hosts may use, 4 to 8
  parameter int unsigned GidW = 8,
  /// entries of the routing table: nodes and switches of the network, 16 to 2048
  parameter int unsigned Dests = 2048,
  localparam int unsigned VcW = (Vcs > 1) ? $clog2(Vcs) : 1,
  localparam int unsigned KindW = muster_pkg::KindW
) (
  input  wire logic                         clk_i,
  input  wire logic                         rst_ni,

  /// links in: a flit of port p on virtual channel rx_vc_i[p]; never without a credit, bit v of a
  /// channel, bit Vcs of the barrier buffer
  input  wire logic [Ports-1:0]             rx_valid_i,
  input  wire logic [Ports-1:0][VcW-1:0]    rx_vc_i,
  input  wire logic [Ports-1:0][KindW-1:0]  rx_kind_i,
  input  wire logic [Ports-1:0][FlitW-1:0]  rx_payload_i,
  output logic [Ports-1:0][Vcs:0]           rx_credit_o,

  /// links out; tie tx_credit_i of an open port to 0
  output logic [Ports-1:0]                  tx_valid_o,
  output logic [Ports-1:0][VcW-1:0]         tx_vc_o,
  output logic [Ports-1:0][KindW-1:0]       tx_kind_o,
  output logic [Ports-1:0][FlitW-1:0]       tx_payload_o,
  input  wire logic [Ports-1:0][Vcs:0]      tx_credit_i,

  /// register port; a read is answered in the same cycle
  input  wire logic                         reg_valid_i,
  input  wire logic                         reg_write_i,
  input  wire logic [11:0]                  reg_addr_i,
  input  wire logic [31:0]                  reg_wdata_i,
  output logic [31:0]                       reg_rdata_o,

  /// a clock with idle inputs would change nothing: the condition of a clock gate
  output logic                              quiescent_o
);
  localparam int unsigned WordW = muster_pkg::BsrFlitW;

  // A message has room in one queue.
  if (Depth < 3 || Depth > 16) begin : gen_bad_depth
    $error("bsr3_switch: Depth must be 3 to 16");
  end

  logic [Ports-1:0] unit_valid, unit_first, malformed;
  logic [Ports-1:0][WordW-1:0] word;
  logic [Ports-1:0][Vcs-1:0] pads, sync, sync_pop, data_taken, credited, ample;
  logic [Ports-1:0][Vcs-1:0][KindW-1:0] sync_kind;
  logic [Ports-1:0][Vcs-1:0][WordW-1:0] sync_word;
  // It is in a register, and has no bound to be held against.
  /* verilator lint_off UNUSEDSIGNAL */
  logic [15:0] longest_wait;
  /* verilator lint_on UNUSEDSIGNAL */

  for (genvar i = 0; i < Ports; i++) begin : gen_front
    queue_heads #(
      .Vcs(Vcs)
    ) front (
      .clk_i,
      .rst_ni,
      .sync_i(sync[i]),
      .kind_i(sync_kind[i]),
      .word_i(sync_word[i]),
      .data_taken_i(data_taken[i]),
      .pop_o(sync_pop[i]),
      .unit_valid_o(unit_valid[i]),
      .unit_first_o(unit_first[i]),
      .unit_word_o(word[i]),
      .pads_o(pads[i]),
      .malformed_o(malformed[i])
    );
  end

  preempt_switch #(
    .Kind(muster_pkg::KindBsr3Switch),
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
    .rx_valid_i(rx_valid_i),
    .rx_vc_i,
    .rx_kind_i,
    .rx_payload_i,
    .rx_credit_o,
    .unit_valid_i(unit_valid),
    .unit_first_i(unit_first),
    .unit_word_i(word),
    .malformed_i(malformed),
    .pads_i(pads),
    .sync_o(sync),
    .sync_kind_o(sync_kind),
    .sync_word_o(sync_word),
    .sync_pop_i(sync_pop),
    .data_taken_o(data_taken),
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
    .ample_o(ample),
    .usable_i(credited),
    .ample_i(ample),
    .payable_i(credited),
    .spends_i(1'b1),
    .longest_wait_o(longest_wait),
    .quiescent_o
  );

endmodule

`default_nettype wire
