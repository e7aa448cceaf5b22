// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "muster_assert.svh"

// The head of one input buffer, where the padding generator can be connected to it.
// docs/systems/preempting-switches.md, "Crossbar I", the generator.
//
// While connected_i is set, an empty buffer whose packet has its output channel has a pad at its
// head, which takes part in allocation like the packet's next flit. Taken, it leaves the buffer and
// its route as they are, so no credit returns for it. A flit in the buffer is passed through,
// connected or not.
//
// So the flits of the cut packet keep their order and their number, its channel stays its own, and
// pads lie only between its first flit and its tail.
module muster_padded_head #(
  /// payload bits of a flit, 16 to 80
  parameter int unsigned FlitW = 16,
  localparam int unsigned KindW = muster_pkg::KindW,
  localparam int unsigned WordW = muster_pkg::BsrFlitW
) (
  input  wire logic              clk_i,
  input  wire logic              rst_ni,

  /// the generator is connected to the buffer; its pad; pads are not wanted
  input  wire logic              connected_i,
  input  wire logic [WordW-1:0]  pad_i,
  input  wire logic              unpadded_i,

  /// the buffer holds no flit; its packet has begun to leave, and has an output
  input  wire logic              empty_i,
  input  wire logic              owner_i,
  /// the flit at the head, if there is one; it asks for its output
  input  wire logic              request_i,
  input  wire logic              tail_i,
  input  wire logic [KindW-1:0]  kind_i,
  input  wire logic [FlitW-1:0]  payload_i,
  /// it leaves
  output logic                   taken_o,

  /// what is offered for allocation: that flit or a pad
  output logic                   request_o,
  output logic                   tail_o,
  output logic [KindW-1:0]       kind_o,
  output logic [FlitW-1:0]       payload_o,
  /// it is taken; only with request_o
  input  wire logic              taken_i,

  /// it is a pad
  output logic                   pad_o
);
  `MUSTER_RANGE(FlitW, 16, 80)

  assign pad_o = connected_i && !unpadded_i && empty_i && owner_i;

  assign request_o = request_i || pad_o;
  assign tail_o = tail_i && !pad_o;
  assign kind_o = pad_o ? muster_pkg::KindPad : kind_i;
  assign payload_o = pad_o ? FlitW'(pad_i) : payload_i;
  assign taken_o = taken_i && !pad_o;

  `MUSTER_ASSERT(RequestHasFlit_A, !(request_i && empty_i))
  `MUSTER_ASSERT(TakenOnRequest_A, !taken_i || request_o)

endmodule

`default_nettype wire
