// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "muster_assert.svh"

// A memory written by one clock and read by another through a register. The reader reads what has
// been written since long: a pointer that has come through a muster_cdc_sync says so.
//
// word_o is a flip-flop that constraints name (rtl/wrap/constraints), so Vivado is asked for
// distributed RAM. In capitals, as Yosys would take the attribute for a demand that an iCE40, which
// has block RAM only, cannot meet.
module muster_cdc_memory #(
  /// bits of a word, 1 to 640
  parameter int unsigned Width = 20,
  /// words, 4 to 64, a power of two
  parameter int unsigned Slots = 16,
  localparam int unsigned AddrW = $clog2(Slots)
) (
  input  wire logic              write_clk_i,
  input  wire logic              write_i,
  input  wire logic [AddrW-1:0]  write_addr_i,
  input  wire logic [Width-1:0]  word_i,

  input  wire logic              read_clk_i,
  input  wire logic              read_i,
  input  wire logic [AddrW-1:0]  read_addr_i,
  /// the word that was read last
  output logic [Width-1:0]       word_o
);
  `MUSTER_RANGE(Width, 1, 640)
  `MUSTER_POWER_OF_TWO(Slots, 4, 64)

  (* RAM_STYLE = "distributed" *) logic [Width-1:0] mem [Slots];

  always_ff @(posedge write_clk_i) begin
    if (write_i) mem[write_addr_i] <= word_i;
  end
  always_ff @(posedge read_clk_i) begin
    if (read_i) word_o <= mem[read_addr_i];
  end

endmodule

`default_nettype wire
