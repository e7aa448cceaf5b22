// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "muster_assert.svh"

// muster_image_loader with any image, reset at any time: it writes what image_rules has, in these
// cycles, after each reset, and nothing once it is done.
module image_loader_proof #(
  parameter int unsigned Words = 3,
  parameter int unsigned Blocks = 3,
  parameter int unsigned Wait = 0,
  localparam int unsigned RegAddrW = 12,
  localparam int unsigned Routes = 16,
  localparam int unsigned AtW = (Words > 1) ? $clog2(Words) : 1,
  localparam int unsigned BlockW = (Blocks > 1) ? $clog2(Blocks) : 1,
  localparam int unsigned WordW = BlockW + RegAddrW + 32
) (
  input  wire logic              clk_i,
  input  wire logic              again_i,
  input  wire logic [AtW-1:0]    mark_i,
  input  wire logic [WordW-1:0]  marked_i,
  input  wire logic [WordW-1:0]  other_i
);
  logic rst_ni = 1'b0;
  always_ff @(posedge clk_i) rst_ni <= !again_i;

  logic write, done;
  logic [AtW-1:0] at;
  logic [WordW-1:0] word;
  logic [BlockW-1:0] block;
  logic [RegAddrW-1:0] addr;
  logic [31:0] wdata;
  muster_image_loader #(
    .Words(Words),
    .Blocks(Blocks),
    .RegAddrW(RegAddrW),
    .Routes(Routes),
    .Wait(Wait)
  ) dut (
    .clk_i, .rst_ni,
    .at_o(at), .word_i(word),
    .write_o(write), .block_o(block), .addr_o(addr), .wdata_o(wdata), .done_o(done)
  );

  logic [Blocks-1:0] valid;
  assign valid = write ? Blocks'(1) << block : '0;
  image_rules #(
    .Words(Words),
    .Blocks(Blocks),
    .RegAddrW(RegAddrW),
    .Routes(Routes),
    .Wait(Wait)
  ) rules (
    .clk_i, .rst_ni,
    .mark_i, .marked_i, .at_i(at), .other_i, .word_o(word),
    .valid_i(valid), .write_i(write), .addr_i(addr), .wdata_i(wdata), .done_i(done)
  );
  `MUSTER_ASSERT(NothingOnceDone_A, !done || !write)

  // Done, reset, and done again.
  logic done_q, again_q;
  always_ff @(posedge clk_i) begin
    done_q <= done_q || (rst_ni && done);
    again_q <= again_q || (done_q && !rst_ni);
  end
  `MUSTER_COVER(DoneAgain_C, again_q && done)
  `MUSTER_COVER(LastSwitchIsWritten_C, valid == Blocks'(1) << (Blocks - 1) && addr == '1)

endmodule

`default_nettype wire
