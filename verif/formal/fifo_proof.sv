// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "formal.svh"

// muster_fifo against a shift register: order, no loss, flags, for any caller that keeps its rules;
// or muster_nic_queue, which shows the word that was taken last in the place of the oldest one.
module fifo_proof #(
  parameter int unsigned Width = 2,
  parameter int unsigned Depth = 3,
  /// 1: muster_nic_queue
  parameter int unsigned Nic = 0
) (
  input  wire logic              clk_i,
  input  wire logic              push_i,
  input  wire logic [Width-1:0]  data_i,
  input  wire logic              pop_i
);
  localparam int unsigned CountW = $clog2(Depth + 1);

  `MUSTER_FORMAL_RESET

  logic [Width-1:0] data;
  logic empty, full;
  if (Nic == 0) begin : gen_fifo
    muster_fifo #(.Width(Width), .Depth(Depth)) dut (
      .clk_i, .rst_ni, .push_i, .data_i, .pop_i,
      .data_o(data), .empty_o(empty), .full_o(full)
    );
  end else begin : gen_nic_queue
    muster_nic_queue #(.Width(Width), .Depth(Depth)) dut (
      .clk_i, .rst_ni, .push_i, .data_i, .pop_i,
      .data_o(data), .empty_o(empty), .full_o(full)
    );
  end

  // The words in it, oldest lowest, and the one that was taken last.
  logic [Depth*Width-1:0] words_q, words_d;
  logic [Width-1:0] taken_q;
  logic [CountW-1:0] count_q, left;
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
    words_q <= words_d;
    if (pop_i) taken_q <= words_q[Width-1:0];
  end
  `MUSTER_SEEN(some_q, pop_i)
  `MUSTER_SEEN(was_full_q, full)

  `MUSTER_ASSUME(PushWithRoom_M, !(push_i && full))
  `MUSTER_ASSUME(PopWithWord_M, !(pop_i && empty))

  `MUSTER_ASSERT(EmptyMeansNone_A, empty == (count_q == '0))
  `MUSTER_ASSERT(FullMeansDepth_A, full == (count_q == CountW'(Depth)))
  `MUSTER_ASSERT(RightWordIsShown_A, (Nic == 0) ? empty || data == words_q[Width-1:0]
                                                : !some_q || data == taken_q)

  `MUSTER_COVER(FillsAndEmpties_C, was_full_q && empty)
  // A queue for one word is always either full or empty, so it cannot.
  `MUSTER_COVER(PushesAndPops_C, (push_i && pop_i) || (Depth == 1))

endmodule

`default_nettype wire
