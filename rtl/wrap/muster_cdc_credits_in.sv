// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "muster_assert.svh"

// The side of a link between clock domains where the credits of one class come in: a count of them,
// in Gray code, for the other side. No more than Depth are ever ahead of what the other side has
// seen, as each belongs to a flit that has taken one.
module muster_cdc_credits_in #(
  /// places in a queue of the receiver, 1 to 16
  parameter int unsigned Depth = 4,
  localparam int unsigned CountW = $clog2(Depth + 1)
) (
  input  wire logic               clk_i,
  input  wire logic               rst_ni,

  input  wire logic               credit_i,
  output logic [CountW-1:0]       count_o
);
  `MUSTER_RANGE(Depth, 1, 16)

  logic [CountW-1:0] count_q, gray_q, count_d;
  assign count_d = count_q + CountW'(credit_i);
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      count_q <= '0;
      gray_q <= '0;
    end else begin
      count_q <= count_d;
      gray_q <= count_d ^ CountW'({1'b0, count_d} >> 1);
    end
  end
  assign count_o = gray_q;

  logic [CountW-1:0] changed;
  assign changed = gray_q ^ count_d ^ CountW'({1'b0, count_d} >> 1);
  `MUSTER_ASSERT(OneBitChanges_A, (changed & (changed - 1'b1)) == '0)

endmodule

`default_nettype wire
