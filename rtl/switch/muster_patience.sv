// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "muster_assert.svh"

// The time-out of something that waits: docs/systems/guard.md, "Time-outs of the access unit".
//
// The age is the number of consecutive cycles, before this one, with waits_i and patience_i not 0.
// In a cycle of waiting in which age + 1 is 2 ** patience_i or more, over_o is set, and the age is
// 0 in the next.
module muster_patience (
  input  wire logic        clk_i,
  input  wire logic        rst_ni,

  /// it waits in this cycle
  input  wire logic        waits_i,
  /// for 2 to this power of cycles; 0: for ever
  input  wire logic [3:0]  patience_i,

  output logic             over_o,
  /// the age is not 0
  output logic             aged_o
);
  logic [14:0] age_q;
  logic [15:0] next;
  logic counts;

  assign counts = waits_i && patience_i != '0;
  assign next = {1'b0, age_q} + 1'b1;
  assign over_o = counts && (next >> patience_i) != '0;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) age_q <= '0;
    else age_q <= (counts && !over_o) ? next[14:0] : '0;
  end

  assign aged_o = age_q != '0;

  `MUSTER_ASSERT(NoOverflow_A, over_o || !counts || !next[15])

endmodule

`default_nettype wire
