// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "muster_assert.svh"

// The block in domain b of cdc_flits_proof: it has Depth places, takes flits when it likes and
// gives their credits back. Flits come in order, each once, and find a place.
module cdc_receiver #(
  parameter int unsigned Depth = 2,
  localparam int unsigned NumberW = 3
) (
  input  wire logic                 clk_i,
  input  wire logic                 rst_ni,
  input  wire logic                 take_i,
  input  wire logic                 valid_i,
  input  wire logic [NumberW-1:0]   number_i,
  output logic                      credit_o
);
  localparam int unsigned CountW = $clog2(Depth + 1) + 1;

  logic [NumberW-1:0] next_q;
  logic [CountW-1:0] queued_q;
  logic takes;
  assign takes = take_i && queued_q != '0;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      next_q <= '0;
      queued_q <= '0;
      credit_o <= 1'b0;
    end else begin
      next_q <= next_q + NumberW'(valid_i);
      queued_q <= queued_q + CountW'(valid_i) - CountW'(takes);
      credit_o <= takes;
    end
  end

  `MUSTER_ASSERT(InOrder_A, !valid_i || number_i == next_q)
  `MUSTER_ASSERT(HasRoom_A, !valid_i || 32'(queued_q) < Depth)

  `MUSTER_COVER(FlitComes_C, next_q == NumberW'(1))

endmodule

`default_nettype wire
