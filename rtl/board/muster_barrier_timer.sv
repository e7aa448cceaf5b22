// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "muster_assert.svh"

// The cycle counter of the board-level system: for each barrier of a group, the cycles from the
// last arrival to the last release.
//
// Members arrive and are released once for each barrier, and none arrives again before all have
// been released. With the last arrival in cycle a and the last release in cycle r, done_o is set
// in r and cycles_o is r - a, at most 65535.
module muster_barrier_timer #(
  /// members of the group, 1 to 16
  parameter int unsigned Members = 3
) (
  input  wire logic                clk_i,
  input  wire logic                rst_ni,

  input  wire logic [Members-1:0]  arrives_i,
  input  wire logic [Members-1:0]  released_i,

  output logic                     done_o,
  output logic [15:0]              cycles_o
);
  `MUSTER_RANGE(Members, 1, 16)

  logic [Members-1:0] released_q, all_released;
  logic [15:0] since_q;
  assign all_released = released_q | released_i;
  assign done_o = (released_i != '0) && (all_released == '1);
  assign cycles_o = since_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      released_q <= '0;
      since_q <= '0;
    end else begin
      released_q <= done_o ? '0 : all_released;
      if (arrives_i != '0) since_q <= 16'd1;
      else if (since_q != '1) since_q <= since_q + 1'b1;
    end
  end

  `MUSTER_ASSERT(NoneBetween_A, released_q == '0 || arrives_i == '0)
  `MUSTER_ASSERT(ReleasedOnce_A, (released_q & released_i) == '0)

endmodule

`default_nettype wire
