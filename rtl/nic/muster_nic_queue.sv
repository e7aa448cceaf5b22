// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "muster_assert.svh"

// A queue of a NIC whose words lie in a memory that is read through a register
// (muster_nic_memory.sv): replies, events. Its contract is that of muster_fifo. The memory has 16
// words, which is the least that tools take block memory for.
//
// data_o is the oldest word while empty_o is low. pop_i in t takes it, and from t + 1 on data_o is
// the next one, which memory reads in t. A word that would be read as it is written, because it
// comes while no other is left, is kept beside the memory until it is taken.
//
// Example: words A in t and B in t + 1 are pushed into an empty queue: data_o is A from t + 1 on;
// pop_i in t + 4: B from t + 5 on.
module muster_nic_queue #(
  /// bits of a word, 1 to 64
  parameter int unsigned Width = 32,
  /// words it holds, 2 to 14
  parameter int unsigned Depth = 4
) (
  input  wire logic              clk_i,
  input  wire logic              rst_ni,
  /// append data_i; only while full_o is low
  input  wire logic              push_i,
  input  wire logic [Width-1:0]  data_i,
  /// take the word at data_o; only while empty_o is low
  input  wire logic              pop_i,
  output logic [Width-1:0]       data_o,
  output logic                   empty_o,
  output logic                   full_o
);
  if (Depth < 2 || Depth > 14) begin : gen_bad_depth
    $error("muster_nic_queue: Depth must be 2 to 14");
  end

  logic [3:0] read_q, write_q, next, held;
  logic [Width-1:0] kept_q, fetched;
  logic is_kept_q, last;

  assign next = read_q + 1'b1;
  assign held = write_q - read_q;
  assign last = next == write_q;
  assign empty_o = read_q == write_q;
  assign full_o = held == 4'(Depth);
  assign data_o = is_kept_q ? kept_q : fetched;

  muster_nic_memory #(
    .Words(16),
    .Width(Width)
  ) words (
    .clk_i,
    .rst_ni,
    .write_i(push_i),
    .write_at_i(write_q),
    .word_i(data_i),
    .read_i(pop_i && !last),
    .read_at_i(next),
    .read_o(fetched)
  );

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      read_q <= '0;
      write_q <= '0;
      is_kept_q <= 1'b1;
    end else begin
      if (pop_i) read_q <= next;
      if (push_i) write_q <= write_q + 1'b1;
      if (pop_i) is_kept_q <= last;
    end
  end
  always_ff @(posedge clk_i) begin
    if (push_i && (empty_o || (pop_i && last))) kept_q <= data_i;
  end

  `MUSTER_ASSERT(HoldsNoMore_A, held <= 4'(Depth))
  `MUSTER_ASSERT(FirstIsKept_A, !empty_o || is_kept_q)
  `MUSTER_ASSERT(PushHasRoom_A, !(push_i && full_o))
  `MUSTER_ASSERT(PopHasWord_A, !(pop_i && empty_o))

endmodule

`default_nettype wire
