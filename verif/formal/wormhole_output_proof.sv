// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "formal.svh"

// muster_output_allocator, muster_queue_crossbar and muster_output_ports together, the last with
// port 0 alone, as in muster_wormhole_path: packets of any length from all queues to any output,
// alone or one behind the other, flits that come at any time, barrier messages and answers for
// port 0 at any time, any credits, the output held at any time.
//
//   - packets on a virtual channel of the link out are contiguous: between head and tail only flits
//     of the same queue, or of the same answer, and barrier messages
//   - a flit is taken only where there is one, for its own output, one for each output in a cycle,
//     and a channel has one owner: the assertions of the modules, proved here with the rest
//   - no flit of data or of an answer leaves without a place in the queue of the receiver; barrier
//     messages take none
//   - a barrier message goes at once if no data flit traverses, and else in the second cycle after
//     its first at the latest: it waits for two flits of data at most, whatever data, answers and
//     credits do, and whether the output is held or not. An answer with a credit on a free channel
//     goes whenever neither data nor a barrier message does. The credits are counted here, from
//     what is allocated, sent and paid back
module wormhole_output_proof #(
  parameter int unsigned Ports = 3,
  parameter int unsigned Vcs = 2,
  localparam int unsigned Depth = 2,
  localparam int unsigned FlitW = 16,
  localparam int unsigned Queues = Ports * Vcs,
  localparam int unsigned VcW = (Vcs > 1) ? $clog2(Vcs) : 1,
  localparam int unsigned KindW = muster_pkg::KindW
) (
  input  wire logic                          clk_i,
  /// a packet comes for this output, to an empty queue or behind the one in front; the next flit of
  /// that one is there; it is the tail
  input  wire logic [Queues-1:0]             packet_i,
  input  wire logic [Queues-1:0][Ports-1:0]  output_i,
  input  wire logic [Queues-1:0]             flit_i,
  input  wire logic [Queues-1:0]             tail_i,
  /// credits of the other outputs
  input  wire logic [Vcs-1:0][Ports-1:0]     open_i,
  /// the output is held, at any time and as long as it likes
  input  wire logic                          hold_i,
  input  wire logic                          barrier_i,
  /// an answer comes, for this channel; its next flit is the tail
  input  wire logic                          answer_i,
  input  wire logic [VcW-1:0]                answer_vc_i,
  input  wire logic                          answer_tail_i,
  input  wire logic [Vcs-1:0]                credit_i
);
  `MUSTER_FORMAL_RESET

  // ---- Queues: the packet in front of each --------------------------------------------------
  logic [Queues-1:0] active_q, begun_q, ready, taken, ends;
  logic [Queues-1:0][Ports-1:0] want, fresh, behind;
  assign ready = active_q & (flit_i | ~begun_q);  // a head flit stays until it is taken
  assign ends = taken & tail_i;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      active_q <= '0;
      begun_q <= '0;
    end else begin
      active_q <= (active_q & ~ends) | packet_i;
      begun_q <= (begun_q | taken) & ~ends;
    end
  end
  // What is behind is free in each cycle: what counts is what stands there as the front ends.
  logic [Queues-1:0] lost;
  for (genvar q = 0; q < Queues; q++) begin : gen_queue
    logic [Ports-1:0] want_q, comes;
    assign comes = packet_i[q] ? output_i[q] & (~output_i[q] + 1'b1) : '0;
    always_ff @(posedge clk_i) begin
      if (!active_q[q] || ends[q]) want_q <= comes;
    end
    assign want[q] = active_q[q] ? want_q : '0;
    assign fresh[q] = active_q[q] ? '0 : comes;
    assign behind[q] = active_q[q] ? comes : '0;
    assign lost[q] = packet_i[q] && output_i[q] == '0;
  end
  `MUSTER_ASSUME(EveryPacketGoesSomewhere_M, lost == '0)

  // ---- An answer for port 0 -----------------------------------------------------------------
  logic answers_q, answer_begun_q, answer_free, answer_go;
  logic [VcW-1:0] answer_vc_q;
  logic [Vcs-1:0] answer_vc;
  logic [KindW-1:0] answer_kind;
  always_comb begin
    answer_kind = '0;
    answer_kind[muster_pkg::KindHead] = !answer_begun_q;
    answer_kind[muster_pkg::KindTail] = answer_tail_i;
  end
  assign answer_vc = Vcs'(1) << answer_vc_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      answers_q <= 1'b0;
      answer_begun_q <= 1'b0;
    end else begin
      answers_q <= answers_q ? !(answer_go && answer_tail_i) : answer_i;
      if (answer_go) answer_begun_q <= !answer_tail_i;
    end
    if (!answers_q) answer_vc_q <= answer_vc_i;
  end
  `MUSTER_ASSUME(AnswerHasChannel_M, !answers_q || 32'(answer_vc_q) < Vcs)

  // ---- Allocation, traversal, output --------------------------------------------------------
  logic [Vcs-1:0] port_open, reserved;
  logic [Queues-1:0] open, allocated;
  logic [Vcs-1:0][Ports-1:0] closed, owned;
  logic [Queues*Ports-1:0] select;
  logic [Ports-1:0][FlitW+2:0] crossing;
  logic [Queues-1:0][FlitW+2:0] leaving;
  logic busy_q, barrier_go, tx_valid;
  logic [VcW-1:0] tx_vc;
  logic [KindW-1:0] tx_kind;
  logic [FlitW-1:0] tx_payload;

  always_comb begin
    answer_free = 1'b0;
    for (int unsigned v = 0; v < Vcs; v++) begin
      open[v*Ports+:Ports] = open_i[v];
      open[v*Ports] = port_open[v];
      reserved[v] = allocated[v*Ports];
      closed[v] = Ports'(answers_q && answer_vc[v]);
      if (answers_q && answer_vc[v]) answer_free = !owned[v][0];
    end
  end
  always_ff @(posedge clk_i) busy_q <= rst_ni && reserved != '0;

  // The payload of a flit is the number of its queue, that of an answer all ones.
  for (genvar q = 0; q < Queues; q++) begin : gen_leaving
    logic head_q, tail_q;
    always_ff @(posedge clk_i) begin
      head_q <= !begun_q[q];
      tail_q <= tail_i[q];
    end
    assign leaving[q] = {1'b0, head_q, tail_q, FlitW'(q)};
  end
  muster_output_allocator #(.Ports(Ports), .Vcs(Vcs)) allocator (
    .clk_i, .rst_ni,
    .want_i(want),
    .new_i(fresh),
    .behind_i(behind),
    .ready_i(ready),
    .tail_i,
    .open_i(open),
    .closed_i(closed),
    .taken_o(taken),
    .select_o(select),
    .allocated_o(allocated),
    .owned_o(owned)
  );

  muster_queue_crossbar #(.Ports(Ports), .Queues(Queues), .Width(FlitW + 3)) xbar (
    .clk_i, .rst_ni,
    .select_i(select),
    .flit_i(leaving),
    .flit_o(crossing)
  );

  muster_output_ports #(.Ports(1), .Vcs(Vcs), .Depth(Depth), .FlitW(FlitW)) out (
    .clk_i, .rst_ni,
    .reserve_i(reserved),
    .crossing_i(crossing[0]),
    .open_o(port_open),
    .hold_i,
    .barrier_i,
    .barrier_payload_i('0),
    .barrier_go_o(barrier_go),
    .answer_i(answer_free),
    .answer_vc_i(answer_vc),
    .answer_kind_i(answer_kind),
    .answer_payload_i('1),
    .answer_go_o(answer_go),
    .tx_valid_o(tx_valid),
    .tx_vc_o(tx_vc),
    .tx_kind_o(tx_kind),
    .tx_payload_o(tx_payload),
    .tx_credit_i(credit_i)
  );

  // ---- The link out, told from its flits and credits ----------------------------------------
  localparam int unsigned HeldW = $clog2(Depth + 2);
  localparam int unsigned SourceW = 5;
  logic data_out, sync_out, head, tail;
  logic [Vcs-1:0] open_q, split, mixed, held_too_many, paid_too_much, both;
  logic [SourceW-1:0] source;
  assign sync_out = tx_valid && tx_kind[muster_pkg::KindSync];
  assign data_out = tx_valid && !tx_kind[muster_pkg::KindSync];
  assign head = tx_kind[muster_pkg::KindHead];
  assign tail = tx_kind[muster_pkg::KindTail];
  assign source = tx_payload[SourceW-1:0];
  for (genvar v = 0; v < Vcs; v++) begin : gen_channel
    logic [SourceW-1:0] source_q;  // of the open packet
    logic [HeldW-1:0] held_q;      // flits of the channel in the receiver's queue or on the way
    logic here, opened_q;
    assign here = data_out && tx_vc == VcW'(v);
    assign split[v] = here && (head == open_q[v]);
    assign mixed[v] = here && open_q[v] && (source != source_q);
    assign held_too_many[v] = 32'(held_q) > Depth;
    assign paid_too_much[v] = credit_i[v] && held_q == '0;
    assign both[v] = open_q[v] && sync_out;
    assign open_q[v] = opened_q;
    always_ff @(posedge clk_i) begin
      if (!rst_ni) begin
        opened_q <= 1'b0;
        held_q <= '0;
      end else begin
        if (here) opened_q <= !tail;
        held_q <= held_q + HeldW'(data_out && tx_vc == VcW'(v)) - HeldW'(credit_i[v]);
      end
      if (here && head) source_q <= source;
    end
  end

  `MUSTER_ASSUME(CreditIsForAFlit_M, paid_too_much == '0)

  // ---- Barrier messages and answers in time -------------------------------------------------
  logic [Vcs-1:0] paid;  // the channel has a credit
  logic answer_can;
  for (genvar v = 0; v < Vcs; v++) begin : gen_credit
    logic [HeldW-1:0] credit_q;
    assign paid[v] = credit_q != '0 || credit_i[v];
    always_ff @(posedge clk_i) begin
      if (!rst_ni) credit_q <= HeldW'(Depth);
      else begin
        credit_q <= credit_q + HeldW'(credit_i[v]) - HeldW'(reserved[v]) -
                    HeldW'(answer_go && answer_vc[v]);
      end
    end
  end
  assign answer_can = answer_free && (paid & answer_vc) != '0 && !hold_i;
  // Cycles for which one has waited, in each of which a flit of data went.
  logic [1:0] waited_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni || !barrier_i || barrier_go) waited_q <= '0;
    else if (waited_q != '1) waited_q <= waited_q + 1'b1;
  end

  `MUSTER_ASSERT(BarrierGoesAtOnce_A, !barrier_i || busy_q || barrier_go)
  `MUSTER_ASSERT(TwoFlitsOfData_A, waited_q < 2'd2 || !barrier_i || barrier_go)
  `MUSTER_ASSERT(AnswerGoesAtOnce_A, !answer_can || busy_q || barrier_i || answer_go)

  `MUSTER_ASSERT(HeadAndTailMatch_A, split == '0)
  `MUSTER_ASSERT(Contiguous_A, mixed == '0)
  `MUSTER_ASSERT(PlaceForEach_A, held_too_many == '0)
  `MUSTER_ASSERT(BarrierIsOffered_A, !barrier_go || barrier_i)

  `MUSTER_COVER(BarrierWaitedTwice_C, waited_q == 2'd2 && barrier_go)
  `MUSTER_COVER(BarrierHeldLink_C, hold_i && barrier_go)
  `MUSTER_COVER(BarrierInPacket_C, both != '0)
  `MUSTER_COVER(LongAnswer_C, answer_go && answer_begun_q && open_q != '0)
  `MUSTER_COVER(AllChannelsOpen_C, open_q == '1 && ready == '1)

endmodule

`default_nettype wire
