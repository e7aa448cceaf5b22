// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "muster_assert.svh"

// The addition of injection throttling on feedback to a PE (beyond the paper;
// docs/systems/interchange-box.md): a hold register for one synchronization packet beside the PE's
// queue, and the PE's turns.
//
// While busy_i, a synchronization packet (kind 2, bits 63 .. 62) at the head of the queue is not
// offered but moved into the empty register. A packet in the register is offered in the PE's turn,
// every turn_mask_i + 1 cycles, if not busy_i; the register is emptied if it is taken. In all other
// cycles the head is offered. The first cycle after reset is turn 0. The register is empty after
// reset.
//
// Example: busy_i and a synchronization packet at the head: valid_o is 0, head_leaves_o is 1; from
// the next cycle on the packet behind it is offered, and the held one with turn_i = the cycle's
// number AND turn_mask_i and busy_i = 0.
module muster_throttle_hold #(
  /// log2 of the most turns, 1 to 15
  parameter int unsigned TurnW = 6,
  localparam int unsigned PacketW = 64
) (
  input  wire logic                  clk_i,
  input  wire logic                  rst_ni,

  /// the PE's turn; static, within turn_mask_i
  input  wire logic [TurnW-1:0]      turn_i,
  /// the number of turns, a power of two such as N/n, less 1; static
  input  wire logic [TurnW-1:0]      turn_mask_i,
  /// feedback wire of the PE's coordinator
  input  wire logic                  busy_i,

  /// head of the queue
  input  wire logic                  head_valid_i,
  input  wire logic [PacketW-1:0]    head_i,
  /// the head leaves the queue at this edge, into the network or the register
  output logic                       head_leaves_o,

  /// what the PE offers; ready_i: it is taken at this edge
  output logic                       valid_o,
  output logic [PacketW-1:0]         packet_o,
  input  wire logic                  ready_i
);
  localparam logic [1:0] KindSynchronization = 2'd2;

  `MUSTER_RANGE(TurnW, 1, 15)

  logic held_q, offer_held, move;
  logic [PacketW-1:0] packet_q;
  logic [TurnW-1:0] cycle_q;

  assign offer_held = held_q && !busy_i && ((cycle_q & turn_mask_i) == turn_i);
  assign move = busy_i && !held_q && head_valid_i && (head_i[63:62] == KindSynchronization);

  assign valid_o = offer_held || (head_valid_i && !move);
  assign packet_o = offer_held ? packet_q : head_i;
  assign head_leaves_o = move || (valid_o && !offer_held && ready_i);

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      held_q <= 1'b0;
      cycle_q <= '0;
    end else begin
      cycle_q <= cycle_q + 1'b1;
      if (move) held_q <= 1'b1;
      else if (offer_held && ready_i) held_q <= 1'b0;
    end
  end
  always_ff @(posedge clk_i) begin
    if (move) packet_q <= head_i;
  end

  `MUSTER_ASSERT(HeldIsSynchronization_A, !held_q || (packet_q[63:62] == KindSynchronization))
  `MUSTER_ASSERT(HeadLeavesIfThere_A, !head_leaves_o || head_valid_i)

endmodule

`default_nettype wire
