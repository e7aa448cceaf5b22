// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "muster_assert.svh"

// The point-to-point path of a NIC (docs/systems/nic-link.md): tokens of host and contexts in,
// packets with sequence numbers, timers and retries out; DATA and ACK of others in, ACKs and the
// host's messages out.
//
// Tokens: at most one in a cycle. The host's (send_i) goes first; else ask_i is for that of a
// context, and taken_o tells it in the same cycle that it need not ask again, whether its token is
// queued or has no connection. refused_o: this cycle's token is lost, for the host to know.
//
// A DATA or ACK in the message register (data_i, ack_i) is judged in the same cycle: unknown_o,
// stale_o, limited_o; reply_o with answer_o: an ACK is to be sent (together with stale_o if the one
// before was lost); context_o: it is a step of a direct context; event_o with word_o: for the
// host's event queue. Effects are at the edge.
//
// Latency: a token taken in t has a record in t + 2 at the earliest, and want_o from then until
// granted_i. Its packet is at packet_o from the next cycle on, until another one is granted.
module muster_nic_direct #(
  /// connections, 1 to 32
  parameter int unsigned Conns = 16,
  /// send packets, 1 to 8
  parameter int unsigned Records = 4,
  /// bits of sequence numbers, 2 to 8
  parameter int unsigned SeqW = 8,
  localparam int unsigned ConnW = (Conns > 1) ? $clog2(Conns) : 1
) (
  input  wire logic                        clk_i,
  input  wire logic                        rst_ni,

  /// timed_i: timeout_i is not 0
  input  wire logic                        timed_i,
  input  wire logic [15:0]                 timeout_i,
  input  wire logic [3:0]                  retries_i,

  /// the host writes connection k, at_i its number, or gives a token: {peer, slot, group, barrier
  /// sequence}
  input  wire logic [Conns-1:0]            write_i,
  input  wire logic [ConnW-1:0]            at_i,
  input  wire logic                        send_i,
  input  wire logic [31:0]                 word_i,
  /// connection at_i
  output logic [31:0]                      link_o,

  /// a context asks for a token with what its message says
  input  wire logic                        ask_i,
  /* verilator lint_off UNUSEDSIGNAL */
  input  wire muster_pkg::nic_message_t    asked_i,  // no kind and no packet sequence yet
  /* verilator lint_on UNUSEDSIGNAL */
  output logic                             taken_o,
  output logic                             refused_o,

  /// message_i is perhaps complete: in the next cycle it may be judged
  input  wire logic                        comes_i,
  /* verilator lint_off UNUSEDSIGNAL */
  input  wire muster_pkg::nic_message_t    message_i,  // data_i and ack_i tell its kind
  /* verilator lint_on UNUSEDSIGNAL */
  input  wire logic                        data_i,
  input  wire logic                        ack_i,
  /// the group of the message is that of a direct context
  input  wire logic                        to_context_i,
  input  wire logic                        reply_full_i,
  input  wire logic                        event_full_i,
  output logic                             unknown_o,
  output logic                             stale_o,
  output logic                             limited_o,
  output logic                             reply_o,
  output muster_pkg::nic_message_t         answer_o,
  output logic                             context_o,
  output logic                             event_o,
  output logic [31:0]                      word_o,

  output logic                             want_o,
  output muster_pkg::nic_message_t         packet_o,
  input  wire logic                        granted_i,

  output logic                             dead_o,
  output logic [31:0]                      dead_event_o,
  input  wire logic                        loaded_i,
  output logic                             quiet_o
);
  `MUSTER_RANGE(Conns, 1, 32)
  `MUSTER_RANGE(Records, 1, 8)
  `MUSTER_RANGE(SeqW, 2, 8)

  // ---- Tokens -------------------------------------------------------------------------------
  logic alive, stored;
  logic [muster_pkg::DestW+12+SeqW:0] token, says;  // {peer, slot, group, barrier sequence}

  /* verilator lint_off UNUSEDSIGNAL */
  muster_pkg::nic_send_t sent;
  /* verilator lint_on UNUSEDSIGNAL */
  assign sent = word_i;
  assign token = send_i ? {sent.peer, sent.slot, sent.gid, sent.barrier[SeqW-1:0]}
                        : {asked_i.peer, asked_i.slot, asked_i.group, asked_i.barrier[SeqW-1:0]};
  assign taken_o = ask_i && !send_i && (stored || !alive);
  assign refused_o = send_i ? !stored : ask_i && !alive;

  // ---- Messages -----------------------------------------------------------------------------
  logic from_busy, from_host, linked;
  logic [SeqW-1:0] from_next, from_expected, packet;
  logic [ConnW-1:0] from_number;
  logic expected, again, for_host, accepted, returns, acked;

  assign packet = message_i.packet[SeqW-1:0];
  assign expected = data_i && linked && !reply_full_i && (packet == from_expected);
  assign again = data_i && linked && !reply_full_i && (SeqW'(packet + 1'b1) == from_expected);
  assign for_host = expected && !to_context_i;
  assign accepted = expected && (to_context_i || !event_full_i);
  assign returns = ack_i && linked && from_busy && (packet == from_next);
  assign acked = returns && !(from_host && event_full_i);

  assign unknown_o = (data_i || ack_i) && !linked;
  assign limited_o = (data_i && linked && reply_full_i) || (for_host && event_full_i) ||
                     (returns && !acked);
  assign stale_o = linked && ((data_i && !reply_full_i && !expected) || (ack_i && !returns));
  assign reply_o = accepted || again;
  assign answer_o = {muster_pkg::NicAck, message_i.peer, message_i.slot, message_i.group,
                     message_i.packet, message_i.barrier};
  assign context_o = expected && to_context_i;
  assign event_o = (for_host && accepted) || (acked && from_host);
  assign word_o = for_host ? {3'd3, message_i.slot, 8'd0, message_i.group, message_i.barrier}
                           : {3'd4, 5'(from_number), 24'd0};

  // ---- Connections and records --------------------------------------------------------------
  logic [Conns-1:0] eligible, allocate, gives_up;
  logic [ConnW-1:0] sending;
  logic [SeqW-1:0] number;
  logic records_quiet;

  muster_nic_connections #(.Conns(Conns), .SeqW(SeqW)) connections (
    .clk_i, .rst_ni,
    .write_i,
    .at_i,
    .word_i,
    .word_o(link_o),
    .comes_i,
    .source_i(message_i.peer),
    .packet_i(packet),
    .linked_o(linked),
    .from_number_o(from_number),
    .from_expected_o(from_expected),
    .from_next_o(from_next),
    .from_host_o(from_host),
    .accepted_i(accepted),
    .acked_i(acked),
    .token_valid_i(send_i || ask_i),
    .token_i(token),
    .token_host_i(send_i),
    .alive_o(alive),
    .stored_o(stored),
    .eligible_o(eligible),
    .allocate_i(allocate),
    .send_i(granted_i),
    .sending_i(sending),
    .token_o(says),
    .number_o(number),
    .gives_up_i(gives_up),
    .dead_o,
    .dead_event_o,
    .loaded_i
  );

  muster_nic_records #(.Records(Records), .Conns(Conns)) records (
    .clk_i, .rst_ni,
    .timed_i,
    .timeout_i,
    .retries_i,
    .eligible_i(eligible),
    .allocate_o(allocate),
    .written_i(write_i),
    .written_at_i(at_i),
    .gives_up_o(gives_up),
    .source_i(from_number),
    .source_busy_o(from_busy),
    .acked_i(acked),
    .want_o,
    .at_o(sending),
    .granted_i,
    .quiet_o(records_quiet)
  );
  assign packet_o = {muster_pkg::NicData, says[SeqW+:muster_pkg::DestW+13], 8'(number),
                     8'(says[SeqW-1:0])};

  assign quiet_o = records_quiet && !dead_o && !ask_i;

  `MUSTER_ASSERT(OneVerdict_A, !(unknown_o && (stale_o || limited_o)) && !(stale_o && limited_o))
  `MUSTER_ASSERT(EventHasRoom_A, !(event_o && event_full_i))
  `MUSTER_ASSERT(ReplyHasRoom_A, !(reply_o && reply_full_i))
  `MUSTER_ASSERT(GrantOnWant_A, !granted_i || want_o)

endmodule

`default_nettype wire
