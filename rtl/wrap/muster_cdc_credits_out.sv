// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "muster_assert.svh"

// The side of a link between clock domains where the credits of one class go out: one a cycle while
// the link is up, until as many have gone as the other side has counted.
module muster_cdc_credits_out #(
  /// places in a queue of the receiver, 1 to 16
  parameter int unsigned Depth = 4,
  localparam int unsigned CountW = $clog2(Depth + 1)
) (
  input  wire logic               clk_i,
  input  wire logic               rst_ni,

  /// see muster_cdc_session
  input  wire logic               up_i,
  /// in Gray code
  input  wire logic [CountW-1:0]  count_i,
  output logic                    credit_o
);
  `MUSTER_RANGE(Depth, 1, 16)

  logic [CountW-1:0] count_q;
  logic gives;
  assign gives = up_i && count_i != (count_q ^ CountW'({1'b0, count_q} >> 1));
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      count_q <= '0;
      credit_o <= 1'b0;
    end else begin
      count_q <= count_q + CountW'(gives);
      credit_o <= gives;
    end
  end

endmodule

`default_nettype wire
