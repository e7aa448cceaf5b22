// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "formal.svh"

// muster_unit_turn against a set of ports that is told from what can be taken and what is, and its
// fairness: a buffer that can be taken, cycle after cycle, sees at most 2 * Ports - 3 others taken
// before it, none of them more than twice. It may have come too late for the round that is served,
// which has Ports - 2 others then, and be the highest of the next. `chosen` and `other` are any two
// ports, fixed in the cycle of reset. Passed makes the bound another, for the proof that it is
// tight.
module unit_turn_proof #(
  parameter int unsigned Ports = 3,
  parameter int unsigned Passed = 2 * Ports - 3,
  localparam int unsigned IndexW = $clog2(Ports)
) (
  input  wire logic               clk_i,
  input  wire logic [Ports-1:0]   able_i,
  input  wire logic [IndexW-1:0]  chosen_i,
  input  wire logic [IndexW-1:0]  other_i
);
  `MUSTER_FORMAL_RESET

  logic [Ports-1:0] take;
  muster_unit_turn #(.Ports(Ports)) dut (
    .clk_i, .rst_ni,
    .able_i,
    .take_o(take)
  );

  // Those that could be taken when the round began, less those that have been.
  logic [Ports-1:0] round_q, from, expected;
  assign from = ((able_i & round_q) != '0) ? able_i & round_q : able_i;
  always_comb begin
    expected = '0;
    for (int unsigned i = Ports; i > 0; i--) begin
      if (from[i-1]) expected = Ports'(1) << (i - 1);
    end
  end

  logic [IndexW-1:0] chosen_q, other_q;
  logic [Ports-1:0] mine, theirs;
  logic [IndexW:0] passed_q;
  logic [1:0] by_other_q;
  logic waits;
  assign mine = Ports'(1) << chosen_q;
  assign theirs = Ports'(1) << other_q;
  assign waits = (able_i & mine) != '0 && take != mine;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      round_q <= '0;
      chosen_q <= chosen_i;
      other_q <= other_i;
      passed_q <= '0;
      by_other_q <= '0;
    end else begin
      if (able_i != '0) begin
        round_q <= (((able_i & round_q) != '0) ? round_q : able_i) & ~expected;
      end
      passed_q <= waits ? passed_q + IndexW'(passed_q != '1) : '0;
      by_other_q <= waits ? by_other_q + 2'(take == theirs && by_other_q != '1) : '0;
    end
  end

  `MUSTER_ASSUME(PortsExist_M, 32'(chosen_q) < Ports && 32'(other_q) < Ports &&
                               chosen_q != other_q)

  `MUSTER_ASSERT(LowestOfTheRound_A, take == expected)
  `MUSTER_ASSERT(PassedByFew_A, 32'(passed_q) <= Passed)
  `MUSTER_ASSERT(PassedTwiceAtMost_A, by_other_q <= 2'd2)

  `MUSTER_COVER(PassedByAsMany_C, 32'(passed_q) == 2 * Ports - 3 && take == mine)
  `MUSTER_COVER(PassedTwice_C, by_other_q == 2'd2 && take == mine)

endmodule

`default_nettype wire
