// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "muster_assert.svh"

// The connections of the point-to-point path, found by peer (docs/systems/nic-link.md,
// Connections), and the memory of their tokens.
//
// Looked up in the same cycle, of valid connections only:
//   source_i     the connection with this peer: linked_o, its number; and if comes_i with this
//                source was in the cycle before, what it expects, the number of its next packet,
//                and whether the host gave its oldest token. What accepted_i and acked_i do at the
//                edge, they do to it
//   token_i      alive_o says that its peer has a connection that is not dead; stored_o that this
//                has a place too: with token_valid_i the token is queued at the edge
// With send_i in t, token_o and number_o are from t + 1 on, until the next one, the oldest token of
// connection sending_i and the number of its next packet, as they are in t.
// The lowest connection that has died and not been told of is at dead_event_o, until loaded_i.
//
// Example: two connections, to nodes 4 and 9. A token for 9 with token_valid_i in t: the second is
// eligible_o in t + 1.
module muster_nic_connections #(
  /// connections, 1 to 32
  parameter int unsigned Conns = 16,
  /// bits of sequence numbers, 2 to 8
  parameter int unsigned SeqW = 8,
  /// {peer, slot, group, barrier sequence}
  localparam int unsigned TokenW = muster_pkg::DestW + 13 + SeqW,
  localparam int unsigned ConnW = (Conns > 1) ? $clog2(Conns) : 1
) (
  input  wire logic                         clk_i,
  input  wire logic                         rst_ni,

  /// the host writes connection k, valid and peer, and all else of it is cleared; at most one, and
  /// at_i is its number
  input  wire logic [Conns-1:0]             write_i,
  input  wire logic [ConnW-1:0]             at_i,
  input  wire logic [31:0]                  word_i,
  /// connection at_i
  output logic [31:0]                       word_o,

  /// of the message: its source and packet sequence; comes_i: it is perhaps complete, in the next
  /// cycle it may be judged, but not if one is accepted in this cycle
  input  wire logic                         comes_i,
  input  wire logic [muster_pkg::DestW-1:0] source_i,
  input  wire logic [SeqW-1:0]              packet_i,
  output logic                              linked_o,
  /// number of the connection
  output logic [ConnW-1:0]                  from_number_o,
  output logic [SeqW-1:0]                   from_expected_o,
  output logic [SeqW-1:0]                   from_next_o,
  output logic                              from_host_o,
  /// a packet of the peer is accepted, packet_i is from_expected_o; its ACK has come, packet_i is
  /// from_next_o; not both
  input  wire logic                         accepted_i,
  input  wire logic                         acked_i,

  input  wire logic                         token_valid_i,
  input  wire logic [TokenW-1:0]            token_i,
  input  wire logic                         token_host_i,
  output logic                              alive_o,
  output logic                              stored_o,

  output logic [Conns-1:0]                  eligible_o,
  /// one-hot or zero
  input  wire logic [Conns-1:0]             allocate_i,
  input  wire logic                         send_i,
  input  wire logic [ConnW-1:0]             sending_i,
  output logic [TokenW-1:0]                 token_o,
  output logic [SeqW-1:0]                   number_o,
  /// the tries of its record are spent: it is dead, and its tokens are lost
  input  wire logic [Conns-1:0]             gives_up_i,

  output logic                              dead_o,
  output logic [31:0]                       dead_event_o,
  input  wire logic                         loaded_i
);
  `MUSTER_RANGE(Conns, 1, 32)
  `MUSTER_RANGE(SeqW, 2, 8)

  // Words of a memory of them: 16, or 128 of a bit, are the least that tools take block memory for.
  localparam int unsigned AtW = (ConnW > 4) ? ConnW : 4;
  localparam int unsigned Words = 1 << AtW;

  // ---- State: a vector over the connections for each bit ----------------------------------------
  logic [Conns-1:0] valid_q, busy_q, dead_q, notice_q, notice_d;
  logic [Conns-1:0] some_q, full_q, front_q;  // tokens: at least one, two, the oldest's place
  logic [Conns-1:0] fresh_q;  // since the host wrote it no number has changed: memory has none
  logic [Conns-1:0][muster_pkg::DestW-1:0] peer_q;
  logic [Conns-1:0] from, to, push, acked, accepted, back, first_notice, first_notice_q;
  logic [Conns-1:0][31:0] words;
  logic [muster_pkg::DestW-1:0] token_peer;
  assign token_peer = token_i[TokenW-1-:muster_pkg::DestW];

  /* verilator lint_off UNUSEDSIGNAL */
  muster_pkg::nic_connections_t written;
  /* verilator lint_on UNUSEDSIGNAL */
  assign written = word_i;
  for (genvar k = 0; k < Conns; k++) begin : gen_compare
    assign from[k] = valid_q[k] && (peer_q[k] == source_i);
    assign to[k] = valid_q[k] && (peer_q[k] == token_peer);
    assign words[k] = {valid_q[k], dead_q[k], busy_q[k], full_q[k], some_q[k] && !full_q[k],
                       16'd0, peer_q[k]};
  end
  assign acked = acked_i ? from : '0;
  assign accepted = accepted_i ? from : '0;
  assign push = token_valid_i ? to & ~dead_q & ~full_q : '0;
  assign back = front_q ^ some_q;  // with a place left
  assign notice_d = ~write_i & (gives_up_i | (notice_q & (loaded_i ? ~first_notice_q : '1)));

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      valid_q <= '0;
      busy_q <= '0;
      dead_q <= '0;
      notice_q <= '0;
      some_q <= '0;
      full_q <= '0;
      front_q <= '0;
      fresh_q <= '0;
    end else begin
      valid_q <= (valid_q & ~write_i) | (written.valid ? write_i : '0);
      busy_q <= ~write_i & (allocate_i | (busy_q & ~acked & ~gives_up_i));
      dead_q <= ~write_i & (dead_q | gives_up_i);
      notice_q <= notice_d;
      some_q <= ~write_i & ~gives_up_i & (push | (some_q & (full_q | ~acked)));
      full_q <= ~write_i & ~gives_up_i & ~acked & (full_q | (some_q & push));
      front_q <= front_q ^ acked;
      fresh_q <= write_i | (fresh_q & ~acked & ~accepted);
    end
  end
  always_ff @(posedge clk_i) begin
    for (int unsigned k = 0; k < Conns; k++) begin
      if (!rst_ni) peer_q[k] <= '0;
      else if (write_i[k]) peer_q[k] <= written.peer;
    end
  end

  assign word_o = words[at_i];

  assign linked_o = from != '0;
  assign alive_o = (to & ~dead_q) != '0;
  assign stored_o = (to & ~dead_q & ~full_q) != '0;
  assign eligible_o = valid_q & some_q & ~busy_q & ~dead_q;

  // ---- Numbers of connections -----------------------------------------------------------------
  logic [ConnW-1:0] to_number;
  always_comb begin
    from_number_o = '0;
    to_number = '0;
    for (int unsigned k = 0; k < Conns; k++) begin
      if (from[k]) from_number_o = from_number_o | ConnW'(k);
      if (to[k]) to_number = to_number | ConnW'(k);
    end
  end

  // ---- Memories -------------------------------------------------------------------------------
  // Those that are read with send_i have two words for each connection: the oldest token and the
  // number of its packet are at front_q, so that an ACK does not write what is read.
  logic [SeqW-1:0] expected, next, number, after;
  logic from_fresh, from_front, number_fresh_q;
  assign after = packet_i + 1'b1;
  // No index, as its greatest value may be of no connection.
  /* verilator lint_off UNUSEDSIGNAL */
  logic [Conns-1:0] sending_front, sending_fresh;
  /* verilator lint_on UNUSEDSIGNAL */
  assign sending_front = front_q >> sending_i;
  assign sending_fresh = fresh_q >> sending_i;
  assign from_fresh = (from & fresh_q) != '0;
  assign from_front = (from & front_q) != '0;
  assign from_expected_o = from_fresh ? '0 : expected;
  assign from_next_o = from_fresh ? '0 : next;

  muster_nic_memory #(.Words(Words), .Width(2 * SeqW)) numbers (
    .clk_i, .rst_ni,
    .write_i(accepted_i || acked_i),
    .write_at_i(AtW'(from_number_o)),
    .word_i({accepted_i ? after : from_expected_o, acked_i ? after : from_next_o}),
    .read_i(comes_i),
    .read_at_i(AtW'(from_number_o)),
    .read_o({expected, next})
  );
  muster_nic_memory #(.Words(128), .Width(1)) hosts (
    .clk_i, .rst_ni,
    .write_i(push != '0),
    .write_at_i({6'(to_number), (to & back) != '0}),
    .word_i(token_host_i),
    .read_i(comes_i),
    .read_at_i({6'(from_number_o), from_front}),
    .read_o(from_host_o)
  );
  muster_nic_memory #(.Words(2 * Words), .Width(TokenW)) tokens (
    .clk_i, .rst_ni,
    .write_i(push != '0),
    .write_at_i({AtW'(to_number), (to & back) != '0}),
    .word_i(token_i),
    .read_i(send_i),
    .read_at_i({AtW'(sending_i), sending_front[0]}),
    .read_o(token_o)
  );
  muster_nic_memory #(.Words(2 * Words), .Width(SeqW)) next_numbers (
    .clk_i, .rst_ni,
    .write_i(acked_i || (accepted_i && from_fresh)),
    .write_at_i({AtW'(from_number_o), from_front ^ acked_i}),
    .word_i(acked_i ? after : '0),
    .read_i(send_i),
    .read_at_i({AtW'(sending_i), sending_front[0]}),
    .read_o(number)
  );
  always_ff @(posedge clk_i) begin
    if (!rst_ni) number_fresh_q <= 1'b0;
    else if (send_i) number_fresh_q <= sending_fresh[0];
  end
  assign number_o = number_fresh_q ? '0 : number;

  // ---- Dead ones ------------------------------------------------------------------------------
  // Which is the lowest is found as it changes, so that memory has its peer in the next cycle.
  logic changes;
  logic [Conns-1:0] above_notice;
  logic [ConnW-1:0] first_number, dead_number_q;
  logic [muster_pkg::DestW-1:0] dead_peer;

  assign changes = write_i != '0 || gives_up_i != '0 || loaded_i;
  muster_above_lowest #(.N(Conns)) lowest_notice (
    .bits_i(notice_d),
    .above_o(above_notice)
  );
  assign first_notice = notice_d & ~above_notice;
  always_comb begin
    first_number = '0;
    for (int unsigned k = 0; k < Conns; k++) begin
      if (first_notice[k]) first_number = first_number | ConnW'(k);
    end
  end
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      first_notice_q <= '0;
      dead_number_q <= '0;
    end else if (changes) begin
      first_notice_q <= first_notice;
      dead_number_q <= first_number;
    end
  end
  muster_nic_memory #(.Words(Words), .Width(muster_pkg::DestW)) dead_peers (
    .clk_i, .rst_ni,
    .write_i(write_i != '0),
    .write_at_i(AtW'(at_i)),
    .word_i(word_i[muster_pkg::DestW-1:0]),
    .read_i(changes),
    .read_at_i(AtW'(first_number)),
    .read_o(dead_peer)
  );
  assign dead_o = first_notice_q != '0;
  assign dead_event_o = {3'd5, 5'(dead_number_q), 13'd0, dead_peer};

  `MUSTER_ASSERT(PeersDiffer_A, (from & (from - 1'b1)) == '0 && (to & (to - 1'b1)) == '0)
  `MUSTER_ASSERT(OneIsAllocated_A, (allocate_i & (allocate_i - 1'b1)) == '0)
  `MUSTER_ASSERT(SendsToken_A, !send_i || (some_q[sending_i] && busy_q[sending_i]))
  // What memory is asked for is not written in the same cycle, except a number that is 0.
  `MUSTER_ASSERT(ReadIsNotWritten_A, !send_i || !push[sending_i] ||
                                     back[sending_i] != front_q[sending_i])
  `MUSTER_ASSERT(NoticeIsNotWritten_A, (write_i & first_notice) == '0)
  `MUSTER_ASSERT(AcksTheNext_A, !acked_i || packet_i == from_next_o)
  `MUSTER_ASSERT(AckedIsBusy_A, !acked_i || (from & busy_q) != '0)
  `MUSTER_ASSERT(BusyHasToken_A, (busy_q & ~(some_q & valid_q & ~dead_q)) == '0)
  `MUSTER_ASSERT(EndsWhenBusy_A, ((acked | gives_up_i) & ~busy_q) == '0 &&
                                 (acked & gives_up_i) == '0)
  `MUSTER_ASSERT(DeadIsEmpty_A, (dead_q & some_q) == '0 && (full_q & ~some_q) == '0)
  `MUSTER_ASSERT(AllocatedWhenEligible_A, (allocate_i & ~eligible_o) == '0)
  `MUSTER_ASSERT(AcceptsTheNext_A, !accepted_i || packet_i == from_expected_o)
  `MUSTER_ASSERT(NoticeIsOfDead_A, (notice_q & ~dead_q) == '0)
  `MUSTER_ASSERT(FirstNotice_A, first_notice_q == (notice_q & -notice_q))

endmodule

`default_nettype wire
