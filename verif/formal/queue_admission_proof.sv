// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "formal.svh"

// muster_queue_admission and muster_wormhole_queues with one queue, as in muster_input_stage: flits
// of any kind come in any cycle, with Guard whether there is a place or not, and are taken in
// any cycle.
//
//   - no flit comes to a full queue's storage: the assertions of muster_wormhole_queues
//   - what enters leaves once, in order, unchanged: a marked flit that enters with k flits before
//     it leaves as the (k + 1)th from then on, with its data
//   - what leaves are whole packets: a head, flits that are none, a tail; a headless flit is a
//     tail, of the packet before it or alone; so is a tail that comes alone, as a cut mark may
//   - no loss leaves a packet without an end: when the queue is empty and the packet that came last
//     has ended, or was cut, so has the one that has left
//   - a head that comes while no packet is open, and has a place, begins one
//   - a flit leaves as a tail that entered as none if, and only if, it was the last before a loss
//     inside its packet: muster_input_stage makes a cut mark of it
module queue_admission_proof #(
  parameter int unsigned Depth = 2,
  parameter int unsigned Guard = 1
) (
  input  wire logic  clk_i,
  input  wire logic  come_i,
  input  wire logic  head_i,
  input  wire logic  tail_i,
  input  wire logic  data_i,
  input  wire logic  take_i,
  input  wire logic  mark_i
);
  `MUSTER_FORMAL_RESET

  logic push, begins, headless, push_tail, cut, full, ready, take, leaves, left_tail, kept_tail;
  logic data, left_head, left_headless, left_end;
  assign take = take_i && ready;

  muster_queue_admission #(.Queues(1), .Guard(Guard)) dut (
    .clk_i, .rst_ni,
    .come_i,
    .head_i,
    .tail_i,
    .full_i(full),
    .push_o(push),
    .begin_o(begins),
    .headless_o(headless),
    .tail_o(push_tail),
    .cut_o(cut)
  );

  muster_wormhole_queues #(.Ports(1), .Vcs(1), .Width(4), .Depth(Depth), .Guard(Guard)) queues (
    .clk_i, .rst_ni,
    .push_i(push),
    .push_tail_i(push_tail),
    .data_i({headless, head_i, push_tail, data_i}),
    .ready_o(ready),
    .take_i(take),
    .full_o(full),
    .cut_i(cut),
    .leaves_o(leaves),
    .data_o({left_headless, left_head, kept_tail, data}),
    .left_tail_o(left_tail)
  );
  assign left_end = (Guard == 1) ? left_tail : kept_tail;

  // ---- What came, what has left --------------------------------------------------------------
  // Flits that entered and have not left; those of them before a marked one; whether one is marked,
  // and its data; the flit that left last was no tail; a packet has begun to come, as it is kept.
  localparam int unsigned CountW = $clog2(Depth + 2);
  logic [CountW-1:0] inside_q, before_q;
  logic marked_q, marked_data_q, left_open_q, coming_q;
  logic newest_q, marked_cut_q, marked_leaves;  // none came since; it was lost, in its packet
  logic mark;
  assign mark = mark_i && push && !marked_q;
  assign marked_leaves = leaves && marked_q && before_q == '0;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      inside_q <= '0;
      before_q <= '0;
      marked_q <= 1'b0;
      left_open_q <= 1'b0;
      coming_q <= 1'b0;
    end else begin
      inside_q <= inside_q + CountW'(push) - CountW'(leaves);
      if (mark) before_q <= inside_q - CountW'(leaves);
      else if (marked_q && leaves) before_q <= before_q - 1'b1;
      if (mark) marked_q <= 1'b1;
      else if (marked_leaves) marked_q <= 1'b0;
      if (leaves) left_open_q <= !left_end;
      if (come_i && !push) coming_q <= 1'b0;
      else if (come_i) coming_q <= !tail_i && (coming_q != head_i);
    end
    if (mark) marked_data_q <= data_i;
    if (mark || come_i) newest_q <= mark;
    if (mark || (come_i && !push && newest_q)) marked_cut_q <= !mark && coming_q;
  end

  `MUSTER_ASSUME(HasPlace_M, Guard == 1 || !come_i || !full)

  `MUSTER_ASSERT(MarkedLeaves_A, !marked_leaves || data == marked_data_q)
  `MUSTER_ASSERT(CutIsTheLast_A, !marked_leaves || (left_end && !kept_tail) == marked_cut_q)
  `MUSTER_ASSERT(LeavesWhatEntered_A, !leaves || inside_q != '0)
  `MUSTER_ASSERT(PacketsAreWhole_A, !leaves || (left_headless ? left_end
                                                              : left_head != left_open_q))
  `MUSTER_ASSERT(EmptyIsEnded_A, inside_q != '0 || coming_q || !left_open_q)
  `MUSTER_ASSERT(HeadBegins_A, !(push && head_i && !coming_q) || (begins && !headless))

  `MUSTER_COVER(HeadInside_C, headless && head_i && left_open_q)
  `MUSTER_COVER(CutLeaves_C, Guard == 0 || (marked_leaves && marked_cut_q && left_open_q))
  `MUSTER_COVER(StrayLeaves_C, leaves && left_headless && !left_open_q)
  `MUSTER_COVER(TailWithoutPacket_C, headless && tail_i)

endmodule

`default_nettype wire
