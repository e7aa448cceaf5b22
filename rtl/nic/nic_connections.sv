// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "muster_assert.svh"

// The connections of the point-to-point path, found by peer (docs/systems/nic-link.md,
// Connections).
//
// Looked up in the same cycle, of valid connections alone:
//   source_i   the connection with this peer: from_o (zero if there is none) and its state. What
//              accepted_i and acked_i do at the edge, they do to it
//   token_i    alive_o says that the peer token_peer_i has one that is not dead; stored_o that it
//              has a place too: with token_valid_i the token is queued at the edge
//   of_i       packet_o is the DATA with the oldest token of this connection
// The lowest connection that has died and not been told of is at dead_event_o, until loaded_i.
//
// Example: two connections, to nodes 4 and 9. token_peer_i 9 and token_valid_i in t: the second is
// eligible_o in t + 1.
module nic_connections #(
  /// connections, 1 to 32
  parameter int unsigned Conns = 16,
  /// bits of sequence numbers, 2 to 8
  parameter int unsigned SeqW = 8,
  /// {host, slot, group, barrier sequence}
  localparam int unsigned TokenW = 14 + SeqW,
  localparam int unsigned ConnW = (Conns > 1) ? $clog2(Conns) : 1
) (
  input  wire logic                         clk_i,
  input  wire logic                         rst_ni,

  input  wire logic [Conns-1:0]             write_i,
  input  wire logic [31:0]                  word_i,
  output logic [Conns-1:0][31:0]            words_o,

  input  wire logic [muster_pkg::DestW-1:0] source_i,
  output logic [Conns-1:0]                  from_o,
  output logic                              from_busy_o,
  /// its oldest token is of the host
  output logic                              from_host_o,
  output logic [SeqW-1:0]                   from_next_o,
  output logic [SeqW-1:0]                   from_expected_o,
  /// number of the connection
  output logic [ConnW-1:0]                  from_number_o,
  input  wire logic                         accepted_i,
  input  wire logic                         acked_i,

  input  wire logic                         token_valid_i,
  input  wire logic [muster_pkg::DestW-1:0] token_peer_i,
  input  wire logic [TokenW-1:0]            token_i,
  output logic                              alive_o,
  output logic                              stored_o,

  output logic [Conns-1:0]                  eligible_o,
  input  wire logic [Conns-1:0]             allocate_i,
  input  wire logic [Conns-1:0]             gives_up_i,
  /// one-hot or zero
  input  wire logic [Conns-1:0]             of_i,
  output muster_pkg::nic_message_t          packet_o,

  output logic                              dead_o,
  output logic [31:0]                       dead_event_o,
  input  wire logic                         loaded_i
);
  if (Conns < 1 || Conns > 32) begin : gen_bad_conns
    $error("nic_connections: Conns must be 1 to 32");
  end
  if (SeqW < 2 || SeqW > 8) begin : gen_bad_seq
    $error("nic_connections: SeqW must be 2 to 8");
  end

  logic [Conns-1:0] valid, busy, dead, full, notice, above_notice, first_notice, to, push;
  logic [Conns-1:0][muster_pkg::DestW-1:0] peer;
  logic [Conns-1:0][SeqW-1:0] next, expected;
  logic [Conns-1:0][TokenW-2:0] token;  // without who gave it
  logic [Conns-1:0] of_host;

  for (genvar k = 0; k < Conns; k++) begin : gen_connection
    assign from_o[k] = valid[k] && (peer[k] == source_i);
    assign to[k] = valid[k] && (peer[k] == token_peer_i);

    nic_connection #(
      .SeqW(SeqW),
      .TokenW(TokenW)
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
      .token_i,
      .full_o(full[k]),
      .token_o({of_host[k], token[k]}),
      .eligible_o(eligible_o[k]),
      .allocate_i(allocate_i[k]),
      .acked_i(acked_i && from_o[k]),
      .gives_up_i(gives_up_i[k]),
      .accepted_i(accepted_i && from_o[k]),
      .notice_o(notice[k]),
      .loaded_i(loaded_i && first_notice[k])
    );
  end

  assign alive_o = (to & ~dead) != '0;
  assign stored_o = (to & ~dead & ~full) != '0;
  assign push = token_valid_i ? to & ~dead & ~full : '0;

  always_comb begin
    from_next_o = '0;
    from_expected_o = '0;
    from_host_o = 1'b0;
    from_number_o = '0;
    for (int unsigned k = 0; k < Conns; k++) begin
      if (from_o[k]) begin
        from_next_o = from_next_o | next[k];
        from_expected_o = from_expected_o | expected[k];
        from_host_o = from_host_o | of_host[k];
        from_number_o = from_number_o | ConnW'(k);
      end
    end
  end
  assign from_busy_o = (from_o & busy) != '0;

  logic [TokenW-2:0] chosen;
  logic [muster_pkg::DestW-1:0] chosen_peer;
  logic [SeqW-1:0] chosen_next;
  always_comb begin
    chosen = '0;
    chosen_peer = '0;
    chosen_next = '0;
    for (int unsigned k = 0; k < Conns; k++) begin
      if (of_i[k]) begin
        chosen = chosen | token[k];
        chosen_peer = chosen_peer | peer[k];
        chosen_next = chosen_next | next[k];
      end
    end
  end
  assign packet_o = {muster_pkg::NicData, chosen_peer, chosen[SeqW+:13], 8'(chosen_next),
                     8'(chosen[SeqW-1:0])};

  above_lowest #(
    .N(Conns)
  ) lowest_notice (
    .bits_i(notice),
    .above_o(above_notice)
  );
  assign first_notice = notice & ~above_notice;
  assign dead_o = notice != '0;
  always_comb begin
    dead_event_o = dead_o ? {3'd5, 29'd0} : '0;
    for (int unsigned k = 0; k < Conns; k++) begin
      if (first_notice[k]) begin
        dead_event_o = dead_event_o | {3'd0, 5'(k), 13'd0, peer[k]};
      end
    end
  end

  `MUSTER_ASSERT(PeersDiffer_A, (from_o & (from_o - 1'b1)) == '0 && (to & (to - 1'b1)) == '0)
  `MUSTER_ASSERT(OneIsSent_A, (of_i & (of_i - 1'b1)) == '0)
  `MUSTER_ASSERT(AckedIsBusy_A, !acked_i || from_busy_o)
  `MUSTER_ASSERT(NoticeIsOfDead_A, (notice & ~dead) == '0)

endmodule

`default_nettype wire
