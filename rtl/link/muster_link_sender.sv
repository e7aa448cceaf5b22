// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "muster_assert.svh"

// The sending side of a link end (docs/systems/retry-link.md, What is sent): frames of the
// handshake, before all else; flits of the block, from the replay buffer or as they come; and
// frames without a flit, if an answer is due or there are credits to report.
//
// Every frame reports the credits in count_i. One bit, the news, says that there are some which the
// other end has not confirmed; the other end echoes it. With the next credits the news flip again.
module muster_link_sender #(
  /// places of the replay buffer, 4 to 32, a power of two
  parameter int unsigned Slots = 16,
  /// bits of a flit, with its channel and kind, 20 to 520
  parameter int unsigned WordW = 20,
  /// bits of the counts of credits of all classes, 1 to 20
  parameter int unsigned CountsW = 6,
  /// places of the replay buffer left free by flits that may be lost, 0 to 31; 0: none may be lost.
  /// Requires Reserve < Slots
  parameter int unsigned Reserve = 0,
  localparam int unsigned SeqW = $clog2(Slots) + 1,
  localparam int unsigned BodyW = 6 + 2 * SeqW + CountsW + WordW,
  localparam int unsigned CrcW = 16 * ((BodyW + 134) / 135),
  localparam int unsigned FrameW = BodyW + CrcW
) (
  input  wire logic                clk_i,
  input  wire logic                rst_ni,
  /// a session ends
  input  wire logic                clear_i,
  /// of the session: flits go; the link is down; a frame of the handshake goes now, its fields
  input  wire logic                up_i,
  input  wire logic                down_i,
  input  wire logic                greets_i,
  input  wire logic                greet_ask_i,
  input  wire logic                greet_echo_i,
  /// time is over: all that is kept goes again, and an answer is due
  input  wire logic                again_i,

  /// a flit of the block, credits of it; counts with these
  input  wire logic                flit_valid_i,
  input  wire logic [WordW-1:0]    flit_i,
  input  wire logic                credit_i,
  input  wire logic [CountsW-1:0]  counts_i,
  /// the flit may be lost; it is
  input  wire logic                loose_i,
  output logic                     lost_o,
  /// the flit has no place, and may not be lost
  output logic                     overflow_o,

  /// ack_i of the frame on the wires, perhaps heard in the next cycle
  input  wire logic                comes_valid_i,
  input  wire logic [SeqW-1:0]     comes_i,
  /// a frame that is not of the handshake is heard while up; its fields
  input  wire logic                heard_i,
  input  wire logic                ask_i,
  input  wire logic                news_i,
  input  wire logic                echo_i,
  input  wire logic                nack_i,
  input  wire logic [SeqW-1:0]     ack_i,
  /// the receiver's news; it has been sent
  input  wire logic [SeqW-1:0]     expected_i,
  input  wire logic                missing_i,
  output logic                     told_o,

  /// the end waits to be confirmed; something was; flits go again from the oldest
  output logic                     waits_o,
  output logic                     progress_o,
  output logic                     rewinds_o,
  /// nothing changes without an input; likewise of the buffer only
  output logic                     settled_o,
  output logic                     kept_quiet_o,

  output logic                     frame_valid_o,
  output logic [FrameW-1:0]        frame_o
);
  `MUSTER_RANGE(WordW, 20, 520)
  `MUSTER_RANGE(CountsW, 1, 20)

  logic news_q, echo_q, changed_q, peer_news_q, owes_q;
  logic kept_none, confirms, full, sparse, sends_flit, unconfirmed;
  logic [WordW-1:0] word;
  logic [SeqW-1:0] seq;

  // ---- Flits of the block ----------------------------------------------------------------------
  assign overflow_o = flit_valid_i && full;
  assign lost_o = flit_valid_i && !down_i && sparse;
  assign rewinds_o = (again_i || (heard_i && nack_i)) && !kept_none;
  muster_link_replay #(.Slots(Slots), .Width(WordW), .Reserve(Reserve)) replay (
    .clk_i, .rst_ni,
    .clear_i(clear_i || (down_i && !kept_quiet_o)),
    .push_i(flit_valid_i && !down_i),
    .flit_i,
    .loose_i,
    .lost_o(sparse),
    .full_o(full),
    .allow_i(up_i && !greets_i),
    .send_o(sends_flit),
    .flit_o(word),
    .seq_o(seq),
    .comes_valid_i,
    .comes_i,
    .ack_valid_i(heard_i),
    .ack_i,
    .confirms_o(confirms),
    .rewind_i(rewinds_o),
    .empty_o(kept_none),
    .quiet_o(kept_quiet_o)
  );

  assign unconfirmed = news_q != echo_q;
  assign waits_o = !kept_none || unconfirmed;
  assign progress_o = confirms || (heard_i && unconfirmed && (echo_i == news_q));
  assign settled_o = !waits_o && !owes_q && !changed_q;

  // ---- The frame -------------------------------------------------------------------------------
  logic bare, sends, flips, news, ask, echo;
  logic [BodyW-1:0] body;
  logic [CrcW-1:0] crc;
  assign bare = up_i && !greets_i && (owes_q || credit_i || (changed_q && !unconfirmed));
  assign sends = sends_flit || bare;
  assign told_o = sends;
  assign flips = sends && (changed_q || credit_i) && !unconfirmed;
  assign news = news_q ^ flips;
  assign ask = greets_i ? greet_ask_i : sends_flit || (news != echo_q);
  assign echo = greets_i ? greet_echo_i : peer_news_q;
  assign body = {greets_i, ask, sends_flit, news, echo, missing_i && !greets_i,
                 seq, expected_i, counts_i, word};
  muster_link_crc #(.Width(BodyW)) make (
    .word_i(body),
    .crc_o(crc)
  );

  always_ff @(posedge clk_i) begin
    if (!rst_ni) frame_valid_o <= 1'b0;
    else frame_valid_o <= greets_i || sends;
  end
  always_ff @(posedge clk_i) begin
    if (greets_i || sends) frame_o <= {body, crc};
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni || clear_i) begin
      news_q <= 1'b0;
      echo_q <= 1'b0;
      changed_q <= 1'b0;
      peer_news_q <= 1'b0;
      owes_q <= 1'b0;
    end else begin
      news_q <= news;
      changed_q <= !flips && (changed_q || credit_i);
      owes_q <= (owes_q && !sends) || (heard_i && ask_i) || again_i;
      if (heard_i) begin
        echo_q <= echo_i;
        peer_news_q <= news_i;
      end
    end
  end

  `MUSTER_ASSERT(FrameOnce_A, !(greets_i && sends))
  `MUSTER_ASSERT(HearsUp_A, !heard_i || up_i)

endmodule

`default_nettype wire
