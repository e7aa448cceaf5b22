// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "muster_assert.svh"

// A queue of the NIC, whose words lie in a muster_nic_memory.
//
// A word that is pushed in t counts from t + 1 on. pop_i in t takes the oldest, which is at data_o
// from t + 1 on, until the next one is taken. The caller pushes only while full_o is low and pops
// only while empty_o is low; both may come in one cycle, but a pop makes no room in its cycle.
//
// Example: A and B are pushed in t and t + 1. Popped in t + 1 and t + 2, A is at data_o in t + 2,
// B from t + 3 on.
module muster_nic_queue #(
  /// bits of a word, 1 to 64
  parameter int unsigned Width = 40,
  /// words it holds, 2 to 16
  parameter int unsigned Depth = 4
) (
  input  wire logic              clk_i,
  input  wire logic              rst_ni,

  input  wire logic              push_i,
  input  wire logic [Width-1:0]  data_i,
  input  wire logic              pop_i,
  /// the word that was taken last
  output logic [Width-1:0]       data_o,

  /// holds no word, holds Depth words
  output logic                   empty_o,
  output logic                   full_o
);
  `MUSTER_RANGE(Depth, 2, 16)

  logic [Depth-1:0] words_q;  // bit c for more than c words
  logic [3:0] read_q, write_q;

  // 16 words are the least that tools take block memory for.
  muster_nic_memory #(.Words(16), .Width(Width)) words (
    .clk_i, .rst_ni,
    .write_i(push_i),
    .write_at_i(write_q),
    .word_i(data_i),
    .read_i(pop_i),
    .read_at_i(read_q),
    .read_o(data_o)
  );

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      words_q <= '0;
      read_q <= '0;
      write_q <= '0;
    end else begin
      if (push_i != pop_i) words_q <= push_i ? {words_q[Depth-2:0], 1'b1} : words_q >> 1;
      if (pop_i) read_q <= read_q + 1'b1;
      if (push_i) write_q <= write_q + 1'b1;
    end
  end
  assign empty_o = !words_q[0];
  assign full_o = words_q[Depth-1];

  logic [3:0] held;
  assign held = write_q - read_q;
  `MUSTER_ASSERT(CountIsDistance_A, held == 4'($unsigned($countones(words_q))))
  `MUSTER_ASSERT(CountIsUnary_A, (words_q & (words_q + 1'b1)) == '0)
  `MUSTER_ASSERT(PushHasRoom_A, !(push_i && full_o))
  `MUSTER_ASSERT(PopHasWord_A, !(pop_i && empty_o))

endmodule

`default_nettype wire
