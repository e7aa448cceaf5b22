// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "formal.svh"

// One context of muster_nic_walk for any messages, grants and writes of a host that keeps to its
// rules: entries are written while the context is not valid, here in the order in which they are
// walked.
//
//   - bits are set by matching messages and by nothing else: a STEP (an accepted DATA, if the
//     context is direct) of its group, from the peer of an entry that waits, for this barrier; or
//     for the next one, and then the bit is there when that has become this one
//   - a sent bit is set when the message of that entry is granted, or its token taken
//   - an entry is passed only when it has been received or sent, and a barrier is complete only
//     when all have; nothing else changes the number of the barrier
//   - an unknown or stale message sets no bit
//
// The wrapper keeps a list, and bits, of its own; from that list comes the entry that a message
// names.
module nic_context_proof #(
  parameter int unsigned Steps = 4,
  localparam int unsigned SeqW = 2
) (
  input  wire logic                      clk_i,
  input  wire logic                      control_i,
  input  wire logic                      doorbell_i,
  input  wire logic                      entry_i,
  input  wire logic [4:0]                entry_at_i,
  input  wire logic [31:0]               word_i,
  input  wire logic                      timed_i,
  input  wire logic                      due_i,
  input  wire logic                      spent_i,
  input  wire muster_pkg::nic_message_t  message_i,
  input  wire logic                      message_valid_i,
  input  wire logic                      collective_i,
  input  wire logic                      data_i,
  input  wire logic                      gap_over_i,
  input  wire logic                      grant_i,
  input  wire logic                      taken_i,
  input  wire logic                      loaded_i
);
  `MUSTER_FORMAL_RESET

  // Entry s leads to s + 1, the last one ends the list.
  logic [31:0] word;
  assign word = entry_i ? {word_i[31], entry_at_i == 5'(Steps - 1), word_i[29],
                           5'(entry_at_i + 5'd1) % 5'(Steps), word_i[23:0]}
                        : word_i;

  muster_pkg::nic_entry_t named;
  logic [31:0] control, received, sent;
  logic refused, owns, direct, unknown, stale, want, ask, runs;
  muster_nic_walk #(.Contexts(1), .Steps(Steps), .SeqW(SeqW)) dut (
    .clk_i, .rst_ni,
    .control_i,
    .doorbell_i,
    .entry_i,
    .entry_at_i,
    .word_i(word),
    .at_i(1'b0),
    .refused_o(refused),
    .control_o(control),
    .received_o(received),
    .sent_o(sent),
    .timed_i,
    .runs_o(runs),
    .due_i,
    .spent_i,
    .message_i,
    .named_i(named),
    .arrives_i(1'b1),
    .message_valid_i,
    .collective_i,
    .data_i,
    .owns_o(owns),
    .direct_o(direct),
    .unknown_o(unknown),
    .stale_o(stale),
    .want_o(want),
    .gap_over_i,
    .grant_i,
    .ask_o(ask),
    .taken_i,
    .loaded_i
  );

  // ---- The caller ---------------------------------------------------------------------------
  logic [Steps-1:0] written_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) written_q <= '0;
    else if (entry_i) written_q <= written_q | Steps'(1) << entry_at_i;
  end
  logic valid;
  assign valid = control[31];
  `MUSTER_ASSUME(OneWrite_M, 2'(control_i) + 2'(doorbell_i) + 2'(entry_i) <= 2'd1)
  `MUSTER_ASSUME(ListBeforeUse_M, !entry_i || (!valid && 32'(entry_at_i) < Steps))
  `MUSTER_ASSUME(WholeListBeforeUse_M, !control_i || !word_i[31] || written_q == '1)
  `MUSTER_ASSUME(OneMessage_M, !(collective_i && data_i) &&
                               (message_valid_i || !(collective_i || data_i)))
  muster_pkg::nic_message_t before_q;
  always_ff @(posedge clk_i) before_q <= message_i;
  `MUSTER_ASSUME(ThereBefore_M, !message_valid_i || message_i == before_q)
  `MUSTER_ASSUME(DueWhileItRuns_M, !due_i || runs)
  `MUSTER_ASSUME(CollectiveKinds_M, !collective_i || message_i.kind <= muster_pkg::NicNotYet)
  `MUSTER_ASSUME(DataIsForUs_M, !data_i || (message_i.kind == muster_pkg::NicData && owns &&
                                            direct))
  `MUSTER_ASSUME(GrantOnWant_M, !grant_i || want)
  `MUSTER_ASSUME(TakenOnAsk_M, !taken_i || ask)

  // ---- The wrapper's list and bits ------------------------------------------------------------
  logic [Steps-1:0] sends_q;
  logic [Steps*11-1:0] peers_q;
  logic [Steps-1:0] received_q, early_q;
  logic [Steps-1:0] waits, here, at, comes, comes_early;
  logic running, draining, hit, is_step, release_it, done, complete;
  logic [SeqW-1:0] seq, ahead;

  always_ff @(posedge clk_i) begin
    for (int unsigned s = 0; s < Steps; s++) begin
      if (entry_i && entry_at_i == 5'(s)) begin
        sends_q[s] <= word_i[31];
        peers_q[s*11+:11] <= word_i[10:0];
      end
    end
  end

  assign seq = control[SeqW-1:0];
  assign running = control[29:28] == 2'd1;
  assign draining = control[29:28] == 2'd3;
  assign waits = ~sends_q;
  always_comb begin
    hit = 1'b0;
    named = '0;
    for (int unsigned s = 0; s < Steps; s++) begin
      at[s] = message_i.slot == 5'(s);
      here[s] = control[20:16] == 5'(s);
      if (at[s] && peers_q[s*11+:11] == message_i.peer && waits[s]) hit = 1'b1;
      if (at[s]) named = {sends_q[s], 11'd0, peers_q[s*11+:11]};
    end
  end
  assign ahead = message_i.barrier[SeqW-1:0] - seq;
  assign is_step = control[30] ? data_i
                               : collective_i && message_i.kind == muster_pkg::NicStep;
  assign comes = (hit && is_step && valid && message_i.group == control[15:8] && !draining &&
                  ahead == 2'd0) ? at : '0;
  assign comes_early = (hit && is_step && valid && message_i.group == control[15:8] && !draining &&
                        ahead == 2'd1) ? at : '0;
  assign done = running && ((waits & here) != '0 ? (received_q & here) != '0
                                                 : (control[30] ? taken_i : grant_i));
  assign complete = done && here[Steps-1];
  assign release_it = doorbell_i && !refused && word_i[1];

  always_ff @(posedge clk_i) begin
    if (!rst_ni || control_i) begin
      received_q <= '0;
      early_q <= '0;
    end else if (!release_it) begin
      received_q <= complete ? early_q | comes_early : received_q | comes;
      early_q <= complete ? '0 : early_q | comes_early;
    end
  end

  // ---- Facts --------------------------------------------------------------------------------
  logic [31:0] before_control_q;
  logic [Steps-1:0] before_sent_q;
  logic [Steps-1:0] before_here_q, all_q;
  logic began_q, wrote_q, done_q, complete_q, sent_now_q;
  always_ff @(posedge clk_i) begin
    began_q <= rst_ni;
    wrote_q <= control_i;
    done_q <= done && !release_it;
    complete_q <= complete && !release_it;
    sent_now_q <= (grant_i && !control[30] && (sends_q & here) != '0) || taken_i;
    before_control_q <= control;
    before_sent_q <= sent;
    before_here_q <= here;
    all_q <= (received[Steps-1:0] & waits) | (sent[Steps-1:0] & sends_q) | here;
  end
  logic moved, counted;
  logic [Steps-1:0] newly_sent;
  assign moved = began_q && !wrote_q && control[20:16] != before_control_q[20:16] &&
                 control[20:16] != '0;
  assign counted = began_q && !wrote_q && control[SeqW-1:0] != before_control_q[SeqW-1:0];
  assign newly_sent = (began_q && !wrote_q) ? sent[Steps-1:0] & ~before_sent_q : '0;

  `MUSTER_ASSERT(BitsOfMessages_A, received == 32'(received_q))
  `MUSTER_ASSERT(SentWhenGranted_A, (newly_sent & ~before_here_q) == '0 &&
                                    (newly_sent == '0 || sent_now_q))
  `MUSTER_ASSERT(PassedWhenDone_A, !moved || done_q)
  `MUSTER_ASSERT(CompleteWithAll_A, !counted || (complete_q && all_q == '1))
  `MUSTER_ASSERT(CountsByOne_A, !counted ||
                                control[SeqW-1:0] == before_control_q[SeqW-1:0] + 1'b1)
  `MUSTER_ASSERT(DroppedSetsNothing_A, !(unknown || stale) || ((comes & ~received_q) == '0 &&
                                                               (comes_early & ~early_q) == '0))
  `MUSTER_ASSERT(DoneIsTold_A, !began_q || !complete_q || wrote_q || control[25:24] == 2'd1)

  `MUSTER_COVER(CompletesWithEarly_C, counted && received != '0)
  `MUSTER_COVER(CompletesDirect_C, counted && before_control_q[30])
  `MUSTER_COVER(Fails_C, control[29:28] == 2'd2)
  `MUSTER_COVER(Releases_C, control[25:24] == 2'd3)

endmodule

`default_nettype wire
