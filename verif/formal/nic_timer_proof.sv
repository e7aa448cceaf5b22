// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "muster_assert.svh"

// nic_timer against a timer that counts its tries in unary and its limit by doubling, for any base,
// retries and user; all 24 bits of the time, which no simulation waits for.
module nic_timer_proof #(
  parameter int unsigned BaseW = 24
) (
  input  wire logic              clk_i,
  input  wire logic [BaseW-1:0]  base_i,
  input  wire logic [3:0]        retries_i,
  input  wire logic              run_i,
  input  wire logic              clear_i,
  input  wire logic              again_i
);
  logic rst_ni = 1'b0;
  always_ff @(posedge clk_i) rst_ni <= 1'b1;

  logic due, spent;
  nic_timer dut (
    .clk_i,
    .rst_ni,
    .base_i(24'(base_i)),
    .retries_i,
    .run_i,
    .clear_i,
    .again_i,
    .due_o(due),
    .spent_o(spent)
  );

  logic [14:0] tries_q;  // as many ones
  logic [23:0] time_q, limit;
  logic [15:0] as_retries;
  always_comb begin
    limit = 24'(base_i);
    for (int unsigned i = 0; i < 6; i++) begin
      if (tries_q[i]) limit = {limit[22:0], 1'b0};
    end
    as_retries = 16'd1 << retries_i;
  end
  always_ff @(posedge clk_i) begin
    if (!rst_ni || clear_i || again_i) time_q <= '0;
    else if (run_i && time_q < limit) time_q <= time_q + 1'b1;
    if (!rst_ni || clear_i) tries_q <= '0;
    else if (again_i) tries_q <= {tries_q[13:0], 1'b1};
  end

  `MUSTER_ASSUME(AgainWhenDue_M, !again_i || (due && !spent))

  `MUSTER_ASSERT(DueAtLimit_A, due == (time_q >= limit))
  `MUSTER_ASSERT(SpentAtRetries_A, spent == ({tries_q, 1'b1} >= as_retries))

  `MUSTER_COVER(DueTwice_C, due && tries_q == 15'd3 && base_i == BaseW'(3))
  `MUSTER_COVER(Spent_C, spent && retries_i == 4'd9)

endmodule

`default_nettype wire
