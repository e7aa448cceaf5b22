// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "muster_assert.svh"

// The random numbers of an interchange box or an input policy: an LFSR of 16 bits, and its draw
// bits.
//
// The value is seed_i after reset (1 if that is 0) and steps at an edge with step_i, see
// muster_lfsr.sv. Neighbouring bits of a value come back in the next one, so draw bit k is bit (5
// k) mod 16 of it:
//
//   draw bit    0 1  2  3 4 5  6 7 8  9 10 11 12 13 14 15
//   value bit   0 5 10 15 4 9 14 3 8 13  2  7 12  1  6 11
module muster_block_random #(
  /// draw bits that are used, 0 .. DrawBits - 1, 1 to 16
  parameter int unsigned DrawBits = 16
) (
  input  wire logic         clk_i,
  input  wire logic         rst_ni,
  /// first value; taken while rst_ni is low
  input  wire logic [15:0]  seed_i,
  /// the value of this cycle is used: go to the next one at this edge
  input  wire logic         step_i,
  /// draw bits of the value, a function of registers
  output logic [DrawBits-1:0]  draw_o
);
  `MUSTER_RANGE(DrawBits, 1, 16)

  // A value has 16 bits whatever is drawn from it.
  /* verilator lint_off UNUSEDSIGNAL */
  logic [15:0] value;
  /* verilator lint_on UNUSEDSIGNAL */

  muster_lfsr #(.Width(16)) lfsr (
    .clk_i, .rst_ni,
    .seed_i,
    .step_i,
    .value_o(value)
  );

  for (genvar k = 0; k < DrawBits; k++) begin : gen_draw
    assign draw_o[k] = value[(5*k)%16];
  end

endmodule

`default_nettype wire
