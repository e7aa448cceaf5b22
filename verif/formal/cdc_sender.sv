// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "muster_assert.svh"

// The block in domain a of cdc_flits_proof: it sends when it likes, with a credit. Each flit
// carries its number.
module cdc_sender #(
  parameter int unsigned Depth = 2,
  localparam int unsigned NumberW = 3
) (
  input  wire logic                 clk_i,
  input  wire logic                 rst_ni,
  input  wire logic                 send_i,
  input  wire logic                 up_i,
  input  wire logic                 overflow_i,
  input  wire logic                 credit_i,
  output logic                      valid_o,
  output logic [NumberW-1:0]        number_o
);
  localparam int unsigned CountW = $clog2(Depth + 1) + 1;

  logic valid_q;
  logic [NumberW-1:0] number_q;
  logic [CountW-1:0] credits_q;
  logic sends;
  assign sends = send_i && up_i && credits_q != '0;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      valid_q <= 1'b0;
      number_q <= '0;
      credits_q <= CountW'(Depth);
    end else begin
      valid_q <= sends;
      number_q <= number_q + NumberW'(valid_q);
      credits_q <= credits_q + CountW'(credit_i) - CountW'(sends);
    end
  end
  assign valid_o = valid_q;
  assign number_o = number_q;

  `MUSTER_ASSERT(CreditsAreOwn_A, 32'(credits_q) + 32'(credit_i) <= Depth)
  `MUSTER_ASSERT(NothingOverflows_A, !overflow_i)

  `MUSTER_COVER(CreditComesBack_C, credit_i)

endmodule

`default_nettype wire
