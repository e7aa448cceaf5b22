// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "muster_assert.svh"

// The pockets: a place for one barrier message at each port of a switch in which a message may have
// to wait, because the spill's latches are full, or because a unit that takes one message a cycle
// takes another's. docs/systems/barrier-switch.md, "Spill".
//
// In: the message of port p in a cycle is the one in its pocket, else the sync flit on its wires.
// hold_i[p]: it is in the pocket in the next cycle; else it is taken, and credit_o[p] is set only
// for the next cycle. The sender has one credit, so a full pocket is never written.
//
// Out: room_o[p] is the credit for the pocket behind output p, 1 after reset, spent by leaves_i[p],
// returned by credit_i[p].
//
// Example: a flit on the wires in t that is held is at msg_o in t and t + 1, stored_o[p] in t + 1;
// taken in t + 1, its credit is on the wires in t + 2 and the sender's next flit at best in t + 4.
module muster_sync_pockets #(
  /// ports of the switch, 3 to 32
  parameter int unsigned Ports = 8,
  /// payload bits of a flit, 16 to 80
  parameter int unsigned FlitW = 16
) (
  input  wire logic                         clk_i,
  input  wire logic                         rst_ni,

  /// a sync flit is on the wires of port p; only if its pocket is empty
  input  wire logic [Ports-1:0]             rx_sync_i,
  input  wire logic [Ports-1:0][FlitW-1:0]  rx_payload_i,
  /// the pocket of port p has become free in the cycle before
  output logic [Ports-1:0]                  credit_o,

  /// the message of port p; it is in the pocket
  output logic [Ports-1:0]                  msg_o,
  output logic [Ports-1:0][FlitW-1:0]       msg_payload_o,
  output logic [Ports-1:0]                  stored_o,
  /// it stays
  input  wire logic [Ports-1:0]             hold_i,

  /// a message may leave through port p; it does; the receiver's pocket has become free
  output logic [Ports-1:0]                  room_o,
  input  wire logic [Ports-1:0]             leaves_i,
  input  wire logic [Ports-1:0]             credit_i,

  /// no pocket is full, and no credit is on the wires
  output logic                              idle_o
);
  `MUSTER_RANGE(Ports, 3, 32)
  `MUSTER_RANGE(FlitW, 16, 80)

  logic [Ports-1:0] full_q, credit_q, room_q;
  logic [Ports-1:0][FlitW-1:0] payload_q;

  assign msg_o = full_q | rx_sync_i;
  assign stored_o = full_q;
  for (genvar p = 0; p < Ports; p++) begin : gen_port
    assign msg_payload_o[p] = full_q[p] ? payload_q[p] : rx_payload_i[p];
    always_ff @(posedge clk_i) begin
      if (rx_sync_i[p]) payload_q[p] <= rx_payload_i[p];
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      full_q <= '0;
      credit_q <= '0;
      room_q <= '1;
    end else begin
      full_q <= msg_o & hold_i;
      credit_q <= msg_o & ~hold_i;
      room_q <= (room_q & ~leaves_i) | credit_i;
    end
  end

  assign credit_o = credit_q;
  assign room_o = room_q;
  assign idle_o = (full_q == '0) && (credit_q == '0);

  `MUSTER_ASSERT(PocketIsFree_A, (rx_sync_i & full_q) == '0)
  `MUSTER_ASSERT(LeavesWithRoom_A, (leaves_i & ~room_q) == '0)
  `MUSTER_ASSERT(NoCreditInvented_A, (credit_i & room_q) == '0)

endmodule

`default_nettype wire
