// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "muster_assert.svh"

// Timers in a memory, which a scanner visits in turn, one a cycle (docs/systems/nic-engine.md,
// Timer). A timer waits for base_i cycles, and longer with each try: limit base_i 2^min(tries, 6).
// It is never early, and late by less than two rounds.
//
// A round has a place for each timer, rounded up to a power of two of at least 2. The scanner moves
// on in each cycle in which a timer runs (run_i). The timer that is visited while it runs is due if
// its time is not below its limit, and else its time rises by the cycles of a round. Due, it shows
// in due_o, and its time is 0 again; if spent_o is 0, it has a try more. spent_o says that as many
// tries have been made as retries_i allows. restart_i makes time and tries 0, whatever the visit of
// its cycle has done.
//
// The limit is not made: the time counts in units of 2^min(tries, 6) cycles and their 64ths, and is
// compared with base_i itself. Memory has no value before the first restart, which reset is.
//
// Example, 3 timers, base_i 5, retries_i 1: timer 1 alone runs from t on, the scanner is at 0:
// visited in t + 1, t + 5, t + 9: there due_o is 010; again, with spent_o, in t + 21.
module muster_nic_timers #(
  /// 1 to 8
  parameter int unsigned Timers = 4,
  /// bits of base_i, 1 to 24
  parameter int unsigned BaseW = 24
) (
  input  wire logic               clk_i,
  input  wire logic               rst_ni,

  /// the one that is visited, one-hot, or zero in a place without a timer
  output logic [Timers-1:0]       at_o,
  /// cycles of the first try of that one
  input  wire logic [BaseW-1:0]   base_i,
  input  wire logic [3:0]         retries_i,

  input  wire logic [Timers-1:0]  run_i,
  input  wire logic [Timers-1:0]  restart_i,
  /// one-hot or zero
  output logic [Timers-1:0]       due_o,
  output logic                    spent_o
);
  `MUSTER_RANGE(Timers, 1, 8)
  `MUSTER_RANGE(BaseW, 1, 24)

  localparam int unsigned Doublings = 6;
  localparam int unsigned PlaceW = (Timers > 1) ? $clog2(Timers) : 1;
  localparam int unsigned UnitW = PlaceW + Doublings + 1;
  localparam int unsigned TimeW = BaseW + 1 + Doublings;  // in 64ths; the last step may carry
  localparam int unsigned Words = 16;  // the least that tools take block memory for
  localparam logic [UnitW-1:0] Round = UnitW'(1) << (PlaceW + Doublings);

  logic [PlaceW-1:0] place_q, next;
  logic [Timers-1:0] fresh_q;  // restarted since its last visit: memory has an old value
  logic [TimeW-1:0] was, past;
  logic [3:0] tries_was, tries;
  logic [UnitW-1:0] step;  // what a round is of the unit
  logic moves, visits, due;

  assign moves = run_i != '0;
  assign next = place_q + 1'b1;
  assign at_o = Timers'(1'b1) << place_q;
  assign visits = (run_i & at_o) != '0;
  assign {tries, past} = ((fresh_q & at_o) != '0) ? '0 : {tries_was, was};
  assign step = Round >> ((tries > 4'd6) ? 3'd6 : tries[2:0]);
  assign due = past[TimeW-1:Doublings] >= {1'b0, base_i};
  assign due_o = due ? run_i & at_o : '0;
  assign spent_o = tries >= retries_i;

  muster_nic_memory #(.Words(Words), .Width(4 + TimeW)) times (
    .clk_i, .rst_ni,
    .write_i(visits),
    .write_at_i(4'(place_q)),
    .word_i(due ? {tries + 4'd1, TimeW'(0)} : {tries, past + TimeW'(step)}),
    .read_i(moves),
    .read_at_i(4'(next)),
    .read_o({tries_was, was})
  );

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      place_q <= '0;
      fresh_q <= '1;
    end else begin
      if (moves) place_q <= next;
      fresh_q <= restart_i | (fresh_q & ~(run_i & at_o));
    end
  end

  `MUSTER_ASSERT(OneIsDue_A, (due_o & ~at_o) == '0 && (at_o & (at_o - 1'b1)) == '0)

endmodule

`default_nettype wire
