// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "muster_assert.svh"

// What the three preempting switches share: all but the answer to which data channels of an output
// may be taken or cut for a barrier message. docs/systems/preempting-switches.md is the
// specification.
//
// Packets go through queues, allocation and crossbar like those of every switch. Barrier messages,
// in the last virtual channel, go to message buffers, are applied to the status table, and leave
// by preempt_output, in the place of a data channel that is free or cut for them: flits of
// messages, padding requests and ends are multiplexed behind the crossbar.
//
// credited_o says which data channels have a credit; usable_i which of an output may be taken or
// cut. usable_i is a constant, or credited_o, or a part of that.
module preempt_switch #(
  /// kind of switch in the identity word, a constant of muster_pkg
  parameter logic [7:0] Kind = muster_pkg::KindBsr1Switch,
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
  localparam int unsigned Channels = Vcs - 1,
  localparam int unsigned VcW = $clog2(Vcs),
  localparam int unsigned KindW = muster_pkg::KindW
) (
  input  wire logic                           clk_i,
  input  wire logic                           rst_ni,

  /// links in: a flit of port p on virtual channel rx_vc_i[p]; never without a credit
  input  wire logic [Ports-1:0]               rx_valid_i,
  input  wire logic [Ports-1:0][VcW-1:0]      rx_vc_i,
  input  wire logic [Ports-1:0][KindW-1:0]    rx_kind_i,
  input  wire logic [Ports-1:0][FlitW-1:0]    rx_payload_i,
  output logic [Ports-1:0][Vcs-1:0]           rx_credit_o,

  /// links out; tie tx_credit_i of an open port to 0
  output logic [Ports-1:0]                    tx_valid_o,
  output logic [Ports-1:0][VcW-1:0]           tx_vc_o,
  output logic [Ports-1:0][KindW-1:0]         tx_kind_o,
  output logic [Ports-1:0][FlitW-1:0]         tx_payload_o,
  input  wire logic [Ports-1:0][Vcs-1:0]      tx_credit_i,

  /// register port; a read is answered in the same cycle
  input  wire logic                           reg_valid_i,
  input  wire logic                           reg_write_i,
  input  wire logic [11:0]                    reg_addr_i,
  input  wire logic [31:0]                    reg_wdata_i,
  output logic [31:0]                         reg_rdata_o,

  /// data channels with a credit; those that may be taken or cut
  output logic [Ports-1:0][Channels-1:0]      credited_o,
  input  wire logic [Ports-1:0][Channels-1:0] usable_i,
  /// the longest wait of a message so far, in cycles with a credit: "Bounded waits"
  output logic [15:0]                         longest_wait_o,

  /// a clock with idle inputs would change nothing: the condition of a clock gate
  output logic                                quiescent_o
);
  if (Vcs < 2 || Vcs > 4) begin : gen_bad_vcs
    $error("preempt_switch: Vcs must be 2 to 4");
  end

  localparam int unsigned Queues = Ports * Vcs;
  localparam int unsigned RouteW = $clog2(Dests);
  localparam int unsigned DestW = muster_pkg::DestW;
  localparam int unsigned WordW = muster_pkg::BsrFlitW;
  localparam int unsigned Width = FlitW + KindW + VcW;

  // ---- Register port --------------------------------------------------------------------------
  logic [DestW-1:0] address;
  logic [Ports-1:0] hold, route_mask, requests, malformed;
  logic unpadded, at_random, route_write, entry_write;
  logic [7:0] idle, gap;
  logic [15:0] longest;
  logic [3:0] draw;
  logic [Queues-1:0] unroutable, packet_unroutable;
  logic [RouteW-1:0] route_addr;
  logic [8:0] entry_addr;
  logic [31:0] entry_word;
  logic [2:0][Ports-1:0] dropped;

  preempt_registers #(
    .Kind(Kind),
    .Ports(Ports),
    .Vcs(Vcs),
    .Depth(Depth),
    .Regs(Regs),
    .FlitW(FlitW),
    .GidW(GidW),
    .Dests(Dests)
  ) registers (
    .clk_i,
    .rst_ni,
    .reg_valid_i,
    .reg_write_i,
    .reg_addr_i,
    .reg_wdata_i,
    .reg_rdata_o,
    .address_o(address),
    .hold_o(hold),
    .unpadded_o(unpadded),
    .random_o(at_random),
    .idle_o(idle),
    .gap_o(gap),
    .longest_o(longest),
    .draw_o(draw),
    .used_i(at_random && requests != '0),
    .unroutable_i(unroutable),
    .route_write_o(route_write),
    .route_addr_o(route_addr),
    .route_mask_o(route_mask),
    .entry_write_o(entry_write),
    .entry_addr_o(entry_addr),
    .entry_word_i(entry_word),
    .dropped_i({dropped, malformed}),
    .longest_wait_i(longest_wait_o)
  );

  // ---- Input side, messages -------------------------------------------------------------------
  logic [Queues-1:0] tail, request, owner, taken;
  logic [Queues-1:0][KindW-1:0] kind;
  logic [Queues-1:0][FlitW-1:0] payload;
  logic [Queues-1:0][Ports-1:0] want;
  logic [Ports-1:0] filling, begins, push, origin_mask;
  logic [Ports-1:0][WordW-1:0] flit_in;
  logic [Ports-1:0][Ports-1:0] mask;
  logic origin_read, inputs_idle, unit_idle, outputs_idle;
  logic [DestW-1:0] origin_dest;

  preempt_inputs #(
    .Ports(Ports),
    .Vcs(Vcs),
    .Depth(Depth),
    .FlitW(FlitW),
    .Dests(Dests)
  ) inputs (
    .clk_i,
    .rst_ni,
    .rx_valid_i,
    .rx_vc_i,
    .rx_kind_i,
    .rx_payload_i,
    .rx_credit_o,
    .unpadded_i(unpadded),
    .route_write_i(route_write),
    .route_addr_i(route_addr),
    .route_mask_i(route_mask),
    .origin_read_i(origin_read),
    .origin_dest_i(origin_dest),
    .origin_mask_o(origin_mask),
    .filling_i(filling),
    .begins_i(begins),
    .push_o(push),
    .flit_o(flit_in),
    .mask_o(mask),
    .tail_o(tail),
    .kind_o(kind),
    .payload_o(payload),
    .request_o(request),
    .want_o(want),
    .owner_o(owner),
    .taken_i(taken),
    .unroutable_o(packet_unroutable),
    .malformed_o(malformed),
    .idle_o(inputs_idle)
  );

  logic [Ports-1:0] may_open, may_cut, flit_goes, last;
  logic [Ports-1:0][Ports:0] ask, served;
  logic [Ports-1:0][WordW-1:0] next;
  logic [1:0] message_unroutable;

  bsr_unit #(
    .Ports(Ports),
    .Regs(Regs)
  ) unit (
    .clk_i,
    .rst_ni,
    .address_i(address),
    .write_i(entry_write),
    .addr_i(entry_addr),
    .wdata_i(reg_wdata_i),
    .word_o(entry_word),
    .filling_o(filling),
    .begins_o(begins),
    .push_i(push),
    .flit_i(flit_in),
    .mask_i(mask),
    .route_read_o(origin_read),
    .route_dest_o(origin_dest),
    .route_mask_i(origin_mask),
    .open_i(may_open),
    .cuttable_i(may_cut),
    .ask_o(ask),
    .served_i(served),
    .sent_i(flit_goes),
    .next_o(next),
    .last_o(last),
    .drop_o(dropped),
    .unroutable_o(message_unroutable),
    .idle_o(unit_idle)
  );

  // No packet ends in a queue of the barrier channel: the bits of the first two tell of messages.
  always_comb begin
    unroutable = packet_unroutable;
    unroutable[Channels] = message_unroutable[0];
    unroutable[Vcs+Channels] = message_unroutable[1];
  end

  // ---- Allocation and traversal ---------------------------------------------------------------
  logic [Vcs-1:0][Ports-1:0] open, closed, allocated, owned;
  logic [Ports-1:0] busy;
  logic [Ports-1:0][Width-1:0] crossing;

  switch_fabric #(
    .Ports(Ports),
    .Vcs(Vcs),
    .FlitW(FlitW)
  ) fabric (
    .clk_i,
    .rst_ni,
    .tail_i(tail),
    .kind_i(kind),
    .payload_i(payload),
    .request_i(request),
    .want_i(want),
    .owner_i(owner),
    .taken_o(taken),
    .open_i(open),
    .closed_i(closed),
    .allocated_o(allocated),
    .owned_o(owned),
    .busy_o(busy),
    .flit_o(crossing)
  );

  // ---- Outputs --------------------------------------------------------------------------------
  preempt_outputs #(
    .Ports(Ports),
    .Vcs(Vcs),
    .Depth(Depth),
    .FlitW(FlitW)
  ) outputs (
    .clk_i,
    .rst_ni,
    .idle_i(idle),
    .gap_i(gap),
    .longest_i(longest),
    .random_i(at_random),
    .draw_i(draw),
    .hold_i(hold),
    .busy_i(busy),
    .crossing_i(crossing),
    .allocated_i(allocated),
    .owned_i(owned),
    .open_o(open),
    .closed_o(closed),
    .credited_o,
    .usable_i,
    .may_open_o(may_open),
    .may_cut_o(may_cut),
    .ask_i(ask),
    .served_o(served),
    .next_i(next),
    .last_i(last),
    .sent_o(flit_goes),
    .request_o(requests),
    .longest_wait_o,
    .tx_valid_o,
    .tx_vc_o,
    .tx_kind_o,
    .tx_payload_o,
    .tx_credit_i,
    .idle_o(outputs_idle)
  );

  assign quiescent_o = inputs_idle && unit_idle && outputs_idle && (rx_credit_o == '0);

  logic still_q;  // was quiescent in the cycle before, and nothing came
  always_ff @(posedge clk_i) begin
    still_q <= rst_ni && quiescent_o && (rx_valid_i == '0) && (tx_credit_i == '0) &&
               !(reg_valid_i && reg_write_i);
  end
  `MUSTER_ASSERT(QuiescentStays_A, !still_q || quiescent_o)

endmodule

`default_nettype wire
