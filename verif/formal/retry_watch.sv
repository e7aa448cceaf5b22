// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "muster_assert.svh"

// Who is released when, told from the members only, for proofs of registers that repeat:
//
//   - no member is released from a barrier before all members have arrived at it
//   - no member is released from the next one while another waits for this one's release
//   - who is released has the data of all, combined by Op
//   - no member is released from a barrier that another has seen fail, and none sees one fail that
//     a member has been released from
module retry_watch #(
  parameter int unsigned Members = 2,
  parameter int unsigned DataW = 2,
  parameter logic [2:0] Op = 3'd0
) (
  input  wire logic                            clk_i,
  input  wire logic                            rst_ni,
  input  wire logic [Members-1:0]              arrives_i,
  input  wire logic [Members-1:0][DataW-1:0]   data_i,
  input  wire logic [Members-1:0]              waits_i,
  input  wire logic [Members-1:0]              failed_i,
  input  wire logic [Members-1:0]              released_i,
  input  wire logic [Members-1:0][DataW-1:0]   release_data_i,
  /// members that have been released from the oldest barrier that others are at, its data so far
  output logic [Members-1:0]                   done_o,
  output logic [DataW-1:0]                     data_o,
  /// barriers that have ended, 3 at most
  output logic [1:0]                           barriers_o
);
`include "data_meaning.svh"

  logic [Members-1:0] done_q, done, wrong;
  logic [1:0] barriers_q;
  logic [DataW-1:0] data_q, next_data_q, data, next_data;
  logic ends;
  assign done = done_q | released_i;
  assign ends = done == '1;
  always_comb begin
    data = data_q;
    next_data = next_data_q;
    wrong = '0;
    for (int unsigned m = 0; m < Members; m++) begin
      if (arrives_i[m] && !done_q[m]) data = both(data, data_i[m]);
      if (arrives_i[m] && done_q[m]) next_data = both(next_data, data_i[m]);
      wrong[m] = released_i[m] && release_data_i[m] != data_q;
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      done_q <= '0;
      data_q <= Neutral;
      next_data_q <= Neutral;
      barriers_q <= '0;
    end else begin
      done_q <= ends ? '0 : done;
      data_q <= ends ? next_data : data;
      next_data_q <= ends ? Neutral : next_data;
      if (ends && barriers_q != '1) barriers_q <= barriers_q + 1'b1;
    end
  end
  assign done_o = done_q;
  assign data_o = data_q;
  assign barriers_o = barriers_q;

  `MUSTER_ASSERT(NobodyEarly_A, released_i == '0 || (~waits_i & ~done_q) == '0)
  `MUSTER_ASSERT(NobodyTwice_A, (released_i & done_q) == '0)
  `MUSTER_ASSERT(DataOfAll_A, wrong == '0)
  `MUSTER_ASSERT(FailsForAllOrNone_A, done_q == '0 || (failed_i & ~done_q) == '0)

endmodule

`default_nettype wire
