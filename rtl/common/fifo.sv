// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "muster_assert.svh"

// Queue of Depth words in one clock domain.
//
// data_o is the oldest word while empty_o is low, and means nothing otherwise. It is read from the
// storage without a cycle of delay: pop_i in cycle t takes the word that data_o shows in t, and
// from t + 1 on data_o shows the next one. A word pushed in cycle t counts from t + 1 on; pushed
// into an empty queue it is at data_o in t + 1, never in t.
//
// The caller pushes only while full_o is low and pops only while empty_o is low. A push and a pop
// in one cycle are both done; on a full queue a pop does not make room for a push of the same
// cycle. empty_o and full_o are functions of registers.
//
// After reset the queue is empty. The storage has no reset, so that tools may use memory for it.
module fifo #(
  /// bits of a word, 1 to 256
  parameter int unsigned Width = 16,
  /// words it holds, 1 to 64; need not be a power of two
  parameter int unsigned Depth = 4
) (
  input  wire logic              clk_i,
  input  wire logic              rst_ni,

  /// append data_i; only while full_o is low
  input  wire logic              push_i,
  input  wire logic [Width-1:0]  data_i,
  /// take the word at data_o; only while empty_o is low
  input  wire logic              pop_i,
  /// the oldest word, if there is one
  output logic [Width-1:0]       data_o,

  /// holds no word, holds Depth words
  output logic                   empty_o,
  output logic                   full_o
);
  localparam int unsigned PointerW = (Depth > 1) ? $clog2(Depth) : 1;
  localparam int unsigned CountW = $clog2(Depth + 1);
  localparam logic [PointerW-1:0] Last = PointerW'(Depth - 1);

  if (Width < 1 || Width > 256) begin : gen_bad_width
    $error("fifo: Width must be 1 to 256");
  end
  if (Depth < 1 || Depth > 64) begin : gen_bad_depth
    $error("fifo: Depth must be 1 to 64");
  end

  logic [Width-1:0] mem [Depth];
  logic [PointerW-1:0] read_q, write_q;
  logic [CountW-1:0] count_q;

  always_ff @(posedge clk_i) begin
    if (push_i) mem[write_q] <= data_i;
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      read_q <= '0;
      write_q <= '0;
      count_q <= '0;
    end else begin
      if (push_i) write_q <= (write_q == Last) ? '0 : write_q + 1'b1;
      if (pop_i) read_q <= (read_q == Last) ? '0 : read_q + 1'b1;
      if (push_i != pop_i) count_q <= push_i ? count_q + 1'b1 : count_q - 1'b1;
    end
  end

  assign data_o = mem[read_q];
  assign empty_o = count_q == '0;
  assign full_o = count_q == CountW'(Depth);

  `MUSTER_ASSERT(PushHasRoom_A, !(push_i && full_o))
  `MUSTER_ASSERT(PopHasWord_A, !(pop_i && empty_o))
  `MUSTER_ASSERT(CountInRange_A, {1'b0, count_q} <= (CountW + 1)'(Depth))
  `MUSTER_ASSERT(PointersInRange_A, ({1'b0, read_q} < (PointerW + 1)'(Depth)) &&
                                    ({1'b0, write_q} < (PointerW + 1)'(Depth)))
  `MUSTER_ASSERT(CountIsDistance_A, (8'(read_q) + 8'(count_q) == 8'(write_q)) ||
                                    (8'(read_q) + 8'(count_q) == 8'(write_q) + 8'(Depth)))

endmodule

`default_nettype wire
