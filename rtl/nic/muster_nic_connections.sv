// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "muster_assert.svh"

// The connections of the point-to-point path, found by peer (docs/systems/nic-link.md,
// Connections), and the memory of their tokens.
//
// Looked up in the same cycle, of valid connections only:
//   source_i     the connection with this peer: linked_o, its number, and what it expects, if
//                comes_i with this source was in the cycle before. What accepted_i and acked_i do
//                at the edge, they do to it
//   token_i      alive_o says that the peer token_peer_i has one that is not dead; stored_o that it
//                has a place too: with token_valid_i the token is queued at the edge
//   allocate_i   packet_o in the next cycle is what the packet of this connection says, by the
//                oldest token and its sequence number
// The lowest connection that has died and not been told of is at dead_event_o, until loaded_i.
//
// Example: two connections, to nodes 4 and 9. token_peer_i 9 and token_valid_i in t: the second is
// eligible_o in t + 1.
module muster_nic_connections #(
  /// connections, 1 to 32
  parameter int unsigned Conns = 16,
  /// bits of sequence numbers, 2 to 8
  parameter int unsigned SeqW = 8,
  /// {host, slot, group, barrier sequence}
  localparam int unsigned TokenW = 14 + SeqW,
  /// {host, peer, slot, group, barrier sequence, packet sequence}
  localparam int unsigned PacketW = TokenW + muster_pkg::DestW + SeqW,
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
  /// a packet of the peer is accepted, packet_i is from_expected_o; its ACK has come, packet_i is
  /// the number of the packet under way
  input  wire logic                         accepted_i,
  input  wire logic                         acked_i,

  input  wire logic                         token_valid_i,
  input  wire logic [muster_pkg::DestW-1:0] token_peer_i,
  input  wire logic [TokenW-1:0]            token_i,
  output logic                              alive_o,
  output logic                              stored_o,

  output logic [Conns-1:0]                  eligible_o,
  /// one-hot or zero
  input  wire logic [Conns-1:0]             allocate_i,
  output logic [PacketW-1:0]                packet_o,
  /// the tries of its record are spent: it is dead, and its tokens are lost
  input  wire logic [Conns-1:0]             gives_up_i,

  output logic                              dead_o,
  output logic [31:0]                       dead_event_o,
  input  wire logic                         loaded_i
);
  if (Conns < 1 || Conns > 32) begin : gen_bad_conns
    $error("muster_nic_connections: Conns must be 1 to 32");
  end
  if (SeqW < 2 || SeqW > 8) begin : gen_bad_seq
    $error("muster_nic_connections: SeqW must be 2 to 8");
  end

  // Words of a memory of them; 16 are the least that tools take block memory for.
  localparam int unsigned AtW = (ConnW > 4) ? ConnW : 4;
  localparam int unsigned Words = 1 << AtW;

  // ---- State: a vector over the connections for each bit ----------------------------------------
  logic [Conns-1:0] valid_q, busy_q, dead_q, notice_q, notice_d;
  logic [Conns-1:0] some_q, full_q, front_q;  // tokens: at least one, two, the oldest's place
  logic [Conns-1:0] unsent_q, unheard_q;      // since the host wrote it: memory has no numbers
  logic [Conns-1:0][muster_pkg::DestW-1:0] peer_q;
  logic [Conns-1:0] from, to, push, acked, accepted, back, first_notice, first_notice_q;
  logic [Conns-1:0][31:0] words;
  logic [SeqW-1:0] after, expected, next;
  logic unsent_now_q;

  /* verilator lint_off UNUSEDSIGNAL */
  muster_pkg::nic_connections_t written;
  /* verilator lint_on UNUSEDSIGNAL */
  assign written = word_i;
  for (genvar k = 0; k < Conns; k++) begin : gen_compare
    assign from[k] = valid_q[k] && (peer_q[k] == source_i);
    assign to[k] = valid_q[k] && (peer_q[k] == token_peer_i);
    assign words[k] = {valid_q[k], dead_q[k], busy_q[k], full_q[k], some_q[k] && !full_q[k],
                       16'd0, peer_q[k]};
  end
  assign acked = acked_i ? from : '0;
  assign accepted = accepted_i ? from : '0;
  assign push = token_valid_i ? to & ~dead_q & ~full_q : '0;
  assign back = front_q ^ (some_q & ~full_q);
  assign after = packet_i + 1'b1;
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
      unsent_q <= '0;
      unheard_q <= '0;
    end else begin
      valid_q <= (valid_q & ~write_i) | (written.valid ? write_i : '0);
      busy_q <= ~write_i & (allocate_i | (busy_q & ~acked & ~gives_up_i));
      dead_q <= ~write_i & (dead_q | gives_up_i);
      notice_q <= notice_d;
      some_q <= ~write_i & ~gives_up_i & (push | (some_q & (full_q | ~acked)));
      full_q <= ~write_i & ~gives_up_i & ~acked & (full_q | (some_q & push));
      front_q <= front_q ^ acked;
      unsent_q <= write_i | (unsent_q & ~acked);
      unheard_q <= write_i | (unheard_q & ~accepted);
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
  logic [ConnW-1:0] to_number, allocated;
  always_comb begin
    from_number_o = '0;
    to_number = '0;
    allocated = '0;
    for (int unsigned k = 0; k < Conns; k++) begin
      if (from[k]) from_number_o = from_number_o | ConnW'(k);
      if (to[k]) to_number = to_number | ConnW'(k);
      if (allocate_i[k]) allocated = allocated | ConnW'(k);
    end
  end

  // ---- Sequence numbers -----------------------------------------------------------------------
  // What is acknowledged has the number `next`, what is accepted the number `expected`.
  muster_nic_memory #(
    .Words(Words),
    .Width(SeqW)
  ) expected_numbers (
    .clk_i,
    .rst_ni,
    .write_i(accepted_i),
    .write_at_i(AtW'(from_number_o)),
    .word_i(after),
    .read_i(comes_i),
    .read_at_i(AtW'(from_number_o)),
    .read_o(expected)
  );
  muster_nic_memory #(
    .Words(Words),
    .Width(SeqW)
  ) next_numbers (
    .clk_i,
    .rst_ni,
    .write_i(acked_i),
    .write_at_i(AtW'(from_number_o)),
    .word_i(after),
    .read_i(allocate_i != '0),
    .read_at_i(AtW'(allocated)),
    .read_o(next)
  );
  always_ff @(posedge clk_i) begin
    if (!rst_ni) unsent_now_q <= 1'b0;
    else if (allocate_i != '0) unsent_now_q <= (allocate_i & unsent_q) != '0;
  end
  assign from_expected_o = ((from & unheard_q) != '0) ? '0 : expected;

  // ---- What a packet says ---------------------------------------------------------------------
  logic [TokenW-1:0] token;
  logic [muster_pkg::DestW-1:0] to_peer;

  muster_nic_memory #(
    .Words(2 * Words),
    .Width(TokenW)
  ) tokens (
    .clk_i,
    .rst_ni,
    .write_i(push != '0),
    .write_at_i({AtW'(to_number), (to & back) != '0}),
    .word_i(token_i),
    .read_i(allocate_i != '0),
    .read_at_i({AtW'(allocated), (allocate_i & front_q) != '0}),
    .read_o(token)
  );
  muster_nic_memory #(
    .Words(Words),
    .Width(muster_pkg::DestW)
  ) peers (
    .clk_i,
    .rst_ni,
    .write_i(write_i != '0),
    .write_at_i(AtW'(at_i)),
    .word_i(word_i[muster_pkg::DestW-1:0]),
    .read_i(allocate_i != '0),
    .read_at_i(AtW'(allocated)),
    .read_o(to_peer)
  );
  assign packet_o = {token[TokenW-1], to_peer, token[TokenW-2:0], unsent_now_q ? SeqW'(0) : next};

  // ---- Dead ones ------------------------------------------------------------------------------
  // Which is the lowest is found as it changes, so that memory has its peer in the next cycle.
  logic changes;
  logic [Conns-1:0] above_notice;
  logic [ConnW-1:0] first_number, dead_number_q;
  logic [muster_pkg::DestW-1:0] dead_peer;

  assign changes = write_i != '0 || gives_up_i != '0 || loaded_i;
  muster_above_lowest #(
    .N(Conns)
  ) lowest_notice (
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
  muster_nic_memory #(
    .Words(Words),
    .Width(muster_pkg::DestW)
  ) dead_peers (
    .clk_i,
    .rst_ni,
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
  // What memory is asked for is not written in the same cycle.
  `MUSTER_ASSERT(ReadIsNotWritten_A, (push & allocate_i & ~(front_q ^ back)) == '0 &&
                                     (write_i & (allocate_i | first_notice)) == '0)
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
