// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "muster_assert.svh"
`include "muster_few.svh"

// One barrier register: the place of one group in this switch (BTIN section 3.1, Figure 4).
//
// Fields written by the host: valid, GID, P (parent port), C (child mask: child switches and local
// member nodes), turn. At the root switch P is the port of the root node, which is notified like a
// parent and answers with the distribution message; with `turn` the root switch answers itself, the
// root node is a child like any other, and P is not used.
//
// Upward state: A (arrived mask), combined data, `sent`. Downward state: data, S (ports still to
// serve). They are separate, so that a port already released may arrive for the next barrier while
// another still waits for this one's release.
//
// A message of this group in cycle t, decided on the state of t, takes effect at the edge of t:
//   reduction, port p      accepted if C[p], not A[p], not S[p]: A[p] is set, its data is combined
//   distribution, port p   accepted if p = P, not turn, `sent`: A and `sent` are cleared, S = C
//   anything else          changes nothing; wrong_port_o or out_of_phase_o tells why
// Messages on different ports in one cycle do not disturb each other. Full means A = C, C not
// empty. A full register asks for its parent (up) until `sent`; a `turn` register never becomes
// full: the last arrivals make A = 0 and S = C at once, so turning round costs a hop and no more.
// What decides about a message is kept by port, so that little follows the comparison of groups:
// `missing` = C without A, `expects` = missing without S (of a valid register), `asks`, one-hot,
// the parent while a message for it waits, and `awaits`, the parent while `sent`.
// Example, C = 0110, P = 3: reductions on 1 and 2 in t; full in t + 1, request_o[3] answered by
// leaves_i[3] in t + 1; `sent` from t + 2; distribution on 3 in u; S = 0110 in u + 1, both served
// in u + 1.
//
// Data are combined by the operation of the group (data_fold). OR and AND cost no cycle; with the
// others the register is full, or turns round, when the data of all ports are folded: n cycles
// later, if those of n ports were waiting after the last arrival.
module barrier_register #(
  /// ports of the switch, 3 to 16
  parameter int unsigned Ports = 8,
  /// bits of a group identifier, 4 to 12
  parameter int unsigned GidW = 8,
  /// bits of synchronization data, 2 to 74
  parameter int unsigned DataW = 6
) (
  input  wire logic                          clk_i,
  input  wire logic                          rst_ni,

  /// write valid, turn, claimed (kept for the writer), op, parent, gid; clears all state. The
  /// parent is not in the child mask; a number of at least Ports is no port
  input  wire logic                          control_write_i,
  input  wire logic                          valid_i,
  input  wire logic                          turn_i,
  input  wire logic                          claimed_i,
  input  wire logic [2:0]                    op_i,
  input  wire logic [3:0]                    parent_i,
  input  wire logic [GidW-1:0]               gid_i,
  /// write the child mask; clears all state as well
  input  wire logic                          children_write_i,
  input  wire logic [Ports-1:0]              children_i,

  /// a well-formed message on port p: distribution or reduction, its group, its data
  input  wire logic [Ports-1:0]              msg_i,
  input  wire logic [Ports-1:0]              msg_distribution_i,
  input  wire logic [Ports-1:0][GidW-1:0]    msg_gid_i,
  input  wire logic [Ports-1:0][DataW-1:0]   msg_data_i,
  /// the message on port p is of this group
  output logic [Ports-1:0]                   match_o,
  /// it was dropped: not a child, not the parent
  output logic [Ports-1:0]                   wrong_port_o,
  /// it was dropped: right port, wrong time
  output logic [Ports-1:0]                   out_of_phase_o,

  /// a message waits for port p: at most the parent's is a reduction, the others distributions
  output logic [Ports-1:0]                   request_o,
  /// reduction message to the parent
  output logic [DataW-1:0]                   up_data_o,
  /// distribution message to the ports of serve_o
  output logic [DataW-1:0]                   down_data_o,
  /// the message to port p leaves in this cycle; only where request_o[p]
  input  wire logic [Ports-1:0]              leaves_i,

  /// for the host
  output logic                               valid_o,
  output logic                               turn_o,
  output logic                               claimed_o,
  output logic [2:0]                         op_o,
  output logic [3:0]                         parent_o,
  output logic [GidW-1:0]                    gid_o,
  output logic [Ports-1:0]                   children_o,
  output logic [Ports-1:0]                   arrived_o,
  output logic [Ports-1:0]                   serve_o,
  output logic                               sent_o,
  /// ports that have arrived and whose data wait to be folded
  output logic [Ports-1:0]                   folding_o
);
  if (Ports < 3 || Ports > 16) begin : gen_bad_ports
    $error("barrier_register: Ports must be 3 to 16");
  end
  if (GidW < 4 || GidW > 12) begin : gen_bad_gid
    $error("barrier_register: GidW must be 4 to 12");
  end
  if (DataW < 2 || DataW > 74) begin : gen_bad_data
    $error("barrier_register: DataW must be 2 to 74");
  end

  logic valid_q, turn_q, claimed_q;
  logic [3:0] parent_q;
  logic [2:0] op_q;
  logic [GidW-1:0] gid_q;
  logic [Ports-1:0] children_q, missing_q, expects_q, serve_q, asks_q, awaits_q;
  logic [DataW-1:0] down_q;

  // ---- Which messages count -----------------------------------------------------------------
  logic [Ports-1:0] parent_onehot, at_port, expected, takes, arrives, answers;
  logic [DataW-1:0] up_next, answer_data;
  logic at_once, last, completes, turns_round, answered, clears;

  assign parent_onehot = turn_q ? '0 : Ports'(16'd1 << parent_q);

  // Few cycles have a message: the condition saves a simulator the work.
  always_comb begin
    expected = '0;
    takes = '0;
    match_o = '0;
    at_port = '0;
    wrong_port_o = '0;
    out_of_phase_o = '0;
    if (valid_q && `MUSTER_FEW(msg_i != '0)) begin
      expected = msg_i & ((msg_distribution_i & awaits_q) | (~msg_distribution_i & expects_q));
      at_port = (msg_distribution_i & parent_onehot) | (~msg_distribution_i & children_q);
      for (int unsigned p = 0; p < Ports; p++) begin
        takes[p] = expected[p] && (msg_gid_i[p] == gid_q);
        match_o[p] = msg_i[p] && (msg_gid_i[p] == gid_q);
      end
      wrong_port_o = match_o & ~at_port;
      out_of_phase_o = match_o & at_port & ~takes;
    end
  end
  assign arrives = takes & ~msg_distribution_i;
  assign answers = takes & msg_distribution_i;
  assign answered = |answers;
  assign at_once = op_q[1:0] == '0;
  // The register is full, or turns round, from the next cycle on.
  assign completes = at_once ? missing_q != '0 && (missing_q & ~arrives) == '0
                             : last && missing_q == '0;
  assign turns_round = turn_q && completes;
  assign clears = answered || turns_round;

  data_fold #(
    .Ports(Ports),
    .DataW(DataW)
  ) fold (
    .clk_i,
    .rst_ni,
    .op_i(op_q),
    .arrivals_i(arrives),
    .data_i(msg_data_i),
    .come_i(takes),
    .passed_o(answer_data),
    .restart_i(clears),
    .clear_i(control_write_i || children_write_i),
    .up_o(up_data_o),
    .up_next_o(up_next),
    .folding_o,
    .last_o(last)
  );

  // ---- What waits to be sent ----------------------------------------------------------------
  assign request_o = serve_q | asks_q;

  // ---- State --------------------------------------------------------------------------------
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      valid_q <= 1'b0;
      turn_q <= 1'b0;
      claimed_q <= 1'b0;
      children_q <= '0;
      missing_q <= '0;
      expects_q <= '0;
      serve_q <= '0;
      asks_q <= '0;
      awaits_q <= '0;
      parent_q <= '0;
      gid_q <= '0;
      op_q <= '0;
    end else begin
      if (children_write_i) children_q <= children_i;
      if (control_write_i) begin
        valid_q <= valid_i;
        turn_q <= turn_i;
        claimed_q <= claimed_i;
        op_q <= op_i;
        parent_q <= parent_i;
        gid_q <= gid_i;
      end
      if (control_write_i || children_write_i) begin
        missing_q <= children_write_i ? children_i : children_q;
        expects_q <= (children_write_i ? children_i : children_q) &
                     {Ports{control_write_i ? valid_i : valid_q}};
        serve_q <= '0;
        asks_q <= '0;
        awaits_q <= '0;
      end else begin
        // Known late in the cycle, so by gates: a tool would make a branch a reset, on a net of its
        // own. While there is something to clear, nothing is asked for.
        missing_q <= clears ? children_q : missing_q & ~arrives;
        // From itself, so that it stays, whatever it is, while nothing comes and nothing leaves.
        expects_q <= (expects_q | (serve_q & leaves_i)) & ~arrives & ~{Ports{clears}};
        serve_q <= clears ? children_q : serve_q & ~leaves_i;
        asks_q <= completes ? parent_onehot : asks_q & ~leaves_i;
        awaits_q <= (awaits_q | (leaves_i & asks_q)) & ~{Ports{clears}};
      end
    end
  end

  // Looked at only while S is not empty, so it may be written before that is known.
  always_ff @(posedge clk_i) begin
    if ((match_o != '0 || last) && serve_q == '0) down_q <= turn_q ? up_next : answer_data;
  end

  assign down_data_o = down_q;
  assign valid_o = valid_q;
  assign turn_o = turn_q;
  assign claimed_o = claimed_q;
  assign op_o = op_q;
  assign parent_o = parent_q;
  assign gid_o = gid_q;
  assign children_o = children_q;
  assign arrived_o = children_q & ~missing_q;
  assign serve_o = serve_q;
  assign sent_o = awaits_q != '0;

  logic full;
  assign full = valid_q && (children_q != '0) && missing_q == '0 && (folding_o == '0);
  `MUSTER_ASSERT(AsksWhileFull_A, asks_q == ((full && awaits_q == '0) ? parent_onehot : '0))
  `MUSTER_ASSERT(AwaitsParent_A, (awaits_q & ~parent_onehot) == '0)
  `MUSTER_ASSERT(ExpectsTheMissing_A, expects_q == (valid_q ? missing_q & ~serve_q : '0))
  `MUSTER_ASSERT(AllServedBeforeFull_A, !full || serve_q == '0)
  `MUSTER_ASSERT(OneDownwardSlot_A, !clears || serve_q == '0)
  `MUSTER_ASSERT(ClearsNoRequest_A, !clears || asks_q == '0)
  `MUSTER_ASSERT(MissingIsChild_A, (missing_q & ~children_q) == '0)
  `MUSTER_ASSERT(ServedIsMissing_A, (serve_q & ~missing_q) == '0)
  `MUSTER_ASSERT(SentIsFull_A, !sent_o || full)
  `MUSTER_ASSERT(FoldingHasArrived_A, (folding_o & ~arrived_o) == '0)
  `MUSTER_ASSERT(LeavesOnRequest_A, (leaves_i & ~request_o) == '0)

endmodule

`default_nettype wire
