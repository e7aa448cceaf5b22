// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "muster_assert.svh"

// The 2 x 2 crossbar of switch II (Figure 9) in front of virtual channel 0 of one link.
// docs/systems/preempting-switches.md, "Crossbar I", switch II.
//
// Rows are the link and the padding generator, columns the input buffer of channel 0 and the
// barrier unit. Data of the other channels pass beside it. A flit of a message on one of these, and
// a padding request or end for one, is dropped. pads_o: the generator is connected to the buffer,
// from the cycle after the padding request until that of the padding end, or of data of channel 0
// if the end is lost.
module muster_crossbar_2x2 #(
  /// virtual channels, 1 to 3
  parameter int unsigned Vcs = 2,
  localparam int unsigned VcW = (Vcs > 1) ? $clog2(Vcs) : 1,
  localparam int unsigned KindW = muster_pkg::KindW,
  localparam int unsigned WordW = muster_pkg::BsrFlitW
) (
  input  wire logic              clk_i,
  input  wire logic              rst_ni,

  /// link in: a flit on virtual channel rx_vc_i
  input  wire logic              rx_valid_i,
  input  wire logic [VcW-1:0]    rx_vc_i,
  input  wire logic [KindW-1:0]  rx_kind_i,
  // A padding request has bits that are ignored.
  /* verilator lint_off UNUSEDSIGNAL */
  input  wire logic [WordW-1:0]  rx_word_i,
  /* verilator lint_on UNUSEDSIGNAL */

  /// it is data or a pad; a flit of a message; the generator is connected to the buffer
  output logic                   buffer_valid_o,
  output logic                   unit_valid_o,
  output logic                   pads_o,
  /// what has no way through the crossbar was dropped
  output logic                   malformed_o
);
  `MUSTER_RANGE(Vcs, 1, 3)

  logic data, control, message, known, passes;
  assign data = !rx_kind_i[muster_pkg::KindSync] || rx_kind_i == muster_pkg::KindPad;
  assign control = rx_valid_i && rx_kind_i == muster_pkg::KindControl;
  assign message = rx_valid_i && !data && !control;
  assign known = !rx_word_i[15] && rx_word_i[1:0] == 2'd0;
  assign passes = rx_vc_i == '0;

  assign buffer_valid_o = rx_valid_i && data;
  assign unit_valid_o = message && passes;
  assign malformed_o = (control && !known) || (message && !passes);

  always_ff @(posedge clk_i) begin
    if (!rst_ni) pads_o <= 1'b0;
    else if (buffer_valid_o && passes) pads_o <= 1'b0;
    else if (control && known) pads_o <= rx_word_i[15:14] == muster_pkg::PadRequest;
  end

  `MUSTER_ASSERT(OneColumn_A, !(buffer_valid_o && unit_valid_o))

endmodule

`default_nettype wire
