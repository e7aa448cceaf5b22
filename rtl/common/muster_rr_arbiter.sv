// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "muster_assert.svh"

// Round-robin arbiter over N requesters.
//
// A pointer names the requester with priority; it is 0 after reset. In every cycle grant_o names
// the first request at or after the pointer, counting upward and on from N - 1 to 0; with no
// request it is zero. grant_o depends on req_i and the pointer only, in the same cycle, and not on
// take_i.
//
// At an edge with take_i and a grant the pointer moves to the granted index + 1, modulo N.
// Otherwise it holds: requests may come and go freely without a grant being used, and nothing is
// remembered of them. A requester that keeps its request is granted after at most N - 1 other
// grants are taken.
//
// Example, N = 4, pointer 2: requests 1011 grant 1000; taken, the pointer is 0, and requests 1011
// grant 0001.
module muster_rr_arbiter #(
  /// requesters, 1 to 64
  parameter int unsigned N = 4
) (
  input  wire logic          clk_i,
  input  wire logic          rst_ni,

  input  wire logic [N-1:0]  req_i,
  /// the grant of this cycle is used; without a grant it has no effect
  input  wire logic          take_i,
  /// one-hot, or zero without a request
  output logic [N-1:0]       grant_o
);
  `MUSTER_RANGE(N, 1, 64)

  // No `else if`: front ends differ in the names of what is in it.
  if (N == 1) begin : gen_one
    // Single requester.
    assign grant_o = req_i;

    logic unused;
    assign unused = &{1'b0, clk_i, rst_ni, take_i};
  end
  if (N == 2) begin : gen_two
    logic pointer_q;
    always_comb begin
      grant_o = '0;
      if (req_i != '0) begin
        grant_o = {req_i[1] && (pointer_q || !req_i[0]), req_i[0] && !(pointer_q && req_i[1])};
      end
    end

    always_ff @(posedge clk_i) begin
      if (!rst_ni) pointer_q <= 1'b0;
      else if (take_i && (req_i != '0)) pointer_q <= grant_o[0];
    end
  end
  if (N > 2) begin : gen_many
    // The pointer as a thermometer: bit i is set if i is at or after it. All zeros is pointer 0 as
    // well, reached by going past N - 1: no request is preferred, so the lowest of all wins.
    logic [N-1:0] mask_q, behind;  // behind: the bits after the one granted

    muster_preferred_first #(.N(N)) first (
      .req_i,
      .preferred_i(mask_q),
      .grant_o,
      .above_o(behind)
    );

    always_ff @(posedge clk_i) begin
      if (!rst_ni) mask_q <= '0;
      else if (take_i && (req_i != '0)) mask_q <= behind;
    end

    `MUSTER_ASSERT(GrantOneHotOrZero_A, (grant_o & (grant_o - 1'b1)) == '0)
    `MUSTER_ASSERT(GrantOnRequest_A, (grant_o & ~req_i) == '0)
    `MUSTER_ASSERT(RequestGetsGrant_A, (req_i == '0) || (grant_o != '0))
    `MUSTER_ASSERT(GrantInTurn_A, ((req_i & mask_q) == '0) || ((grant_o & mask_q) != '0))
    `MUSTER_ASSERT(PointerIsThermometer_A, (~mask_q & (~mask_q + 1'b1)) == '0)
  end

endmodule

`default_nettype wire
