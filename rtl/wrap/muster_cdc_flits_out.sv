// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "muster_assert.svh"

// The side of a queue between clock domains where flits go out: one a cycle while the link is up
// and the write pointer of the other side says that there are some. One that is read in t is at the
// memory's output from t + 1 on; valid_o is set for t + 1.
module muster_cdc_flits_out #(
  /// places, 4 to 64, a power of two
  parameter int unsigned Slots = 16,
  localparam int unsigned AddrW = $clog2(Slots)
) (
  input  wire logic              clk_i,
  input  wire logic              rst_ni,

  /// see muster_cdc_session
  input  wire logic              up_i,
  /// read the memory at this place
  output logic                   read_o,
  output logic [AddrW-1:0]       addr_o,
  output logic                   valid_o,

  /// pointers in Gray code, see muster_cdc_flits_in
  output logic [AddrW:0]         pointer_o,
  input  wire logic [AddrW:0]    write_pointer_i
);
  `MUSTER_POWER_OF_TWO(Slots, 4, 64)

  logic [AddrW:0] next_q, gray_q, next_d;
  assign read_o = up_i && gray_q != write_pointer_i;
  assign addr_o = next_q[AddrW-1:0];
  assign next_d = next_q + (AddrW + 1)'(read_o);

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      next_q <= '0;
      gray_q <= '0;
      valid_o <= 1'b0;
    end else begin
      next_q <= next_d;
      gray_q <= next_d ^ (next_d >> 1);
      valid_o <= read_o;
    end
  end
  assign pointer_o = gray_q;

  logic [AddrW:0] changed;
  assign changed = gray_q ^ next_d ^ (next_d >> 1);
  `MUSTER_ASSERT(OneBitChanges_A, (changed & (changed - 1'b1)) == '0)

endmodule

`default_nettype wire
