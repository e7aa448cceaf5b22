// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "muster_assert.svh"


// The first of some requests: the lowest of those that are preferred, or if there is none of these
// the lowest of all. Combinational; above_o is 0 without a request.
//
// Example, N = 4, preferred 1100: requests 1011 grant 1000, requests 0011 grant 0001.
module muster_preferred_first #(
  /// requesters, 2 to 64
  parameter int unsigned N = 4
) (
  input  wire logic [N-1:0]  req_i,
  input  wire logic [N-1:0]  preferred_i,
  /// one-hot, or zero without a request
  output logic [N-1:0]       grant_o,
  /// the bits above it
  output logic [N-1:0]       above_o
);
  `MUSTER_RANGE(N, 2, 64)

  // No `else`: front ends differ in the names of what is in it.
  if (N <= 5) begin : gen_pairs
    // Each against each: requests come late, who of two goes first is known before.
    logic [N-1:0] up, after;  // above j; those that j goes before
    always_comb begin
      grant_o = req_i;
      up = '0;
      after = '0;
      if (req_i != '0) begin
        for (int unsigned j = 0; j < N; j++) begin
          up = {N{1'b1}} << (j + 1);
          after = preferred_i[j] ? ~preferred_i | up : ~preferred_i & up;
          if (req_i[j]) grant_o = grant_o & ~after;
        end
      end
    end
    muster_above_lowest #(.N(N)) of_grant (
      .bits_i(grant_o),
      .above_o
    );
  end
  if (N > 5) begin : gen_searches
    // Both searches side by side: which of them counts is known as late as what they find.
    logic [N-1:0] preferred, above_preferred, above;
    logic any;
    assign preferred = req_i & preferred_i;
    assign any = preferred != '0;
    muster_above_lowest #(.N(N)) of_preferred (
      .bits_i(preferred),
      .above_o(above_preferred)
    );
    muster_above_lowest #(.N(N)) of_all (
      .bits_i(req_i),
      .above_o(above)
    );
    assign grant_o = any ? preferred & ~above_preferred : req_i & ~above;
    assign above_o = any ? above_preferred : above;
  end

endmodule

`default_nettype wire
