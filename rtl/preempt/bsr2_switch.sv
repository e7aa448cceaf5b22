// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "muster_assert.svh"

// Switch II of the paper (Figure 9): a 2 x 2 crossbar is in front of virtual channel 0 of each
// link, so a barrier message may cut only that channel. docs/systems/preempting-switches.md.
//
// A message that is served, and has room in the neighbour's barrier buffer, waits for at most 20
// cycles: a traversing flit, the end of a spent cut, 16 cycles in which the channel is guarded with
// one more flit, the padding request. Without another channel it waits for at most 19.
module bsr2_switch #(
  /// ports, 3 to 16
  parameter int unsigned Ports = 8,
  /// virtual channels, 1 to 3
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

  logic [Ports-1:0] buffer_valid, unit_valid, unit_first, malformed;
  logic [Ports-1:0][WordW-1:0] word;
  logic [Ports-1:0][Vcs-1:0] pads;
  logic [15:0] longest_wait;
  // Only data and pads come to the input buffers, and what is usable needs no credits.
  /* verilator lint_off UNUSEDSIGNAL */
  logic [Ports-1:0][Vcs-1:0] sync, data_taken, credited, ample;
  logic [Ports-1:0][Vcs-1:0][KindW-1:0] sync_kind;
  logic [Ports-1:0][Vcs-1:0][WordW-1:0] sync_word;
  /* verilator lint_on UNUSEDSIGNAL */
  logic [Ports-1:0][Vcs-1:0] first_channel;

  for (genvar i = 0; i < Ports; i++) begin : gen_word
    assign word[i] = rx_payload_i[i][WordW-1:0];
    assign unit_first[i] = rx_kind_i[i] == muster_pkg::KindFirst;
  end

  for (genvar i = 0; i < Ports; i++) begin : gen_front
    logic pads_first;
    crossbar_2x2 #(
      .Vcs(Vcs)
    ) front (
      .clk_i,
      .rst_ni,
      .rx_valid_i(rx_valid_i[i]),
      .rx_vc_i(rx_vc_i[i]),
      .rx_kind_i(rx_kind_i[i]),
      .rx_word_i(word[i]),
      .buffer_valid_o(buffer_valid[i]),
      .unit_valid_o(unit_valid[i]),
      .pads_o(pads_first),
      .malformed_o(malformed[i])
    );
    assign pads[i] = Vcs'(pads_first);
    assign first_channel[i] = Vcs'(1);
  end

  preempt_switch #(
    .Kind(muster_pkg::KindBsr2Switch),
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
    .rx_valid_i(buffer_valid),
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
    .sync_pop_i('0),
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
    .usable_i(first_channel),
    .ample_i('1),
    .payable_i('1),
    .spends_i(1'b0),
    .longest_wait_o(longest_wait),
    .quiescent_o
  );

  `MUSTER_ASSERT(WaitIsBounded_A, longest_wait <= (Vcs > 1 ? 16'd20 : 16'd19))
  `MUSTER_ASSERT(BuffersHoldData_A, sync == '0)

endmodule

`default_nettype wire
