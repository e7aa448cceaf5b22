// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "muster_assert.svh"

// The contexts of the NIC barrier engine, each of which serves one group, and the walk of their
// lists (docs/systems/nic-engine.md, A context). The walk serves one context a cycle: that which
// the message in the message register is for, or else, in round robin, one that has work.
//
//   idle       waits for the doorbell
//   running    at entry `pc` of its list: a wait is done if its step has been received; a send is
//              done in the cycle in which grant_i takes its message, or taken_i its token
//   failed     a peer was asked too often; as running, but does nothing
//   draining   released by the host; answers peers until the quiet time is over
//
// Served, a context both judges the message, if it is for it, and does what its entry says, on the
// state before the edge. It has work while it runs, but not if it rests: it was found at a wait for
// which nothing had come, and nothing has come since; then only if its timer is over. The turn
// stays with a context whose message is not granted.
//
// Of the message register it judges what is for a context: owns_o says which, and then one of
// unknown_o, stale_o, reply_o may tell the outcome, all in the same cycle. Effects are at the edge.
//
// A write of the control word, or a release that is accepted, wins over all that message and walk
// would change.
//
// Example, list {wait for 3, send to 3}: the doorbell in t, the STEP of node 3 in the message
// register in t + 4: received at its edge, the wait is done in t + 5, the send asks in t + 6.
module muster_nic_walk #(
  /// contexts, 1 to 8
  parameter int unsigned Contexts = 4,
  /// entries of each, 2 to 32
  parameter int unsigned Steps = 16,
  /// bits of sequence numbers, 2 to 8
  parameter int unsigned SeqW = 8,
  localparam int unsigned ContextW = (Contexts > 1) ? $clog2(Contexts) : 1
) (
  input  wire logic                       clk_i,
  input  wire logic                       rst_ni,

  /// register writes for a context, at most one in a cycle, with the word word_i
  input  wire logic [Contexts-1:0]        control_i,
  input  wire logic [Contexts-1:0]        doorbell_i,
  input  wire logic [Contexts-1:0]        entry_i,
  /* verilator lint_off UNUSEDSIGNAL */
  input  wire logic [4:0]                 entry_at_i,  // of one in the list, upper bits are 0
  /* verilator lint_on UNUSEDSIGNAL */
  input  wire logic [31:0]                word_i,
  /// the context that the host's address names, also in a doorbell; the doorbell has no effect
  input  wire logic [ContextW-1:0]        at_i,
  output logic                            refused_o,
  output logic [31:0]                     control_o,
  output logic [31:0]                     received_o,
  output logic [31:0]                     sent_o,

  /// T is not 0
  input  wire logic                       timed_i,
  /// timers, those of muster_nic_timers.sv, which count the quiet time while drains_o
  output logic [Contexts-1:0]             runs_o,
  output logic [Contexts-1:0]             restart_o,
  output logic [Contexts-1:0]             drains_o,
  input  wire logic [Contexts-1:0]        due_i,
  input  wire logic                       spent_i,

  /// the message register, and the entry of its context that its slot names (nothing if that is
  /// none); message_valid_i: it has a message, which was at message_i in the cycle before too, with
  /// arrives_i; collective_i: it is a STEP, NACK or NOT-YET, data_i: a DATA that is accepted
  /* verilator lint_off UNUSEDSIGNAL */
  input  wire muster_pkg::nic_message_t   message_i,  // its packet sequence is of the direct path
  input  wire muster_pkg::nic_entry_t     named_i,    // only peer and kind are asked for
  /* verilator lint_on UNUSEDSIGNAL */
  input  wire logic                       arrives_i,
  input  wire logic                       message_valid_i,
  input  wire logic                       collective_i,
  input  wire logic                       data_i,
  /// the valid context of its group, but for a control word of this cycle; it goes through the
  /// point-to-point path
  output logic [Contexts-1:0]             owns_o,
  output logic                            direct_o,
  output logic                            unknown_o,
  output logic                            stale_o,
  output logic                            reply_o,
  /// what kind of message the reply is
  output logic [muster_pkg::NicTypeW-1:0] answer_o,

  /// asks for message_o to be sent; a NACK only while gap_over_i
  output logic                            want_o,
  output muster_pkg::nic_message_t        message_o,
  input  wire logic                       gap_over_i,
  input  wire logic                       grant_i,
  /// asks for a token with the fields of message_o; taken_i: it need not ask again
  output logic                            ask_o,
  input  wire logic                       taken_i,

  /// events for the host, and the word of context event_at_i, without its number; loaded_i clears
  /// one
  output logic [Contexts-1:0]             notice_o,
  input  wire logic [ContextW-1:0]        event_at_i,
  output logic [31:0]                     event_o,
  input  wire logic [Contexts-1:0]        loaded_i,
  /// with idle inputs nothing changes but notices
  output logic                            still_o
);
  `MUSTER_RANGE(Contexts, 1, 8)
  `MUSTER_RANGE(Steps, 2, 32)
  `MUSTER_RANGE(SeqW, 2, 8)

  localparam int unsigned StepW = $clog2(Steps);

  // ---- State: for each bit, and for each word, that of all contexts -----------------------------
  logic [Contexts-1:0] valid_q, direct_q, running_q, failed_q, drains_q, past_q;
  logic [Contexts-1:0] done_q, dead_q, released_q;  // the notice
  logic [Contexts-1:0] rests_q, late_q, spent_q;
  logic [Contexts-1:0][4:0] pc_q;
  logic [Contexts-1:0][7:0] gid_q;
  logic [Contexts-1:0][SeqW-1:0] seq_q;
  logic [Contexts-1:0][Steps-1:0] received_q, early_q, sent_q;
  logic [Contexts-1:0][muster_pkg::NicEntryW-1:0] entry;  // at pc

  // ---- The host -------------------------------------------------------------------------------
  /* verilator lint_off UNUSEDSIGNAL */
  muster_pkg::nic_contexts_control_t written;
  muster_pkg::nic_contexts_doorbell_t ring;
  /* verilator lint_on UNUSEDSIGNAL */
  logic [Contexts-1:0] start, release_it, overruled;
  logic heard, starts, releases, takes_group;
  assign written = word_i;
  assign ring = word_i;
  assign heard = valid_q[at_i] && !notice_o[at_i] && !drains_q[at_i];
  assign releases = heard && ring.releases;
  assign starts = heard && ring.starts && !ring.releases && !running_q[at_i];
  assign release_it = releases ? doorbell_i : '0;
  assign start = starts ? doorbell_i : '0;
  assign refused_o = (doorbell_i != '0) && !starts && !releases;
  assign overruled = control_i | release_it;
  assign takes_group = written.valid && (written.gid == message_i.group);

  // ---- Who is served --------------------------------------------------------------------------
  logic [Contexts-1:0] owns_q, awaits, work, turn, served;
  logic [ContextW-1:0] s;
  logic by_message;
  for (genvar c = 0; c < Contexts; c++) begin : gen_owner
    assign owns_o[c] = valid_q[c] && (message_i.group == gid_q[c]);
  end
  assign by_message = message_valid_i && (owns_q != '0);
  assign awaits = timed_i ? running_q & rests_q & ~direct_q : '0;
  assign work = (running_q & ~rests_q) | (awaits & late_q & (gap_over_i ? '1 : spent_q)) |
                (drains_q & late_q);
  muster_rr_arbiter #(.N(Contexts)) turns (
    .clk_i, .rst_ni,
    .req_i(work),
    .take_i(!by_message && !(want_o && !grant_i)),
    .grant_o(turn)
  );
  assign served = by_message ? owns_q : turn;
  always_comb begin
    s = '0;
    for (int unsigned c = 0; c < Contexts; c++) begin
      if (served[c]) s = s | ContextW'(c);
    end
  end

  // ---- Its state ------------------------------------------------------------------------------
  muster_pkg::nic_entry_t e;
  logic running, drains, direct, past;
  logic [4:0] pc;
  logic [SeqW-1:0] seq;
  logic [Steps-1:0] received, early, sent;
  assign e = entry[s];
  assign running = (served & running_q) != '0;
  assign drains = (served & drains_q) != '0;
  assign direct = direct_q[s];
  assign past = past_q[s];
  assign pc = pc_q[s];
  assign seq = seq_q[s];
  assign received = received_q[s];
  assign early = early_q[s];
  assign sent = sent_q[s];

  // ---- The message ----------------------------------------------------------------------------
  logic judged, known, is_nack, step, answers, reprieve;
  logic present, next, previous, fresh, repeats, not_yet;
  logic [SeqW-1:0] ahead;
  logic [Steps-1:0] names, comes, comes_early;
  assign names = Steps'(1'b1) << message_i.slot;
  assign ahead = message_i.barrier[SeqW-1:0] - seq;
  assign present = ahead == '0;
  assign next = ahead == SeqW'(1);
  assign previous = ahead == '1;
  assign is_nack = message_i.kind == muster_pkg::NicNack;
  assign judged = by_message && (direct ? data_i : collective_i);
  assign known = (32'(message_i.slot) < Steps) && (named_i.peer == message_i.peer) &&
                 (named_i.send == is_nack);
  // As a STEP it would set a bit; as a NACK it asks for what was sent, or for what will be.
  assign fresh = (present && (received & names) == '0) || (next && (early & names) == '0);
  assign repeats = (present && (sent & names) != '0) || (previous && past);
  assign not_yet = (present && (sent & names) == '0) || next;
  assign step = judged && known && !drains &&
                (message_i.kind == muster_pkg::NicStep || message_i.kind == muster_pkg::NicData);
  assign answers = judged && known && is_nack && (repeats || not_yet);
  assign reprieve = judged && known && (message_i.kind == muster_pkg::NicNotYet) && running &&
                    present && (message_i.slot == pc);
  assign comes = (step && present) ? names : '0;
  assign comes_early = (step && next) ? names : '0;

  assign direct_o = by_message && direct;
  assign unknown_o = (collective_i && (!by_message || direct || !known)) || (judged && !known);
  assign stale_o = judged && known && !(step && fresh) && !answers && !reprieve;
  assign reply_o = answers;
  assign answer_o = repeats ? muster_pkg::NicStep : muster_pkg::NicNotYet;

  // ---- The walk -------------------------------------------------------------------------------
  logic arrived, passes, stands, sends, done, complete, nacks, fails, ends, rests;
  logic [Steps-1:0] at, marks;
  assign at = Steps'(1'b1) << pc;
  assign arrived = (received & at) != '0;
  assign sends = running && e.send;
  assign passes = running && !e.send && arrived;
  assign stands = running && !e.send && !arrived;
  assign ask_o = sends && direct;
  assign done = passes || (sends && (direct ? taken_i : grant_i));
  assign complete = done && e.last;
  assign marks = (sends && done) ? at : '0;
  assign rests = stands && (comes & at) == '0;

  assign nacks = stands && timed_i && late_q[s] && !spent_q[s] && gap_over_i;
  assign fails = stands && timed_i && late_q[s] && spent_q[s] && !reprieve;
  assign ends = drains && late_q[s];
  assign want_o = (sends && !direct) || nacks;
  assign message_o = {e.send ? muster_pkg::NicStep : muster_pkg::NicNack, e.peer, e.slot, gid_q[s],
                      8'd0, 8'(seq)};

  // ---- Timers ---------------------------------------------------------------------------------
  assign drains_o = drains_q;
  assign runs_o = (awaits | drains_q) & ~late_q;
  assign restart_o = overruled | start | ((done || reprieve) ? served : '0);

  // ---- The edge -------------------------------------------------------------------------------
  logic [Contexts-1:0] keeps, leaves, quits, gone, clear;
  logic [SeqW-1:0] seq_d;
  logic [Steps-1:0] received_d, early_d, sent_d;
  assign keeps = served & ~overruled;
  assign quits = complete ? keeps : '0;
  assign leaves = (complete || fails) ? keeps : '0;
  assign gone = ends ? keeps : '0;
  assign clear = overruled | loaded_i;
  assign seq_d = seq + 1'b1;
  assign received_d = complete ? early | comes_early : received | comes;
  assign early_d = complete ? '0 : early | comes_early;
  assign sent_d = complete ? '0 : sent | marks;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      valid_q <= '0;
      direct_q <= '0;
      running_q <= '0;
      failed_q <= '0;
      drains_q <= '0;
      past_q <= '0;
      done_q <= '0;
      dead_q <= '0;
      released_q <= '0;
      rests_q <= '0;
      late_q <= '0;
      spent_q <= '0;
      owns_q <= '0;
    end else begin
      if (arrives_i) owns_q <= (owns_o & ~control_i & ~gone) | (takes_group ? control_i : '0);
      valid_q <= (valid_q & ~control_i & ~gone) | (written.valid ? control_i : '0);
      direct_q <= (direct_q & ~control_i) | (written.direct ? control_i : '0);
      running_q <= (running_q & ~overruled & ~leaves) | start;
      failed_q <= (failed_q & ~overruled & ~start) | (fails ? keeps : '0);
      drains_q <= (drains_q & ~control_i & ~gone) | release_it;
      past_q <= (past_q & ~control_i) | quits;
      done_q <= (done_q & ~clear) | quits;
      dead_q <= (dead_q & ~clear) | (fails ? keeps : '0);
      released_q <= (released_q & ~clear) | gone;
      rests_q <= ((rests_q & ~served) | (rests ? served : '0)) & ~start & ~overruled;
      late_q <= (late_q | due_i) & ~restart_o & ~((nacks && grant_i) ? served : '0);
      spent_q <= (spent_q & ~due_i) | (spent_i ? due_i : '0);
    end
  end
  always_ff @(posedge clk_i) begin
    for (int unsigned c = 0; c < Contexts; c++) begin
      if (!rst_ni || control_i[c]) pc_q[c] <= '0;
      else if (keeps[c] && done) pc_q[c] <= complete ? '0 : e.next;
      if (!rst_ni) gid_q[c] <= '0;
      else if (control_i[c]) gid_q[c] <= written.gid;
      if (!rst_ni) seq_q[c] <= '0;
      else if (control_i[c]) seq_q[c] <= written.seq[SeqW-1:0];
      else if (quits[c]) seq_q[c] <= seq_d;
      if (!rst_ni || control_i[c]) begin
        received_q[c] <= '0;
        early_q[c] <= '0;
        sent_q[c] <= '0;
      end else if (keeps[c]) begin
        received_q[c] <= received_d;
        early_q[c] <= early_d;
        sent_q[c] <= sent_d;
      end
    end
  end

  // ---- Lists ----------------------------------------------------------------------------------
  // The entry at pc is read when pc is set: the host writes it before the control word.
  /* verilator lint_off UNUSEDSIGNAL */
  muster_pkg::nic_lists_entry_t listed;
  /* verilator lint_on UNUSEDSIGNAL */
  assign listed = word_i;
  for (genvar c = 0; c < Contexts; c++) begin : gen_list
    muster_nic_memory #(.Words(Steps), .Width(muster_pkg::NicEntryW)) list (
      .clk_i, .rst_ni,
      .write_i(entry_i[c]),
      .write_at_i(entry_at_i[StepW-1:0]),
      .word_i({listed.send, listed.last, listed.next, listed.slot, listed.peer}),
      .read_i(control_i[c] || (served[c] && done)),
      .read_at_i((control_i[c] || complete) ? '0 : e.next[StepW-1:0]),
      .read_o(entry[c])
    );
  end

  // ---- For the host ---------------------------------------------------------------------------
  assign notice_o = done_q | dead_q | released_q;
  logic [Contexts-1:0][31:0] controls, receiveds, sents;
  for (genvar c = 0; c < Contexts; c++) begin : gen_context
    muster_pkg::nic_contexts_control_t control;
    logic [31:0] received_word, sent_word;
    always_comb begin
      control = '0;
      control.valid = valid_q[c];
      control.direct = direct_q[c];
      control.phase = {failed_q[c] || drains_q[c], running_q[c] || drains_q[c]};
      control.past = past_q[c];
      control.notice = {dead_q[c] || released_q[c], done_q[c] || released_q[c]};
      control.pc = pc_q[c];
      control.gid = gid_q[c];
      control.seq = 8'(seq_q[c]);
    end
    assign received_word = 32'(received_q[c]);
    assign sent_word = 32'(sent_q[c]);
    assign controls[c] = control;
    assign receiveds[c] = received_word;
    assign sents[c] = sent_word;
  end
  assign control_o = controls[at_i];
  assign received_o = receiveds[at_i];
  assign sent_o = sents[at_i];

  /* verilator lint_off UNUSEDSIGNAL */
  muster_pkg::nic_entry_t silent;  // its peer is
  /* verilator lint_on UNUSEDSIGNAL */
  logic [SeqW-1:0] completed;
  assign silent = entry[event_at_i];
  assign completed = seq_q[event_at_i] - 1'b1;
  assign event_o = dead_q[event_at_i] ? {3'd1, pc_q[event_at_i], 13'd0, silent.peer} :
                   done_q[event_at_i] ? 32'(completed) : {3'd2, 29'd0};
  assign still_o = ((running_q & ~rests_q) | awaits | drains_q) == '0;

  logic [Contexts-1:0] writes;
  assign writes = control_i | doorbell_i;
  `MUSTER_ASSERT(AddressNamesIt_A, writes == '0 || writes == Contexts'(1'b1) << at_i)
  `MUSTER_ASSERT(WrittenBeforeUse_A, (entry_i & valid_q) == '0)
  `MUSTER_ASSERT(OnePhase_A, ((running_q | failed_q | drains_q) & ~valid_q) == '0 &&
                             (running_q & (failed_q | drains_q)) == '0 &&
                             (failed_q & drains_q) == '0)
  `MUSTER_ASSERT(OneNotice_A, (done_q & (dead_q | released_q)) == '0 &&
                              (dead_q & released_q) == '0)
  `MUSTER_ASSERT(OwnerIsKnown_A, !message_valid_i || owns_q == owns_o)
  `MUSTER_ASSERT(OneIsServed_A, (served & (served - 1'b1)) == '0)
  `MUSTER_ASSERT(GrantOnWant_A, !grant_i || want_o)
  `MUSTER_ASSERT(TakenOnAsk_A, !taken_i || ask_o)
  `MUSTER_ASSERT(DueWhileItRuns_A, (due_i & ~runs_o) == '0)
  `MUSTER_ASSERT(NoticeOfRest_A, (notice_o & (running_q | drains_q)) == '0)
  `MUSTER_ASSERT(OneVerdict_A, !(unknown_o && (stale_o || reply_o)) && !(stale_o && reply_o) &&
                               !(repeats && not_yet))
  `MUSTER_ASSERT(NextExists_A, !done || e.last || 32'(e.next) < Steps)
  `MUSTER_ASSERT(InItsList_A, !running || 32'(pc) < Steps)

endmodule

`default_nettype wire
