// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "muster_assert.svh"

// The common part of the three preempting switches, all behind the front of the input buffers: the
// buffers, the barrier unit, the padding generator, crossbar II and the outputs.
// docs/systems/preempting-switches.md is the specification.
//
// The front differs: crossbar I, the 2 x 2 crossbars or muster_queue_heads select what goes to an
// input buffer (rx_valid_i), what to the barrier unit (unit_valid_i), and the buffers to which the
// padding generator is connected (pads_i). credited_o and ample_o tell which channels have one
// credit, and three. usable_i, ample_i and payable_i tell which may be taken or cut, where a
// message may begin, and where a padding end may go: constants, or functions of the credits.
module muster_preempt_switch #(
  /// kind of switch in the identity word, a constant of muster_pkg
  parameter logic [7:0] Kind = muster_pkg::KindBsr1Switch,
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
  /// counts of each port, and an interrupt for what is dropped; 0 to 1
  parameter int unsigned Counters = 0,
  /// barrier buffers of a port, and of the origin, beyond the first, 0 to 7
  parameter int unsigned Spares = 0,
  localparam int unsigned VcW = (Vcs > 1) ? $clog2(Vcs) : 1,
  localparam int unsigned KindW = muster_pkg::KindW,
  localparam int unsigned WordW = muster_pkg::bsr_word_w(FlitW)
) (
  input  wire logic                               clk_i,
  input  wire logic                               rst_ni,

  /// data and pads from the links; credits of data, and in bit Vcs of the barrier buffer
  input  wire logic [Ports-1:0]                   rx_valid_i,
  input  wire logic [Ports-1:0][VcW-1:0]          rx_vc_i,
  input  wire logic [Ports-1:0][KindW-1:0]        rx_kind_i,
  input  wire logic [Ports-1:0][FlitW-1:0]        rx_payload_i,
  output logic [Ports-1:0][Vcs:0]                 rx_credit_o,
  /// flits of messages, the first of one; dropped in front of the buffers
  input  wire logic [Ports-1:0]                   unit_valid_i,
  input  wire logic [Ports-1:0]                   unit_first_i,
  input  wire logic [Ports-1:0][WordW-1:0]        unit_word_i,
  input  wire logic [Ports-1:0]                   malformed_i,
  /// the padding generator is connected to this buffer
  input  wire logic [Ports-1:0][Vcs-1:0]          pads_i,
  /// heads of the buffers: see muster_preempt_inputs
  output logic [Ports-1:0][Vcs-1:0]               sync_o,
  output logic [Ports-1:0][Vcs-1:0][KindW-1:0]    sync_kind_o,
  output logic [Ports-1:0][Vcs-1:0][WordW-1:0]    sync_word_o,
  input  wire logic [Ports-1:0][Vcs-1:0]          sync_pop_i,
  output logic [Ports-1:0][Vcs-1:0]               data_taken_o,

  /// links out; tie tx_credit_i of an open port to 0
  output logic [Ports-1:0]                        tx_valid_o,
  output logic [Ports-1:0][VcW-1:0]               tx_vc_o,
  output logic [Ports-1:0][KindW-1:0]             tx_kind_o,
  output logic [Ports-1:0][FlitW-1:0]             tx_payload_o,
  input  wire logic [Ports-1:0][Vcs:0]            tx_credit_i,

  /// register port; a read is answered in the same cycle
  input  wire logic                               reg_valid_i,
  input  wire logic                               reg_write_i,
  input  wire logic [11:0]                        reg_addr_i,
  input  wire logic [31:0]                        reg_wdata_i,
  output logic [31:0]                             reg_rdata_o,

  /// see muster_preempt_outputs
  output logic [Ports-1:0][Vcs-1:0]               credited_o,
  output logic [Ports-1:0][Vcs-1:0]               ample_o,
  input  wire logic [Ports-1:0][Vcs-1:0]          usable_i,
  input  wire logic [Ports-1:0][Vcs-1:0]          ample_i,
  input  wire logic [Ports-1:0][Vcs-1:0]          payable_i,
  input  wire logic                               spends_i,
  /// the longest wait of a message so far: "Bounded waits"
  output logic [15:0]                             longest_wait_o,

  /// with Counters what the host has not masked, else 0
  output logic                                    irq_o,
  /// a clock with idle inputs would change nothing: the condition of a clock gate
  output logic                                    quiescent_o
);
  localparam int unsigned Queues = Ports * Vcs;
  localparam int unsigned Buffers = Ports + Spares + 1;
  localparam int unsigned Drops = Queues + Buffers + 2;
  localparam int unsigned RouteW = $clog2(Dests);
  localparam int unsigned DestW = muster_pkg::DestW;
  localparam int unsigned Width = FlitW + KindW + VcW;
  // Switches 1 and 2 wait for at most 20 cycles.
  localparam int unsigned WaitW = (Kind == muster_pkg::KindBsr3Switch) ? 16 : 5;

  // ---- Register port --------------------------------------------------------------------------
  logic [DestW-1:0] address;
  logic [Ports-1:0] hold, shut, route_mask, requests, broken;
  logic unpadded, at_random, route_write, entry_write;
  logic [7:0] idle, gap;
  logic [15:0] longest;
  logic [3:0] draw;
  logic [Queues-1:0] packet_unroutable, headless;
  logic sweeping;
  logic [Buffers+1:0] message_unroutable;
  logic [RouteW-1:0] route_addr;
  logic [10:0] entry_addr;
  logic [31:0] entry_word;
  logic [2:0][Ports-1:0] dropped;
  logic [Ports-1:0] stalled;
  logic counts;

  muster_preempt_registers #(
    .Kind(Kind),
    .Ports(Ports),
    .Vcs(Vcs),
    .Depth(Depth),
    .Regs(Regs),
    .FlitW(FlitW),
    .GidW(GidW),
    .Dests(Dests),
    .Drops(Drops),
    .Counters(Counters)
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
    .shut_o(shut),
    .unpadded_o(unpadded),
    .random_o(at_random),
    .idle_o(idle),
    .gap_o(gap),
    .longest_o(longest),
    .draw_o(draw),
    .used_i(at_random && requests != '0),
    .unroutable_i({message_unroutable, packet_unroutable}),
    .headless_i(Drops'(headless)),
    .sweeping_i(sweeping),
    .route_write_o(route_write),
    .route_addr_o(route_addr),
    .route_mask_o(route_mask),
    .entry_write_o(entry_write),
    .entry_addr_o(entry_addr),
    .entry_word_i(entry_word),
    .dropped_i({dropped, malformed_i | broken}),
    .counts_o(counts),
    .longest_wait_i(longest_wait_o),
    .flit_i(tx_valid_o),
    .stall_i(stalled),
    .irq_o
  );

  // ---- Padding generator (section 3 of the paper) ---------------------------------------------
  // Its messages have fixed contents: padding request and end of each channel, flits of kind
  // KindControl, and a pad. It is row Ports of both crossbars: crossbar II takes the request or end
  // of a channel from it, crossbar I connects its pad to input buffers.
  logic [Vcs-1:0][muster_pkg::BsrFlitW-1:0] request_word, end_word;
  for (genvar v = 0; v < Vcs; v++) begin : gen_padding
    assign request_word[v] = {muster_pkg::PadRequest, 12'd0, 2'(v)};
    assign end_word[v] = {muster_pkg::PadEnd, 12'd0, 2'(v)};
  end

  // ---- Input buffers --------------------------------------------------------------------------

  logic [Queues-1:0] tail, request, owner, taken;
  logic [Queues-1:0][KindW-1:0] kind;
  logic [Queues-1:0][FlitW-1:0] payload;
  logic [Queues-1:0][Ports-1:0] want;
  logic [Ports-1:0][Vcs-1:0] data_credit;
  logic [Ports:0] message_read;
  logic [Ports:0][DestW-1:0] message_dest;
  logic [Ports:0][Ports-1:0] message_mask;
  logic inputs_idle, unit_idle, outputs_idle;

  muster_preempt_inputs #(
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
    .rx_credit_o(data_credit),
    .pads_i,
    .pad_i('0),
    .unpadded_i(unpadded),
    .sync_o,
    .sync_kind_o,
    .sync_word_o,
    .sync_pop_i,
    .data_taken_o,
    .route_write_i(route_write),
    .route_addr_i(route_addr),
    .route_mask_i(route_mask),
    .message_read_i(message_read),
    .message_dest_i(message_dest),
    .message_mask_o(message_mask),
    .tail_o(tail),
    .kind_o(kind),
    .payload_o(payload),
    .request_o(request),
    .want_o(want),
    .owner_o(owner),
    .taken_i(taken),
    .unroutable_o(packet_unroutable),
    .headless_o(headless),
    .sweeping_o(sweeping),
    .idle_o(inputs_idle)
  );

  // ---- Barrier unit ---------------------------------------------------------------------------
  logic [Ports-1:0] freed, freed_q, may_open, may_cut, is_long, is_single, unit_goes, first;
  logic [Ports-1:0][Buffers-1:0] ask, served;
  logic [Ports-1:0][WordW-1:0] next;

  muster_bsr_unit #(
    .Ports(Ports),
    .Regs(Regs),
    .WordW(WordW),
    .Spares(Spares)
  ) unit (
    .clk_i,
    .rst_ni,
    .address_i(address),
    .write_i(entry_write),
    .addr_i(entry_addr),
    .wdata_i(reg_wdata_i),
    .word_o(entry_word),
    .valid_i(unit_valid_i),
    .first_i(unit_first_i),
    .flit_i(unit_word_i),
    .read_o(message_read[Ports-1:0]),
    .dest_o(message_dest[Ports-1:0]),
    .mask_i(message_mask[Ports-1:0]),
    .malformed_o(broken),
    .freed_o(freed),
    .route_read_o(message_read[Ports]),
    .route_dest_o(message_dest[Ports]),
    .route_mask_i(message_mask[Ports]),
    .closed_i(shut),
    .open_i(may_open),
    .cuttable_i(may_cut),
    .ask_o(ask),
    .served_i(served),
    .sent_i(unit_goes),
    .next_o(next),
    .long_o(is_long),
    .single_o(is_single),
    .drop_o(dropped),
    .unroutable_o(message_unroutable),
    .idle_o(unit_idle)
  );

  always_ff @(posedge clk_i) begin
    if (!rst_ni) freed_q <= '0;
    else freed_q <= freed;
  end
  for (genvar i = 0; i < Ports; i++) begin : gen_port
    assign rx_credit_o[i] = {freed_q[i], data_credit[i]};
  end

  // ---- Crossbar II, outputs -------------------------------------------------------------------
  logic [Vcs-1:0][Ports-1:0] open, closed, allocated, owned;
  logic [Ports-1:0] held, busy, send, generator, ends;
  logic [Ports-1:0][1:0] channel;
  logic [Ports-1:0][Width-1:0] flit;

  muster_crossbar_2 #(
    .Ports(Ports),
    .Vcs(Vcs),
    .FlitW(FlitW)
  ) behind (
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
    .hold_i(held),
    .closed_i(closed),
    .allocated_o(allocated),
    .owned_o(owned),
    .request_word_i(request_word),
    .end_word_i(end_word),
    .generator_i(generator),
    .end_i(ends),
    .unit_word_i(next),
    .first_i(first),
    .unit_i(unit_goes),
    .channel_i(channel),
    .busy_o(busy),
    .send_o(send),
    .flit_o(flit)
  );

  always_comb begin
    stalled = '0;
    for (int unsigned q = 0; q < Queues; q++) stalled = stalled | (request[q] ? want[q] : '0);
    for (int unsigned v = 0; v < Vcs; v++) stalled = stalled & ~allocated[v];
  end

  muster_preempt_outputs #(
    .Ports(Ports),
    .Vcs(Vcs),
    .Depth(Depth),
    .FlitW(FlitW),
    .WaitW(WaitW),
    .Spares(Spares)
  ) outputs (
    .clk_i,
    .rst_ni,
    .idle_i(idle),
    .gap_i(gap),
    .longest_i(longest),
    .random_i(at_random),
    .draw_i(draw),
    .hold_i(hold),
    .shut_i(shut),
    .busy_i(busy),
    .send_i(send),
    .flit_i(flit),
    .allocated_i(allocated),
    .owned_i(owned),
    .open_o(open),
    .hold_o(held),
    .closed_o(closed),
    .generator_o(generator),
    .end_o(ends),
    .unit_o(unit_goes),
    .first_o(first),
    .channel_o(channel),
    .credited_o,
    .ample_o,
    .usable_i,
    .ample_i,
    .payable_i,
    .spends_i,
    .may_open_o(may_open),
    .may_cut_o(may_cut),
    .ask_i(ask),
    .served_o(served),
    .long_i(is_long),
    .single_i(is_single),
    .request_o(requests),
    .longest_wait_o,
    .tx_valid_o,
    .tx_vc_o,
    .tx_kind_o,
    .tx_payload_o,
    .tx_credit_i,
    .idle_o(outputs_idle)
  );

  assign quiescent_o = inputs_idle && unit_idle && outputs_idle && !counts && rx_credit_o == '0;

  // Was quiescent in the cycle before, and nothing came; a padding request that comes to crossbar I
  // is seen by what it connects.
  logic still_q;
  logic [Ports-1:0][Vcs-1:0] pads_q;
  always_ff @(posedge clk_i) begin
    pads_q <= pads_i;
    still_q <= rst_ni && quiescent_o && (rx_valid_i == '0) && (unit_valid_i == '0) &&
               (malformed_i == '0) && (tx_credit_i == '0) && !(reg_valid_i && reg_write_i);
  end
  `MUSTER_ASSERT(QuiescentStays_A, !still_q || quiescent_o || pads_i != pads_q)

endmodule

`default_nettype wire
