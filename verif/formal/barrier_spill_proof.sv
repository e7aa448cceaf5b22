// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "formal.svh"

// muster_barrier_spill for any messages at any ports, on the wires or in pockets, any registers
// beside it and any outputs.
//
//   - only messages that ask for a latch are held, and of those in a pocket that could be taken one
//     is; none from the wires is
//   - each message taken for the node leaves as one place and one data message, in this order,
//     unchanged, by the spill port, and is offered all the time until then: none is lost or
//     duplicated
//   - each place and data taken from the node leave as one message, unchanged, by the port that the
//     place names; halves out of order are counted and leave nothing
//   - what registers send passes unchanged, and after a latch's message a register's is the next
//   - without a spill port nothing of this happens, and drops are those of the registers
//
// The wrapper keeps the messages that it has seen taken in two places of its own.
module barrier_spill_proof #(
  parameter int unsigned Ports = 3,
  parameter int unsigned FlitW = 16,
  parameter int unsigned GidW = 9
) (
  input  wire logic                         clk_i,
  input  wire logic [Ports-1:0]             spill_port_i,
  input  wire logic [Ports-1:0][FlitW-1:0]  msg_payload_i,
  input  wire logic [Ports-1:0]             stored_i,
  input  wire logic [Ports-1:0]             unknown_i,
  input  wire logic [Ports-1:0]             malformed_i,
  input  wire logic [Ports-1:0]             unit_send_i,
  input  wire logic [Ports-1:0][FlitW-1:0]  unit_payload_i,
  input  wire logic [Ports-1:0]             leaves_i
);
  localparam int unsigned TypeW = muster_pkg::MsgTypeW;
  localparam int unsigned DataW = FlitW - TypeW - GidW;

  `MUSTER_FORMAL_RESET

  logic [Ports-1:0] hold, unknown, malformed, unit_leaves, send;
  logic [Ports-1:0][FlitW-1:0] payload;
  muster_barrier_spill #(.Ports(Ports), .FlitW(FlitW), .GidW(GidW)) dut (
    .clk_i, .rst_ni,
    .spill_port_i,
    .msg_payload_i,
    .stored_i,
    .unknown_i,
    .malformed_i,
    .hold_o(hold),
    .unknown_o(unknown),
    .malformed_o(malformed),
    .unit_send_i,
    .unit_payload_i,
    .unit_leaves_o(unit_leaves),
    .send_o(send),
    .send_payload_o(payload),
    .leaves_i,
    .patience_i('0),
    .room_i('1)
  );

  // ---- The caller ---------------------------------------------------------------------------
  logic [Ports-1:0] port_q;
  logic [Ports-1:0] wrong_type;
  always_ff @(posedge clk_i) port_q <= spill_port_i;
  always_comb begin
    for (int unsigned p = 0; p < Ports; p++) begin
      wrong_type[p] = (unknown_i[p] && msg_payload_i[p][FlitW-1]) ||
                      (malformed_i[p] && !msg_payload_i[p][FlitW-1]);
    end
  end
  logic begun_q;
  always_ff @(posedge clk_i) begun_q <= rst_ni;
  `MUSTER_ASSUME(OnePort_M, (spill_port_i & (spill_port_i - 1'b1)) == '0)
  `MUSTER_ASSUME(PortStays_M, !begun_q || spill_port_i == port_q)
  `MUSTER_ASSUME(TypesFit_M, wrong_type == '0)
  `MUSTER_ASSUME(LeavesIsOffered_M, (leaves_i & ~send) == '0)

  // ---- What is taken ------------------------------------------------------------------------
  logic spills;
  logic [Ports-1:0] to_node, from_node, taken, answer_taken;
  assign spills = spill_port_i != '0;
  assign to_node = spills ? unknown_i : '0;
  assign from_node = malformed_i & spill_port_i;
  assign taken = to_node & ~hold;
  assign answer_taken = from_node & ~hold;

  logic [FlitW-1:0] in, answer;  // of the port that is taken
  logic [3:0] in_port;
  logic [1:0] answer_type;
  always_comb begin
    in = '0;
    in_port = '0;
    answer = '0;
    for (int unsigned p = 0; p < Ports; p++) begin
      if (taken[p]) begin
        in = msg_payload_i[p];
        in_port = 4'(p);
      end
      if (answer_taken[p]) answer = msg_payload_i[p];
    end
  end
  assign answer_type = answer[FlitW-1-:TypeW];

  // ---- What is seen to leave by a latch -------------------------------------------------------
  logic [Ports-1:0] by_latch, place_out, data_out, said_out;
  always_comb begin
    for (int unsigned p = 0; p < Ports; p++) begin
      by_latch[p] = leaves_i[p] && !unit_leaves[p];
      place_out[p] = by_latch[p] && payload[p][FlitW-1-:TypeW] == muster_pkg::MsgSpillPlace;
      data_out[p] = by_latch[p] && payload[p][FlitW-1-:TypeW] == muster_pkg::MsgSpillData;
      said_out[p] = by_latch[p] && !payload[p][FlitW-1];
    end
  end

  // ---- The wrapper's own two places -----------------------------------------------------------
  logic held_q, place_left_q, place_q, said_q;
  logic [FlitW-1:0] message_q, said_message_q;
  logic [3:0] message_port_q, place_port_q;
  logic place_type_q, place_fits;
  assign place_fits = 32'(answer[3:0]) < Ports;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      held_q <= 1'b0;
      place_left_q <= 1'b0;
      place_q <= 1'b0;
      said_q <= 1'b0;
    end else begin
      if (taken != '0) begin
        held_q <= 1'b1;
        place_left_q <= 1'b0;
      end
      if (place_out != '0) place_left_q <= 1'b1;
      if (data_out != '0) held_q <= 1'b0;
      if (said_out != '0) said_q <= 1'b0;
      if (answer_taken != '0 && answer_type == muster_pkg::MsgSpillPlace) place_q <= place_fits;
      if (answer_taken != '0 && answer_type == muster_pkg::MsgSpillData) begin
        place_q <= 1'b0;
        if (place_q) said_q <= 1'b1;
      end
    end
    if (taken != '0) begin
      message_q <= in;
      message_port_q <= in_port;
    end
    if (answer_type == muster_pkg::MsgSpillPlace) begin
      place_type_q <= answer[4];
      place_port_q <= answer[3:0];
    end
    if (answer_type == muster_pkg::MsgSpillData) begin
      said_message_q <= {1'b0, place_type_q, answer[DataW+GidW-1:0]};
    end
  end

  // ---- Facts ----------------------------------------------------------------------------------
  logic [Ports-1:0] place_bad, data_bad, said_bad, unit_bad, said_port, unjust_q, last_q;
  logic [FlitW-1:0] place_due, data_due;
  assign place_due = {muster_pkg::MsgSpillPlace, message_q[DataW+:GidW],
                      DataW'({message_q[FlitW-TypeW], message_port_q})};
  assign data_due = {muster_pkg::MsgSpillData, message_q[DataW+GidW-1:0]};
  always_comb begin
    for (int unsigned p = 0; p < Ports; p++) begin
      said_port[p] = said_q && place_port_q == 4'(p);
      place_bad[p] = place_out[p] && !(held_q && !place_left_q && spill_port_i[p] &&
                                       payload[p] == place_due);
      data_bad[p] = data_out[p] && !(held_q && place_left_q && spill_port_i[p] &&
                                     payload[p] == data_due);
      said_bad[p] = said_out[p] && !(said_port[p] && payload[p] == said_message_q);
      unit_bad[p] = unit_leaves[p] && !(unit_send_i[p] && payload[p] == unit_payload_i[p]);
    end
  end
  always_ff @(posedge clk_i) begin
    if (!rst_ni) last_q <= '0;
    else last_q <= (last_q & ~leaves_i) | by_latch;
  end
  assign unjust_q = by_latch & last_q & unit_send_i;

  `MUSTER_ASSERT(OnlyAskersHeld_A, (hold & ~(to_node | from_node)) == '0)
  `MUSTER_ASSERT(OneIsTaken_A, $countones(taken | answer_taken) <= 1)
  `MUSTER_ASSERT(SomeIsTaken_A, (taken | answer_taken) != '0 ||
                                ((held_q || (to_node & stored_i) == '0) &&
                                 (said_q || (from_node & stored_i) == '0)))
  `MUSTER_ASSERT(PocketFirst_A, ((taken | answer_taken) & ~stored_i) == '0)
  `MUSTER_ASSERT(TakenHasRoom_A, (taken == '0 || !held_q) && (answer_taken == '0 || !said_q))
  `MUSTER_ASSERT(PlaceIsOfMessage_A, place_bad == '0)
  `MUSTER_ASSERT(DataIsOfMessage_A, data_bad == '0)
  `MUSTER_ASSERT(AnswerIsOfNode_A, said_bad == '0)
  `MUSTER_ASSERT(UnitPasses_A, unit_bad == '0 && (unit_leaves & ~leaves_i) == '0)
  `MUSTER_ASSERT(HeldIsOffered_A, !held_q || (send & spill_port_i) != '0)
  `MUSTER_ASSERT(SaidIsOffered_A, (said_port & ~send) == '0 && (!said_q || said_port != '0))
  `MUSTER_ASSERT(UnitIsOffered_A, (unit_send_i & ~send) == '0)
  `MUSTER_ASSERT(TurnsAtOutput_A, unjust_q == '0)
  `MUSTER_ASSERT(DropsWithout_A,
                 spills || (unknown == unknown_i && malformed == malformed_i && hold == '0 &&
                            send == unit_send_i))
  `MUSTER_ASSERT(DropsWith_A, !spills || (unknown == '0 &&
                 (malformed & ~spill_port_i) == (malformed_i & ~spill_port_i)))
  `MUSTER_ASSERT(HalvesCounted_A, answer_taken == '0 ||
                 ((malformed & answer_taken) != '0) ==
                     (answer_type == muster_pkg::MsgSpillPlace ? place_q || !place_fits
                                                               : !place_q))

  `MUSTER_COVER(HandsOver_C, data_out != '0)
  `MUSTER_COVER(Answers_C, said_out != '0)
  `MUSTER_COVER(BothFull_C, held_q && said_q && (said_port & spill_port_i) != '0)
  `MUSTER_COVER(Waits_C, (hold & stored_i) != '0 && unit_send_i == '1)

endmodule

`default_nettype wire
