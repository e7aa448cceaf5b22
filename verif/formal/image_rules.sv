// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "muster_assert.svh"

// What must be written into the register ports of switches before they are used, cycle by cycle
// from reset, in our own words:
//   1. behind the cycles that switches take to sweep their routing tables and to clear a memory, in
//      each cycle one word of the image: the next one, whole, in the switch that it names and in no
//      other
//   2. nothing else is on the ports until done_i, which is set from the cycle after the last word
//      on, no sooner and no later
// All of it may be so many cycles Later.
//
// One word of the image is marked; the facts hold for each because nothing tells which. The others
// are anything. All words name a switch that there is.
module image_rules #(
  parameter int unsigned Words = 3,
  parameter int unsigned Blocks = 3,
  parameter int unsigned RegAddrW = 12,
  parameter int unsigned Routes = 16,
  parameter int unsigned Wait = 0,
  parameter int unsigned Later = 0,
  localparam int unsigned AtW = (Words > 1) ? $clog2(Words) : 1,
  localparam int unsigned BlockW = (Blocks > 1) ? $clog2(Blocks) : 1,
  localparam int unsigned WordW = BlockW + RegAddrW + 32
) (
  input  wire logic                 clk_i,
  input  wire logic                 rst_ni,

  /// the number of the marked word and that word, as they are in the cycle of the reset
  input  wire logic [AtW-1:0]       mark_i,
  input  wire logic [WordW-1:0]     marked_i,
  /// the image: the word that is asked for, of any other number than the marked one
  input  wire logic [AtW-1:0]       at_i,
  input  wire logic [WordW-1:0]     other_i,
  output logic [WordW-1:0]          word_o,

  /// register ports, bit s of valid is for switch s
  input  wire logic [Blocks-1:0]    valid_i,
  input  wire logic                 write_i,
  input  wire logic [RegAddrW-1:0]  addr_i,
  input  wire logic [31:0]          wdata_i,
  input  wire logic                 done_i
);
  localparam int unsigned First = ((Routes > Wait) ? Routes : Wait) + 1 + Later;  // of word 0
  localparam int unsigned Done = First + Words;
  localparam int unsigned CycleW = $clog2(Done + 1);

  // Cycles from reset, counted as far as they matter.
  logic [CycleW-1:0] cycle_q;
  logic [AtW-1:0] mark_q;
  logic [WordW-1:0] marked_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) cycle_q <= '0;
    else if (32'(cycle_q) < Done) cycle_q <= cycle_q + 1'b1;
    if (!rst_ni) {mark_q, marked_q} <= {mark_i, marked_i};
  end
  assign word_o = (at_i == mark_q) ? marked_q : other_i;
  `MUSTER_ASSUME(WordsNameSwitches_M, 32'(word_o[WordW-1-:BlockW]) < Blocks)
  `MUSTER_ASSUME(MarkIsAWord_M, 32'(mark_q) < Words)

  logic writes, marked_now;
  logic [31:0] number;
  assign number = 32'(cycle_q) - First;
  assign writes = 32'(cycle_q) >= First && number < Words;
  assign marked_now = writes && number == 32'(mark_q);

  `MUSTER_ASSERT(OneSwitchAWord_A,
                 !writes || (write_i && valid_i != '0 && (valid_i & (valid_i - 1'b1)) == '0))
  `MUSTER_ASSERT(EachWordInItsTurn_A,
                 !marked_now || (valid_i == Blocks'(1) << marked_q[WordW-1-:BlockW] &&
                                 {addr_i, wdata_i} == marked_q[RegAddrW+31:0]))
  `MUSTER_ASSERT(NothingElse_A, writes || done_i || valid_i == '0)
  `MUSTER_ASSERT(DoneAfterTheLast_A, done_i == (32'(cycle_q) == Done))

endmodule

`default_nettype wire
