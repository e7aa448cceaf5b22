// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "muster_assert.svh"

// Three switches in a triangle, a node at each, two groups whose trees share the links: no member
// is released early.
//
// A switch is its muster_barrier_unit, so registers and selectors; a link takes one flit and keeps
// it for any time; nodes arrive at any time, again after each release. Port 0 of a switch is its
// node's, port 1 leads to the switch after it, port 2 to the one before it. The trees of the two
// groups are Tree0 and Tree1:
//
//   0  switch 0 reflects, 1 and 2 below it
//   1  switch 0 reflects, 1 below it, 2 below 1
//   2  switch 2 reflects, 1 below it, 0 below 1
//   3  node 1 is the root node: notified by switch 1, which has 2 and 0 below it
//   4  switch 0 reflects, 1 below it; node 2 is no member
//
// A node is released by the distribution message; a root node by being notified, and it answers.
// With Labels the groups have registers of other numbers in switch 1 than in the others, and labels
// say so.
// When a member is released, every member has arrived since its last release or has been released
// for the same barrier. No message is dropped.
module barrier_network_proof #(
  parameter int unsigned Tree0 = 0,
  parameter int unsigned Tree1 = 1,
  parameter bit Labels = 1'b0,
  localparam int unsigned N = 3,       // switches, ports of each, nodes
  localparam int unsigned Groups = 2,
  localparam int unsigned FlitW = 16,
  localparam int unsigned GidW = 12    // so that data have 2 bits
) (
  input  wire logic                     clk_i,
  /// node n arrives at group g's barrier, if it may
  input  wire logic [N-1:0][Groups-1:0] arrive_i,
  /// which group's message node n sends first
  input  wire logic [N-1:0]             favour_i,
  /// output p of switch s takes a message; its link gives one up; that of node n gives one up
  input  wire logic [N-1:0][N-1:0]      take_i,
  input  wire logic [N-1:0][N-1:0]      deliver_i,
  input  wire logic [N-1:0]             node_deliver_i
);
  // Place of a tree in a switch: {valid, turn, parent, children}.
  function automatic logic [6:0] place(input int unsigned tree, input int unsigned s);
    unique case (4'(tree * N + s))
      4'd0: place = {1'b1, 1'b1, 2'd0, 3'b111};
      4'd1: place = {1'b1, 1'b0, 2'd2, 3'b001};
      4'd2: place = {1'b1, 1'b0, 2'd1, 3'b001};
      4'd3: place = {1'b1, 1'b1, 2'd0, 3'b011};
      4'd4: place = {1'b1, 1'b0, 2'd2, 3'b011};
      4'd5: place = {1'b1, 1'b0, 2'd2, 3'b001};
      4'd6: place = {1'b1, 1'b0, 2'd1, 3'b001};
      4'd7: place = {1'b1, 1'b0, 2'd1, 3'b101};
      4'd8: place = {1'b1, 1'b1, 2'd0, 3'b101};
      4'd9: place = {1'b1, 1'b0, 2'd1, 3'b001};
      4'd10: place = {1'b1, 1'b0, 2'd0, 3'b110};
      4'd11: place = {1'b1, 1'b0, 2'd2, 3'b001};
      4'd12: place = {1'b1, 1'b1, 2'd0, 3'b011};
      4'd13: place = {1'b1, 1'b0, 2'd2, 3'b001};
      default: place = '0;
    endcase
  endfunction

  // The register of group g in switch s, or which group has register g.
  function automatic logic slot(input int unsigned s, input logic g);
    slot = g ^ (Labels && s % N == 1);
  endfunction

  // Reset, the writes of the two registers one after the other, barriers.
  logic rst_ni = 1'b0;
  logic runs_q;
  logic [Groups-1:0] setup_q;
  always_ff @(posedge clk_i) begin
    rst_ni <= 1'b1;
    setup_q <= rst_ni ? {setup_q[0], 1'b0} : 2'b01;
    runs_q <= rst_ni && (setup_q[1] || runs_q);
  end

  // ---- Switches and the links out of them ---------------------------------------------------
  // By switch and port: the message that comes in, and the link out with its message, of which the
  // group, or the label, is one bit.
  logic [N-1:0][N-1:0] in_valid, in_down, in_group, full_q, down_q, group_q, comes_out;
  logic [N-1:0] dropped;

  for (genvar s = 0; s < N; s++) begin : gen_switch
    localparam logic [6:0] Place0 = place(Tree0, s);
    localparam logic [6:0] Place1 = place(Tree1, s);
    logic [6:0] now;
    logic group;  // that is written
    logic [N*FlitW-1:0] payload, sent;
    logic [N-1:0] malformed, unknown, refused, send, leaves;
    assign group = slot(s, setup_q[1]);
    assign now = group ? Place1 : Place0;
    assign leaves = send & take_i[s] & ~full_q[s];
    assign comes_out[s] = full_q[s] & deliver_i[s];
    for (genvar p = 0; p < N; p++) begin : gen_in
      assign payload[p*FlitW+:FlitW] = {
        in_down[s][p] ? muster_pkg::MsgDistribution : muster_pkg::MsgReduction,
        GidW'(in_group[s][p]), 2'd0};
    end

    muster_barrier_unit #(
      .Ports(N),
      .Regs(Groups),
      .FlitW(FlitW),
      .GidW(GidW),
      .Labels(32'(Labels))
    ) unit (
      .clk_i, .rst_ni,
      .control_write_i(setup_q),
      .children_write_i(setup_q),
      .valid_i(now[6]),
      .turn_i(now[5]),
      .claimed_i(1'b0),
      .op_i(3'd0),
      .parent_i(now[4:3]),
      .gid_i(GidW'(group)),
      .children_i(now[2:0]),
      .labels_write_i({1'b0, setup_q != '0}),
      .labels_register_i({3'd0, setup_q[1]}),
      .labels_i({20'd0, 3'd0, slot(s + 2, group), 3'd0, slot(s + 1, group), 3'd0, slot(s, group)}),
      .epoch_i('0),
      .abort_i('0),
      .periods_write_i(1'b0),
      .periods_i('0),
      .msg_i(in_valid[s]),
      .msg_payload_i(payload),
      .malformed_o(malformed),
      .unknown_o(unknown),
      .refused_o(refused),
      .send_o(send),
      .send_payload_o(sent),
      .leaves_i(leaves),
      .read_i(1'b0),
      .read_register_i('0),
      .read_word_i('0)
    );
    assign dropped[s] = (malformed | unknown | refused) != '0;

    for (genvar p = 0; p < N; p++) begin : gen_link
      logic link_full_q, link_down_q, link_group_q;
      always_ff @(posedge clk_i) begin
        link_full_q <= rst_ni && (leaves[p] || (link_full_q && !deliver_i[s][p]));
        if (leaves[p]) begin
          link_down_q <= sent[p*FlitW+FlitW-muster_pkg::MsgTypeW];
          link_group_q <= sent[p*FlitW+2];
        end
      end
      assign full_q[s][p] = link_full_q;
      assign down_q[s][p] = link_down_q;
      assign group_q[s][p] = link_group_q;
    end
  end

  // ---- Nodes --------------------------------------------------------------------------------
  // A member waits from its arrival to its release. says: a message of it is still to be sent;
  // told: the root node has been notified.
  logic [N-1:0][Groups-1:0] member, root, waits, says, told, released;
  logic [N-1:0] node_full_q, node_down_q, node_group_q;

  for (genvar n = 0; n < N; n++) begin : gen_node
    logic says_one, chosen;
    assign says_one = (says[n] != '0) && !node_full_q[n];
    assign chosen = (says[n] == '1) ? favour_i[n] : says[n][1];
    always_ff @(posedge clk_i) begin
      node_full_q[n] <= rst_ni && (says_one || (node_full_q[n] && !node_deliver_i[n]));
      if (says_one) begin
        node_group_q[n] <= slot(n, chosen);
        node_down_q[n] <= root[n][chosen];
      end
    end

    for (genvar g = 0; g < Groups; g++) begin : gen_group
      localparam logic [6:0] Place = place((g == 0) ? Tree0 : Tree1, n);
      logic waits_q, says_q, told_q, arrives, sends, gets, up_here;
      assign root[n][g] = Place[6] && !Place[5] && (Place[4:3] == 2'd0);
      assign member[n][g] = Place[0] || root[n][g];
      assign arrives = runs_q && arrive_i[n][g] && member[n][g] && !waits_q;
      assign sends = says_one && (chosen == 1'(g));
      assign gets = comes_out[n][0] && (group_q[n][0] == slot(n, 1'(g)));
      assign up_here = waits_q && told_q;
      assign released[n][g] = root[n][g] ? up_here : gets && down_q[n][0];
      always_ff @(posedge clk_i) begin
        if (!rst_ni) begin
          waits_q <= 1'b0;
          says_q <= 1'b0;
          told_q <= 1'b0;
        end else begin
          waits_q <= arrives || (waits_q && !released[n][g]);
          says_q <= (root[n][g] ? up_here : arrives) || (says_q && !sends);
          told_q <= (gets && !down_q[n][0]) || (told_q && !up_here);
        end
      end
      assign waits[n][g] = waits_q;
      assign says[n][g] = says_q;
      assign told[n][g] = told_q;
    end

    localparam int unsigned After = (n + 1) % N;
    localparam int unsigned Back = (n + 2) % N;
    assign in_valid[n] = {comes_out[Back][1], comes_out[After][2],
                          node_full_q[n] && node_deliver_i[n]};
    assign in_down[n] = {down_q[Back][1], down_q[After][2], node_down_q[n]};
    assign in_group[n] = {group_q[Back][1], group_q[After][2], node_group_q[n]};
  end

  // ---- Who is released when -----------------------------------------------------------------
  // By group: members released for the barrier that others of it have not been released for yet.
  logic [Groups-1:0] early, twice, ends, ahead;
  logic [Groups-1:0][1:0] barriers_q;
  for (genvar g = 0; g < Groups; g++) begin : gen_watch
    logic [N-1:0] done_q, done, here, now, all;
    logic [1:0] count_q;
    for (genvar n = 0; n < N; n++) begin : gen_of
      assign all[n] = member[n][g];
      assign here[n] = waits[n][g];
      assign now[n] = released[n][g];
    end
    assign done = done_q | now;
    assign early[g] = (now != '0) && (all & ~(here | done_q)) != '0;
    assign twice[g] = (now & (done_q | ~here)) != '0;
    assign ends[g] = (now != '0) && (done == all);
    assign ahead[g] = (here & done_q) != '0;
    always_ff @(posedge clk_i) begin
      done_q <= (!rst_ni || ends[g]) ? '0 : done;
      if (!rst_ni) count_q <= '0;
      else if (ends[g] && count_q != '1) count_q <= count_q + 1'b1;
    end
    assign barriers_q[g] = count_q;
  end

  `MUSTER_ASSERT(NobodyEarly_A, early == '0)
  `MUSTER_ASSERT(NobodyTwice_A, twice == '0)
  `MUSTER_ASSERT(NothingDropped_A, dropped == '0)

  `MUSTER_COVER(OneBarrier_C, barriers_q != '0)
  `MUSTER_COVER(BothTwice_C, barriers_q[0] == 2'd2 && barriers_q[1] == 2'd2)
  `MUSTER_COVER(OneThreeTimes_C, barriers_q[0] == 2'd3)
  `MUSTER_COVER(NextArrivesBeforeOthersLeave_C, ahead == '1)

endmodule

`default_nettype wire
