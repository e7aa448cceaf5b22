// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "muster_assert.svh"

// The padding generator of one data queue (the paper's, section 3.1), and the multiplexer that puts
// its pads in front of the allocator. docs/systems/preempting-switches.md, "Padding at the next
// switch".
//
// The neighbour behind the queue's port may cut the channel: begin_i switches the generator on,
// end_i off, each from the next cycle on. While it is on, an empty queue whose packet has its
// output channel offers a pad: a flit of kind {sync, head} and payload 0, which takes part in
// allocation like the packet's next flit. Taken, it leaves the queue and its route as they are, so
// no credit returns for it. A flit in the queue is passed through, on or off.
//
// So the flits of the cut packet keep their order and their number, its channel stays its own, and
// pads lie only between its first flit and its tail.
module pad_generator #(
  /// payload bits of a flit, 16 to 80
  parameter int unsigned FlitW = 16,
  localparam int unsigned KindW = muster_pkg::KindW
) (
  input  wire logic              clk_i,
  input  wire logic              rst_ni,

  /// a padding request, a padding end for this channel is executed; never both
  input  wire logic              begin_i,
  input  wire logic              end_i,
  /// pads are not wanted
  input  wire logic              unpadded_i,

  /// the queue holds no flit; its packet has begun to leave, and has an output
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
  if (FlitW < 16 || FlitW > 80) begin : gen_bad_flit
    $error("pad_generator: FlitW must be 16 to 80");
  end

  logic on_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) on_q <= 1'b0;
    else if (begin_i || end_i) on_q <= begin_i;
  end

  assign pad_o = on_q && !unpadded_i && empty_i && owner_i;

  assign request_o = request_i || pad_o;
  assign tail_o = tail_i && !pad_o;
  assign kind_o = pad_o ? muster_pkg::KindPad : kind_i;
  assign payload_o = pad_o ? '0 : payload_i;
  assign taken_o = taken_i && !pad_o;

  `MUSTER_ASSERT(RequestHasFlit_A, !(request_i && empty_i))
  `MUSTER_ASSERT(TakenOnRequest_A, !taken_i || request_o)
  `MUSTER_ASSERT(BeginOrEnd_A, !(begin_i && end_i))

endmodule

`default_nettype wire
