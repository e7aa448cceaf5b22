// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "muster_assert.svh"

// The clock of a block that rests while its quiescent_o is high and nothing comes: clk_o has the
// edge at the end of a cycle if in it rst_ni is low, quiescent_i is low or a bit of wake_i is high.
// The edges that are left out would change nothing in the block, so it does what it does without
// the gate, cycle by cycle.
//
// wake_i has every input with which the block is not idle:
//
//   switch, NIC     rx_valid_i, tx_credit_i, reg_valid_i
//   link end        rx_valid_i, tx_credit_i, reg_valid_i, frame_valid_i
//   box             valid_i
//   endpoint        rx_valid_i, tx_credit_i, reg_valid_i, s_axis_tvalid_i
//
// quiescent_i and wake_i settle in the cycle, of registers on clk_i. The latch passes the enable
// while clk_i is low, so clk_o has no glitch; a library's clock gate, or an FPGA's clock buffer
// with enable, takes the place of these two lines.
module muster_clock_gate #(
  /// bits that wake the block, 1 to 256
  parameter int unsigned Inputs = 1
) (
  input  wire logic               clk_i,
  input  wire logic               rst_ni,

  /// quiescent_o of the block
  input  wire logic               quiescent_i,
  /// its inputs that are not idle
  input  wire logic [Inputs-1:0]  wake_i,

  /// the block's clk_i
  output logic                    clk_o
);
  `MUSTER_RANGE(Inputs, 1, 256)

  logic enable;

  always_latch begin
    if (!clk_i) enable = !rst_ni || !quiescent_i || wake_i != '0;
  end

  assign clk_o = clk_i && enable;

endmodule

`default_nettype wire
