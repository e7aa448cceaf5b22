// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "muster_assert.svh"

// Which flits enter the input queues of a switch, and as what: docs/systems/barrier-switch.md,
// "Packets are whole", and docs/systems/guard.md, "Flits without a place". One bit for each queue.
//
// A packet is open at a queue from its head on until its tail. A flit that comes (come_i) enters
// the queue (push_o). If it is a head inside an open packet, or no head while none is open, it is
// *headless* (headless_o): it is kept as a cut mark, which is a tail. In an open packet it is the
// tail, so the packet ends there; else it is alone, a packet without a route. begin_o: what enters
// begins a packet.
//
// With Guard a flit that comes while the queue is full is lost (it does not enter). If a packet is
// open, the newest flit in the queue becomes a cut mark, its tail (cut_o), and none is open.
module muster_queue_admission #(
  /// queues, 1 to 128
  parameter int unsigned Queues = 1,
  /// flits without a place are lost, not an error of the sender; 0 to 1
  parameter int unsigned Guard = 0
) (
  input  wire logic               clk_i,
  input  wire logic               rst_ni,

  /// a flit for this queue is on the wires; it is a head and no cut mark, a tail
  input  wire logic [Queues-1:0]  come_i,
  input  wire logic [Queues-1:0]  head_i,
  input  wire logic [Queues-1:0]  tail_i,
  /// the queue has no place; for Guard alone
  input  wire logic [Queues-1:0]  full_i,

  output logic [Queues-1:0]       push_o,
  output logic [Queues-1:0]       begin_o,
  output logic [Queues-1:0]       headless_o,
  /// what enters is kept as a tail
  output logic [Queues-1:0]       tail_o,
  output logic [Queues-1:0]       cut_o
);
  `MUSTER_RANGE(Queues, 1, 128)
  `MUSTER_RANGE(Guard, 0, 1)

  logic [Queues-1:0] open_q, lost;
  assign lost = (Guard == 1) ? come_i & full_i : '0;
  assign cut_o = lost & open_q;
  assign push_o = come_i & ~lost;
  assign begin_o = push_o & ~open_q;
  assign headless_o = push_o & (head_i ~^ open_q);
  assign tail_o = push_o & (tail_i | headless_o);
  always_ff @(posedge clk_i) begin
    if (!rst_ni) open_q <= '0;
    else open_q <= (open_q & ~(push_o | cut_o)) | (push_o & ~tail_o);
  end

  if (Guard == 0) begin : gen_no_guard
    logic unused;
    assign unused = &{1'b0, full_i};
  end

  `MUSTER_ASSERT(EntersOrIsLost_A, come_i == (push_o | lost) && (push_o & lost) == '0)

endmodule

`default_nettype wire
