// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "muster_assert.svh"

// One connection of the point-to-point path (docs/systems/nic-link.md, Connections): a peer, the
// sequence numbers of the packets to it and from it, and what is known of its queue of two tokens.
// The tokens themselves lie in a memory, in places 0 and 1: the oldest at front_o, and one that
// comes goes to back_o.
//
// It stops and waits: between allocate_i, which gives it a record, and acked_i or gives_up_i it is
// busy. What the inputs do, they do at the edge, judged on the state before it; several may come
// together. gives_up_i wins over push_i, the token is lost; write_i wins over all.
//
// Example: tokens in places 1 and 0; allocate_i in t: busy, the packet is that of place 1, number
// next; acked_i in t + 9: not busy, next + 1, the oldest token is that of place 0.
module muster_nic_connection #(
  /// bits of sequence numbers, 2 to 8
  parameter int unsigned SeqW = 8
) (
  input  wire logic                          clk_i,
  input  wire logic                          rst_ni,

  /// the host writes it, valid and peer; all else is cleared
  input  wire logic                          write_i,
  input  wire logic [31:0]                   word_i,
  output logic [31:0]                        word_o,

  output logic                               valid_o,
  output logic [muster_pkg::DestW-1:0]       peer_o,
  output logic                               busy_o,
  output logic                               dead_o,
  output logic [SeqW-1:0]                    next_o,
  output logic [SeqW-1:0]                    expected_o,

  /// append a token; only while full_o is low
  input  wire logic                          push_i,
  output logic                               full_o,
  /// places of the oldest token, if there is one, and of the next to come, if it is not full
  output logic                               front_o,
  output logic                               back_o,
  /// has a token that could be sent
  output logic                               eligible_o,

  /// it has a record from now on; only with eligible_o
  input  wire logic                          allocate_i,
  /// the ACK has come; only with busy_o
  input  wire logic                          acked_i,
  /// the record's tries are spent; only with busy_o, not with acked_i
  input  wire logic                          gives_up_i,
  /// a packet of the peer is accepted
  input  wire logic                          accepted_i,

  /// dead, and the host has not been told; loaded_i: now it is
  output logic                               notice_o,
  /// notice_o of the next cycle
  output logic                               notice_next_o,
  input  wire logic                          loaded_i
);
  if (SeqW < 2 || SeqW > 8) begin : gen_bad_seq
    $error("muster_nic_connection: SeqW must be 2 to 8");
  end

  logic valid_q, busy_q, dead_q, notice_q, notice_d, front_q;
  logic [muster_pkg::DestW-1:0] peer_q;
  logic [SeqW-1:0] next_q, expected_q;
  logic [1:0] tokens_q;

  /* verilator lint_off UNUSEDSIGNAL */
  muster_pkg::nic_connections_t written;
  /* verilator lint_on UNUSEDSIGNAL */
  assign written = word_i;
  assign notice_d = !write_i && (gives_up_i || (notice_q && !loaded_i));

  always_ff @(posedge clk_i) begin
    if (!rst_ni || write_i) begin
      valid_q <= rst_ni && written.valid;
      peer_q <= rst_ni ? written.peer : '0;
      next_q <= '0;
      expected_q <= '0;
      tokens_q <= '0;
      busy_q <= 1'b0;
      dead_q <= 1'b0;
    end else begin
      if (acked_i) next_q <= next_q + 1'b1;
      if (accepted_i) expected_q <= expected_q + 1'b1;
      if (gives_up_i) tokens_q <= '0;
      else if (push_i != acked_i) tokens_q <= push_i ? tokens_q + 1'b1 : tokens_q - 1'b1;
      if (allocate_i) busy_q <= 1'b1;
      else if (acked_i || gives_up_i) busy_q <= 1'b0;
      if (gives_up_i) dead_q <= 1'b1;
    end
  end
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      notice_q <= 1'b0;
      front_q <= 1'b0;
    end else begin
      notice_q <= notice_d;
      if (acked_i) front_q <= !front_q;
    end
  end

  assign valid_o = valid_q;
  assign peer_o = peer_q;
  assign busy_o = busy_q;
  assign dead_o = dead_q;
  assign next_o = next_q;
  assign expected_o = expected_q;
  assign full_o = tokens_q == 2'd2;
  assign front_o = front_q;
  assign back_o = front_q ^ tokens_q[0];
  assign eligible_o = valid_q && (tokens_q != '0) && !busy_q && !dead_q;
  assign notice_o = notice_q;
  assign notice_next_o = notice_d;
  muster_pkg::nic_connections_t word;
  always_comb begin
    word.valid = valid_q;
    word.dead = dead_q;
    word.busy = busy_q;
    word.tokens = tokens_q;
    word.next = 8'(next_q);
    word.expected = 8'(expected_q);
    word.peer = peer_q;
  end
  assign word_o = word;

  `MUSTER_ASSERT(PushHasRoom_A, !(push_i && full_o))
  `MUSTER_ASSERT(BusyHasToken_A, !busy_q || (tokens_q != '0 && valid_q && !dead_q))
  `MUSTER_ASSERT(EndsWhenBusy_A, busy_q || !(acked_i || gives_up_i))
  `MUSTER_ASSERT(OneEnd_A, !(acked_i && gives_up_i))
  `MUSTER_ASSERT(DeadIsEmpty_A, !dead_q || tokens_q == '0)
  `MUSTER_ASSERT(AllocatedWhenEligible_A, !allocate_i || eligible_o)

endmodule

`default_nettype wire
