// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "muster_assert.svh"

// The three preempting switches of the paper, docs/systems/preempting-switches.md. They differ in
// what is in front of the input buffers, and so in the channels that a message may cut:
//
//   Architecture  in front of the buffers                   cuts
//   1, Figure 7   crossbar I                                any virtual channel
//   2, Figure 9   a 2 x 2 crossbar on channel 0 of a link   channel 0
//   3, Figure 10  nothing; flits other than data wait in    any channel whose flits advance: one
//                 the queue of their channel                with a credit
//
// A message that is served, and has room in the neighbour's barrier buffer, waits in switch 1 for
// at most 3 cycles: a traversing flit, the end of a spent cut, the padding request. In switch 2 it
// waits for at most 20: also 16 cycles in which the channel is guarded with one more flit. With one
// channel, which may be guarded, both wait for at most 19. In switch 3 the wait has no bound.
module muster_bsr_switch #(
  /// switch of the paper, 1 to 3
  parameter int unsigned Architecture = 1,
  /// ports, 3 to 16
  parameter int unsigned Ports = 8,
  /// virtual channels, 1 to 3
  parameter int unsigned Vcs = 2,
  /// flits in an input queue, 1 to 16. Requires Architecture < 3 || Depth >= 3
  parameter int unsigned Depth = 4,
  /// entries of the status table, 1 to 16
  parameter int unsigned Regs = 4,
  /// payload bits of a flit, 16 to 80
  parameter int unsigned FlitW = 16,
  /// bits of a group identifier that hosts may use, 4 to 8
  parameter int unsigned GidW = 8,
  /// entries of the routing table: nodes and switches of the network, 16 to 2048
  parameter int unsigned Dests = 2048,
  /// counts of each port, and an interrupt for what is dropped; 0 to 1
  parameter int unsigned Counters = 0,
  /// barrier buffers of a port, and of the origin, beyond the first, 0 to 7
  parameter int unsigned Spares = 0,
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

  /// with Counters what the host has not masked, else 0
  output logic                              irq_o,
  /// a clock with idle inputs would change nothing: the condition of a clock gate
  output logic                              quiescent_o
);
  localparam int unsigned WordW = muster_pkg::bsr_word_w(FlitW);
  localparam int unsigned LinkW = muster_pkg::BsrFlitW;

  `MUSTER_RANGE(Architecture, 1, 3)
  // A message has room in one queue.
  `MUSTER_REFUSE(depth, Architecture == 3 && Depth < 3, "Depth must be 3 to 16 with Architecture 3")

  logic [Ports-1:0] buffer_valid, unit_valid, unit_first, malformed;
  logic [Ports-1:0][WordW-1:0] word;
  logic [Ports-1:0][Vcs-1:0] pads, sync_pop, usable, enough, payable;
  // Switches 1 and 2 have only data and pads in the input buffers, and do not look at credits. The
  // wait of switch 3 has no bound.
  /* verilator lint_off UNUSEDSIGNAL */
  logic [Ports-1:0][Vcs-1:0] sync, data_taken, credited, ample;
  logic [Ports-1:0][Vcs-1:0][KindW-1:0] sync_kind;
  logic [Ports-1:0][Vcs-1:0][WordW-1:0] sync_word;
  logic [15:0] longest_wait;
  logic [Ports-1:0][LinkW-1:0] link_word;  // what a padding request or end has in its flit
  /* verilator lint_on UNUSEDSIGNAL */

  for (genvar i = 0; i < Ports; i++) begin : gen_link
    assign link_word[i] = rx_payload_i[i][LinkW-1:0];
  end

  if (Architecture == 3) begin : gen_heads
    assign buffer_valid = rx_valid_i;
    assign usable = credited;
    assign enough = ample;
    assign payable = credited;
    for (genvar i = 0; i < Ports; i++) begin : gen_port
      muster_queue_heads #(
        .Vcs(Vcs),
        .WordW(WordW)
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
  end else begin : gen_crossbar
    assign sync_pop = '0;
    assign enough = '1;
    assign payable = '1;
    for (genvar i = 0; i < Ports; i++) begin : gen_word
      assign word[i] = rx_payload_i[i][WordW-1:0];
      assign unit_first[i] = rx_kind_i[i] == muster_pkg::KindFirst;
    end
    if (Architecture == 1) begin : gen_all
      assign usable = '1;
      muster_crossbar_1 #(
        .Ports(Ports),
        .Vcs(Vcs)
      ) front (
        .clk_i,
        .rst_ni,
        .rx_valid_i,
        .rx_vc_i,
        .rx_kind_i,
        .rx_word_i(link_word),
        .buffer_valid_o(buffer_valid),
        .unit_valid_o(unit_valid),
        .pads_o(pads),
        .malformed_o(malformed)
      );
    end else begin : gen_first
      for (genvar i = 0; i < Ports; i++) begin : gen_port
        logic pads_first;
        muster_crossbar_2x2 #(
          .Vcs(Vcs)
        ) front (
          .clk_i,
          .rst_ni,
          .rx_valid_i(rx_valid_i[i]),
          .rx_vc_i(rx_vc_i[i]),
          .rx_kind_i(rx_kind_i[i]),
          .rx_word_i(link_word[i]),
          .buffer_valid_o(buffer_valid[i]),
          .unit_valid_o(unit_valid[i]),
          .pads_o(pads_first),
          .malformed_o(malformed[i])
        );
        assign pads[i] = Vcs'(pads_first);
        assign usable[i] = Vcs'(1);
      end
    end

    `MUSTER_ASSERT(WaitIsBounded_A,
                   longest_wait <= ((Vcs == 1) ? 16'd19 : (Architecture == 1) ? 16'd3 : 16'd20))
    `MUSTER_ASSERT(BuffersHoldData_A, sync == '0)
  end

  muster_preempt_switch #(
    .Kind(muster_pkg::KindBsr1Switch + 8'(Architecture - 1)),
    .Ports(Ports),
    .Vcs(Vcs),
    .Depth(Depth),
    .Regs(Regs),
    .FlitW(FlitW),
    .GidW(GidW),
    .Dests(Dests),
    .Counters(Counters),
    .Spares(Spares)
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
    .usable_i(usable),
    .ample_i(enough),
    .payable_i(payable),
    .spends_i(Architecture == 3),
    .longest_wait_o(longest_wait),
    .irq_o,
    .quiescent_o
  );

endmodule

`default_nettype wire
