// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "muster_assert.svh"

// Which flits enter an input queue whose sender may have no credit: docs/systems/guard.md, "Flits
// without a place".
//
// A flit that comes (come_i) while the queue is full is lost, any other enters (push_o). If the
// packet in the queue is open (its tail has not come), the newest flit becomes its tail when a flit
// is lost (cut_o). The later flits of that packet form a separate packet, without a route: routed_o
// is 0 in the cycle after its first flit has entered. So their credits are not lost.
module queue_admission (
  input  wire logic  clk_i,
  input  wire logic  rst_ni,

  /// a flit for this queue is on the wires; it is a tail
  input  wire logic  come_i,
  input  wire logic  tail_i,
  /// the queue has no place; the last flit that entered was no tail
  input  wire logic  full_i,
  input  wire logic  open_i,

  output logic       push_o,
  output logic       cut_o,
  /// the packet whose first flit has entered in the cycle before has the route of its destination
  output logic       routed_o
);
  // A flit of the packet that is coming was lost; as it was in the cycle before.
  logic spoiled_q, before_q, lost;

  assign lost = come_i && full_i;
  assign push_o = come_i && !full_i;
  assign cut_o = lost && open_i;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) spoiled_q <= 1'b0;
    else if (lost) spoiled_q <= !tail_i;
    else if (push_o && tail_i) spoiled_q <= 1'b0;
  end
  always_ff @(posedge clk_i) begin
    if (!rst_ni) before_q <= 1'b0;
    else if (push_o) before_q <= spoiled_q;
  end
  assign routed_o = !before_q;

  `MUSTER_ASSERT(EntersOrIsLost_A, come_i == (push_o || lost))

endmodule

`default_nettype wire
