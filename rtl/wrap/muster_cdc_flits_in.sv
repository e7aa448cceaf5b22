// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "muster_assert.svh"

// The side of a queue between clock domains where flits come in: where the next one goes, and
// whether there is room.
//
// A flit on the wires in t is written to the memory at the edge of t if the link is up and a place
// is free, and counted by the write pointer for the other side, in Gray code. Otherwise it is
// dropped; that is an error of the sender and remembered in overflow_o, unless the link is broken.
module muster_cdc_flits_in #(
  /// places, 4 to 64, a power of two
  parameter int unsigned Slots = 16,
  localparam int unsigned AddrW = $clog2(Slots)
) (
  input  wire logic              clk_i,
  input  wire logic              rst_ni,

  /// see muster_cdc_session
  input  wire logic              up_i,
  input  wire logic              broken_i,
  input  wire logic              valid_i,
  /// write into the memory at this place
  output logic                   write_o,
  output logic [AddrW-1:0]       addr_o,

  /// pointers in Gray code, with a bit more than an address: this one for the other side, and that
  /// of the other side
  output logic [AddrW:0]         pointer_o,
  input  wire logic [AddrW:0]    read_pointer_i,

  /// a flit has been dropped, since reset
  output logic                   overflow_o
);
  `MUSTER_POWER_OF_TWO(Slots, 4, 64)

  // The pointer, and the same in Gray code, which is a register as well.
  logic [AddrW:0] next_q, gray_q, next_d;
  logic full;
  // Slots apart: the two highest bits of the codes differ, and no other.
  assign full = gray_q == {~read_pointer_i[AddrW:AddrW-1], read_pointer_i[AddrW-2:0]};
  assign write_o = valid_i && !full && up_i;
  assign addr_o = next_q[AddrW-1:0];
  assign next_d = next_q + (AddrW + 1)'(write_o);

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      next_q <= '0;
      gray_q <= '0;
      overflow_o <= 1'b0;
    end else begin
      next_q <= next_d;
      gray_q <= next_d ^ (next_d >> 1);
      overflow_o <= overflow_o || (valid_i && !write_o && !broken_i);
    end
  end
  assign pointer_o = gray_q;

  logic [AddrW:0] changed;
  assign changed = gray_q ^ next_d ^ (next_d >> 1);
  `MUSTER_ASSERT(OneBitChanges_A, (changed & (changed - 1'b1)) == '0)

endmodule

`default_nettype wire
