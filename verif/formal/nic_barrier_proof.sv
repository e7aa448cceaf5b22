// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "formal.svh"

// No member is released early and no two barriers are confused: Members contexts of a group (the
// dissemination lists for radix 2) over a medium that loses, delays, doubles and reorders, with
// sequence numbers of 2 bits. docs/systems/nic-engine.md, What else can arrive.
//
// Each member has a number that counts its barriers, here modulo 8. A STEP that a member sends, on
// its walk or as an answer, stays in the medium under the number that is *meant*, and may come to
// its receiver at any time and any number of times, or never. It is gone when the receiver is three
// barriers past it: the one assumption about the medium (2^SeqW - 2 barriers of life). NACKs and
// NOT-YETs of any number may come at any time, whether they have been sent or not. Hosts ring
// and take events, and messages are granted, when they like.
//
//   - what is sent is true: the sender has passed that send in the barrier that is meant, and says
//     its residue
//   - nothing in the medium is more than one barrier ahead of its receiver
//   - a received bit is that of this barrier: its sender has passed the send in the same one
//   - a member completes a barrier only when all have begun it; members are one barrier apart
module nic_barrier_proof #(
  parameter int unsigned Members = 2,
  parameter int unsigned Timeout = 0,
  /// barriers of its group that a packet may outlive; 3 is one too many
  parameter int unsigned Life = 2,
  localparam int unsigned Rounds = $clog2(Members),
  localparam int unsigned Steps = 2 * Rounds
) (
  input  wire logic                     clk_i,
  /// number of the first barrier, as its residue
  input  wire logic [1:0]               first_i,
  input  wire logic [Members-1:0]       start_i,
  input  wire logic [Members-1:0]       loaded_i,
  input  wire logic [Members-1:0]       grant_i,
  /// a message comes to member j: its kind, the round that it belongs to, its number
  input  wire logic [Members-1:0]       comes_i,
  input  wire logic [Members-1:0][1:0]  kind_i,
  input  wire logic [Members-1:0]       round_i,
  input  wire logic [Members-1:0][2:0]  number_i,
  /// the timer of member j is over, if it runs; after the last try
  input  wire logic [Members-1:0]       due_i,
  input  wire logic [Members-1:0]       spent_i
);
  localparam logic [7:0] Group = 8'd7;

  `MUSTER_FORMAL_RESET

  // The host writes the lists, then all control words; from then on it rings.
  logic [2:0] setup_q;
  logic [1:0] first_q;
  logic ready;
  assign ready = setup_q == 3'(Steps + 1);
  always_ff @(posedge clk_i) begin
    if (!rst_ni) setup_q <= '0;
    else if (!ready) setup_q <= setup_q + 1'b1;
    if (!rst_ni) first_q <= first_i;
  end

  logic [Members-1:0][31:0] control, received, sent;
  logic [Members-1:0] runs, sudden;
  logic [Members-1:0] want, reply, deliver;
  logic [Members-1:0][muster_pkg::NicMessageW-1:0] message, answer;

  // Number of each member's barrier: it follows the residue, one by one.
  logic [Members-1:0][2:0] number_q, number;
  logic [Members-1:0] jumps;
  // [m * Members + i][q]: the STEP of member i in round m and barrier q is in the medium.
  logic [Members*Rounds-1:0][7:0] medium_q, medium_d;
  logic [Members*Rounds-1:0] ahead, untrue, unmeant;
  logic [Members*Members-1:0] apart, early;

  for (genvar j = 0; j < Members; j++) begin : gen_member
    // Entries of this member, and where its messages come from.
    logic [31:0] entry;
    logic [Rounds-1:0] in_medium;
    logic [10:0] source;
    muster_pkg::nic_message_t in;
    muster_pkg::nic_entry_t named;
    logic [muster_pkg::NicTypeW-1:0] answer_kind;
    logic [Rounds*32-1:0] send_word, wait_word;
    logic [Rounds*11-1:0] previous, after;
    logic [2:0] number_now_q;
    muster_pkg::nic_message_t before_q;
    always_ff @(posedge clk_i) before_q <= in;
    assign sudden[j] = deliver[j] && in != before_q;

    for (genvar m = 0; m < Rounds; m++) begin : gen_round
      localparam int unsigned To = (j + (1 << m)) % Members;
      localparam int unsigned From = (j + Members - (1 << m)) % Members;
      assign after[m*11+:11] = 11'(To);
      assign previous[m*11+:11] = 11'(From);
      assign send_word[m*32+:32] = {2'b10, 1'b0, 5'(2 * m + 1), 3'd0, 5'(2 * m + 1), 5'd0, 11'(To)};
      assign wait_word[m*32+:32] = {1'b0, 1'(m == Rounds - 1), 1'b0, 5'((2 * m + 2) % Steps), 3'd0,
                             5'(2 * m), 5'd0, 11'(From)};
      assign in_medium[m] = medium_q[m*Members+From][number_i[j]];

      // What this member sends in round m, to `To`.
      muster_pkg::nic_message_t walks, answers;
      logic walk, repeats, is_now, is_past, passed;
      logic [2:0] meant, far;
      logic [7:0] all, born;
      assign walks = message[j];
      assign answers = answer[j];
      assign walk = grant_i[j] && (walks.kind == muster_pkg::NicStep) &&
                    (walks.slot == 5'(2 * m + 1)) && (walks.peer == 11'(To));
      assign repeats = reply[j] && (answers.kind == muster_pkg::NicStep) &&
                       (answers.slot == 5'(2 * m + 1)) && (answers.peer == 11'(To));
      // An answer is meant for this barrier or for the one before, whichever has the residue.
      assign is_now = answers.barrier[1:0] == number[j][1:0] + first_q;
      assign is_past = answers.barrier[1:0] + 1'b1 == number[j][1:0] + first_q;
      assign meant = is_now ? number[j] : number[j] - 1'b1;
      assign passed = sent[j][2*m];
      assign untrue[m*Members+j] = repeats && is_now && !passed;
      assign unmeant[m*Members+j] = (repeats && !is_now && !is_past) ||
                                    (walk && walks.barrier[1:0] != number[j][1:0] + first_q);
      assign born = (walk ? 8'd1 << number[j] : '0) | (repeats ? 8'd1 << meant : '0);
      // It ends behind its receiver; two to four ahead there is nothing, four if that is not as
      // many behind.
      assign far = number[To] - 3'(Life + 1);
      assign all = medium_q[m*Members+j];
      assign medium_d[m*Members+j] = (all & ~(8'd1 << far)) | born;
      assign ahead[m*Members+j] = all[number[To]+3'd2] || all[number[To]+3'd3] ||
                                  (Life < 3 && all[number[To]+3'd4]);
    end

    // Round 1 of two members is none.
    logic [Rounds-1:0] round;
    assign round = Rounds'(1) << round_i[j];
    always_comb begin
      entry = '0;
      named = '0;
      source = '0;
      for (int unsigned m = 0; m < Rounds; m++) begin
        if (setup_q == 3'(2 * m)) entry = send_word[m*32+:32];
        if (setup_q == 3'(2 * m + 1)) entry = wait_word[m*32+:32];
        if (round[m]) source = (kind_i[j] == 2'd1) ? after[m*11+:11] : previous[m*11+:11];
        if (round[m]) named = (kind_i[j] == 2'd1) ? {send_word[m*32+30+:2], send_word[m*32+24+:5],
                                                     send_word[m*32+16+:5], send_word[m*32+:11]}
                                                  : {wait_word[m*32+30+:2], wait_word[m*32+24+:5],
                                                     wait_word[m*32+16+:5], wait_word[m*32+:11]};
      end
      if (setup_q == 3'(Steps)) entry = {2'b10, 14'd0, Group, 6'd0, first_q};
      if (ready) entry = 32'd1;
    end
    // A NACK is for the send of its round, the others are for the wait.
    assign deliver[j] = ready && comes_i[j] && (kind_i[j] <= 2'd2) && (round != '0) &&
                        (kind_i[j] != 2'd0 || (in_medium & round) != '0) &&
                        !(number_i[j] == number[j] - 3'(Life + 1) && kind_i[j] == 2'd0);
    assign in = {1'b0, kind_i[j], source, 3'd0, round_i[j], kind_i[j] != 2'd1, Group, 8'd0, 6'd0,
                 2'(number_i[j][1:0] + first_q)};

    muster_nic_walk #(.Contexts(1), .Steps(Steps), .SeqW(2)) dut (
      .clk_i, .rst_ni,
      .control_i(setup_q == 3'(Steps)),
      .doorbell_i(ready && start_i[j]),
      .entry_i(setup_q < 3'(Steps)),
      .entry_at_i(5'(setup_q)),
      .word_i(entry),
      .at_i(1'b0),
      .control_o(control[j]),
      .received_o(received[j]),
      .sent_o(sent[j]),
      .timed_i(Timeout != 0),
      .runs_o(runs[j]),
      .due_i(due_i[j] && runs[j]),
      .spent_i(spent_i[j]),
      .message_i(in),
      .named_i(named),
      .arrives_i(1'b1),
      .message_valid_i(deliver[j]),
      .collective_i(deliver[j]),
      .data_i(1'b0),
      .reply_o(reply[j]),
      .answer_o(answer_kind),
      .want_o(want[j]),
      .message_o(message[j]),
      .gap_over_i(1'b1),
      .grant_i(grant_i[j]),
      .taken_i(1'b0),
      .loaded_i(loaded_i[j])
    );

    assign answer[j] = {answer_kind, in.peer, named.slot, in.group, 8'd0, in.barrier};
    assign jumps[j] = control[j][1:0] != number_q[j][1:0] + first_q;
    assign number[j] = number_q[j] + 3'(ready && jumps[j]);
    always_ff @(posedge clk_i) begin
      if (!ready) number_now_q <= '0;
      else number_now_q <= number[j];
    end
    assign number_q[j] = number_now_q;

    for (genvar i = 0; i < Members; i++) begin : gen_other
      logic [2:0] distance;
      assign distance = number[i] - number[j];
      assign apart[j*Members+i] = !(distance == 3'd0 || distance == 3'd1 || distance == 3'd7);
      // j has just completed the barrier before its number: i has begun that.
      assign early[j*Members+i] = (number[j] != number_q[j]) && (distance == 3'd7) &&
                                  (control[i][29:28] == 2'd0);
    end
  end

  always_ff @(posedge clk_i) begin
    if (!ready) medium_q <= '0;
    else medium_q <= medium_d;
  end

  // A bit of a wait is set: its sender is past the send in the same barrier.
  logic [Members*Rounds-1:0] unfounded;
  for (genvar m = 0; m < Rounds; m++) begin : gen_wait
    for (genvar j = 0; j < Members; j++) begin : gen_at
      localparam int unsigned From = (j + Members - (1 << m)) % Members;
      assign unfounded[m*Members+j] = ready && received[j][2*m+1] &&
                                      !(number[From] == number[j] + 3'd1 ||
                                        (number[From] == number[j] && sent[From][2*m]));
    end
  end

  // ---- What the facts rest on, as seen at the ports -------------------------------------------
  // got[m][b]: a STEP of round m has come to j for its barrier whose number's lowest bit is b, its
  // present one or the next.
  logic [Members*Rounds-1:0][1:0] got_q, got_d;
  always_ff @(posedge clk_i) begin
    if (!ready) got_q <= '0;
    else got_q <= got_d;
  end
  logic [Members*Rounds-1:0] strays, hasty, miscounted, behind;
  logic [Members-1:0] lost;
  logic [Members*Rounds-1:0][7:0] false_in_medium;
  for (genvar j = 0; j < Members; j++) begin : gen_walk
    logic active, odd;
    assign active = control[j][29:28] != 2'd0;
    assign odd = number[j][0];
    // The context is that of the group, its number is the one that is counted here, and its place
    // in the list is of the list.
    assign lost[j] = ready && (control[j][31:30] != 2'b10 || control[j][15:8] != Group ||
                               32'(control[j][20:16]) >= Steps || control[j][29:28] == 2'd3 ||
                               control[j][1:0] != number[j][1:0] + first_q);
    for (genvar m = 0; m < Rounds; m++) begin : gen_round
      localparam int unsigned From = (j + Members - (1 << m)) % Members;
      logic step, comes_now, comes_next, kept_now, kept_next;
      logic [1:0] bits;
      assign step = deliver[j] && kind_i[j] == 2'd0 && 1'(m) == round_i[j];
      assign comes_now = step && number_i[j] == number[j];
      assign comes_next = step && number_i[j] == number[j] + 3'd1;
      // The bit of the next barrier is an old one in the cycle in which the number has risen.
      assign bits = got_q[m*Members+j];
      assign kept_now = odd ? bits[1] : bits[0];
      assign kept_next = (odd ? bits[0] : bits[1]) && number[j] == number_q[j];
      assign got_d[m*Members+j] = odd ? {kept_now || comes_now, kept_next || comes_next}
                                      : {kept_next || comes_next, kept_now || comes_now};
      // A send is done exactly if the walk is past it, a wait at least then; bits are of what came.
      assign strays[m*Members+j] = ready && (
          sent[j][2*m] != (active && 32'(control[j][20:16]) > 2 * m) || sent[j][2*m+1] ||
          received[j][2*m] ||
          (active && 32'(control[j][20:16]) > 2 * m + 1 && !received[j][2*m+1]));
      assign miscounted[m*Members+j] = ready && received[j][2*m+1] != kept_now;
      // What has come early is of a sender that is one ahead and past the send.
      assign hasty[m*Members+j] = ready && kept_next &&
                                  !(number[From] == number[j] + 3'd1 && sent[From][2*m]);
      // A member that is one ahead has had all its steps from those behind.
      assign behind[m*Members+j] = ready && number[j] == number[From] + 3'd1 && !sent[From][2*m];
      // What is in the medium has been sent: up to three barriers ago, or in the present one.
      for (genvar q = 0; q < 8; q++) begin : gen_number
        logic [2:0] since;
        assign since = number[j] - 3'(q);
        assign false_in_medium[m*Members+j][q] =
            ready && medium_q[m*Members+j][q] &&
            !((since == 3'd0 && sent[j][2*m]) || since == 3'd1 || since == 3'd2 || since == 3'd3);
      end
    end
  end

  // A message is at the port a cycle before it is judged.
  `MUSTER_ASSUME(ThereBefore_M, sudden == '0)
  `MUSTER_ASSUME(GrantOnWant_M, (grant_i & ~want) == '0)

  `MUSTER_ASSERT(InItsList_A, lost == '0)
  `MUSTER_ASSERT(SentAsWalked_A, strays == '0)
  `MUSTER_ASSERT(BitsAreOfWhatCame_A, miscounted == '0)
  `MUSTER_ASSERT(EarlyIsOfOneAhead_A, hasty == '0)
  `MUSTER_ASSERT(OneAheadHasHeard_A, behind == '0)
  `MUSTER_ASSERT(MediumIsTrue_A, Life > 2 || false_in_medium == '0)

  `MUSTER_ASSERT(SaysWhatItMeans_A, unmeant == '0)
  `MUSTER_ASSERT(OnlyTheTruth_A, untrue == '0)
  `MUSTER_ASSERT(OneAheadAtMost_A, !ready || ahead == '0)
  `MUSTER_ASSERT(BitsOfThisBarrier_A, unfounded == '0)
  `MUSTER_ASSERT(OneBarrierApart_A, !ready || apart == '0)
  `MUSTER_ASSERT(NobodyIsEarly_A, !ready || early == '0)

  // All residues are used, a step comes early, an old one comes, one is repeated for the past.
  logic [Members-1:0] comes_early, comes_old, repeats_past;
  for (genvar j = 0; j < Members; j++) begin : gen_cover
    muster_pkg::nic_message_t answers;
    assign answers = answer[j];
    assign comes_early[j] = deliver[j] && kind_i[j] == 2'd0 && number_i[j] == number[j] + 3'd1;
    assign comes_old[j] = deliver[j] && kind_i[j] == 2'd0 && number_i[j] == number[j] - 3'd2;
    assign repeats_past[j] = reply[j] && answers.kind == muster_pkg::NicStep &&
                             answers.barrier[1:0] + 1'b1 == number[j][1:0] + first_q;
  end
  `MUSTER_COVER(EarlyStep_C, comes_early != '0)
  `MUSTER_COVER(OldStep_C, comes_old != '0)
  `MUSTER_COVER(RepeatsThePast_C, repeats_past != '0)
  `MUSTER_COVER(Wraps_C, number[0] == 3'd4 && number[1] == 3'd3)

endmodule

`default_nettype wire
