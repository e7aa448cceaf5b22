// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "muster_assert.svh"

// The ticks at which the registers of a switch repeat what they have sent, and age: word 0x011 and
// the two ticks (docs/systems/retry-registers.md). One for all registers of a switch.
//
// The word has the repeat period in cycles, bits 15..0, and the age period in repeat ticks, bits
// 23..16; 0 is never. Cycles count while a register has a barrier in progress. So if one has from
// cycle t on, and the repeat period is N, tick_o is 1 in t + N, t + 2N and so on, one cycle each;
// age_tick_o is 1 with the last tick of each age period. Both counters restart with a write, and
// when no register has a barrier in progress: a write in t has the first tick in t + 1 + N.
module muster_retry_ticks (
  input  wire logic         clk_i,
  input  wire logic         rst_ni,

  /// the host writes the word
  input  wire logic         write_i,
  input  wire logic [23:0]  wdata_i,
  output logic [31:0]       word_o,

  /// a register is under way
  input  wire logic         under_way_i,
  /// registers repeat; they grow older
  output logic              tick_o,
  output logic              age_tick_o,
  /// something changes at the edge, whatever comes
  output logic              busy_o
);
  logic [15:0] period_q, cycles_q, cycles;
  logic [7:0] age_period_q, ticks_q;
  logic [8:0] ticks_next;
  logic runs, whole, tick_q;

  assign runs = under_way_i && period_q != '0;
  assign cycles = cycles_q + 1'b1;
  assign whole = cycles == period_q;
  assign ticks_next = {1'b0, ticks_q} + 1'b1;  // with a bit more, which no period has: 0 is never

  always_ff @(posedge clk_i) begin
    if (!rst_ni) {age_period_q, period_q} <= '0;
    else if (write_i) {age_period_q, period_q} <= wdata_i;
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni || write_i || !runs) begin
      tick_q <= 1'b0;
      cycles_q <= '0;
      ticks_q <= '0;
    end else begin
      tick_q <= whole;
      cycles_q <= whole ? '0 : cycles;
      if (age_tick_o) ticks_q <= '0;
      else if (tick_q) ticks_q <= ticks_next[7:0];
    end
  end

  assign tick_o = tick_q;
  assign age_tick_o = tick_q && ticks_next == {1'b0, age_period_q};
  muster_pkg::periods_t periods;
  always_comb begin
    periods = '0;
    periods.age = age_period_q;
    periods.repetition = period_q;
  end
  assign word_o = periods;
  assign busy_o = runs || tick_q || cycles_q != '0 || ticks_q != '0;

  `MUSTER_ASSERT(CyclesInPeriod_A, cycles_q == '0 || cycles_q < period_q)
  `MUSTER_ASSERT(TickBeginsPeriod_A, !tick_q || cycles_q == '0)
  `MUSTER_ASSERT(TicksInAgePeriod_A, age_period_q == '0 || ticks_q < age_period_q)

endmodule

`default_nettype wire
