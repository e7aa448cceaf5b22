// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "muster_assert.svh"

// The labels that a switch with Labels sends: for each barrier register and port the index of the
// register that the message is for at the other end of the link (docs/systems/barrier-switch.md,
// "Labels").
//
// A word of the host has the labels of a register for eight ports; a port's table is a memory of
// Regs labels. label_o is read in the same cycle and undefined until it has been written.
module muster_port_labels #(
  /// ports of the switch, 3 to 16
  parameter int unsigned Ports = 8,
  /// barrier registers, 1 to 16
  parameter int unsigned Regs = 4,
  localparam int unsigned LabelW = muster_pkg::LabelW,
  localparam int unsigned RegW = (Regs > 1) ? $clog2(Regs) : 1
) (
  input  wire logic                          clk_i,

  /// the labels of register register_i are written, for ports 7..0 or for ports 15..8, that of the
  /// lowest port in the lowest bits
  // A switch of fewer ports ignores the upper ones.
  /* verilator lint_off UNUSEDSIGNAL */
  input  wire logic [1:0]                    write_i,
  input  wire logic [RegW-1:0]               register_i,
  input  wire logic [31:0]                   labels_i,
  /* verilator lint_on UNUSEDSIGNAL */

  /// at port p: of this register, its label
  input  wire logic [Ports-1:0][RegW-1:0]    number_i,
  output logic [Ports-1:0][LabelW-1:0]       label_o
);
  `MUSTER_RANGE(Ports, 3, 16)
  `MUSTER_RANGE(Regs, 1, 16)

  for (genvar p = 0; p < Ports; p++) begin : gen_port
    logic [LabelW-1:0] table_q [Regs];
    always_ff @(posedge clk_i) begin
      if (write_i[p/8]) table_q[register_i] <= labels_i[LabelW*$unsigned(p%8)+:LabelW];
    end
    assign label_o[p] = table_q[number_i[p]];
  end

endmodule

`default_nettype wire
