// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "muster_assert.svh"

// Writes an image into the register ports of several switches after reset: its words, one a cycle,
// in their order. The image is whatever answers at_o with the word of that number in the same
// cycle; a word is {switch, address, data}. Yosys makes it a ROM, whose output register is here.
// Every switch sweeps its routing table to 0 after reset, and ignores writes to it meanwhile: the
// loader waits as long.
//
// Cycles: max(Routes, Wait) cycles after reset word 0 is read, in t say; word i is read in t + i
// and on the register port of its switch in t + i + 1. done_o is set from the cycle after the last
// write on.
module muster_image_loader #(
  /// words of the image, 1 to 4194304
  parameter int unsigned Words = 16,
  /// switches, 1 to 256
  parameter int unsigned Blocks = 4,
  /// bits of an address of a register port, 12 to 17
  parameter int unsigned RegAddrW = 12,
  /// entries of the routing tables, from 0x800 on, 16 to 65536. Requires
  /// Routes <= 2 ** RegAddrW - 2048
  parameter int unsigned Routes = 16,
  /// cycles after reset for which switches clear a memory of their own, 0 to 65536
  parameter int unsigned Wait = 0,
  localparam int unsigned AtW = (Words > 1) ? $clog2(Words) : 1,
  localparam int unsigned BlockW = (Blocks > 1) ? $clog2(Blocks) : 1,
  localparam int unsigned WordW = BlockW + RegAddrW + 32
) (
  input  wire logic                 clk_i,
  input  wire logic                 rst_ni,

  /// the image
  output logic [AtW-1:0]            at_o,
  input  wire logic [WordW-1:0]     word_i,

  /// a write, to this switch
  output logic                      write_o,
  output logic [BlockW-1:0]         block_o,
  output logic [RegAddrW-1:0]       addr_o,
  output logic [31:0]               wdata_o,
  /// all is written
  output logic                      done_o
);
  localparam int unsigned Before = (Routes > Wait) ? Routes : Wait;
  localparam int unsigned BeforeW = $clog2(Before + 1);

  `MUSTER_RANGE(Words, 1, 4194304)
  `MUSTER_RANGE(Blocks, 1, 256)
  `MUSTER_RANGE(RegAddrW, 12, 17)
  `MUSTER_RANGE(Routes, 16, 65536)
  `MUSTER_REFUSE(room, Routes + 32'(muster_pkg::RegRoutes) > (32'd1 << RegAddrW),
                 "Routes must be 2 ** RegAddrW - 2048 at most")
  `MUSTER_RANGE(Wait, 0, 65536)

  logic [BeforeW-1:0] before_q;  // cycles before the image, counted up
  logic [AtW-1:0] at_q;
  logic read_q, write_q, reads;
  logic [WordW-1:0] word_q;
  assign reads = !read_q && before_q == BeforeW'(Before);

  // read_q: all words have been read.
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      before_q <= '0;
      at_q <= '0;
      read_q <= 1'b0;
      write_q <= 1'b0;
    end else begin
      if (before_q != BeforeW'(Before)) before_q <= before_q + 1'b1;
      write_q <= reads;
      if (reads) begin
        at_q <= at_q + 1'b1;
        read_q <= at_q == AtW'(Words - 1);
      end
    end
  end

  always_ff @(posedge clk_i) begin
    word_q <= word_i;
  end

  assign at_o = at_q;
  assign write_o = write_q;
  assign {block_o, addr_o, wdata_o} = word_q;
  assign done_o = read_q && !write_q;

  `MUSTER_ASSERT(SwitchExists_A, !write_q || 32'(block_o) < Blocks)

endmodule

`default_nettype wire
