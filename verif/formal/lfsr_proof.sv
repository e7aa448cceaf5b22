// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "formal.svh"

// lfsr: it holds without step_i, never reaches zero, and no two values have the same successor:
// the inverse of the step, written here, leads back. That all values lie on one cycle is a matter
// of the polynomial, and tested.
module lfsr_proof #(
  parameter int unsigned Width = 8,
  /// exponents of the polynomial of the header, bit k - 1 for x^k
  parameter logic [Width-1:0] Taps = 8'hB8
) (
  input  wire logic              clk_i,
  input  wire logic [Width-1:0]  seed_i,
  input  wire logic              step_i
);
  `MUSTER_FORMAL_RESET

  logic [Width-1:0] value;
  muster_lfsr #(.Width(Width)) dut (
    .clk_i, .rst_ni,
    .seed_i,
    .step_i,
    .value_o(value)
  );

  logic stepped_q, first_q;
  logic [Width-1:0] before_q, undone, seed_q;
  assign undone = value[Width-1] ? (((value ^ Taps) << 1) | 1'b1) : (value << 1);
  always_ff @(posedge clk_i) begin
    first_q <= !rst_ni;
    stepped_q <= step_i;
    before_q <= value;
    seed_q <= seed_i;
  end

  `MUSTER_ASSERT(NotZero_A, value != '0)
  `MUSTER_ASSERT(SeedFirst_A, !first_q || (value == ((seed_q == '0) ? Width'(1) : seed_q)))
  `MUSTER_ASSERT(HoldsWithoutStep_A, first_q || stepped_q || (value == before_q))
  `MUSTER_ASSERT(StepCanBeUndone_A, first_q || !stepped_q || (undone == before_q))

  `MUSTER_COVER(StepsWithTaps_C, stepped_q && before_q[0])
  `MUSTER_COVER(StepsWithoutTaps_C, stepped_q && !before_q[0])

endmodule

`default_nettype wire
