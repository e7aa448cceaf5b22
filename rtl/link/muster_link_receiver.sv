// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "muster_assert.svh"

// The receiving side of a link end (docs/systems/retry-link.md, What is received).
//
// A frame in cycle t whose CRC is right is good. If it carries the expected flit, that is accepted,
// and is on tx in t + 1. The rest of the frame is evaluated in t + 1, at init_o, other_o and the
// fields beside them, because more depends on it and the CRC is a long path. A flit with a later
// number shows that those between have been lost: missing_o, until told_i, once before the next is
// accepted.
module muster_link_receiver #(
  /// virtual channels, 1 to 4
  parameter int unsigned Vcs = 2,
  /// payload bits, 16 to 512
  parameter int unsigned FlitW = 16,
  /// barrier messages have a class of credits: 0 to 1
  parameter int unsigned Pocket = 0,
  /// bits of a sequence number, 3 to 6
  parameter int unsigned SeqW = 5,
  /// bits of a count of credits, 1 to 4
  parameter int unsigned CountW = 3,
  localparam int unsigned VcW = (Vcs > 1) ? $clog2(Vcs) : 1,
  localparam int unsigned Backs = Vcs + Pocket,
  localparam int unsigned WordW = VcW + muster_pkg::KindW + FlitW,
  localparam int unsigned BodyW = 6 + 2 * SeqW + Backs * CountW + WordW,
  localparam int unsigned CrcW = 16 * ((BodyW + 134) / 135),
  localparam int unsigned FrameW = BodyW + CrcW
) (
  input  wire logic                          clk_i,
  input  wire logic                          rst_ni,
  /// a session ends
  input  wire logic                          clear_i,
  /// of the session: nothing is looked at; flits are accepted; the link is down
  input  wire logic                          waiting_i,
  input  wire logic                          open_i,
  input  wire logic                          down_i,

  input  wire logic                          frame_valid_i,
  input  wire logic [FrameW-1:0]             frame_i,
  /// its CRC is wrong
  output logic                               rejected_o,

  /// number that the frame on the wires acknowledges
  output logic [SeqW-1:0]                    comes_o,
  /// a frame is heard, of the handshake or another; its fields
  output logic                               init_o,
  output logic                               other_o,
  output logic                               ask_o,
  output logic                               news_o,
  output logic                               echo_o,
  output logic                               nack_o,
  output logic [SeqW-1:0]                    ack_o,
  output logic [Backs-1:0][CountW-1:0]       count_o,

  /// number of the flit that is accepted next; it has been passed, and the other end is to be told
  output logic [SeqW-1:0]                    expected_o,
  output logic                               missing_o,
  input  wire logic                          told_i,

  /// the queue of the virtual channel has a place
  input  wire logic [Vcs-1:0]                room_i,
  /// a flit of the class goes to the block
  output logic [Backs-1:0]                   deliver_o,
  /// a packet is open; a tail is made for one
  output logic                               unfinished_o,
  output logic                               ends_o,
  output logic                               tx_valid_o,
  output logic [VcW-1:0]                     tx_vc_o,
  output logic [muster_pkg::KindW-1:0]       tx_kind_o,
  output logic [FlitW-1:0]                   tx_payload_o
);
  `MUSTER_RANGE(SeqW, 3, 6)
  `MUSTER_RANGE(CountW, 1, 4)

  logic f_init, f_ask, f_flit, f_news, f_echo, f_nack, right, good;
  logic [SeqW-1:0] f_seq, f_ack;
  logic [Backs-1:0][CountW-1:0] f_count;
  logic [VcW-1:0] f_vc;
  logic [muster_pkg::KindW-1:0] f_kind;
  logic [FlitW-1:0] f_payload;
  logic [CrcW-1:0] f_crc, right_crc;

  // ---- The frame -------------------------------------------------------------------------------
  assign {f_init, f_ask, f_flit, f_news, f_echo, f_nack, f_seq, f_ack, f_count, f_vc, f_kind,
          f_payload, f_crc} = frame_i;
  muster_link_crc #(.Width(BodyW)) check (
    .word_i(frame_i[FrameW-1:CrcW]),
    .crc_o(right_crc)
  );
  assign comes_o = f_ack;
  assign right = f_crc == right_crc;
  assign good = frame_valid_i && !waiting_i && right;
  assign rejected_o = frame_valid_i && !waiting_i && !right;

  logic good_q, init_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni || clear_i) good_q <= 1'b0;
    else good_q <= good;
  end
  always_ff @(posedge clk_i) begin
    if (frame_valid_i) begin
      init_q <= f_init;
      ask_o <= f_ask;
      news_o <= f_news;
      echo_o <= f_echo;
      nack_o <= f_nack;
      ack_o <= f_ack;
      count_o <= f_count;
    end
  end
  assign init_o = good_q && init_q;
  assign other_o = good_q && !init_q;

  // ---- Its flit --------------------------------------------------------------------------------
  logic [SeqW-1:0] expected_q, ahead;
  logic missing_q, told_q, comes, accept, gap;
  assign comes = good && !f_init && open_i && f_flit;
  assign accept = comes && (f_seq == expected_q);
  assign ahead = f_seq - expected_q;
  assign gap = comes && !accept && !ahead[SeqW-1] && !told_q;
  assign expected_o = expected_q;
  assign missing_o = missing_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni || clear_i) begin
      expected_q <= '0;
      missing_q <= 1'b0;
      told_q <= 1'b0;
    end else begin
      expected_q <= expected_q + SeqW'(accept);
      missing_q <= (missing_q && !told_i && !accept) || gap;
      told_q <= (told_q && !accept) || gap;
    end
  end

  logic [Vcs-1:0] tail;
  muster_link_delivery #(.Vcs(Vcs), .FlitW(FlitW)) delivery (
    .clk_i, .rst_ni,
    .clear_i,
    .down_i,
    .accept_i(accept),
    .vc_i(f_vc),
    .kind_i(f_kind),
    .payload_i(f_payload),
    .room_i,
    .tail_o(tail),
    .open_o(unfinished_o),
    .tx_valid_o,
    .tx_vc_o,
    .tx_kind_o,
    .tx_payload_o
  );
  assign ends_o = tail != '0;

  logic [Backs-1:0] class_of_flit;
  muster_link_class #(.Vcs(Vcs), .Pocket(Pocket)) class_of (
    .vc_i(f_vc),
    .kind_i(f_kind),
    .class_o(class_of_flit)
  );
  assign deliver_o = (accept ? class_of_flit : '0) | Backs'(tail);

endmodule

`default_nettype wire
