// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "muster_assert.svh"

// The time-outs of the latches of muster_barrier_spill, in a switch with Guard, and whether
// messages may still be handed over: docs/systems/guard.md, "Time-outs of the spill".
//
// A latch waits in a cycle in which it is full and nothing of it leaves. After 2 ** patience_i such
// cycles in a row it gives up: it is empty in the next cycle. When the hand-over latch gives up,
// the spill is closed from the next cycle on, up to and including the first one with room behind
// the spill port.
module muster_spill_patience (
  input  wire logic        clk_i,
  input  wire logic        rst_ni,

  /// a latch waits for 2 to this power of cycles; 0: for ever
  input  wire logic [3:0]  patience_i,

  /// the hand-over latch is full; something of it leaves, only if it is full
  input  wire logic        hand_i,
  input  wire logic        hand_leaves_i,
  /// the same of the answer latch
  input  wire logic        answer_i,
  input  wire logic        answer_leaves_i,
  /// the credit of the pocket behind the spill port is there
  input  wire logic        room_i,

  /// the latch gives up in this cycle
  output logic             hand_over_o,
  output logic             answer_over_o,
  output logic             closed_o,

  /// with idle inputs something here would change
  output logic             busy_o
);
  logic hand_aged, answer_aged, closed_q;
  muster_patience hand_over (
    .clk_i, .rst_ni,
    .waits_i(hand_i && !hand_leaves_i),
    .patience_i,
    .over_o(hand_over_o),
    .aged_o(hand_aged)
  );
  muster_patience answer (
    .clk_i, .rst_ni,
    .waits_i(answer_i && !answer_leaves_i),
    .patience_i,
    .over_o(answer_over_o),
    .aged_o(answer_aged)
  );

  always_ff @(posedge clk_i) begin
    if (!rst_ni) closed_q <= 1'b0;
    else closed_q <= hand_over_o || (closed_q && !room_i);
  end
  assign closed_o = closed_q;

  assign busy_o = hand_aged || answer_aged || ((hand_i || answer_i) && patience_i != '0) ||
                  (closed_q && room_i);

  `MUSTER_ASSERT(LeavesIfFull_A, (hand_i || !hand_leaves_i) && (answer_i || !answer_leaves_i))

endmodule

`default_nettype wire
