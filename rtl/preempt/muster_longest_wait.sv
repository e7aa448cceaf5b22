// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "muster_assert.svh"

// The longest wait of a message at any output of a preempting switch, for register 0x013 and for
// the asserted bounds. docs/systems/preempting-switches.md, "Bounded waits".
//
// For output p, cycles with serves_i[p] and waits_i[p] are counted; the count restarts after a
// cycle with serves_i[p] only. longest_o is the largest count so far, without the present cycle.
// All saturate at 2^CountW - 1.
module muster_longest_wait #(
  /// ports of the switch, 3 to 16
  parameter int unsigned Ports = 8,
  /// bits of a count, 1 to 16
  parameter int unsigned CountW = 16
) (
  input  wire logic              clk_i,
  input  wire logic              rst_ni,

  /// a message is served, which ends with a cycle in which it does not wait; it waits
  input  wire logic [Ports-1:0]  serves_i,
  input  wire logic [Ports-1:0]  waits_i,
  output logic [15:0]            longest_o
);
  `MUSTER_RANGE(Ports, 3, 16)
  `MUSTER_RANGE(CountW, 1, 16)

  logic [Ports-1:0][CountW-1:0] count_q, count_d;
  logic [CountW-1:0] longest_q;
  logic grows, above;

  // A count is at most the longest, and rises by one: no count has to be compared for size.
  always_comb begin
    count_d = count_q;
    grows = 1'b0;
    above = 1'b0;
    for (int unsigned p = 0; p < Ports; p++) begin
      if (serves_i[p]) begin
        if (!waits_i[p]) count_d[p] = '0;
        else if (count_q[p] != '1) count_d[p] = count_q[p] + 1'b1;
        if (waits_i[p] && count_q[p] == longest_q) grows = 1'b1;
      end
      if (count_q[p] > longest_q) above = 1'b1;
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      count_q <= '0;
      longest_q <= '0;
    end else begin
      if (serves_i != '0) count_q <= count_d;
      if (grows && longest_q != '1) longest_q <= longest_q + 1'b1;
    end
  end

  assign longest_o = 16'(longest_q);

  `MUSTER_ASSERT(NoneIsLonger_A, !above)

endmodule

`default_nettype wire
