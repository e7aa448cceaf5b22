// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "muster_assert.svh"

// A context of the NIC barrier engine: serves one group (docs/systems/nic-engine.md, A context).
//
//   idle       waits for the doorbell
//   running    at entry `pc` of its list: a wait is done if its step has been received; a send is
//              done in the cycle in which grant_i takes its message, or taken_i its token
//   failed     a peer was asked too often; as running, but does nothing
//   draining   released by the host; answers peers until the quiet time is over
//
// Of the message register it judges what is for its group: owns_o says so, and then one of
// unknown_o, stale_o, reply_o may tell its outcome, all in the same cycle. The effect on the
// context is at the edge; an entry takes one cycle, a wait for which nothing has come, its timer's.
//
// A write of the control word, or a release that is accepted, wins over all that message and walk
// would change.
//
// Example, list {wait for 3, send to 3}: the doorbell in t, the STEP of node 3 in the message
// register in t + 4: received at its edge, the wait is done in t + 5, the send asks in t + 6.
module muster_nic_context #(
  /// entries, 2 to 32
  parameter int unsigned Steps = 16,
  /// bits of sequence numbers, 2 to 8
  parameter int unsigned SeqW = 8
) (
  input  wire logic                       clk_i,
  input  wire logic                       rst_ni,

  /// register writes for this context, at most one in a cycle, with the word word_i
  input  wire logic                       control_i,
  input  wire logic                       doorbell_i,
  input  wire logic                       entry_i,
  /* verilator lint_off UNUSEDSIGNAL */
  input  wire logic [4:0]                 entry_at_i,  // of one in the list, upper bits are 0
  /* verilator lint_on UNUSEDSIGNAL */
  input  wire logic [31:0]                word_i,
  /// the doorbell of this cycle has no effect
  output logic                            refused_o,
  output logic [31:0]                     control_o,
  output logic [31:0]                     received_o,
  output logic [31:0]                     sent_o,

  /// T, R and quiet time
  input  wire logic [15:0]                timeout_i,
  input  wire logic [3:0]                 retries_i,
  input  wire logic [23:0]                quiet_i,

  /// the message register, and the entry of this context that its slot names (nothing if that is
  /// none); collective_i: it has a STEP, NACK or NOT-YET, data_i: a DATA that is accepted
  /* verilator lint_off UNUSEDSIGNAL */
  input  wire muster_pkg::nic_message_t   message_i,  // its packet sequence is of the direct path
  input  wire muster_pkg::nic_entry_t     named_i,    // only peer and kind are asked for
  /* verilator lint_on UNUSEDSIGNAL */
  input  wire logic                       collective_i,
  input  wire logic                       data_i,
  /// valid and of its group; through the point-to-point path
  output logic                            owns_o,
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

  /// an event for the host, its word without the context's number; loaded_i clears it
  output logic                            notice_o,
  output logic [31:0]                     event_o,
  input  wire logic                       loaded_i,
  /// with idle inputs nothing changes but the notice
  output logic                            still_o
);
  if (Steps < 2 || Steps > 32) begin : gen_bad_steps
    $error("muster_nic_context: Steps must be 2 to 32");
  end
  if (SeqW < 2 || SeqW > 8) begin : gen_bad_seq
    $error("muster_nic_context: SeqW must be 2 to 8");
  end

  localparam int unsigned StepW = $clog2(Steps);

  typedef enum logic [1:0] {Idle, Running, Failed, Draining} phase_e;
  typedef enum logic [1:0] {None, Done, Dead, Released} notice_e;
  phase_e phase_q, phase_d;
  notice_e notice_q, notice_d;
  logic valid_q, valid_d, direct_q;
  logic [7:0] gid_q;
  logic [4:0] pc_q, pc_d;

  logic start, release_it;
  /* verilator lint_off UNUSEDSIGNAL */
  muster_pkg::nic_contexts_control_t written;
  muster_pkg::nic_contexts_doorbell_t ring;
  /* verilator lint_on UNUSEDSIGNAL */
  assign written = word_i;
  assign ring = word_i;
  assign release_it = doorbell_i && valid_q && (notice_q == None) && ring.releases &&
                      (phase_q != Draining);
  assign start = doorbell_i && valid_q && (notice_q == None) && ring.starts && !release_it &&
                 (phase_q == Idle || phase_q == Failed);
  assign refused_o = doorbell_i && !start && !release_it;

  // ---- The list -----------------------------------------------------------------------------
  // The entry at pc is read when pc is set: the host writes it before the control word.
  muster_pkg::nic_entry_t e;
  logic done;

  muster_nic_steps #(
    .Entries(Steps)
  ) steps (
    .clk_i,
    .rst_ni,
    .write_i(entry_i),
    .write_at_i(entry_at_i[StepW-1:0]),
    .word_i,
    .read_i(control_i || start || done),
    .at_i(pc_d[StepW-1:0]),
    .entry_o(e)
  );

  // ---- Messages -----------------------------------------------------------------------------
  logic judged, known, is_nack, step, answers, reprieve;
  logic fresh, repeats, not_yet, present;
  assign is_nack = message_i.kind == muster_pkg::NicNack;
  assign owns_o = valid_q && (message_i.group == gid_q);
  assign direct_o = direct_q;
  assign judged = owns_o && (direct_q ? data_i : collective_i);
  assign known = (32'(message_i.slot) < Steps) && (named_i.peer == message_i.peer) &&
                 (named_i.send == is_nack);
  assign step = judged && known && (phase_q != Draining) &&
                (message_i.kind == muster_pkg::NicStep || message_i.kind == muster_pkg::NicData);
  assign answers = judged && known && is_nack && (repeats || not_yet);
  assign reprieve = judged && known && (message_i.kind == muster_pkg::NicNotYet) &&
                    (phase_q == Running) && present && (message_i.slot == pc_q);

  assign unknown_o = owns_o && ((judged && !known) || (collective_i && direct_q));
  assign stale_o = judged && known && !(step && fresh) && !answers && !reprieve;
  assign reply_o = answers;
  assign answer_o = repeats ? muster_pkg::NicStep : muster_pkg::NicNotYet;

  // ---- The walk -----------------------------------------------------------------------------
  logic [SeqW-1:0] seq;
  logic arrived, passes, stands, sends, complete, ticks, due, spent, nacks, fails;
  assign sends = (phase_q == Running) && e.send;
  assign passes = (phase_q == Running) && !e.send && arrived;
  assign stands = (phase_q == Running) && !e.send && !arrived;
  assign ask_o = sends && direct_q;
  assign done = passes || (sends && (direct_q ? taken_i : grant_i));
  assign complete = done && e.last;

  assign ticks = stands && !direct_q && (timeout_i != '0);
  assign nacks = ticks && due && !spent && gap_over_i;
  assign fails = ticks && due && spent && !reprieve;
  assign want_o = (sends && !direct_q) || nacks;
  assign message_o = {e.send ? muster_pkg::NicStep : muster_pkg::NicNack, e.peer, e.slot, gid_q,
                      8'd0, 8'(seq)};

  muster_nic_timer #(
    .BaseW(24)
  ) timer (
    .clk_i,
    .rst_ni,
    .base_i((phase_q == Draining) ? quiet_i : {8'd0, timeout_i}),
    .retries_i,
    .run_i(ticks || phase_q == Draining),
    .clear_i(control_i || start || release_it || done || reprieve),
    .again_i(nacks && grant_i),
    .due_o(due),
    .spent_o(spent)
  );

  logic past;
  logic [Steps-1:0] received, sent;
  muster_nic_progress #(
    .Steps(Steps),
    .SeqW(SeqW)
  ) progress (
    .clk_i,
    .rst_ni,
    .load_i(control_i),
    .seq_i(written.seq[SeqW-1:0]),
    .hold_i(release_it),
    .slot_i(message_i.slot),
    .barrier_i(message_i.barrier[SeqW-1:0]),
    .step_i(step),
    .fresh_o(fresh),
    .repeat_o(repeats),
    .not_yet_o(not_yet),
    .present_o(present),
    .at_i(pc_q),
    .arrived_o(arrived),
    .mark_i(sends && done),
    .complete_i(complete),
    .seq_o(seq),
    .past_o(past),
    .received_o(received),
    .sent_o(sent)
  );

  // ---- Phase --------------------------------------------------------------------------------
  always_comb begin
    phase_d = phase_q;
    pc_d = pc_q;
    valid_d = valid_q;
    notice_d = notice_q;
    if (loaded_i) notice_d = None;
    unique case (phase_q)
      Running: begin
        if (done && !e.last) pc_d = e.next;
        if (complete) begin
          phase_d = Idle;
          notice_d = Done;
        end else if (fails) begin
          phase_d = Failed;
          notice_d = Dead;
        end
      end
      Draining: begin
        if (due) begin
          phase_d = Idle;
          valid_d = 1'b0;
          notice_d = Released;
        end
      end
      default: begin
        if (start) phase_d = Running;
        if (start && phase_q == Idle) pc_d = '0;
      end
    endcase
    if (release_it) begin
      phase_d = Draining;
      pc_d = pc_q;
      notice_d = None;
    end
    if (control_i) begin
      phase_d = Idle;
      pc_d = '0;
      valid_d = written.valid;
      notice_d = None;
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      phase_q <= Idle;
      pc_q <= '0;
      valid_q <= 1'b0;
      notice_q <= None;
      direct_q <= 1'b0;
      gid_q <= '0;
    end else begin
      phase_q <= phase_d;
      pc_q <= pc_d;
      valid_q <= valid_d;
      notice_q <= notice_d;
      if (control_i) begin
        direct_q <= written.direct;
        gid_q <= written.gid;
      end
    end
  end

  // ---- For the host -------------------------------------------------------------------------
  logic [SeqW-1:0] completed;
  assign completed = seq - 1'b1;
  muster_pkg::nic_contexts_control_t control;
  always_comb begin
    control = '0;
    control.valid = valid_q;
    control.direct = direct_q;
    control.phase = phase_q;
    control.past = past;
    control.notice = notice_q;
    control.pc = pc_q;
    control.gid = gid_q;
    control.seq = 8'(seq);
  end
  assign control_o = control;
  assign received_o = 32'(received);
  assign sent_o = 32'(sent);
  assign notice_o = notice_q != None;
  always_comb begin
    event_o = '0;
    unique case (notice_q)
      Done: event_o[7:0] = 8'(completed);
      Dead: event_o = {3'd1, pc_q, 13'd0, e.peer};
      Released: event_o[31:29] = 3'd2;
      default: event_o = '0;
    endcase
  end
  assign still_o = (phase_q == Idle) || (phase_q == Failed) ||
                   (stands && (direct_q || timeout_i == '0));

  `MUSTER_ASSERT(WrittenBeforeUse_A, !entry_i || !valid_q)
  `MUSTER_ASSERT(ActiveIsValid_A, valid_q || phase_q == Idle)
  `MUSTER_ASSERT(GrantOnWant_A, !grant_i || want_o)
  `MUSTER_ASSERT(TakenOnAsk_A, !taken_i || ask_o)
  `MUSTER_ASSERT(NoticeOfRest_A, notice_q == None || phase_q == Idle || phase_q == Failed)
  `MUSTER_ASSERT(OneVerdict_A, !(unknown_o && (stale_o || reply_o)) && !(stale_o && reply_o))
  `MUSTER_ASSERT(NextExists_A, !done || e.last || 32'(e.next) < Steps)

endmodule

`default_nettype wire
