// SPDX-License-Identifier: Apache-2.0
`default_nettype none

// Round-robin arbiter over N requesters that says the number of the granted one as well: for a
// multiplexer, which in an FPGA takes less than gates opened by grants.
//
// Grants and pointer are those of muster_rr_arbiter. number_o is 0 without a request.
module muster_rr_select #(
  /// requesters, 1 to 64
  parameter int unsigned N = 4,
  localparam int unsigned NumberW = (N > 1) ? $clog2(N) : 1
) (
  input  wire logic                clk_i,
  input  wire logic                rst_ni,

  input  wire logic [N-1:0]        req_i,
  /// the grant of this cycle is used; without a grant it has no effect
  input  wire logic                take_i,
  /// one-hot, or zero without a request
  output logic [N-1:0]             grant_o,
  output logic [NumberW-1:0]       number_o
);
  muster_rr_arbiter #(.N(N)) arbiter (
    .clk_i, .rst_ni,
    .req_i,
    .take_i,
    .grant_o
  );

  always_comb begin
    number_o = '0;
    for (int unsigned i = 0; i < N; i++) begin
      if (grant_o[i]) number_o = number_o | NumberW'(i);
    end
  end

endmodule

`default_nettype wire
