// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "muster_assert.svh"

// queue_admission and input_queue with Guard, as in input_stage: flits come in any cycle, with
// tails or without, whether there is a place or not, and are taken in any cycle.
//
//   - no flit comes to a full queue's storage: the assertions of input_queue
//   - what enters leaves once, in order, unchanged: a marked flit that enters with k flits before
//     it leaves as the (k + 1)th from then on, with its data
//   - no loss leaves a packet without an end: when the queue is empty and the packet that came last
//     has ended, or was cut, so has the one that has left
//   - a packet has the route of its destination exactly if it begins with a flit that did not come
//     behind a lost one of the same packet
module queue_admission_proof #(
  parameter int unsigned Depth = 2
) (
  input  wire logic  clk_i,
  input  wire logic  come_i,
  input  wire logic  tail_i,
  input  wire logic  data_i,
  input  wire logic  take_i,
  input  wire logic  mark_i
);
  logic rst_ni = 1'b0;
  always_ff @(posedge clk_i) rst_ni <= 1'b1;

  logic push, cut, full, routed, ready, take, leaves, data, left_tail, first_q;
  assign take = take_i && ready;

  queue_admission dut (
    .clk_i,
    .rst_ni,
    .come_i,
    .tail_i,
    .full_i(full),
    .open_i(!first_q),
    .push_o(push),
    .cut_o(cut),
    .routed_o(routed)
  );
  always_ff @(posedge clk_i) begin
    if (!rst_ni) first_q <= 1'b1;
    else if (push || cut) first_q <= cut || tail_i;
  end

  input_queue #(
    .Width(1),
    .Depth(Depth),
    .Guard(1)
  ) queue (
    .clk_i,
    .rst_ni,
    .push_i(push),
    .push_tail_i(tail_i),
    .data_i,
    .ready_o(ready),
    .tail_o(),
    .take_i(take),
    .full_o(full),
    .cut_i(cut),
    .leaves_o(leaves),
    .data_o(data),
    .left_tail_o(left_tail)
  );

  // ---- What came, what has left --------------------------------------------------------------
  // Flits that entered and have not left; those of them before a marked one; whether one is marked,
  // and its data; the flit that left last was no tail; of the packet that comes: it has begun, and
  // a flit of it was lost.
  localparam int unsigned CountW = $clog2(Depth + 2);
  logic [CountW-1:0] inside_q, before_q;
  logic marked_q, marked_data_q, left_open_q, coming_q, spoiled_q, entered_first_q, clean_q;
  logic mark;
  assign mark = mark_i && push && !marked_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      inside_q <= '0;
      before_q <= '0;
      marked_q <= 1'b0;
      left_open_q <= 1'b0;
      coming_q <= 1'b0;
      spoiled_q <= 1'b0;
      entered_first_q <= 1'b0;
    end else begin
      inside_q <= inside_q + CountW'(push) - CountW'(leaves);
      if (mark) before_q <= inside_q - CountW'(leaves);
      else if (marked_q && leaves) before_q <= before_q - 1'b1;
      if (mark) marked_q <= 1'b1;
      else if (leaves && before_q == '0) marked_q <= 1'b0;
      if (leaves) left_open_q <= !left_tail;
      if (come_i) coming_q <= !tail_i;
      if (come_i) spoiled_q <= !tail_i && (!push || (coming_q && spoiled_q));
      entered_first_q <= push && first_q;
    end
    if (mark) marked_data_q <= data_i;
    clean_q <= !(coming_q && spoiled_q);
  end

  `MUSTER_ASSERT(EmptyIsEnded_A, inside_q != '0 || !first_q || !left_open_q)
  `MUSTER_ASSERT(OpenOnlyIfComing_A, first_q || coming_q)
  `MUSTER_ASSERT(RoutedIfClean_A, !entered_first_q || routed == clean_q)
  `MUSTER_ASSERT(MarkedLeaves_A, !(leaves && marked_q && before_q == '0) || data == marked_data_q)
  `MUSTER_ASSERT(LeavesWhatEntered_A, !leaves || inside_q != '0)

  `MUSTER_COVER(Cuts_C, cut && take)
  `MUSTER_COVER(GoesOnWithoutRoute_C, entered_first_q && !routed)
  `MUSTER_COVER(TailOfACutLeaves_C, leaves && left_tail && !first_q)

endmodule

`default_nettype wire
