// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "muster_assert.svh"

// muster_nic_queue against a shift register: order, no loss, flags, for any caller that keeps its
// rules, and the word that was taken stays.
module nic_queue_proof #(
  parameter int unsigned Width = 2,
  parameter int unsigned Depth = 4
) (
  input  wire logic              clk_i,
  input  wire logic              push_i,
  input  wire logic [Width-1:0]  data_i,
  input  wire logic              pop_i
);
  localparam int unsigned CountW = $clog2(Depth + 1);

  logic rst_ni = 1'b0;
  always_ff @(posedge clk_i) rst_ni <= 1'b1;

  logic [Width-1:0] data;
  logic empty, full;
  muster_nic_queue #(
    .Width(Width),
    .Depth(Depth)
  ) dut (
    .clk_i,
    .rst_ni,
    .push_i,
    .data_i,
    .pop_i,
    .data_o(data),
    .empty_o(empty),
    .full_o(full)
  );

  // The words in it, oldest lowest, and the one that was taken last.
  logic [Depth*Width-1:0] words_q, words_d;
  logic [Width-1:0] taken_q;
  logic [CountW-1:0] count_q, left;
  logic some_q, was_full_q;
  assign left = count_q - CountW'(pop_i);
  always_comb begin
    words_d = pop_i ? words_q >> Width : words_q;
    for (int unsigned i = 0; i < Depth; i++) begin
      if (push_i && left == CountW'(i)) words_d[i*Width+:Width] = data_i;
    end
  end
  always_ff @(posedge clk_i) begin
    if (!rst_ni) count_q <= '0;
    else count_q <= left + CountW'(push_i);
    some_q <= rst_ni && (some_q || pop_i);
    was_full_q <= rst_ni && (was_full_q || full);
    words_q <= words_d;
    if (pop_i) taken_q <= words_q[Width-1:0];
  end

  `MUSTER_ASSUME(PushWithRoom_M, !(push_i && full))
  `MUSTER_ASSUME(PopWithWord_M, !(pop_i && empty))

  `MUSTER_ASSERT(EmptyMeansNone_A, empty == (count_q == '0))
  `MUSTER_ASSERT(FullMeansDepth_A, full == (count_q == CountW'(Depth)))
  `MUSTER_ASSERT(OldestIsTaken_A, !some_q || data == taken_q)

  `MUSTER_COVER(FillsAndEmpties_C, was_full_q && empty)
  `MUSTER_COVER(PushesAndPops_C, push_i && pop_i)

endmodule

`default_nettype wire
