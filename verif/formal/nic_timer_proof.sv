// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "muster_assert.svh"

// muster_nic_timer against a timer that counts its tries in unary, the cycles of a unit, which
// doubles with each of the first six tries, and whole units: their number is not below the base
// exactly if the cycles since the start are not below base times unit. For any base, retries and
// user; all bits of the time, which no simulation waits for.
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
  muster_nic_timer #(
    .BaseW(BaseW)
  ) dut (
    .clk_i,
    .rst_ni,
    .base_i,
    .retries_i,
    .run_i,
    .clear_i,
    .again_i,
    .due_o(due),
    .spent_o(spent)
  );

  // ---- The timer of the page: tries, and the time as units and cycles of the one begun ---------
  logic [14:0] tries_q;  // as many ones
  logic [BaseW-1:0] units_q;
  logic [5:0] cycles_q;
  logic [6:0] unit;
  logic [15:0] as_retries;
  logic counts, full;
  always_comb begin
    unit = 7'd1;
    for (int unsigned i = 0; i < 6; i++) begin
      if (tries_q[i]) unit = {unit[5:0], 1'b0};
    end
    as_retries = 16'd1 << retries_i;
  end
  assign counts = run_i && units_q < base_i;
  assign full = 7'(cycles_q) + 7'd1 == unit;
  always_ff @(posedge clk_i) begin
    if (!rst_ni || clear_i || again_i) begin
      units_q <= '0;
      cycles_q <= '0;
    end else if (counts) begin
      if (full) units_q <= units_q + 1'b1;
      cycles_q <= full ? '0 : cycles_q + 1'b1;
    end
    if (!rst_ni || clear_i) tries_q <= '0;
    else if (again_i) tries_q <= {tries_q[13:0], 1'b1};
  end

  // ---- The same as the module has it, so that a fact can say how the two hang together ---------
  logic [BaseW+5:0] time_q;  // in 64ths
  logic [3:0] number_q;
  logic [6:0] cycle, position;
  assign cycle = 7'd64 >> ((number_q > 4'd6) ? 3'd6 : number_q[2:0]);
  assign position = 7'(cycles_q) << ((number_q > 4'd6) ? 3'd0 : 3'd6 - number_q[2:0]);
  always_ff @(posedge clk_i) begin
    if (!rst_ni || clear_i) number_q <= '0;
    else if (again_i) number_q <= number_q + 1'b1;
    if (!rst_ni || clear_i || again_i) time_q <= '0;
    else if (run_i && time_q[BaseW+5:6] < base_i) time_q <= time_q + (BaseW + 6)'(cycle);
  end

  `MUSTER_ASSUME(AgainWhenDue_M, !again_i || (due && !spent))

  `MUSTER_ASSERT(DueAtLimit_A, due == (units_q >= base_i))
  `MUSTER_ASSERT(SpentAtRetries_A, spent == ({tries_q, 1'b1} >= as_retries))
  `MUSTER_ASSERT(UnitsAndCycles_A, time_q == {units_q, position[5:0]} && 7'(cycles_q) < unit)
  `MUSTER_ASSERT(NumberOfTries_A, {1'b0, tries_q, 1'b1} == (17'd2 << number_q) - 17'd1)

  `MUSTER_COVER(DueTwice_C, due && tries_q == 15'd3 && base_i == BaseW'(3))
  `MUSTER_COVER(Spent_C, spent && retries_i == 4'd9)

endmodule

`default_nettype wire
