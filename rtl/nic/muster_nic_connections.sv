// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "muster_assert.svh"

// The connections of the point-to-point path, found by peer (docs/systems/nic-link.md,
// Connections), and the memory of their tokens.
//
// Looked up in the same cycle, of valid connections only:
//   source_i     the connection with this peer: linked_o, its number and what it expects. What
//                accepted_i and acked_i do at the edge, they do to it
//   token_i      alive_o says that the peer token_peer_i has one that is not dead; stored_o that it
//                has a place too: with token_valid_i the token is queued at the edge
//   allocate_i   number_o is that of the packet of this connection; packet_o in the next cycle is
//                what it says, by the oldest token
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
  /// {host, peer, slot, group, barrier sequence}
  localparam int unsigned PacketW = TokenW + muster_pkg::DestW,
  localparam int unsigned ConnW = (Conns > 1) ? $clog2(Conns) : 1
) (
  input  wire logic                         clk_i,
  input  wire logic                         rst_ni,

  /// the host writes connection k; at most one, and write_at_i is its number
  input  wire logic [Conns-1:0]             write_i,
  input  wire logic [ConnW-1:0]             write_at_i,
  input  wire logic [31:0]                  word_i,
  output logic [Conns-1:0][31:0]            words_o,

  input  wire logic [muster_pkg::DestW-1:0] source_i,
  output logic                              linked_o,
  /// number of the connection
  output logic [ConnW-1:0]                  from_number_o,
  output logic [SeqW-1:0]                   from_expected_o,
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
  output logic [SeqW-1:0]                   number_o,
  output logic [PacketW-1:0]                packet_o,
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

  localparam int unsigned Peers = 1 << ConnW;  // words of a memory of them

  logic [Conns-1:0] valid, busy, dead, full, front, back, from, to, push;
  logic [Conns-1:0] notice, notice_next, above_notice, first_notice_q;
  logic [Conns-1:0][muster_pkg::DestW-1:0] peer;
  logic [Conns-1:0][SeqW-1:0] next, expected;

  for (genvar k = 0; k < Conns; k++) begin : gen_connection
    assign from[k] = valid[k] && (peer[k] == source_i);
    assign to[k] = valid[k] && (peer[k] == token_peer_i);

    muster_nic_connection #(
      .SeqW(SeqW)
    ) connection (
      .clk_i,
      .rst_ni,
      .write_i(write_i[k]),
      .word_i,
      .word_o(words_o[k]),
      .valid_o(valid[k]),
      .peer_o(peer[k]),
      .busy_o(busy[k]),
      .dead_o(dead[k]),
      .next_o(next[k]),
      .expected_o(expected[k]),
      .push_i(push[k]),
      .full_o(full[k]),
      .front_o(front[k]),
      .back_o(back[k]),
      .eligible_o(eligible_o[k]),
      .allocate_i(allocate_i[k]),
      .acked_i(acked_i && from[k]),
      .gives_up_i(gives_up_i[k]),
      .accepted_i(accepted_i && from[k]),
      .notice_o(notice[k]),
      .notice_next_o(notice_next[k]),
      .loaded_i(loaded_i && first_notice_q[k])
    );
  end

  assign linked_o = from != '0;
  assign alive_o = (to & ~dead) != '0;
  assign stored_o = (to & ~dead & ~full) != '0;
  assign push = token_valid_i ? to & ~dead & ~full : '0;

  // ---- Numbers of connections -----------------------------------------------------------------
  logic [ConnW-1:0] to_number, allocated;
  always_comb begin
    from_number_o = '0;
    from_expected_o = '0;
    to_number = '0;
    allocated = '0;
    number_o = '0;
    for (int unsigned k = 0; k < Conns; k++) begin
      if (from[k]) begin
        from_number_o = from_number_o | ConnW'(k);
        from_expected_o = from_expected_o | expected[k];
      end
      if (to[k]) to_number = to_number | ConnW'(k);
      if (allocate_i[k]) begin
        allocated = allocated | ConnW'(k);
        number_o = number_o | next[k];
      end
    end
  end

  // ---- What a packet says ---------------------------------------------------------------------
  logic [TokenW-1:0] token;
  logic [muster_pkg::DestW-1:0] to_peer;

  muster_nic_memory #(
    .Words(2 * Peers),
    .Width(TokenW)
  ) tokens (
    .clk_i,
    .rst_ni,
    .write_i(push != '0),
    .write_at_i({to_number, (to & back) != '0}),
    .word_i(token_i),
    .read_i(allocate_i != '0),
    .read_at_i({allocated, (allocate_i & front) != '0}),
    .read_o(token)
  );
  muster_nic_memory #(
    .Words(Peers),
    .Width(muster_pkg::DestW)
  ) peers (
    .clk_i,
    .rst_ni,
    .write_i(write_i != '0),
    .write_at_i,
    .word_i(word_i[muster_pkg::DestW-1:0]),
    .read_i(allocate_i != '0),
    .read_at_i(allocated),
    .read_o(to_peer)
  );
  assign packet_o = {token[TokenW-1], to_peer, token[TokenW-2:0]};

  // ---- Dead ones ------------------------------------------------------------------------------
  // Which is the lowest is found as it changes, so that memory has its peer in the next cycle.
  logic changes;
  logic [Conns-1:0] first_notice;
  logic [ConnW-1:0] first_number, dead_number_q;
  logic [muster_pkg::DestW-1:0] dead_peer;

  assign changes = write_i != '0 || gives_up_i != '0 || loaded_i;
  muster_above_lowest #(
    .N(Conns)
  ) lowest_notice (
    .bits_i(notice_next),
    .above_o(above_notice)
  );
  assign first_notice = notice_next & ~above_notice;
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
    .Words(Peers),
    .Width(muster_pkg::DestW)
  ) dead_peers (
    .clk_i,
    .rst_ni,
    .write_i(write_i != '0),
    .write_at_i,
    .word_i(word_i[muster_pkg::DestW-1:0]),
    .read_i(changes),
    .read_at_i(first_number),
    .read_o(dead_peer)
  );
  assign dead_o = first_notice_q != '0;
  assign dead_event_o = {3'd5, 5'(dead_number_q), 13'd0, dead_peer};

  `MUSTER_ASSERT(PeersDiffer_A, (from & (from - 1'b1)) == '0 && (to & (to - 1'b1)) == '0)
  `MUSTER_ASSERT(OneIsAllocated_A, (allocate_i & (allocate_i - 1'b1)) == '0)
  // What memory is asked for is not written in the same cycle.
  `MUSTER_ASSERT(ReadIsNotWritten_A, (push & allocate_i & ~(front ^ back)) == '0 &&
                                     (write_i & (allocate_i | first_notice)) == '0)
  `MUSTER_ASSERT(AckedIsBusy_A, !acked_i || (from & busy) != '0)
  `MUSTER_ASSERT(NoticeIsOfDead_A, (notice & ~dead) == '0)
  `MUSTER_ASSERT(FirstNotice_A, first_notice_q == (notice & -notice))

endmodule

`default_nettype wire
