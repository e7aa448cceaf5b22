// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "formal.svh"

// muster_barrier_spill with Guard and a time T = 2 ** Patience, for any messages, any outputs, any
// credits and a host that names another spill port whenever it likes.
//
//   - the hand-over latch is full for at most 2 T cycles, the answer latch for at most T
//   - a latch gives up in the T-th cycle in a row in which nothing of it leaves, and not before
//   - what is counted is the message of that latch: its port, group and type
//   - while the spill is closed no message is held for the hand-over latch, and all that would be
//     count as dropped; it is closed from the cycle after the hand-over latch gave up, up to and
//     including the first one with room; otherwise none of them counts as dropped
//
// The wrapper keeps what it has seen taken in two places of its own. barrier_spill_proof has the
// spill without Guard.
module spill_patience_proof #(
  parameter int unsigned Ports = 3,
  parameter int unsigned Patience = 1,
  /// the bound is so many cycles too small; 0 for the proof
  parameter int unsigned Early = 0,
  localparam int unsigned FlitW = 16,
  localparam int unsigned GidW = 9,
  localparam int unsigned GivenUpW = 2 + GidW,
  localparam int unsigned Time = 1 << Patience
) (
  input  wire logic                         clk_i,
  input  wire logic [Ports-1:0]             spill_port_i,
  input  wire logic [Ports-1:0][FlitW-1:0]  msg_payload_i,
  input  wire logic [Ports-1:0]             stored_i,
  input  wire logic [Ports-1:0]             unknown_i,
  input  wire logic [Ports-1:0]             malformed_i,
  input  wire logic [Ports-1:0]             unit_send_i,
  input  wire logic [Ports-1:0][FlitW-1:0]  unit_payload_i,
  input  wire logic [Ports-1:0]             leaves_i,
  input  wire logic [Ports-1:0]             room_i
);
  localparam int unsigned TypeW = muster_pkg::MsgTypeW;

  `MUSTER_FORMAL_RESET

  logic [Ports-1:0] hold, unknown, unit_leaves, send, given_up;
  logic [Ports-1:0][FlitW-1:0] payload;
  logic [Ports-1:0][GivenUpW-1:0] info;
  muster_barrier_spill #(.Ports(Ports), .FlitW(FlitW), .GidW(GidW), .Guard(1)) dut (
    .clk_i, .rst_ni,
    .spill_port_i,
    .msg_payload_i,
    .stored_i,
    .unknown_i,
    .malformed_i,
    .hold_o(hold),
    .unknown_o(unknown),
    .unit_send_i,
    .unit_payload_i,
    .unit_leaves_o(unit_leaves),
    .send_o(send),
    .send_payload_o(payload),
    .leaves_i,
    .patience_i(4'(Patience)),
    .room_i,
    .given_up_o(given_up),
    .given_up_info_o(info)
  );

  // ---- The caller ---------------------------------------------------------------------------
  logic [Ports-1:0] wrong_type;
  always_comb begin
    for (int unsigned p = 0; p < Ports; p++) begin
      wrong_type[p] = (unknown_i[p] && msg_payload_i[p][FlitW-1]) ||
                      (malformed_i[p] && !msg_payload_i[p][FlitW-1]);
    end
  end
  `MUSTER_ASSUME(OnePort_M, (spill_port_i & (spill_port_i - 1'b1)) == '0)
  `MUSTER_ASSUME(TypesFit_M, wrong_type == '0)
  `MUSTER_ASSUME(LeavesIsOffered_M, (leaves_i & ~send) == '0)

  // ---- What is taken, leaves and is given up ------------------------------------------------
  logic spills;
  logic [Ports-1:0] taken, answer_taken, by_latch, half_out, data_out, said_out, dropped_hand,
                    dropped_answer;
  logic [FlitW-1:0] in, answer;
  logic [3:0] in_port;
  assign spills = spill_port_i != '0;
  assign taken = spills ? unknown_i & ~hold & ~unknown : '0;
  assign answer_taken = malformed_i & spill_port_i & ~hold;
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
      by_latch[p] = leaves_i[p] && !unit_leaves[p];
      half_out[p] = by_latch[p] && payload[p][FlitW-1];
      data_out[p] = by_latch[p] && payload[p][FlitW-1-:TypeW] == muster_pkg::MsgSpillData;
      said_out[p] = by_latch[p] && !payload[p][FlitW-1];
      dropped_hand[p] = given_up[p] && !info[p][GivenUpW-1];
      dropped_answer[p] = given_up[p] && info[p][GivenUpW-1];
    end
  end

  // ---- The wrapper's own two places, and how long they are full -------------------------------
  localparam int unsigned CountW = $clog2(2 * Time + 2);
  logic held_q, place_q, said_q, closed_q;
  logic [CountW-1:0] held_for_q, waited_q, said_for_q;  // cycles before this one
  logic [FlitW-1:0] message_q, said_message_q;
  logic [3:0] message_port_q, place_port_q;
  logic place_type_q, is_data, says, hand_given_up, answer_given_up, both;
  assign is_data = answer[FlitW-1-:TypeW] == muster_pkg::MsgSpillData;
  assign says = answer_taken != '0 && is_data && place_q;
  assign hand_given_up = dropped_hand != '0 || both;
  assign answer_given_up = dropped_answer != '0;
  // Both for one port in one cycle: the answer is counted, the other is not seen.
  assign both = dropped_answer != '0 && held_q && message_port_q == place_port_q &&
                32'(waited_q) == Time - 1 && half_out == '0;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      held_q <= 1'b0;
      place_q <= 1'b0;
      said_q <= 1'b0;
      closed_q <= 1'b0;
    end else begin
      if (taken != '0) held_q <= 1'b1;
      if (data_out != '0 || hand_given_up) held_q <= 1'b0;
      if (answer_taken != '0) place_q <= !is_data && 32'(answer[3:0]) < Ports;
      if (says) said_q <= 1'b1;
      if (said_out != '0 || answer_given_up) said_q <= 1'b0;
      closed_q <= hand_given_up || (closed_q && (spill_port_i & room_i) == '0);
    end
    held_for_q <= held_q ? held_for_q + 1'b1 : '0;
    waited_q <= held_q && half_out == '0 ? waited_q + 1'b1 : '0;
    said_for_q <= said_q ? said_for_q + 1'b1 : '0;
    if (taken != '0) begin
      message_q <= in;
      message_port_q <= in_port;
    end
    if (answer_taken != '0 && !is_data) begin
      place_type_q <= answer[4];
      place_port_q <= answer[3:0];
    end
    if (says) said_message_q <= {1'b0, place_type_q, answer[FlitW-TypeW-1:0]};
  end

  // ---- Facts ----------------------------------------------------------------------------------
  logic [Ports-1:0] hand_bad, answer_bad;
  always_comb begin
    for (int unsigned p = 0; p < Ports; p++) begin
      hand_bad[p] = dropped_hand[p] && !(held_q && message_port_q == 4'(p) &&
                    info[p] == {1'b0, message_q[FlitW-TypeW-:GidW+1]});
      answer_bad[p] = dropped_answer[p] && !(said_q && place_port_q == 4'(p) &&
                      info[p] == {1'b1, said_message_q[FlitW-TypeW-:GidW+1]});
    end
  end

  `MUSTER_ASSERT(HandInTime_A, !held_q || 32'(held_for_q) < 2 * Time - Early)
  `MUSTER_ASSERT(AnswerInTime_A, !said_q || 32'(said_for_q) < Time)
  `MUSTER_ASSERT(HandGivesUp_A, hand_given_up == (held_q && half_out == '0 &&
                                                  32'(waited_q) == Time - 1))
  `MUSTER_ASSERT(AnswerGivesUp_A, answer_given_up == (said_q && said_out == '0 &&
                                                      32'(said_for_q) == Time - 1))
  `MUSTER_ASSERT(HandIsCounted_A, hand_bad == '0)
  `MUSTER_ASSERT(AnswerIsCounted_A, answer_bad == '0)
  `MUSTER_ASSERT(ClosedDrops_A, !closed_q || ((hold & unknown_i) == '0 && unknown == unknown_i))
  `MUSTER_ASSERT(OpenHandsOver_A, closed_q || !spills || unknown == '0)
  `MUSTER_ASSERT(TakenHasRoom_A, (taken == '0 || !held_q) && (answer_taken == '0 || !said_q))

  `MUSTER_COVER(PlaceGivenUp_C, hand_given_up && 32'(held_for_q) == Time - 1)
  `MUSTER_COVER(DataGivenUp_C, hand_given_up && 32'(held_for_q) == 2 * Time - 1)
  `MUSTER_COVER(AnswerGivenUp_C, answer_given_up)
  `MUSTER_COVER(BothGivenUp_C, both)
  `MUSTER_COVER(Reopens_C, closed_q && (spill_port_i & room_i) != '0 && unknown_i != '0)

endmodule

`default_nettype wire
