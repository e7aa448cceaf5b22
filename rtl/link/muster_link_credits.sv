// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "muster_assert.svh"

// The credits of a link end, each class by itself: counts, modulo a power of two above Depth, of
// what has passed since the session began (docs/systems/retry-link.md). A lost count costs nothing,
// for the next one says all.
//
//   taken      flits that have come from the block, given: credits that it has got for them
//   seen       what the other end says that it has given back
//   delivered  flits that have gone to the block, count: credits that it has given for them
//
// The block gets one credit a cycle and class while given is behind seen, or behind taken when the
// link is down.
module muster_link_credits #(
  /// classes, 1 to 5
  parameter int unsigned Backs = 2,
  /// places in each queue of a block, 1 to 15
  parameter int unsigned Depth = 4,
  localparam int unsigned CountW = $clog2(Depth + 1)
) (
  input  wire logic                          clk_i,
  input  wire logic                          rst_ni,
  /// a session ends
  input  wire logic                          clear_i,
  input  wire logic                          down_i,

  /// a flit of the class from, to the block
  input  wire logic [Backs-1:0]              take_i,
  input  wire logic [Backs-1:0]              deliver_i,
  /// credits from, to the block
  input  wire logic [Backs-1:0]              credit_i,
  output logic [Backs-1:0]                   credit_o,

  /// the other end says
  input  wire logic                          seen_valid_i,
  input  wire logic [Backs-1:0][CountW-1:0]  seen_i,
  /// credits of the block, those of this cycle included
  output logic [Backs-1:0][CountW-1:0]       count_o,

  /// the queue of the class has a place
  output logic [Backs-1:0]                   room_o,
  /// given has reached seen, taken; the block has given back all
  output logic                               paid_o,
  output logic                               returned_o,
  output logic                               consumed_o
);
  `MUSTER_RANGE(Backs, 1, 5)
  `MUSTER_RANGE(Depth, 1, 15)

  logic [Backs-1:0][CountW-1:0] taken_q, given_q, seen_q, delivered_q, count_q, held, owed;
  logic [Backs-1:0] give, unpaid, unreturned, unconsumed, overheld, overgiven;

  always_comb begin
    for (int unsigned c = 0; c < Backs; c++) begin
      unpaid[c] = given_q[c] != seen_q[c];
      unreturned[c] = given_q[c] != taken_q[c];
      unconsumed[c] = delivered_q[c] != count_q[c];
      give[c] = down_i ? unreturned[c]
                : seen_valid_i ? given_q[c] != seen_i[c] : unpaid[c];
      count_o[c] = count_q[c] + CountW'(credit_i[c]);
      held[c] = delivered_q[c] - count_q[c];
      room_o[c] = held[c] < CountW'(Depth);
      overheld[c] = {1'b0, held[c]} > (CountW + 1)'(Depth);
      owed[c] = taken_q[c] - given_q[c];
      overgiven[c] = {1'b0, owed[c]} > (CountW + 1)'(Depth);
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni || clear_i) begin
      taken_q <= '0;
      given_q <= '0;
      seen_q <= '0;
      delivered_q <= '0;
      count_q <= '0;
    end else begin
      for (int unsigned c = 0; c < Backs; c++) begin
        taken_q[c] <= taken_q[c] + CountW'(take_i[c]);
        given_q[c] <= given_q[c] + CountW'(give[c]);
        delivered_q[c] <= delivered_q[c] + CountW'(deliver_i[c]);
      end
      count_q <= count_o;
      if (seen_valid_i) seen_q <= seen_i;
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) credit_o <= '0;
    else credit_o <= give;
  end

  assign paid_o = unpaid == '0;
  assign returned_o = unreturned == '0;
  assign consumed_o = unconsumed == '0;

  `MUSTER_ASSERT(NoMoreThanDepth_A, overheld == '0)
  `MUSTER_ASSERT(NoCreditInvented_A, overgiven == '0)

endmodule

`default_nettype wire
