// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "muster_assert.svh"

// The padding generator (section 3 of the paper): its messages have fixed contents and are stored
// in it. docs/systems/preempting-switches.md, "The link".
//
// It is row Ports of both crossbars: crossbar II takes the padding request or end of a channel from
// it, crossbar I connects its pad to input buffers. Constants.
module muster_pad_generator #(
  /// virtual channels, 1 to 3
  parameter int unsigned Vcs = 2,
  localparam int unsigned WordW = muster_pkg::BsrFlitW
) (
  /// padding request and end of each channel, flits of kind KindControl
  output logic [Vcs-1:0][WordW-1:0]  request_o,
  output logic [Vcs-1:0][WordW-1:0]  end_o,
  /// a flit of kind KindPad
  output logic [WordW-1:0]           pad_o
);
  `MUSTER_RANGE(Vcs, 1, 3)

  for (genvar v = 0; v < Vcs; v++) begin : gen_channel
    assign request_o[v] = {muster_pkg::PadRequest, 12'd0, 2'(v)};
    assign end_o[v] = {muster_pkg::PadEnd, 12'd0, 2'(v)};
  end
  assign pad_o = '0;

endmodule

`default_nettype wire
