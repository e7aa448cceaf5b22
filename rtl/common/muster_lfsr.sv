// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "muster_assert.svh"

// Linear feedback shift register: pseudorandom numbers of period 2^Width - 1, never zero.
//
// Galois form, shifting to the right. At an edge with step_i, and only then,
//
//   value = (value >> 1) ^ (value[0] ? Taps : 0)
//
// where bit k - 1 of Taps is set for each term x^k, k >= 1, of the polynomial of its width below.
// value_o is the register itself: seed_i after reset (1 if that is 0, which has no successor), and
// after s steps the result of s such equations. A user takes value_o and steps in the same cycle,
// so each number is used once; without step_i the module is quiet.
//
// Example, Width = 4, Taps = 1100, seed_i 1: 1, 12, 6, 3, 13, 10, 5, 14, 7, 15, 11, 9, 8, 4, 2, 1.
//
// Exponents of the primitive polynomials, all with + 1:
//
//    3: 3 2         11: 11 9          19: 19 6 2 1      27: 27 5 2 1
//    4: 4 3         12: 12 6 4 1      20: 20 17         28: 28 25
//    5: 5 3         13: 13 4 3 1      21: 21 19         29: 29 27
//    6: 6 5         14: 14 5 3 1      22: 22 21         30: 30 6 4 1
//    7: 7 6         15: 15 14         23: 23 18         31: 31 28
//    8: 8 6 5 4     16: 16 15 13 4    24: 24 23 22 17   32: 32 22 2 1
//    9: 9 5         17: 17 14         25: 25 22
//   10: 10 7        18: 18 11         26: 26 6 2 1
module muster_lfsr #(
  /// bits, 3 to 32
  parameter int unsigned Width = 16
) (
  input  wire logic              clk_i,
  input  wire logic              rst_ni,
  /// first value; taken while rst_ni is low
  input  wire logic [Width-1:0]  seed_i,

  /// go to the next number at this edge
  input  wire logic              step_i,
  output logic [Width-1:0]       value_o
);
  `MUSTER_RANGE(Width, 3, 32)

  function automatic logic [31:0] taps(input int unsigned width);
    case (width)
      3: taps = 32'h6;
      4: taps = 32'hC;
      5: taps = 32'h14;
      6: taps = 32'h30;
      7: taps = 32'h60;
      8: taps = 32'hB8;
      9: taps = 32'h110;
      10: taps = 32'h240;
      11: taps = 32'h500;
      12: taps = 32'h829;
      13: taps = 32'h100D;
      14: taps = 32'h2015;
      15: taps = 32'h6000;
      16: taps = 32'hD008;
      17: taps = 32'h12000;
      18: taps = 32'h20400;
      19: taps = 32'h40023;
      20: taps = 32'h90000;
      21: taps = 32'h140000;
      22: taps = 32'h300000;
      23: taps = 32'h420000;
      24: taps = 32'hE10000;
      25: taps = 32'h1200000;
      26: taps = 32'h2000023;
      27: taps = 32'h4000013;
      28: taps = 32'h9000000;
      29: taps = 32'h14000000;
      30: taps = 32'h20000029;
      31: taps = 32'h48000000;
      default: taps = 32'h80200003;
    endcase
  endfunction

  localparam logic [Width-1:0] Taps = Width'(taps(Width));

  logic [Width-1:0] value_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) value_q <= (seed_i == '0) ? Width'(1) : seed_i;
    else if (step_i) value_q <= (value_q >> 1) ^ (value_q[0] ? Taps : '0);
  end

  assign value_o = value_q;

  `MUSTER_ASSERT(NeverZero_A, value_q != '0)
  `MUSTER_ASSERT(PolynomialHasDegree_A, Taps[Width-1])

endmodule

`default_nettype wire
