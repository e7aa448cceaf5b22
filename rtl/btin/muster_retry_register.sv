// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "muster_assert.svh"

// A barrier register that tolerates lost and duplicated messages on the links:
// muster_barrier_register with parameter Retry. docs/systems/retry-registers.md is its
// specification cycle by cycle; the rules and their model check are in docs/reliability.md.
//
// The data of a message are {phase, fail, epoch, data}. A message of another epoch is refused, as
// is one on a port from which its type does not come. Any other has an effect if its phase is that
// of the barrier in progress, or if it requests the last release again.
//
// The state is two bits for each port: `arrived`, and `serve`, the last release is to go there. In
// a register that has failed, `arrived` means that a notice of the failure is to go there. They are
// decided on the state of cycle t, at its edge. At any time there is only one message to send:
// `ask`, an UP to the parent; else a notice; else the last release.
//
// While `up`, all children have arrived and none is served, so the one word of muster_data_fold is
// the UP's until it is answered, and the last release's after that.
//
// Example, C = 0110, P = 3, phase 0: UP(0) on 1 and 2 in t; request_o[3] in t + 1, an UP(0) leaves
// in t + 1 and is lost; `sent` from t + 2; tick_i in u: request_o[3] in u + 1, which is answered;
// DOWN(0) on 3 in v; request_o = 0110 in v + 1, both leave, one is lost; UP(0) again on 2 in w;
// request_o = 0100 with DOWN(0) in w + 1.
module muster_retry_register #(
  /// ports of the switch, 3 to 32
  parameter int unsigned Ports = 8,
  /// bits of a group identifier, 4 to 12
  parameter int unsigned GidW = 8,
  /// bits of synchronization data, those of the fields included, 6 to 74
  parameter int unsigned DataW = 6,
  localparam int unsigned FoldW = DataW - muster_pkg::RetryW,
  localparam int unsigned ParentW = $clog2(Ports + 1)
) (
  input  wire logic                          clk_i,
  input  wire logic                          rst_ni,

  /// write valid, turn, claimed (kept for the writer), op, epoch, parent, gid; clears all state.
  /// The parent is not in the child mask; a number of at least Ports is no port
  input  wire logic                          control_write_i,
  input  wire logic                          valid_i,
  input  wire logic                          turn_i,
  input  wire logic                          claimed_i,
  input  wire logic [2:0]                    op_i,
  input  wire logic [1:0]                    epoch_i,
  input  wire logic [ParentW-1:0]            parent_i,
  /// the same one-hot; zero if it is no port, or with turn_i
  input  wire logic [Ports-1:0]              parent_port_i,
  input  wire logic [GidW-1:0]               gid_i,
  /// write the child mask; a port that is not in both masks has neither arrived nor is it served
  input  wire logic                          children_write_i,
  input  wire logic [Ports-1:0]              children_i,
  /// the barrier under way fails, if all have not arrived at it
  input  wire logic                          abort_i,

  /// what is under way is sent once more; it grows older
  input  wire logic                          tick_i,
  input  wire logic                          age_tick_i,

  /// a well-formed message on port p: distribution or reduction, its group, its data
  input  wire logic [Ports-1:0]              msg_i,
  input  wire logic [Ports-1:0]              msg_distribution_i,
  input  wire logic [Ports-1:0][GidW-1:0]    msg_gid_i,
  input  wire logic [Ports-1:0][DataW-1:0]   msg_data_i,
  /// the message on port p is of this group; it is not refused
  output logic [Ports-1:0]                   match_o,
  output logic [Ports-1:0]                   takes_o,

  /// a message waits for port p: a distribution, or a reduction, and its data
  output logic [Ports-1:0]                   request_o,
  output logic                               distribution_o,
  output logic [DataW-1:0]                   data_o,
  /// the message to port p leaves in this cycle; only where request_o[p]
  input  wire logic [Ports-1:0]              leaves_i,

  /// for the host
  output logic                               valid_o,
  output logic                               turn_o,
  output logic                               claimed_o,
  output logic [2:0]                         op_o,
  output logic [1:0]                         epoch_o,
  output logic [ParentW-1:0]                 parent_o,
  output logic [GidW-1:0]                    gid_o,
  output logic [Ports-1:0]                   children_o,
  output logic [Ports-1:0]                   arrived_o,
  output logic [Ports-1:0]                   serve_o,
  output logic                               sent_o,
  output logic                               phase_o,
  output logic                               failed_o,
  output logic [3:0]                         age_o,
  /// ports that have arrived and whose data wait to be folded
  output logic [Ports-1:0]                   folding_o,
  /// a barrier is under way
  output logic                               under_way_o,
  /// something changes at the edge, whatever comes
  output logic                               busy_o
);
  `MUSTER_RANGE(Ports, 3, 32)
  `MUSTER_RANGE(GidW, 4, 12)
  `MUSTER_RANGE(DataW, 6, 74)

  logic valid_q, turn_q, claimed_q, phase_q, failed_q, up_q, ask_q, sent_q, fresh_q;
  logic [1:0] epoch_q;
  logic [ParentW-1:0] parent_q;
  logic [3:0] age_q;
  logic [2:0] op_q;
  logic [GidW-1:0] gid_q;
  logic [Ports-1:0] children_q, parent_port_q, arrived_q, serve_q;

  // ---- Which messages are taken, and what for -------------------------------------------------
  // By port: it brings data, of a child that arrives or of the parent that releases; it asks for
  // the last release; it says that the barrier has failed.
  logic [Ports-1:0] phase, fail, offered, takes, brings, asks_again, says_failed;
  logic [Ports-1:0][1:0] epoch;
  logic [Ports-1:0][FoldW-1:0] word;

  // A simulator skips this in the cycles without a message, which are most.
  always_comb begin
    phase = '0;
    fail = '0;
    epoch = '0;
    word = '0;
    takes = '0;
    match_o = '0;
    if (msg_i != '0) begin
      for (int unsigned p = 0; p < Ports; p++) begin
        {phase[p], fail[p], epoch[p], word[p]} = msg_data_i[p];
        match_o[p] = msg_i[p] && valid_q && (msg_gid_i[p] == gid_q);
        takes[p] = match_o[p] && (epoch[p] == epoch_q) &&
                   (msg_distribution_i[p] ? parent_port_q[p] : children_q[p]);
      end
    end
  end
  assign takes_o = takes;

  logic [Ports-1:0] now;  // of the barrier under way, or of the last
  logic [Ports-1:0] down, due, missed;
  logic up_due, down_due;
  assign up_due = !up_q && !failed_q;
  assign down_due = sent_q && !failed_q;
  assign now = phase ~^ {Ports{phase_q}};
  assign down = msg_distribution_i;
  assign due = (~down & ~arrived_q & {Ports{up_due}}) | (down & {Ports{down_due}});
  assign missed = ~(down | (arrived_q & {Ports{!failed_q}}) | {Ports{up_q}});
  assign brings = takes & due & now & ~fail;
  assign asks_again = takes & missed & ~now & ~fail;
  assign says_failed = takes & now & fail;
  // Data of a child that was taken out of the mask may still wait to be folded.
  assign offered = msg_i & ~arrived_q & ~folding_o & {Ports{!failed_q}};

  // ---- What follows ---------------------------------------------------------------------------
  logic [Ports-1:0] missing;
  logic [FoldW-1:0] data;
  logic at_once, last, folded, data_busy, comes, all_here, full, releases, fails, has_parent;
  assign missing = children_q & ~arrived_q;
  assign has_parent = parent_port_q != '0;
  assign at_once = up_q || (op_q[1:0] == '0);
  assign folded = last || !data_busy;
  assign comes = brings != '0;
  assign all_here = children_q != '0 && (missing & ~brings) == '0;
  // With an operation that folds, who comes now is still to be folded. While `up`, the parent alone
  // brings anything.
  assign full = all_here && up_due && (at_once || (folded && !comes));
  assign releases = ((full && turn_q) || (up_q && comes)) && !fails;
  assign fails = valid_q && !failed_q &&
                 (says_failed != '0 || (abort_i && !up_q && !all_here));

  muster_data_fold #(.Ports(Ports), .DataW(FoldW), .Forgets(1)) fold (
    .clk_i, .rst_ni,
    .op_i(op_q),
    .offered_i(offered),
    .come_i(brings),
    .data_i(word),
    .fold_i(!at_once),
    .clear_i(control_write_i),
    .take_i(fresh_q),
    .data_o(data),
    .folding_o,
    .last_o(last),
    .busy_o(data_busy)
  );

  // ---- What is sent ---------------------------------------------------------------------------
  logic [Ports-1:0] notice;
  logic notices;
  assign notice = arrived_q & ~serve_q & {Ports{failed_q}};
  assign notices = notice != '0;
  assign request_o = ask_q ? parent_port_q : notices ? notice : serve_q;
  assign distribution_o = !ask_q;

  logic of_failed;  // the message is one of this barrier, which has failed
  assign of_failed = failed_q && (ask_q || notices);
  assign data_o = {phase_q ^ !(ask_q || notices), of_failed, epoch_q, data & {FoldW{!of_failed}}};

  // ---- State ----------------------------------------------------------------------------------
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      valid_q <= 1'b0;
      turn_q <= 1'b0;
      claimed_q <= 1'b0;
      op_q <= '0;
      epoch_q <= '0;
      parent_q <= '0;
      parent_port_q <= '0;
      gid_q <= '0;
    end else if (control_write_i) begin
      valid_q <= valid_i;
      turn_q <= turn_i;
      claimed_q <= claimed_i;
      op_q <= op_i;
      epoch_q <= epoch_i;
      parent_q <= parent_i;
      parent_port_q <= parent_port_i;
      gid_q <= gid_i;
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) children_q <= '0;
    else if (children_write_i) children_q <= children_i;
  end

  logic [Ports-1:0] goes;  // out of the child mask
  logic repeats, notify, ages;
  assign goes = children_write_i ? ~children_i : '0;
  assign repeats = tick_i && (failed_q || up_q);
  assign notify = fails || (tick_i && failed_q);
  assign ages = age_tick_i && under_way_o && !failed_q && age_q != '1;

  // The conditions are timing-critical, so masked: a branch would become a reset or an enable on an
  // extra net. A message that leaves is notice where nothing is to be served.
  always_ff @(posedge clk_i) begin
    for (int unsigned p = 0; p < Ports; p++) begin
      if (!rst_ni || control_write_i || goes[p]) begin
        arrived_q[p] <= 1'b0;
        serve_q[p] <= 1'b0;
      end else begin
        arrived_q[p] <= notify ? children_q[p] :
                        ((arrived_q[p] && !(leaves_i[p] && !serve_q[p])) || brings[p]) && !releases;
        serve_q[p] <= (serve_q[p] && !leaves_i[p] && !brings[p]) || asks_again[p] ||
                      (children_q[p] && releases);
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni || control_write_i) begin
      phase_q <= 1'b0;
      failed_q <= 1'b0;
      up_q <= 1'b0;
      ask_q <= 1'b0;
      sent_q <= 1'b0;
      fresh_q <= 1'b0;
      age_q <= '0;
    end else begin
      phase_q <= phase_q ^ releases;
      failed_q <= failed_q || fails;
      up_q <= (up_q || (full && !turn_q)) && !releases;
      ask_q <= ((ask_q && leaves_i == '0) || (has_parent && (fails || repeats || full))) &&
               !releases;
      sent_q <= (sent_q || (ask_q && !failed_q && leaves_i != '0)) && !releases;
      fresh_q <= releases || (full && !turn_q);
      age_q <= (age_q ^ ({age_q[2:0] & {&age_q[1:0], age_q[0], 1'b1}, 1'b1} & {4{ages}})) &
               ~{4{releases || fails}};
    end
  end

  assign valid_o = valid_q;
  assign turn_o = turn_q;
  assign claimed_o = claimed_q;
  assign op_o = op_q;
  assign epoch_o = epoch_q;
  assign parent_o = parent_q;
  assign gid_o = gid_q;
  assign children_o = children_q;
  assign arrived_o = arrived_q;
  assign serve_o = serve_q;
  assign sent_o = sent_q;
  assign phase_o = phase_q;
  assign failed_o = failed_q;
  assign age_o = age_q;
  assign under_way_o = up_q || failed_q || arrived_q != '0;  // so it is valid
  assign busy_o = fresh_q || data_busy || (up_due && children_q != '0 && missing == '0);

  logic live;
  assign live = under_way_o || serve_q != '0 || ask_q || sent_q || phase_q || age_q != '0;
  `MUSTER_ASSERT(OnlyChildren_A, ((arrived_q | serve_q) & ~children_q) == '0)
  `MUSTER_ASSERT(OnlyIfValid_A, valid_q || !live)
  `MUSTER_ASSERT(SentIsUp_A, !sent_q || up_q)
  `MUSTER_ASSERT(TurnNeverAsks_A, !turn_q || !(up_q || ask_q || sent_q))
  `MUSTER_ASSERT(AskIsUpOrFailed_A, !ask_q || (has_parent && (up_q || failed_q)))
  `MUSTER_ASSERT(NothingServedWhileUp_A, !up_q || serve_q == '0)
  `MUSTER_ASSERT(ServedHasNotArrived_A, failed_q || (arrived_q & serve_q) == '0)
  `MUSTER_ASSERT(ReleasesOrFails_A, !(releases && fails))
  `MUSTER_ASSERT(LeavesOnRequest_A, (leaves_i & ~request_o) == '0)

endmodule

`default_nettype wire
