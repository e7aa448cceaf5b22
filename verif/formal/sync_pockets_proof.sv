// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "formal.svh"

// muster_sync_pockets at both ends of a link of one cycle each way, output 0 of the one to port 0
// of the other: a sender that sends whenever it likes and has room, a receiver that holds what it
// likes.
//
//   - a pocket that is full is never written, and no credit is gained: the assertions of the module
//   - each message is shown from its cycle on the wires until it is taken, unchanged, and taken
//     once: the wrapper numbers them, and they are taken in their order, none left out
//   - the credit is never lost: it is with the sender, or on its way, or a message is
module sync_pockets_proof #(
  parameter int unsigned Ports = 3,
  localparam int unsigned FlitW = 16
) (
  input  wire logic              clk_i,
  input  wire logic              sends_i,
  input  wire logic [Ports-1:0]  hold_i
);
  `MUSTER_FORMAL_RESET

  // ---- The sender's side: its room for output 0, and the link ---------------------------------
  logic [Ports-1:0] room, credit, leaves, sender_msg, sender_stored, sender_credit;
  logic sender_idle, wire_q;
  logic [1:0] next_q, wire_number_q;  // numbers of messages, which come round
  assign leaves = Ports'(sends_i && room[0]);
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      wire_q <= 1'b0;
      next_q <= '0;
    end else begin
      wire_q <= leaves[0];
      if (leaves[0]) next_q <= next_q + 1'b1;
    end
    if (leaves[0]) wire_number_q <= next_q;
  end

  muster_sync_pockets #(.Ports(Ports), .FlitW(FlitW)) sender (
    .clk_i, .rst_ni,
    .rx_sync_i('0),
    .rx_payload_i('0),
    .credit_o(sender_credit),
    .msg_o(sender_msg),
    .stored_o(sender_stored),
    .hold_i('0),
    .room_o(room),
    .leaves_i(leaves),
    .credit_i(Ports'(credit[0])),
    .idle_o(sender_idle)
  );

  // ---- The receiver's, whose other ports are still ---------------------------------------------
  logic [Ports-1:0] msg, stored, receiver_room;
  logic [Ports-1:0][FlitW-1:0] payload;
  logic idle;
  muster_sync_pockets #(.Ports(Ports), .FlitW(FlitW)) receiver (
    .clk_i, .rst_ni,
    .rx_sync_i(Ports'(wire_q)),
    .rx_payload_i((Ports * FlitW)'(wire_number_q)),
    .credit_o(credit),
    .msg_o(msg),
    .msg_payload_o(payload),
    .stored_o(stored),
    .hold_i,
    .room_o(receiver_room),
    .leaves_i('0),
    .credit_i('0),
    .idle_o(idle)
  );

  // ---- Facts ----------------------------------------------------------------------------------
  logic taken;
  logic [1:0] due_q;  // the number that is to be taken next
  assign taken = msg[0] && !hold_i[0];
  always_ff @(posedge clk_i) begin
    if (!rst_ni) due_q <= '0;
    else if (taken) due_q <= due_q + 1'b1;
  end

  `MUSTER_ASSERT(InOrderOnce_A, !msg[0] || payload[0] == FlitW'(due_q))
  `MUSTER_ASSERT(OneOnTheWay_A, (next_q - due_q) <= 2'd1)
  `MUSTER_ASSERT(OneCredit_A, $countones({room[0], credit[0], msg[0]}) == 1)
  `MUSTER_ASSERT(StaysWhileHeld_A, (stored & ~msg) == '0)
  `MUSTER_ASSERT(OthersAreStill_A, (msg >> 1) == '0 && sender_msg == '0 && sender_idle &&
                                   sender_stored == '0 && sender_credit == '0 &&
                                   (&receiver_room) && (&room[Ports-1:1]))
  `MUSTER_ASSERT(IdleIsEmpty_A, !idle || (stored == '0 && credit == '0))

  `MUSTER_COVER(HeldAndTaken_C, stored[0] && taken)
  `MUSTER_COVER(TakenFromTheWires_C, wire_q && taken && due_q == 2'd2)
  `MUSTER_COVER(SentAgain_C, leaves[0] && next_q == 2'd3)

endmodule

`default_nettype wire
