// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "muster_assert.svh"

// The memory of a unit that keeps its groups in block RAM (docs/systems/many-groups.md): for each
// group a word and one bit, `done`. The bit is in a separate memory, because it has another writer.
//
// Read: the word and bit of the group that is addressed with read_i in cycle t are at word_o and
// done_o from t + 1 on, until the next read. They are those after the writes of cycle t: a read
// sees the write of its own cycle, which block RAM alone does not guarantee.
//
// With Parity the word has one bit more, the parity of the others, and `done` is there twice.
// wrong_o: what was read has a wrong parity bit, or two different bits `done`.
//
// Clearing: block RAM has no reset. In the Groups cycles after reset, clearing_o, every word and
// bit becomes 0, one a cycle. Writes are not allowed then, and reads are undefined.
module muster_group_memory #(
  /// groups, a power of two, 2 to 4096
  parameter int unsigned Groups = 256,
  /// bits of a word, 1 to 256
  parameter int unsigned WordW = 25,
  /// words have a parity bit; 0 to 1
  parameter int unsigned Parity = 0,
  localparam int unsigned AddrW = $clog2(Groups)
) (
  input  wire logic              clk_i,
  input  wire logic              rst_ni,

  input  wire logic              read_i,
  input  wire logic [AddrW-1:0]  read_group_i,
  output logic [WordW-1:0]       word_o,
  output logic                   done_o,
  output logic                   wrong_o,

  /// never while clearing_o
  input  wire logic              write_i,
  input  wire logic [AddrW-1:0]  write_group_i,
  input  wire logic [WordW-1:0]  write_word_i,

  /// likewise
  input  wire logic              finish_i,
  input  wire logic [AddrW-1:0]  finish_group_i,
  input  wire logic              finish_done_i,

  output logic                   clearing_o
);
  `MUSTER_POWER_OF_TWO(Groups, 2, 4096)
  `MUSTER_RANGE(WordW, 1, 256)
  `MUSTER_RANGE(Parity, 0, 1)

  // ---- Clearing -------------------------------------------------------------------------------
  logic clearing_q;
  logic [AddrW-1:0] clear_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      clearing_q <= 1'b1;
      clear_q <= '0;
    end else if (clearing_q) begin
      clearing_q <= clear_q != '1;
      clear_q <= clear_q + 1'b1;
    end
  end
  assign clearing_o = clearing_q;

  // ---- Words ----------------------------------------------------------------------------------
  // What block RAM reads where it is written in the same cycle is not used.
  localparam int unsigned KeptW = WordW + Parity;
  (* ram_style = "block" *) logic [KeptW-1:0] words [Groups];
  logic [KeptW-1:0] word_q, word_in;
  logic [WordW-1:0] written_q;
  logic [AddrW-1:0] word_at;
  logic word_write, word_meets, word_met_q;
  assign word_write = clearing_q || write_i;
  assign word_at = clearing_q ? clear_q : write_group_i;
  assign word_in = clearing_q ? '0 : KeptW'({^write_word_i, write_word_i});
  assign word_meets = word_write && (word_at == read_group_i);
  always_ff @(posedge clk_i) begin
    if (word_write) words[word_at] <= word_in;
  end
  always_ff @(posedge clk_i) begin
    if (read_i) begin
      word_q <= word_meets ? 'x : words[read_group_i];
      written_q <= write_word_i;
      word_met_q <= word_meets;
    end
  end
  assign word_o = word_met_q ? written_q : word_q[WordW-1:0];

  // ---- Done -----------------------------------------------------------------------------------
  (* ram_style = "block" *) logic [Parity:0] dones [Groups];
  logic [Parity:0] done_q, done_in;
  logic done_write, done_meets, done_met_q, finished_q;
  logic [AddrW-1:0] done_at;
  assign done_write = clearing_q || finish_i;
  assign done_at = clearing_q ? clear_q : finish_group_i;
  assign done_in = clearing_q ? '0 : {Parity + 1{finish_done_i}};
  assign done_meets = done_write && (done_at == read_group_i);
  always_ff @(posedge clk_i) begin
    if (done_write) dones[done_at] <= done_in;
  end
  always_ff @(posedge clk_i) begin
    if (read_i) begin
      done_q <= done_meets ? 'x : dones[read_group_i];
      finished_q <= finish_done_i;
      done_met_q <= done_meets;
    end
  end
  assign done_o = done_met_q ? finished_q : done_q[0];
  assign wrong_o = Parity == 1 && ((!word_met_q && ^word_q) || (!done_met_q && ^done_q));

  `MUSTER_ASSERT(NoWriteWhileClearing_A, !clearing_q || !(write_i || finish_i))

endmodule

`default_nettype wire
