// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "muster_assert.svh"

// The point-to-point path of NICs delivers exactly once and in order: one connection, its sender
// and its receiver each a whole muster_nic_direct, over a medium that loses, delays, doubles and
// reorders, with sequence numbers of 2 bits. docs/systems/nic-link.md, Why it is right.
//
// Both ends count, here modulo 8: the sender the packets that it has seen acknowledged, the
// receiver those that it has accepted. A packet stays in the medium under the number that is meant,
// and so does its ACK; each may come at any time and any number of times, or never. A DATA is gone
// when the receiver has accepted three later ones, an ACK when the sender has seen three later
// ones: the one assumption about the medium (a life of 2^SeqW - 1 packets). The host gives tokens,
// and takes events, when it likes; packets and replies are granted and places are full at any time.
// Timeout 1: records send again, and give up after retries_i.
//
//   - what is delivered is the packet after the last one delivered, with its own token's fields
//   - what is acknowledged has been accepted; an ACK frees only the record that it is for
//   - the receiver is as far as the sender, or one packet further
module nic_link_proof #(
  parameter int unsigned Timeout = 0,
  /// later packets that one may outlive; 4 is one too many
  parameter int unsigned Life = 3
) (
  input  wire logic        clk_i,
  input  wire logic        send_i,
  input  wire logic        granted_i,
  input  wire logic        data_comes_i,
  input  wire logic [2:0]  data_number_i,
  input  wire logic        ack_comes_i,
  input  wire logic [2:0]  ack_number_i,
  /// of the receiver: the group has a direct context; reply queue, event queue
  input  wire logic        to_context_i,
  input  wire logic        reply_full_i,
  input  wire logic        event_full_i,
  input  wire logic        sender_full_i,
  input  wire logic        loaded_i,
  input  wire logic [3:0]  retries_i
);
  localparam logic [10:0] Sender = 11'd1;
  localparam logic [10:0] Receiver = 11'd2;
  localparam logic [7:0] Group = 8'd7;

  logic rst_ni = 1'b0;
  logic ready = 1'b0;
  always_ff @(posedge clk_i) begin
    rst_ni <= 1'b1;
    ready <= rst_ni;  // in the cycle before, the hosts write the connections
  end

  logic [2:0] given_q, sent_q, taken_q;  // tokens; packets acknowledged; packets accepted
  logic [7:0] data_q, acks_q;            // in the medium, by number
  logic [2:0] data_gone, ack_gone;
  logic data_here, came_q, ack_here, refused, want, acked, to_host, to_step, reply, sends;
  muster_pkg::nic_message_t packet, answer;

  assign data_here = ready && data_comes_i && !came_q && data_q[data_number_i] &&
                     (data_number_i != data_gone);
  assign ack_here = ready && ack_comes_i && acks_q[ack_number_i] &&
                    (ack_number_i != ack_gone);

  // ---- Sender ---------------------------------------------------------------------------------
  muster_pkg::nic_message_t ack;
  logic [31:0] token;
  assign ack = {muster_pkg::NicAck, Receiver, 2'd0, ack_number_i, Group, 6'd0, ack_number_i[1:0],
                8'd0};
  assign token = {Receiver, 2'd0, given_q, Group, 8'd0};
  assign sends = ready && send_i;

  logic a_dead;
  muster_nic_direct #(.Conns(1), .Records(1), .SeqW(2)) sender (
    .clk_i, .rst_ni,
    .timed_i(Timeout != 0),
    .timeout_i(16'(Timeout)),
    .retries_i,
    .write_i(!ready),
    .at_i(1'b0),
    .send_i(sends),
    .word_i(ready ? token : {1'b1, 20'd0, Receiver}),
    .ask_i(1'b0),
    .asked_i('0),
    .refused_o(refused),
    .comes_i(1'b1),
    .message_i(ack),
    .data_i(1'b0),
    .ack_i(ack_here),
    .to_context_i(1'b0),
    .reply_full_i(1'b0),
    .event_full_i(sender_full_i),
    .event_o(acked),  // all tokens are the host's
    .want_o(want),
    .packet_o(packet),
    .granted_i,
    .dead_o(a_dead),
    .loaded_i(loaded_i && a_dead)
  );

  // ---- Receiver -------------------------------------------------------------------------------
  muster_pkg::nic_message_t data;
  assign data = {muster_pkg::NicData, Sender, 2'd0, data_number_i, Group, 6'd0,
                 data_number_i[1:0], 8'd0};

  logic [31:0] b_event_word;
  muster_nic_direct #(.Conns(1), .Records(1), .SeqW(2)) receiver (
    .clk_i, .rst_ni,
    .timed_i(1'b0),
    .timeout_i(16'd0),
    .retries_i(4'd0),
    .write_i(!ready),
    .at_i(1'b0),
    .send_i(1'b0),
    .word_i({1'b1, 20'd0, Sender}),
    .ask_i(1'b0),
    .asked_i('0),
    .comes_i(1'b1),
    .message_i(data),
    .data_i(data_here),
    .ack_i(1'b0),
    .to_context_i,
    .reply_full_i,
    .event_full_i,
    .reply_o(reply),
    .answer_o(answer),
    .context_o(to_step),
    .event_o(to_host),
    .word_o(b_event_word),
    .granted_i(1'b0),
    .loaded_i(1'b0)
  );

  // A packet has five flits: another message does not come in the next cycle, which is when memory
  // has the number that is expected then.
  always_ff @(posedge clk_i) came_q <= data_here;

  // A packet is there in the cycle after its grant, as it was then, whatever came since.
  logic granted_q;
  logic [2:0] number_q;
  always_ff @(posedge clk_i) begin
    granted_q <= ready && granted_i;
    number_q <= sent_q;
  end

  // ---- Medium and counts ------------------------------------------------------------------------
  logic delivered;
  assign delivered = to_host || to_step;
  assign data_gone = taken_q - 3'(Life + 1);
  assign ack_gone = sent_q - 3'(Life + 1);
  always_ff @(posedge clk_i) begin
    if (!ready) begin
      given_q <= '0;
      sent_q <= '0;
      taken_q <= '0;
      data_q <= '0;
      acks_q <= '0;
    end else begin
      given_q <= given_q + 3'(sends && !refused);
      sent_q <= sent_q + 3'(acked);
      taken_q <= taken_q + 3'(delivered);
      data_q <= (data_q & ~(8'd1 << data_gone)) | (granted_i ? 8'd1 << sent_q : '0);
      acks_q <= (acks_q & ~(8'd1 << ack_gone)) | (reply ? 8'd1 << data_number_i : '0);
    end
  end

  `MUSTER_ASSUME(GrantOnWant_M, !granted_i || want)

  `MUSTER_ASSERT(DeliversTheNext_A, !delivered || data_number_i == taken_q)
  `MUSTER_ASSERT(DeliversItsToken_A, !to_host || b_event_word[26:24] == taken_q)
  `MUSTER_ASSERT(AckIsForIt_A, !acked || (ack_number_i == sent_q && taken_q == sent_q + 3'd1))
  `MUSTER_ASSERT(AcksTheAccepted_A, !reply || delivered || data_number_i + 3'd1 == taken_q)
  `MUSTER_ASSERT(AnswerSaysIt_A, !reply || (answer.packet[1:0] == data_number_i[1:0] &&
                                            answer.peer == Sender))
  `MUSTER_ASSERT(SendsItsNumber_A, !granted_q || (packet.packet[1:0] == number_q[1:0] &&
                                                  packet.slot[2:0] == number_q &&
                                                  packet.peer == Receiver))
  `MUSTER_ASSERT(OneUnderWay_A, taken_q == sent_q || taken_q == sent_q + 3'd1)

  // An old copy comes, a lost ACK is repeated, numbers wrap.
  `MUSTER_COVER(OldData_C, data_here && data_number_i == taken_q - 3'd3)
  `MUSTER_COVER(OldAck_C, ack_here && ack_number_i == sent_q - 3'd3)
  `MUSTER_COVER(RepeatsAck_C, reply && !delivered)
  `MUSTER_COVER(Wraps_C, sent_q == 3'd5)

endmodule

`default_nettype wire
