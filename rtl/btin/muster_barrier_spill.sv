// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "muster_assert.svh"

// The path to the node that holds the groups without a barrier register here, and back (BTIN
// section 2.2). docs/systems/barrier-switch.md, "Spill", is the specification,
// docs/reference/formats.md has the messages. The module is between the barrier registers and the
// outputs of the switch.
//
// In: a message of port p whose group has no register (ask_unknown) requests the hand-over latch; a
// message of type 2 or 3 from the spill port requests the answer latch. One message is taken a
// cycle, by round robin over the ports whose pocket holds one and whose latch is not full. The
// other requesting messages are held (hold_o), in their pockets, or go there. No other message is
// held.
//
// Out: a full hand-over latch offers the spill port first its place (type 2: port and type of the
// message), then its data (type 3). Place and data from the spill port make a message of type 0 or
// 1 in the answer latch, which is offered to the port that the place names. At an output that a
// register requests too, a latch goes first unless the last message that left there was a latch's.
// Neither latch waits for the other, nor for a queue.
//
// Example: a message in the pocket of port 2 in cycle t is in the latch in t + 1; its place leaves
// for the output register in t + 1, its data as soon as the receiver's pocket is free again. Place
// and data in the pocket of the spill port in u and u + 3 are offered as a message in u + 4.
//
// With spill_port_i = 0 the module only passes the messages of the registers. The host must write
// it before the first barrier message: a full latch keeps its message.
//
// With Guard a latch that waits for too long gives up its message, and messages that would wait for
// a node that takes none count as dropped (docs/systems/guard.md, "Time-outs of the spill").
module muster_barrier_spill #(
  /// ports of the switch, 3 to 16
  parameter int unsigned Ports = 8,
  /// payload bits of a flit, 16 to 80. Requires FlitW >= GidW + 7
  parameter int unsigned FlitW = 16,
  /// bits of a group identifier, 4 to 12
  parameter int unsigned GidW = 8,
  /// the latches do not wait for ever; 0 to 1
  parameter int unsigned Guard = 0,
  localparam int unsigned RestW = FlitW - muster_pkg::MsgTypeW,
  localparam int unsigned GivenUpW = 2 + GidW
) (
  input  wire logic                         clk_i,
  input  wire logic                         rst_ni,

  /// the port of the spill node, one-hot or zero
  input  wire logic [Ports-1:0]             spill_port_i,

  /// the message of port p; it is in its pocket
  input  wire logic [Ports-1:0][FlitW-1:0]  msg_payload_i,
  input  wire logic [Ports-1:0]             stored_i,
  /// it is a reduction or distribution of a group without register; it is of type 2 or 3
  input  wire logic [Ports-1:0]             unknown_i,
  input  wire logic [Ports-1:0]             malformed_i,
  /// it is not taken in this cycle
  output logic [Ports-1:0]                  hold_o,
  /// it is taken and counts as dropped
  output logic [Ports-1:0]                  unknown_o,
  output logic [Ports-1:0]                  malformed_o,

  /// from the registers, see muster_barrier_unit
  input  wire logic [Ports-1:0]             unit_send_i,
  input  wire logic [Ports-1:0][FlitW-1:0]  unit_payload_i,
  output logic [Ports-1:0]                  unit_leaves_o,

  /// to the outputs: a message for port p; it leaves, only where send_o[p]
  output logic [Ports-1:0]                  send_o,
  output logic [Ports-1:0][FlitW-1:0]       send_payload_o,
  input  wire logic [Ports-1:0]             leaves_i,

  /// with Guard: how long a latch waits, 2 to this power of cycles, 0 for ever; the credit of the
  /// pocket behind output p is there
  input  wire logic [3:0]                   patience_i,
  input  wire logic [Ports-1:0]             room_i,
  /// a message is given up that came in at port p, or was to leave there; of it: an answer, bit 0
  /// of its type, group
  output logic [Ports-1:0]                  given_up_o,
  output logic [Ports-1:0][GivenUpW-1:0]    given_up_info_o,
  /// with idle inputs a time would go on, or end
  output logic                              busy_o
);
  localparam int unsigned DataW = RestW - GidW;

  `MUSTER_RANGE(Ports, 3, 16)
  `MUSTER_RANGE(FlitW, 16, 80)
  `MUSTER_RANGE(GidW, 4, 12)
  if (DataW < muster_pkg::SpillPlaceW) begin : gen_no_place
    $error("a place does not fit: FlitW must be at least GidW + 7");
  end
  `MUSTER_RANGE(Guard, 0, 1)

  // Hand-over latch: a message without its type, and its place {type, port}; the place has left.
  logic hand_q, placed_q;
  logic [RestW-1:0] hand_rest_q;
  logic [muster_pkg::SpillPlaceW-1:0] hand_place_q;
  // A place whose data are to come, and the answer latch.
  logic place_q, answer_q;
  logic [muster_pkg::SpillPlaceW-1:0] answer_place_q;  // of the place, then of the answer
  logic [RestW-1:0] answer_rest_q;
  logic [Ports-1:0] last_q;  // a latch's message was the last to leave

  // With Guard: a latch gives up its message, and none is handed over.
  logic hand_over, answer_over, closed;

  // ---- In ---------------------------------------------------------------------------------
  logic open;
  logic [Ports-1:0] ask_hand, ask_answer, eligible, taken;
  assign open = spill_port_i != '0 && !closed;
  assign ask_hand = open ? unknown_i : '0;
  assign ask_answer = malformed_i & spill_port_i;
  assign eligible = stored_i & ((hand_q ? '0 : ask_hand) | (answer_q ? '0 : ask_answer));

  muster_rr_arbiter #(.N(Ports)) turns (
    .clk_i, .rst_ni,
    .req_i(eligible),
    .take_i(1'b1),
    .grant_o(taken)
  );
  assign hold_o = (ask_hand | ask_answer) & ~taken;

  // The message to hand over is known with the arbitration, one from the spill port before it.
  logic [FlitW-1:0] message, answer;
  logic [3:0] from;
  always_comb begin
    message = '0;
    from = '0;
    if (taken != '0) begin
      for (int unsigned p = 0; p < Ports; p++) begin
        if (taken[p]) begin
          message = message | msg_payload_i[p];
          from = from | 4'(p);
        end
      end
    end
  end
  always_comb begin
    answer = '0;
    for (int unsigned p = 0; p < Ports; p++) begin
      if (spill_port_i[p]) answer = answer | msg_payload_i[p];
    end
  end

  logic is_data, takes_hand, takes_place, takes_data, place_good, bad;
  logic [Ports-1:0] taken_answer;
  assign is_data = answer[FlitW-1-:muster_pkg::MsgTypeW] == muster_pkg::MsgSpillData;
  assign place_good = {1'b0, answer[3:0]} < 5'(Ports);
  assign bad = is_data ? !place_q : place_q || !place_good;
  assign taken_answer = taken & ask_answer;
  assign takes_hand = (taken & ask_hand) != '0;
  assign takes_place = (taken_answer != '0) && !is_data;
  assign takes_data = (taken_answer != '0) && is_data;
  assign unknown_o = open ? '0 : unknown_i;
  assign malformed_o = (malformed_i & ~spill_port_i) | (bad ? taken_answer : '0);

  // ---- Out --------------------------------------------------------------------------------
  logic [Ports-1:0] hand_want, answer_want, want, own;
  logic [RestW-1:0] hand_rest;
  logic [1:0] hand_type;
  logic hand_leaves, answer_leaves;
  assign hand_want = hand_q ? spill_port_i : '0;
  assign answer_want = answer_q ? Ports'(16'd1 << answer_place_q[3:0]) : '0;
  assign want = hand_want | answer_want;
  assign own = want & ~(unit_send_i & last_q);
  assign send_o = unit_send_i | want;
  assign unit_leaves_o = leaves_i & ~own;
  assign answer_leaves = (leaves_i & own & answer_want) != '0;
  assign hand_leaves = (leaves_i & own & hand_want & ~answer_want) != '0;

  assign hand_type = placed_q ? muster_pkg::MsgSpillData : muster_pkg::MsgSpillPlace;
  assign hand_rest = placed_q ? hand_rest_q
                              : {hand_rest_q[RestW-1-:GidW], DataW'(hand_place_q)};
  always_comb begin
    send_payload_o = unit_payload_i;
    if (want != '0) begin
      for (int unsigned p = 0; p < Ports; p++) begin
        if (own[p]) begin
          send_payload_o[p] = answer_want[p] ? {1'b0, answer_place_q[4], answer_rest_q}
                                             : {hand_type, hand_rest};
        end
      end
    end
  end

  // ---- State ------------------------------------------------------------------------------
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      hand_q <= 1'b0;
      placed_q <= 1'b0;
      place_q <= 1'b0;
      answer_q <= 1'b0;
      last_q <= '0;
    end else if (taken != '0 || leaves_i != '0 || hand_over || answer_over) begin
      if (takes_hand) hand_q <= 1'b1;
      else if ((hand_leaves && placed_q) || hand_over) hand_q <= 1'b0;
      if (hand_over) placed_q <= 1'b0;
      else if (hand_leaves) placed_q <= !placed_q;
      if (takes_place) place_q <= place_good;
      else if (takes_data) place_q <= 1'b0;
      if (takes_data && place_q) answer_q <= 1'b1;
      else if (answer_leaves || answer_over) answer_q <= 1'b0;
      last_q <= (last_q & ~leaves_i) | (leaves_i & own);
    end
  end

  always_ff @(posedge clk_i) begin
    if (takes_hand) begin
      hand_rest_q <= message[RestW-1:0];
      hand_place_q <= {message[FlitW-muster_pkg::MsgTypeW], from};
    end
    if (takes_place) answer_place_q <= answer[muster_pkg::SpillPlaceW-1:0];
    if (takes_data) answer_rest_q <= answer[RestW-1:0];
  end

  // ---- Guard ------------------------------------------------------------------------------
  if (Guard == 1) begin : gen_guard
    // A latch waits in a cycle in which it is full and nothing of it leaves. After 2 ** patience_i
    // such cycles in a row it gives up: it is empty in the next cycle. When the hand-over latch
    // gives up, the spill is closed from the next cycle on, up to and including the first one with
    // room behind the spill port: docs/systems/guard.md, "Time-outs of the spill".
    logic hand_aged, answer_aged, closed_q, room;
    assign room = (spill_port_i & room_i) != '0;
    muster_patience hand_waits (
      .clk_i, .rst_ni,
      .waits_i(hand_q && !hand_leaves),
      .patience_i,
      .over_o(hand_over),
      .aged_o(hand_aged)
    );
    muster_patience answer_waits (
      .clk_i, .rst_ni,
      .waits_i(answer_q && !answer_leaves),
      .patience_i,
      .over_o(answer_over),
      .aged_o(answer_aged)
    );
    always_ff @(posedge clk_i) begin
      if (!rst_ni) closed_q <= 1'b0;
      else closed_q <= hand_over || (closed_q && !room);
    end
    assign closed = closed_q;
    assign busy_o = hand_aged || answer_aged || ((hand_q || answer_q) && patience_i != '0) ||
                    (closed_q && room);
    `MUSTER_ASSERT(LeavesIfFull_A, (hand_q || !hand_leaves) && (answer_q || !answer_leaves))

    for (genvar p = 0; p < Ports; p++) begin : gen_given_up
      logic answer_to, hand_from;
      assign answer_to = answer_over && answer_want[p];
      assign hand_from = hand_over && hand_place_q[3:0] == 4'($unsigned(p));
      assign given_up_o[p] = answer_to || hand_from;
      assign given_up_info_o[p] =
          answer_to ? {1'b1, answer_place_q[4], answer_rest_q[RestW-1-:GidW]}
                    : {1'b0, hand_place_q[4], hand_rest_q[RestW-1-:GidW]};
    end
  end else begin : gen_no_guard
    assign hand_over = 1'b0;
    assign answer_over = 1'b0;
    assign closed = 1'b0;
    assign given_up_o = '0;
    assign given_up_info_o = '0;
    assign busy_o = 1'b0;

    logic unused;
    assign unused = &{1'b0, patience_i, room_i};
  end

  `MUSTER_ASSERT(OnePort_A, (spill_port_i & (spill_port_i - 1'b1)) == '0)
  `MUSTER_ASSERT(TakenHasRoom_A, !((takes_hand && hand_q) ||
                                   ((takes_place || takes_data) && answer_q)))
  `MUSTER_ASSERT(AnswerHasPort_A, !answer_q || answer_want != '0)
  `MUSTER_ASSERT(PlaceIsOfMessage_A, !placed_q || hand_q)
  `MUSTER_ASSERT(NoPlaceWithAnswer_A, !(place_q && answer_q))
  `MUSTER_ASSERT(NothingHeldWithout_A, spill_port_i != '0 || hold_o == '0)

endmodule

`default_nettype wire
