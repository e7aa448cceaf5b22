// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "formal.svh"

// Two muster_retry_registers, which two groups have, and the outputs that they share: what
// messages, host and outputs do for the other group changes nothing for ours but a wait of one
// message at an output. The host writes both registers and aborts their barriers, and ticks come,
// at any time.
//
// The twin is a register that sees only the messages of our group and the writes of its register,
// and has the outputs for itself. Of what leaves, it sends what is ours. Ticks are the same for
// both: when they come depends on all groups of a switch, their outcome does not.
//
//   - a message of ours that leaves is the one that the twin has for that output, bit by bit
//   - where the twin has a message for an output, there is one: ours, or one of the other group
//     that goes first; at most Passed, one, goes before ours
//   - our messages are judged the same, and the host reads the same of our register
module retry_isolation_proof #(
  parameter int unsigned Ports = 3,
  /// messages of the other group that may go before one of ours; 1 for the proof
  parameter int unsigned Passed = 1,
  localparam int unsigned FlitW = 16,
  localparam int unsigned GidW = 8,  // so that data have 2 bits beside the fields
  localparam int unsigned DataW = FlitW - muster_pkg::MsgTypeW - GidW,
  localparam int unsigned ParentW = $clog2(Ports + 1)
) (
  input  wire logic                         clk_i,
  /// bit 0 is of our group's register
  input  wire logic [1:0]                   control_write_i,
  input  wire logic [1:0]                   children_write_i,
  input  wire logic [1:0]                   abort_i,
  input  wire logic                         valid_i,
  input  wire logic                         turn_i,
  input  wire logic [2:0]                   op_i,
  input  wire logic [1:0]                   epoch_i,
  input  wire logic [ParentW-1:0]           parent_i,
  input  wire logic [GidW-1:0]              gid_i,
  input  wire logic [Ports-1:0]             children_i,
  input  wire logic                         tick_i,
  input  wire logic                         age_tick_i,
  input  wire logic [Ports-1:0]             msg_i,
  input  wire logic [Ports-1:0]             msg_distribution_i,
  input  wire logic [Ports-1:0][GidW-1:0]   msg_gid_i,
  input  wire logic [Ports-1:0][DataW-1:0]  msg_data_i,
  input  wire logic [Ports-1:0]             goes_i
);
  `MUSTER_FORMAL_RESET

  // ---- The registers, their outputs, and the twin ---------------------------------------------
  localparam int unsigned Ours = 0, Other = 1, Twin = 2;
  logic [2:0][Ports-1:0] msg, match, takes, request, gone, children, arrived, serve, folding;
  logic [2:0][DataW-1:0] data;
  logic [2:0][GidW-1:0] gid;
  logic [2:0][ParentW-1:0] parent;
  logic [2:0][3:0] age;
  logic [2:0] writes, down, valid, turn, sent, phase, failed, under_way;
  logic [Ports-1:0] parent_port, of_ours, send, leaves, sends_ours, twin_leaves;
  logic [1:0][Ports-1:0] arrive;
  logic [Ports-1:0][FlitW-1:0] payload;
  // The host makes no two valid registers of one group.
  assign writes[Ours] = control_write_i[0] && !(valid_i && valid[Other] && gid_i == gid[Other]);
  assign writes[Other] = control_write_i[1] && !control_write_i[0] &&
                         !(valid_i && valid[Ours] && gid_i == gid[Ours]);
  assign writes[Twin] = writes[Ours];
  assign parent_port = turn_i ? '0 : Ports'(64'd1 << parent_i);
  assign leaves = goes_i & send;
  assign twin_leaves = leaves & sends_ours;
  assign gone[Twin] = twin_leaves & request[Twin];
  assign msg = {of_ours, msg_i, msg_i};
  for (genvar p = 0; p < Ports; p++) begin : gen_port
    assign of_ours[p] = msg_i[p] && msg_gid_i[p] == gid[Ours];
    assign sends_ours[p] = send[p] && valid[Ours] && payload[p][DataW+:GidW] == gid[Ours];
    for (genvar r = 0; r < 2; r++) begin : gen_arrive
      assign arrive[r][p] = takes[r][p] && msg_data_i[p][DataW-1-:2] == {phase[r], 1'b0};
    end
  end

  for (genvar r = 0; r < 3; r++) begin : gen_register
    localparam int unsigned Writer = (r == Twin) ? Ours : r;
    muster_retry_register #(.Ports(Ports), .GidW(GidW), .DataW(DataW)) dut (
      .clk_i, .rst_ni,
      .control_write_i(writes[r]),
      .valid_i,
      .turn_i,
      .claimed_i(1'b0),
      .op_i,
      .epoch_i,
      .parent_i,
      .parent_port_i(parent_port),
      .gid_i,
      .children_write_i(children_write_i[Writer]),
      .children_i,
      .abort_i(abort_i[Writer]),
      .tick_i,
      .age_tick_i,
      .msg_i(msg[r]),
      .msg_distribution_i,
      .msg_gid_i,
      .msg_data_i,
      .match_o(match[r]),
      .takes_o(takes[r]),
      .request_o(request[r]),
      .distribution_o(down[r]),
      .data_o(data[r]),
      .leaves_i(gone[r]),
      .valid_o(valid[r]),
      .turn_o(turn[r]),
      .parent_o(parent[r]),
      .gid_o(gid[r]),
      .children_o(children[r]),
      .arrived_o(arrived[r]),
      .serve_o(serve[r]),
      .sent_o(sent[r]),
      .phase_o(phase[r]),
      .failed_o(failed[r]),
      .age_o(age[r]),
      .folding_o(folding[r]),
      .under_way_o(under_way[r])
    );
  end

  muster_barrier_outputs #(.Ports(Ports), .Regs(2), .FlitW(FlitW), .GidW(GidW)) outputs (
    .clk_i, .rst_ni,
    .request_i(request[1:0]),
    .distribution_i(down[1:0]),
    .gid_i(gid[1:0]),
    .data_i(data[1:0]),
    .leaves_o(gone[1:0]),
    .send_o(send),
    .send_payload_o(payload),
    .leaves_i(leaves)
  );

  // ---- Waits, and both groups at work ---------------------------------------------------------
  logic [Ports-1:0] differs, passed, passed_again;
  logic [FlitW-1:0] twin_payload;
  logic [1:0] served_q;  // both groups have had a message leave
  assign twin_payload = {1'b0, down[Twin], gid[Twin], data[Twin]};
  for (genvar p = 0; p < Ports; p++) begin : gen_wait
    logic [1:0] passed_q;
    assign differs[p] = sends_ours[p] && (!request[Twin][p] || payload[p] != twin_payload);
    assign passed[p] = passed_q != '0;
    assign passed_again[p] = 32'(passed_q) > Passed;
    always_ff @(posedge clk_i) begin
      if (!rst_ni || !request[Twin][p] || twin_leaves[p]) passed_q <= '0;
      else if (leaves[p] && passed_q != '1) passed_q <= passed_q + 1'b1;
    end
  end
  always_ff @(posedge clk_i) begin
    if (!rst_ni) served_q <= '0;
    else served_q <= served_q | {(twin_leaves != '0), ((leaves & ~twin_leaves) != '0)};
  end

  // What the host owes, docs/reference/registers.md, beside different groups: a parent is no child,
  // and who leaves has not arrived.
  logic [1:0] parent_is_child, leaves_with_data;
  for (genvar r = 0; r < 2; r++) begin : gen_owed
    assign parent_is_child[r] = valid[r] && !turn[r] &&
                                (children[r] & Ports'(64'd1 << parent[r])) != '0;
    assign leaves_with_data[r] = children_write_i[r] &&
                                 ((folding[r] | arrive[r]) & ~children_i) != '0;
  end
  `MUSTER_ASSUME(ParentsAreNoChildren_M, parent_is_child == '0)
  `MUSTER_ASSUME(NobodyLeavesWithData_M, leaves_with_data == '0)

  `MUSTER_ASSERT(SendsTheSame_A, differs == '0)
  `MUSTER_ASSERT(OfferedWhereOwed_A, (request[Twin] & ~send) == '0)
  `MUSTER_ASSERT(OthersPassOnce_A, passed_again == '0)
  `MUSTER_ASSERT(JudgedTheSame_A, ((match[Ours] ^ match[Twin]) | (takes[Ours] ^ takes[Twin])) == '0)
  `MUSTER_ASSERT(ReadsTheSame_A,
                 {arrived[Ours], serve[Ours], sent[Ours], phase[Ours], failed[Ours], age[Ours],
                  folding[Ours]} ==
                 {arrived[Twin], serve[Twin], sent[Twin], phase[Twin], failed[Twin], age[Twin],
                  folding[Twin]})

  // Ours is passed and goes; both have sent, and the other is written anew while ours is at work.
  `MUSTER_COVER(PassedAndGoes_C, (passed & twin_leaves) != '0)
  `MUSTER_COVER(OtherIsWritten_C, (&served_q) && writes[Other] && request[Twin] != '0)
  `MUSTER_COVER(OtherFails_C, failed[Other] && phase[Ours] && under_way[Ours] &&
                               request[Other] != '0)

endmodule

`default_nettype wire
