// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "muster_assert.svh"

// Crossbar I of switch I (Figure 7), (Ports + 1) x (Ports + 1), between the links and the input
// buffers. docs/systems/preempting-switches.md, "Crossbar I".
//
// Rows 0 to Ports - 1 are the links, row Ports the padding generator. Column i < Ports leads to the
// input buffers of port i, column Ports to the barrier unit, whose barrier buffer i takes what
// comes by row i. The words of a row are at all its columns: buffer_valid_o and unit_valid_o select
// the taker. pads_o[i][v]: row Ports is connected to buffer (i, v), from the cycle after the
// padding request until that of the padding end, or of data of this channel if the end is lost.
module muster_crossbar_1 #(
  /// ports, 3 to 16
  parameter int unsigned Ports = 8,
  /// virtual channels, 1 to 3
  parameter int unsigned Vcs = 2,
  localparam int unsigned VcW = (Vcs > 1) ? $clog2(Vcs) : 1,
  localparam int unsigned KindW = muster_pkg::KindW,
  localparam int unsigned WordW = muster_pkg::BsrFlitW
) (
  input  wire logic                         clk_i,
  input  wire logic                         rst_ni,

  /// links in: a flit of port p on virtual channel rx_vc_i[p]
  input  wire logic [Ports-1:0]             rx_valid_i,
  input  wire logic [Ports-1:0][VcW-1:0]    rx_vc_i,
  input  wire logic [Ports-1:0][KindW-1:0]  rx_kind_i,
  // A padding request has bits that are ignored.
  /* verilator lint_off UNUSEDSIGNAL */
  input  wire logic [Ports-1:0][WordW-1:0]  rx_word_i,
  /* verilator lint_on UNUSEDSIGNAL */

  /// it is data or a pad; a flit of a message; the generator is connected to this buffer
  output logic [Ports-1:0]                  buffer_valid_o,
  output logic [Ports-1:0]                  unit_valid_o,
  output logic [Ports-1:0][Vcs-1:0]         pads_o,
  /// a padding message without a meaning was dropped
  output logic [Ports-1:0]                  malformed_o
);
  `MUSTER_RANGE(Ports, 3, 16)
  `MUSTER_RANGE(Vcs, 1, 3)

  for (genvar i = 0; i < Ports; i++) begin : gen_row
    logic data, control, known;
    logic [1:0] op, channel;
    assign data = !rx_kind_i[i][muster_pkg::KindSync] || rx_kind_i[i] == muster_pkg::KindPad;
    assign control = rx_valid_i[i] && rx_kind_i[i] == muster_pkg::KindControl;
    assign op = rx_word_i[i][15:14];
    assign channel = rx_word_i[i][1:0];
    assign known = !op[1] && 32'(channel) < Vcs;

    assign buffer_valid_o[i] = rx_valid_i[i] && data;
    assign unit_valid_o[i] = rx_valid_i[i] && !data && !control;
    assign malformed_o[i] = control && !known;

    for (genvar v = 0; v < Vcs; v++) begin : gen_channel
      logic pads_q;
      always_ff @(posedge clk_i) begin
        if (!rst_ni) pads_q <= 1'b0;
        else if (buffer_valid_o[i] && rx_vc_i[i] == VcW'(v)) pads_q <= 1'b0;
        else if (control && known && channel == 2'(v)) pads_q <= op == muster_pkg::PadRequest;
      end
      assign pads_o[i][v] = pads_q;
    end
  end

  `MUSTER_ASSERT(OneColumn_A, (buffer_valid_o & unit_valid_o) == '0)

endmodule

`default_nettype wire
