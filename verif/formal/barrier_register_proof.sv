// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "formal.svh"

// muster_barrier_register with any group, parent and children, under any messages at any time, in
// the group's favour or forged, and any delay at the outputs. Before the group is set up anything
// may have happened to the register: any writes, other groups, messages to be sent, data to be
// folded.
//
//   - set-up leaves no residue: a second register, `twin`, that has been idle from reset to its
//     set-up, has the same state ever after
//
//   - no message goes up, and nothing is released, before every child has sent a reduction message
//     since it was last served; the data that go up are the OR of theirs, or what Op makes of them
//   - each child is served exactly once for each distribution, with its data, and at most one
//     distribution is outstanding
//   - messages from outside the group change nothing: the twin is shown only those from the group's
//     own ports
//   - with all children heard, the data of all are folded after a cycle more than there are ports,
//     at most; then the message up is there, as that to each child is in the cycle after a release
//
// With Labels every message is for the register, whatever its identifier.
//
// The group is set up at any time, child mask and control word in successive cycles.
module barrier_register_proof #(
  parameter int unsigned Ports = 3,
  parameter bit Turn = 1'b0,
  /// operation on the data; those that fold (low two bits not 0) without Turn
  parameter logic [2:0] Op = 3'd0,
  parameter bit Labels = 1'b0,
  localparam int unsigned GidW = 4,
  localparam int unsigned DataW = 2,
  localparam int unsigned ParentW = $clog2(Ports + 1)
) (
  input  wire logic                        clk_i,
  /// set up from this cycle on
  input  wire logic                        setup_i,
  /// writes before that; parent, gid and children in the cycle of reset are those of the group
  input  wire logic                        control_write_i,
  input  wire logic                        children_write_i,
  input  wire logic                        valid_i,
  input  wire logic                        turn_i,
  input  wire logic [2:0]                  op_i,
  input  wire logic [ParentW-1:0]          parent_i,
  input  wire logic [GidW-1:0]             gid_i,
  input  wire logic [Ports-1:0]            children_i,
  input  wire logic [Ports-1:0]            msg_i,
  input  wire logic [Ports-1:0]            msg_distribution_i,
  input  wire logic [Ports-1:0][GidW-1:0]  msg_gid_i,
  input  wire logic [Ports-1:0][DataW-1:0] msg_data_i,
  input  wire logic [Ports-1:0]            leaves_i
);
  // Reset, any history, the two writes of the set-up, barriers.
  logic rst_ni = 1'b0;
  logic begun_q, begins, setup_q, runs_q;
  assign begins = rst_ni && setup_i && !begun_q;
  always_ff @(posedge clk_i) begin
    rst_ni <= 1'b1;
    begun_q <= rst_ni && (setup_i || begun_q);
    setup_q <= begins;
    runs_q <= rst_ni && (setup_q || runs_q);
  end

  logic [ParentW-1:0] parent_q;
  logic [GidW-1:0] gid_q;
  logic [Ports-1:0] children_q, parent_port;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      parent_q <= parent_i;
      gid_q <= gid_i;
      children_q <= children_i;
    end
  end
  assign parent_port = Turn ? '0 : Ports'(64'd1 << parent_q);

  // ---- The register and its twin ------------------------------------------------------------
  // Element 1 of an array is of the twin.
  logic [Ports-1:0] ours, old_parent_port;
  logic [1:0][Ports-1:0] msg, leaves, request, serve, arrived, folding, children;
  logic [1:0][DataW-1:0] data;
  logic [1:0] down, sent, valid, turn;
  logic [1:0][ParentW-1:0] parent;
  assign old_parent_port = turn_i ? '0 : Ports'(64'd1 << parent_i);
  assign msg = {runs_q ? msg_i & ours : '0, msg_i};
  assign leaves = {runs_q ? leaves_i : '0, leaves_i};

  for (genvar p = 0; p < Ports; p++) begin : gen_ours
    assign ours[p] = msg_i[p] && (Labels || msg_gid_i[p] == gid_q) &&
                     (msg_distribution_i[p] ? parent_port[p] : children_q[p]);
  end

  for (genvar u = 0; u < 2; u++) begin : gen_register
    logic group, old;  // it is written for the group; it may be written for others
    assign group = begun_q || u == 1;
    assign old = !begun_q && u == 0;
    muster_barrier_register #(.Ports(Ports), .GidW(GidW), .DataW(DataW), .Labels(32'(Labels))) dut (
      .clk_i, .rst_ni,
      .control_write_i(setup_q || (control_write_i && old)),
      .valid_i(group || valid_i),
      .turn_i(group ? Turn : turn_i),
      .claimed_i(1'b0),
      .op_i(group ? Op : op_i),
      .parent_i(group ? parent_q : parent_i),
      .parent_port_i(group ? parent_port : old_parent_port),
      .gid_i(group ? gid_q : gid_i),
      .children_write_i(begins || (children_write_i && old)),
      .children_i((begins || u == 1) ? children_q : children_i),
      .msg_i(msg[u]),
      .msg_distribution_i,
      .msg_gid_i,
      .msg_data_i,
      .request_o(request[u]),
      .distribution_o(down[u]),
      .data_o(data[u]),
      .leaves_i(leaves[u]),
      .valid_o(valid[u]),
      .turn_o(turn[u]),
      .parent_o(parent[u]),
      .children_o(children[u]),
      .arrived_o(arrived[u]),
      .serve_o(serve[u]),
      .sent_o(sent[u]),
      .folding_o(folding[u])
    );
  end

  // ---- What has happened, told from the messages only --------------------------------------
`include "data_meaning.svh"

  // heard: sent a reduction message since it was last served. owed: a distribution for it is still
  // to leave. told: the parent has our reduction message and has not answered.
  logic [Ports-1:0] heard_q, owed_q, hears, heard_now;
  logic [DataW-1:0] heard_data_q, owed_data_q, data_now, answer;
  logic told_q, answered, released;
  assign hears = ours & ~msg_distribution_i & ~owed_q & ~heard_q;
  assign heard_now = heard_q | hears;
  assign answered = |(ours & msg_distribution_i) && told_q;
  assign released = Turn ? (heard_now == children_q) && (hears != '0) : answered;
  always_comb begin
    data_now = heard_data_q;
    answer = '0;
    for (int unsigned p = 0; p < Ports; p++) begin
      if (hears[p]) data_now = both(data_now, msg_data_i[p]);
      if (parent_port[p]) answer = msg_data_i[p];
    end
  end
  always_ff @(posedge clk_i) begin
    if (!runs_q) begin
      heard_q <= '0;
      owed_q <= '0;
      told_q <= 1'b0;
      heard_data_q <= Neutral;
    end else if (released) begin
      heard_q <= '0;
      owed_q <= children_q;
      told_q <= 1'b0;
      heard_data_q <= Neutral;
    end else begin
      heard_q <= heard_now;
      owed_q <= owed_q & ~leaves_i;
      told_q <= told_q || ((leaves_i & parent_port) != '0);
      heard_data_q <= data_now;
    end
    if (released) owed_data_q <= Turn ? data_now : answer;
  end

  // ---- Facts --------------------------------------------------------------------------------
  logic [1:0] releases_q;
  always_ff @(posedge clk_i) begin
    if (!runs_q) releases_q <= '0;
    else if (released && (releases_q != '1)) releases_q <= releases_q + 1'b1;
  end

  // Cycles in which all have been heard and data are still folded.
  localparam int unsigned LateW = $clog2(Ports + 2);
  logic [LateW-1:0] late_q;
  always_ff @(posedge clk_i) begin
    if (!runs_q || folding[0] == '0 || heard_q != children_q) late_q <= '0;
    else if (late_q != '1) late_q <= late_q + 1'b1;
  end

  // What happened before the set-up: a group had been released or was still at work.
  `MUSTER_SEEN(old_group_q, !begun_q && serve[0] != '0)

  `MUSTER_ASSUME(HasChildren_M, children_q != '0)
  `MUSTER_ASSUME(ParentIsPort_M, Turn || (32'(parent_q) < Ports))
  `MUSTER_ASSUME(ParentIsNoChild_M, (children_q & parent_port) == '0)
  // What writers owe, docs/reference/registers.md.
  `MUSTER_ASSUME(OldParentIsNoChild_M,
                 !valid[0] || turn[0] || (children[0] & Ports'(64'd1 << parent[0])) == '0)
  `MUSTER_ASSUME(LeavesOnRequest_M, (leaves_i & ~request[0]) == '0)

  `MUSTER_ASSERT(UpOnlyWhenAllArrived_A, !runs_q || ((request[0] & parent_port) == '0) ||
                                         ((heard_q == children_q) && !told_q))
  `MUSTER_ASSERT(UpAsSoonAsAllArrived_A, !runs_q || Turn || (folding[0] != '0) ||
                                         (heard_q != children_q) || told_q ||
                                         ((request[0] & parent_port) == parent_port))
  `MUSTER_ASSERT(UpCarriesAllData_A, !runs_q || ((request[0] & parent_port) == '0) ||
                                     (!down[0] && data[0] == heard_data_q))
  `MUSTER_ASSERT(ReleaseNeedsAll_A, !runs_q || !released || (heard_now == children_q))
  `MUSTER_ASSERT(OwedIsServed_A, !runs_q || ((request[0] & ~parent_port) == owed_q))
  `MUSTER_ASSERT(ServedDataIsRight_A, !runs_q || (owed_q == '0) ||
                                      (down[0] && data[0] == owed_data_q))
  `MUSTER_ASSERT(OneDistribution_A, !runs_q || !released || (owed_q == '0))
  `MUSTER_ASSERT(FoldedInTime_A, !runs_q || (32'(late_q) <= Ports))
  `MUSTER_ASSERT(OrNeverFolds_A, !runs_q || (Op[1:0] != 2'd0) || (folding[0] == '0))
  `MUSTER_ASSERT(ArrivedIsHeard_A, !runs_q || (arrived[0] == heard_q))
  `MUSTER_ASSERT(OutsidersChangeNothing_A, !runs_q ||
                 {request[0], arrived[0], serve[0], sent[0]} ==
                 {request[1], arrived[1], serve[1], sent[1]})
  `MUSTER_ASSERT(OutsidersChangeNoMessage_A, !runs_q || (request[0] == '0) ||
                 {down[0], data[0]} == {down[1], data[1]})

  `MUSTER_COVER(TwoBarriers_C, runs_q && (releases_q == 2'd2) && (owed_q == '0))
  `MUSTER_COVER(EarlyBird_C, runs_q && (owed_q != '0) && (heard_q != '0))
  `MUSTER_COVER(SetUpAmidAnother_C, setup_q && old_group_q && serve[0] == '0 && msg_i != '0)
  `MUSTER_COVER(OutsiderTries_C, runs_q && ((msg_i & ~ours) != '0) && (heard_q != '0))

endmodule

`default_nettype wire
