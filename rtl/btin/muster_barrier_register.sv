// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "muster_assert.svh"

// One barrier register: the state of one group in this switch (BTIN section 3.1, Figure 4).
//
// Fields written by the host: valid, GID, P (parent port), C (child mask: child switches and local
// member nodes), turn. At the root switch P is the port of the root node, which is notified like a
// parent and answers with the distribution message. With `turn` the root switch reflects: it
// answers itself, the root node is a child like any other, and P is not used.
//
// Messages alternate on each edge of the tree, so the state is two bits for each port. `due`: a
// message is due from it, a reduction if it is a child, a distribution if it is the parent. `send`:
// a message waits for it. A child with neither bit has arrived. At any time there is only one
// message to send: a reduction while `up`, else a distribution.
//
// A message of this group in cycle t is decided on the state of t and takes effect at the edge of
// t. It is taken if it is due and of the type that is due from its port; else it changes nothing.
// Messages on different ports in one cycle do not affect each other. The message that leaves
// through port p makes the next one due from p. A port that has been released may arrive for the
// next barrier while another still waits for its release; but the next barrier cannot complete
// before all are served.
//
// When the last due message is taken, the next message is sent: after those of the children to the
// parent, after that of the parent to the children, and in a `turn` register after those of the
// children back to these, so that reflecting takes no longer than a hop. The message is at
// request_o in the next cycle. Example, C = 0110, P = 3: reductions on 1 and 2 in t; request_o[3]
// in t + 1, answered by leaves_i[3] in t + 1; `sent` from t + 2; distribution on 3 in u; request_o
// = 0110 in u + 1, both served in u + 1.
//
// Data are combined by the operation of the group (muster_data_fold). OR and AND cost no cycle.
// With the others the message is sent when the data of all ports are folded: n + 1 cycles later, if
// those of n ports were to be folded after the last arrival.
//
// With Labels a message names the register that it is for: msg_i has only those of this one, no
// identifier is compared, and that of the control word is the host's alone.
module muster_barrier_register #(
  /// ports of the switch, 3 to 32
  parameter int unsigned Ports = 8,
  /// bits of a group identifier, 4 to 12
  parameter int unsigned GidW = 8,
  /// bits of synchronization data, 2 to 74
  parameter int unsigned DataW = 6,
  /// operations: 0 all, 1 OR and AND, 2 none, no data; of op_i is kept what they have. 0 to 2
  parameter int unsigned Ops = 0,
  /// msg_i is of messages for this register, msg_gid_i is ignored; 0 to 1
  parameter int unsigned Labels = 0,
  localparam int unsigned ParentW = $clog2(Ports + 1)
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
  input  wire logic [ParentW-1:0]            parent_i,
  /// the same one-hot; zero if it is no port, or with turn_i
  input  wire logic [Ports-1:0]              parent_port_i,
  input  wire logic [GidW-1:0]               gid_i,
  /// write the child mask; clears all state as well
  input  wire logic                          children_write_i,
  input  wire logic [Ports-1:0]              children_i,

  /// a well-formed message on port p: distribution or reduction, its group, its data; with Ops 1
  /// the data are of that in the cycle before
  input  wire logic [Ports-1:0]              msg_i,
  input  wire logic [Ports-1:0]              msg_distribution_i,
  input  wire logic [Ports-1:0][GidW-1:0]    msg_gid_i,
  input  wire logic [Ports-1:0][DataW-1:0]   msg_data_i,
  /// the message on port p is of this group; it is taken
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
  output logic [ParentW-1:0]                 parent_o,
  output logic [GidW-1:0]                    gid_o,
  output logic [Ports-1:0]                   children_o,
  output logic [Ports-1:0]                   arrived_o,
  output logic [Ports-1:0]                   serve_o,
  output logic                               sent_o,
  /// ports that have arrived and whose data wait to be folded
  output logic [Ports-1:0]                   folding_o,
  /// something changes at the edge, whatever comes
  output logic                               busy_o
);
  `MUSTER_RANGE(Ports, 3, 32)
  `MUSTER_RANGE(GidW, 4, 12)
  `MUSTER_RANGE(DataW, 2, 74)
  `MUSTER_RANGE(Ops, 0, 2)
  `MUSTER_RANGE(Labels, 0, 1)

  localparam logic [2:0] KeptOp = (Ops == 0) ? 3'b111 : (Ops == 1) ? 3'b100 : 3'b000;

  logic valid_q, turn_q, claimed_q, up_q, fresh_q;
  logic [ParentW-1:0] parent_q;
  logic [2:0] op_q;
  logic [GidW-1:0] gid_q;
  logic [Ports-1:0] children_q, parent_port_q, due_q, send_q;

  // ---- Which messages are taken -------------------------------------------------------------
  logic [Ports-1:0] expected, takes;

  // A simulator skips this in the cycles without a message, which are most.
  always_comb begin
    expected = '0;
    takes = '0;
    match_o = '0;
    if (msg_i != '0) begin
      expected = msg_i & due_q & ~(msg_distribution_i ^ parent_port_q);
      for (int unsigned p = 0; p < Ports; p++) begin
        takes[p] = expected[p] && (Labels == 1 || msg_gid_i[p] == gid_q);
        match_o[p] = msg_i[p] && valid_q && (Labels == 1 || msg_gid_i[p] == gid_q);
      end
    end
  end
  assign takes_o = takes;

  // ---- What follows -------------------------------------------------------------------------
  logic [Ports-1:0] next;
  logic at_once, last, ripe, completes, data_busy;
  assign next = (up_q || turn_q) ? children_q : parent_port_q;  // where the next message goes
  assign at_once = up_q || (op_q[1:0] == '0);
  assign ripe = (send_q == '0) && (at_once ? due_q != '0 : last && due_q == '0);
  assign completes = ripe && (due_q & ~takes) == '0;

  if (Ops != 2) begin : gen_data
    muster_data_fold #(.Ports(Ports), .DataW(DataW), .Ops(Ops)) fold (
      .clk_i, .rst_ni,
      .op_i(op_q),
      .offered_i(expected),
      .come_i(takes),
      .data_i(msg_data_i),
      .fold_i(!at_once),
      .clear_i(control_write_i || children_write_i),
      .take_i(fresh_q),
      .data_o,
      .folding_o,
      .last_o(last),
      .busy_o(data_busy)
    );
  end else begin : gen_no_data
    assign data_o = '0;
    assign folding_o = '0;
    assign {last, data_busy} = '0;

    logic unused;
    assign unused = &{1'b0, expected, msg_data_i};
  end

  // ---- State --------------------------------------------------------------------------------
  logic valid_d;
  logic [Ports-1:0] children_d;
  assign valid_d = control_write_i ? valid_i : valid_q;
  assign children_d = children_write_i ? children_i : children_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      valid_q <= 1'b0;
      turn_q <= 1'b0;
      claimed_q <= 1'b0;
      op_q <= '0;
      parent_q <= '0;
      parent_port_q <= '0;
      gid_q <= '0;
    end else if (control_write_i) begin
      valid_q <= valid_i;
      turn_q <= turn_i;
      claimed_q <= claimed_i;
      op_q <= op_i & KeptOp;
      parent_q <= parent_i;
      parent_port_q <= parent_port_i;
      gid_q <= gid_i;
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) children_q <= '0;
    else if (children_write_i) children_q <= children_i;
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) due_q <= '0;
    else if (control_write_i || children_write_i) due_q <= children_d & {Ports{valid_d}};
    else due_q <= (due_q & ~takes) | leaves_i;
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni || control_write_i || children_write_i) begin
      send_q <= '0;
      up_q <= 1'b0;
      fresh_q <= 1'b0;
    end else begin
      // Timing-critical, so masked: a branch would become a reset or an enable on an extra net.
      send_q <= (send_q & ~leaves_i) | (next & {Ports{completes}});
      up_q <= up_q ^ (completes && !turn_q);
      fresh_q <= completes;
    end
  end

  assign request_o = send_q;
  assign distribution_o = !up_q;
  assign valid_o = valid_q;
  assign turn_o = turn_q;
  assign claimed_o = claimed_q;
  assign op_o = op_q;
  assign parent_o = parent_q;
  assign gid_o = gid_q;
  assign children_o = children_q;
  assign arrived_o = children_q & ~due_q & ~send_q & {Ports{valid_q}};
  assign serve_o = send_q & ~{Ports{up_q}};
  assign sent_o = up_q && (due_q != '0);
  assign busy_o = fresh_q || data_busy;

  logic [Ports-1:0] edges;
  assign edges = valid_q ? children_q | parent_port_q : '0;
  `MUSTER_ASSERT(DueOrSent_A, (due_q & send_q) == '0)
  `MUSTER_ASSERT(OnlyOnEdges_A, ((due_q | send_q) & ~edges) == '0)
  `MUSTER_ASSERT(OnlyParentWhileUp_A, !up_q || ((due_q | send_q) & ~parent_port_q) == '0)
  `MUSTER_ASSERT(OnlyChildrenElse_A, up_q || ((due_q | send_q) & ~children_q) == '0)
  `MUSTER_ASSERT(TurnNeverUp_A, !(up_q && turn_q))
  `MUSTER_ASSERT(CompletesWithNothingDue_A, !completes || (send_q == '0 && (due_q & ~takes) == '0))
  `MUSTER_ASSERT(FoldingHasArrived_A, (folding_o & ~arrived_o) == '0)
  `MUSTER_ASSERT(LeavesOnRequest_A, (leaves_i & ~request_o) == '0)

endmodule

`default_nettype wire
