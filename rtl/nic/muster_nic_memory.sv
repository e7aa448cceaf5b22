// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "muster_assert.svh"

// A memory of the NIC that is read through a register, so that tools may use block memory for it:
// step lists, tokens, queues. It has no reset.
//
// With read_i in t, read_o is from t + 1 on the word that stood at read_at_i at the beginning of t,
// until the next read. A word that is read in the cycle in which it is written is undefined: the
// order differs from one block memory to another.
//
// Example: word 3 is written in t and read in t + 1: it is at read_o from t + 2 on.
module muster_nic_memory #(
  /// words, 2 to 256
  parameter int unsigned Words = 16,
  /// bits of a word, 1 to 64
  parameter int unsigned Width = 23,
  localparam int unsigned AtW = $clog2(Words)
) (
  input  wire logic              clk_i,
  input  wire logic              rst_ni,

  input  wire logic              write_i,
  input  wire logic [AtW-1:0]    write_at_i,
  input  wire logic [Width-1:0]  word_i,

  input  wire logic              read_i,
  input  wire logic [AtW-1:0]    read_at_i,
  output logic [Width-1:0]       read_o
);
  `MUSTER_RANGE(Words, 2, 256)
  `MUSTER_RANGE(Width, 1, 64)

  (* no_rw_check *) logic [Width-1:0] mem [Words];

  always_ff @(posedge clk_i) begin
    if (write_i) mem[write_at_i] <= word_i;
  end
  always_ff @(posedge clk_i) begin
    if (read_i) read_o <= mem[read_at_i];
  end

  `MUSTER_ASSERT(WriteInRange_A, !write_i || 32'(write_at_i) < Words)

endmodule

`default_nettype wire
