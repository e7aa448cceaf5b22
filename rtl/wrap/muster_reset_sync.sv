// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "muster_assert.svh"

// Makes the reset that Muster's blocks need of an asynchronous one: rst_no falls with arst_ni, with
// or without a clock, and rises after Stages edges of clk_i with arst_ni high. The blocks, whose
// reset is synchronous, see at least Stages - 1 edges with it low, however short arst_ni was.
//
// The first flip-flop here may be metastable when arst_ni rises close to an edge. rst_no falls at
// any time: flip-flops that it resets synchronously may be metastable at that edge, and are reset
// at the next ones, for which it is low long before.
//
// One of them for each clock, not for each block: blocks of a network leave reset in one cycle.
module muster_reset_sync #(
  /// flip-flops, 2 to 4
  parameter int unsigned Stages = 2
) (
  input  wire logic clk_i,
  /// asynchronous, active low
  input  wire logic arst_ni,

  /// the reset of this clock, active low
  output logic      rst_no
);
  `MUSTER_RANGE(Stages, 2, 4)

  (* ASYNC_REG = "TRUE" *) logic [Stages-1:0] high_q;

  always_ff @(posedge clk_i or negedge arst_ni) begin
    if (!arst_ni) high_q <= '0;
    else high_q <= Stages'({high_q, 1'b1});
  end

  assign rst_no = high_q[Stages-1];

endmodule

`default_nettype wire
