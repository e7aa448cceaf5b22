// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "muster_assert.svh"

// Round-robin arbiters, each over N requesters, side by side in vectors: bit n * Lanes + l is
// requester n of arbiter l. A simulator takes as long for all as for one.
//
// Grants and pointers are those of muster_rr_arbiter with take_i: the pointer moves past each
// granted requester. A request is granted if it wins; who wins does not depend on its own request,
// so what follows from a grant can begin with the request.
module muster_rr_arbiters #(
  /// requesters, 1 to 32
  parameter int unsigned N = 2,
  /// arbiters, 1 to 128
  parameter int unsigned Lanes = 8,
  localparam int unsigned AllW = N * Lanes
) (
  input  wire logic             clk_i,
  input  wire logic             rst_ni,

  input  wire logic [AllW-1:0]  req_i,
  /// a request is granted
  output logic [AllW-1:0]       wins_o,
  /// of each arbiter one-hot, or zero without a request
  output logic [AllW-1:0]       grant_o
);
  `MUSTER_RANGE(N, 1, 32)
  `MUSTER_RANGE(Lanes, 1, 128)

  if (N == 1) begin : gen_one
    // Single requester.
    assign wins_o = '1;

    logic unused;
    assign unused = &{1'b0, clk_i, rst_ni};
  end
  if (N == 2) begin : gen_two
    logic [Lanes-1:0] pointer_q, low, high;
    assign {high, low} = req_i;
    assign wins_o = {pointer_q | ~low, ~(pointer_q & high)};
    always_ff @(posedge clk_i) begin
      if (!rst_ni) pointer_q <= '0;
      else pointer_q <= grant_o[Lanes-1:0] | (pointer_q & ~high);
    end
  end
  if (N > 2) begin : gen_many
    // The pointer as a thermometer, see muster_rr_arbiter.
    logic [AllW-1:0] mask_q, preferred, may, candidates, above;
    logic [Lanes-1:0] any, any_preferred;
    assign preferred = req_i & mask_q;
    always_comb begin
      any = '0;
      any_preferred = '0;
      for (int unsigned n = 0; n < N; n++) begin
        any = any | req_i[n*Lanes+:Lanes];
        any_preferred = any_preferred | preferred[n*Lanes+:Lanes];
      end
    end
    assign may = mask_q | ~{N{any_preferred}};
    assign candidates = req_i & may;
    always_comb begin
      above = candidates << Lanes;
      for (int unsigned k = 0; k != $clog2(N); k++) above = above | (above << (Lanes << k));
    end
    assign wins_o = may & ~above;
    always_ff @(posedge clk_i) begin
      if (!rst_ni) mask_q <= '0;
      else mask_q <= ({N{any}} & above) | (~{N{any}} & mask_q);
    end
  end

  assign grant_o = req_i & wins_o;

  `MUSTER_ASSERT(GrantOnRequest_A, (grant_o & ~req_i) == '0)

endmodule

`default_nettype wire
