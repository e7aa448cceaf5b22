// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "muster_assert.svh"

// One side of a link between two clock domains: whether the other side is there, and is still the
// one that it was. Sides are reset apart from one another, at any time and as briefly as they like.
// A side whose neighbour was reset while the link was up must see that, and must never take what
// the new neighbour says for a continuation.
//
// Each side shows the other three bits, registers all of them:
//   alive    I am neither new nor broken
//   asks     have you seen me?
//   answers  `asks` of the other side, as it was seen two edges ago
//
// After reset a side is not alive until the other one has answered four times, high and low
// again. As many answers to questions of older sessions as can be on their way are fewer, so the
// other side has looked at this one after the reset, and has seen that it was not alive.
//
//   Quiet   asks nothing until no answer is seen
//   Asking  asks until an answer is seen
//   Asked   no longer asks until the answer ends; then Asking again, or Ready
//   Ready   alive; Up when the other side is seen to be alive. Until then the other side may be
//           reset without harm, as nothing has passed
//   Up      flits and credits pass; Broken as soon as the other side is not seen alive
//   Broken  not alive, until reset
//
// An answer comes later than what is done about `alive` of the same edge or the next, so a side
// that is alive again sees of a broken neighbour that it is not.
module muster_cdc_session (
  input  wire logic        clk_i,
  input  wire logic        rst_ni,

  /// of the other side, {answers, asks, alive}, as muster_cdc_sync has them: after reset `answers`
  /// is 1, the others are 0
  input  wire logic [2:0]  other_i,
  /// for the other side
  output logic [2:0]       self_o,

  /// flits and credits may pass now
  output logic             up_o,
  /// the other side has been reset: this side must be reset as well
  output logic             broken_o
);
  localparam logic [1:0] LastQuestion = 2'd3;

  typedef enum logic [2:0] {Quiet, Asking, Asked, Ready, Up, Broken} state_e;
  state_e state_q, state_d;

  logic other_alive, other_asks, other_answers;
  logic alive_q, asks_q, seen_q, answers_q;
  logic [1:0] question_q;
  assign {other_answers, other_asks, other_alive} = other_i;

  always_comb begin
    state_d = state_q;
    unique case (state_q)
      Quiet: if (!other_answers) state_d = Asking;
      Asking: if (other_answers) state_d = Asked;
      Asked: if (!other_answers) state_d = (question_q == LastQuestion) ? Ready : Asking;
      Ready: if (other_alive) state_d = Up;
      Up: if (!other_alive) state_d = Broken;
      default: state_d = Broken;
    endcase
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      state_q <= Quiet;
      alive_q <= 1'b0;
      asks_q <= 1'b0;
      seen_q <= 1'b0;
      answers_q <= 1'b0;
      question_q <= '0;
    end else begin
      state_q <= state_d;
      alive_q <= state_d == Ready || state_d == Up;
      asks_q <= state_d == Asking;
      seen_q <= other_asks;
      answers_q <= seen_q;
      if (state_q == Asked && state_d == Asking) question_q <= question_q + 1'b1;
    end
  end

  assign self_o = {answers_q, asks_q, alive_q};
  assign up_o = state_q == Up && other_alive;
  assign broken_o = state_q == Broken || (state_q == Up && !other_alive);

  `MUSTER_ASSERT(AliveIfOpen_A, alive_q == (state_q == Ready || state_q == Up))

endmodule

`default_nettype wire
