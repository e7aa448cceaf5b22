// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "formal.svh"

// muster_rr_arbiter against a pointer and a search, and its fairness: a requester that keeps asking
// sees at most N - 1 grants to others taken. `chosen` is any one requester, fixed in the cycle of
// reset.
module rr_arbiter_proof #(
  parameter int unsigned N = 4,
  localparam int unsigned IndexW = (N > 1) ? $clog2(N) : 1
) (
  input  wire logic               clk_i,
  input  wire logic [N-1:0]       req_i,
  input  wire logic               take_i,
  input  wire logic [IndexW-1:0]  chosen_i
);
  `MUSTER_FORMAL_RESET

  logic [N-1:0] grant;
  muster_rr_arbiter #(.N(N)) dut (
    .clk_i, .rst_ni,
    .req_i,
    .take_i,
    .grant_o(grant)
  );

  logic [IndexW-1:0] pointer_q, winner;
  logic [N-1:0] expected;
  always_comb begin
    winner = '0;
    // The last match of a downward search: past the pointer beats before it, lower beats higher.
    for (int unsigned i = N; i > 0; i--) begin
      if (req_i[i-1] && (i - 1 < 32'(pointer_q))) winner = IndexW'(i - 1);
    end
    for (int unsigned i = N; i > 0; i--) begin
      if (req_i[i-1] && (i - 1 >= 32'(pointer_q))) winner = IndexW'(i - 1);
    end
    expected = (req_i != '0) ? (N'(1) << winner) : '0;
  end
  always_ff @(posedge clk_i) begin
    if (!rst_ni) pointer_q <= '0;
    else if (take_i && (req_i != '0)) begin
      pointer_q <= (winner == IndexW'(N - 1)) ? '0 : winner + 1'b1;
    end
  end

  logic [IndexW-1:0] chosen_q;
  logic [IndexW:0] overtaken_q;
  logic [N-1:0] mine;
  logic waits;
  assign mine = N'(1) << chosen_q;
  assign waits = ((req_i & mine) != '0) && !(take_i && ((grant & mine) != '0));
  always_ff @(posedge clk_i) begin
    if (!rst_ni) chosen_q <= chosen_i;
    if (!rst_ni || !waits) overtaken_q <= '0;
    else if (take_i && (overtaken_q != '1)) overtaken_q <= overtaken_q + 1'b1;
  end

  `MUSTER_ASSUME(ChosenExists_M, 32'(chosen_q) < N)

  `MUSTER_ASSERT(GrantAsSpecified_A, grant == expected)
  `MUSTER_ASSERT(FairWithinN_A, 32'(overtaken_q) <= N - 1)

  `MUSTER_COVER(OvertakenByAll_C, (32'(overtaken_q) == N - 1) && (grant == mine))
  `MUSTER_COVER(PointerAtEnd_C, (pointer_q == IndexW'(N - 1)) && (grant != '0))

endmodule

`default_nettype wire
