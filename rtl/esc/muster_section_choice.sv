// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "muster_assert.svh"

// Chooses K, the number of sections of the policy hot section, at run time, for one PE of link 0
// (beyond the paper, whose K is fixed; docs/systems/interchange-box.md). It sees which of the
// PE's background packets its box of the input stage blocks while a synchronization is pending.
//
// watch_i: such a packet is offered in this cycle; aside_i: it requests an output other than 0;
// ready_i: it is taken. At the edge of a cycle with watch_i and not ready_i:
//
//   aside_i   the outputs 1 .. n-1 are full. It is counted; with the fourth the count is 0 again,
//             and K doubles, up to N: more packets go straight to output 0
//   else      output 0, the hot spot's, is full: the count is 0 and K is 1, all go aside
//
// In all other cycles nothing changes. After reset K is 1 and the count 0. section_mask_o has the
// log2 K highest bits of address_mask_i.
//
// Example, address_mask_i 00ff: four blocked packets aside make section_mask_o 0080 (K = 2), four
// more 00c0; one blocked at output 0 makes it 0000.
module muster_section_choice #(
  /// bits of a PE's number, 1 to 16
  parameter int unsigned AddrW = 16
) (
  input  wire logic               clk_i,
  input  wire logic               rst_ni,
  /// N - 1, the bits of a PE's number that are used; static
  input  wire logic [AddrW-1:0]   address_mask_i,

  /// a background packet is offered while the flag is set
  input  wire logic               watch_i,
  /// it asks for an output other than 0
  input  wire logic               aside_i,
  /// it is taken at this edge
  input  wire logic               ready_i,

  /// bits of a PE's number that name its section, registered
  output logic [AddrW-1:0]        section_mask_o
);
  `MUSTER_RANGE(AddrW, 1, 16)

  logic [AddrW-1:0] mask_q, highest, address_down, mask_down;
  logic [1:0] count_q;
  logic blocked;

  // Each bit moved down by one; written so, as one bit has no shift by one.
  for (genvar b = 0; b < AddrW; b++) begin : gen_down
    if (b + 1 < AddrW) begin : gen_bit
      assign address_down[b] = address_mask_i[b+1];
      assign mask_down[b] = mask_q[b+1];
    end else begin : gen_top
      assign address_down[b] = 1'b0;
      assign mask_down[b] = 1'b0;
    end
  end

  assign highest = address_mask_i & ~address_down;
  assign blocked = watch_i && !ready_i;
  assign section_mask_o = mask_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      mask_q <= '0;
      count_q <= '0;
    end else if (blocked && !aside_i) begin
      mask_q <= '0;
      count_q <= '0;
    end else if (blocked) begin
      count_q <= count_q + 1'b1;
      if (&count_q) mask_q <= mask_down | highest;
    end
  end

  `MUSTER_ASSERT(MaskIsOfTheAddress_A, (mask_q & ~address_mask_i) == '0)

endmodule

`default_nettype wire
