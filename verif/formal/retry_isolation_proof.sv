// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "muster_assert.svh"

// Two retry_registers, which two groups have, and the outputs that they share: what messages, host
// and outputs do for the other group changes nothing for ours but a wait of one message at an
// output. The host writes both registers and aborts their barriers, and ticks come, at any time.
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
  localparam int unsigned DataW = FlitW - muster_pkg::MsgTypeW - GidW
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
  input  wire logic [3:0]                   parent_i,
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
  logic rst_ni = 1'b0;
  always_ff @(posedge clk_i) rst_ni <= 1'b1;

  // ---- The registers, their outputs, and the twin ---------------------------------------------
  logic [Ports-1:0] our_match, our_takes, our_request, our_leaves, our_children, our_arrived;
  logic [Ports-1:0] our_serve, our_folding;
  logic [DataW-1:0] our_data;
  logic [GidW-1:0] our_gid;
  logic [3:0] our_parent, our_age;
  logic our_down, our_valid, our_turn, our_sent, our_phase, our_failed, our_under_way;
  logic [Ports-1:0] other_match, other_takes, other_request, other_leaves;
  logic [Ports-1:0] other_children, other_arrived;
  logic [Ports-1:0] other_serve, other_folding;
  logic [DataW-1:0] other_data;
  logic [GidW-1:0] other_gid;
  logic [3:0] other_parent, other_age;
  logic other_down, other_valid, other_turn, other_sent, other_phase, other_failed, other_under_way;
  logic [Ports-1:0] twin_match, twin_takes, twin_request, twin_leaves, twin_children, twin_arrived;
  logic [Ports-1:0] twin_serve, twin_folding;
  logic [DataW-1:0] twin_data;
  logic [GidW-1:0] twin_gid;
  logic [3:0] twin_parent, twin_age;
  logic twin_down, twin_valid, twin_turn, twin_sent, twin_phase, twin_failed, twin_under_way;
  logic [Ports-1:0] parent_port, of_ours, send, leaves, sends_ours, our_arrive, other_arrive;
  logic [Ports-1:0][FlitW-1:0] payload;
  logic [1:0] writes;
  // The host makes no two valid registers of one group.
  assign writes[0] = control_write_i[0] && !(valid_i && other_valid && gid_i == other_gid);
  assign writes[1] = control_write_i[1] && !control_write_i[0] &&
                     !(valid_i && our_valid && gid_i == our_gid);
  assign parent_port = turn_i ? '0 : Ports'(16'd1 << parent_i);
  assign leaves = goes_i & send;
  assign twin_leaves = leaves & sends_ours;
  for (genvar p = 0; p < Ports; p++) begin : gen_port
    assign of_ours[p] = msg_i[p] && msg_gid_i[p] == our_gid;
    assign sends_ours[p] = send[p] && our_valid && payload[p][DataW+:GidW] == our_gid;
    assign our_arrive[p] = our_takes[p] && msg_data_i[p][DataW-1-:2] == {our_phase, 1'b0};
    assign other_arrive[p] = other_takes[p] && msg_data_i[p][DataW-1-:2] == {other_phase, 1'b0};
  end

  retry_register #(
    .Ports(Ports),
    .GidW(GidW),
    .DataW(DataW)
  ) ours (
    .clk_i,
    .rst_ni,
    .control_write_i(writes[0]),
    .valid_i,
    .turn_i,
    .claimed_i(1'b0),
    .op_i,
    .epoch_i,
    .parent_i,
    .parent_port_i(parent_port),
    .gid_i,
    .children_write_i(children_write_i[0]),
    .children_i,
    .abort_i(abort_i[0]),
    .tick_i,
    .age_tick_i,
    .msg_i(msg_i),
    .msg_distribution_i,
    .msg_gid_i,
    .msg_data_i,
    .match_o(our_match),
    .takes_o(our_takes),
    .request_o(our_request),
    .distribution_o(our_down),
    .data_o(our_data),
    .leaves_i(our_leaves),
    .valid_o(our_valid),
    .turn_o(our_turn),
    .claimed_o(),
    .op_o(),
    .epoch_o(),
    .parent_o(our_parent),
    .gid_o(our_gid),
    .children_o(our_children),
    .arrived_o(our_arrived),
    .serve_o(our_serve),
    .sent_o(our_sent),
    .phase_o(our_phase),
    .failed_o(our_failed),
    .age_o(our_age),
    .folding_o(our_folding),
    .under_way_o(our_under_way),
    .busy_o()
  );

  retry_register #(
    .Ports(Ports),
    .GidW(GidW),
    .DataW(DataW)
  ) other (
    .clk_i,
    .rst_ni,
    .control_write_i(writes[1]),
    .valid_i,
    .turn_i,
    .claimed_i(1'b0),
    .op_i,
    .epoch_i,
    .parent_i,
    .parent_port_i(parent_port),
    .gid_i,
    .children_write_i(children_write_i[1]),
    .children_i,
    .abort_i(abort_i[1]),
    .tick_i,
    .age_tick_i,
    .msg_i(msg_i),
    .msg_distribution_i,
    .msg_gid_i,
    .msg_data_i,
    .match_o(other_match),
    .takes_o(other_takes),
    .request_o(other_request),
    .distribution_o(other_down),
    .data_o(other_data),
    .leaves_i(other_leaves),
    .valid_o(other_valid),
    .turn_o(other_turn),
    .claimed_o(),
    .op_o(),
    .epoch_o(),
    .parent_o(other_parent),
    .gid_o(other_gid),
    .children_o(other_children),
    .arrived_o(other_arrived),
    .serve_o(other_serve),
    .sent_o(other_sent),
    .phase_o(other_phase),
    .failed_o(other_failed),
    .age_o(other_age),
    .folding_o(other_folding),
    .under_way_o(other_under_way),
    .busy_o()
  );

  barrier_outputs #(
    .Ports(Ports),
    .Regs(2),
    .FlitW(FlitW),
    .GidW(GidW)
  ) outputs (
    .clk_i,
    .rst_ni,
    .request_i({other_request, our_request}),
    .distribution_i({other_down, our_down}),
    .gid_i({other_gid, our_gid}),
    .data_i({other_data, our_data}),
    .leaves_o({other_leaves, our_leaves}),
    .send_o(send),
    .send_payload_o(payload),
    .leaves_i(leaves)
  );

  retry_register #(
    .Ports(Ports),
    .GidW(GidW),
    .DataW(DataW)
  ) twin (
    .clk_i,
    .rst_ni,
    .control_write_i(writes[0]),
    .valid_i,
    .turn_i,
    .claimed_i(1'b0),
    .op_i,
    .epoch_i,
    .parent_i,
    .parent_port_i(parent_port),
    .gid_i,
    .children_write_i(children_write_i[0]),
    .children_i,
    .abort_i(abort_i[0]),
    .tick_i,
    .age_tick_i,
    .msg_i(of_ours),
    .msg_distribution_i,
    .msg_gid_i,
    .msg_data_i,
    .match_o(twin_match),
    .takes_o(twin_takes),
    .request_o(twin_request),
    .distribution_o(twin_down),
    .data_o(twin_data),
    .leaves_i(twin_leaves & twin_request),
    .valid_o(twin_valid),
    .turn_o(twin_turn),
    .claimed_o(),
    .op_o(),
    .epoch_o(),
    .parent_o(twin_parent),
    .gid_o(twin_gid),
    .children_o(twin_children),
    .arrived_o(twin_arrived),
    .serve_o(twin_serve),
    .sent_o(twin_sent),
    .phase_o(twin_phase),
    .failed_o(twin_failed),
    .age_o(twin_age),
    .folding_o(twin_folding),
    .under_way_o(twin_under_way),
    .busy_o()
  );

  // ---- Waits, and both groups at work ---------------------------------------------------------
  logic [Ports-1:0] differs, passed, passed_again;
  logic [FlitW-1:0] twin_payload;
  logic [1:0] served_q;  // both groups have had a message leave
  assign twin_payload = {1'b0, twin_down, twin_gid, twin_data};
  for (genvar p = 0; p < Ports; p++) begin : gen_wait
    logic [1:0] passed_q;
    assign differs[p] = sends_ours[p] && (!twin_request[p] || payload[p] != twin_payload);
    assign passed[p] = passed_q != '0;
    assign passed_again[p] = 32'(passed_q) > Passed;
    always_ff @(posedge clk_i) begin
      if (!rst_ni || !twin_request[p] || twin_leaves[p]) passed_q <= '0;
      else if (leaves[p] && passed_q != '1) passed_q <= passed_q + 1'b1;
    end
  end
  always_ff @(posedge clk_i) begin
    if (!rst_ni) served_q <= '0;
    else served_q <= served_q | {(twin_leaves != '0), ((leaves & ~twin_leaves) != '0)};
  end

  // What the host owes, docs/reference/registers.md, beside different groups: a parent is no child,
  // and who leaves has not arrived.
  `MUSTER_ASSUME(ParentsAreNoChildren_M,
                 (!our_valid || our_turn || (our_children & Ports'(16'd1 << our_parent)) == '0) &&
                 (!other_valid || other_turn ||
                  (other_children & Ports'(16'd1 << other_parent)) == '0))
  `MUSTER_ASSUME(NobodyLeavesWithData_M,
                 (!children_write_i[0] || ((our_folding | our_arrive) & ~children_i) == '0) &&
                 (!children_write_i[1] || ((other_folding | other_arrive) & ~children_i) == '0))

  `MUSTER_ASSERT(SendsTheSame_A, differs == '0)
  `MUSTER_ASSERT(OfferedWhereOwed_A, (twin_request & ~send) == '0)
  `MUSTER_ASSERT(OthersPassOnce_A, passed_again == '0)
  `MUSTER_ASSERT(JudgedTheSame_A, ((our_match ^ twin_match) | (our_takes ^ twin_takes)) == '0)
  `MUSTER_ASSERT(ReadsTheSame_A,
                 {our_arrived, our_serve, our_sent, our_phase, our_failed, our_age, our_folding} ==
                 {twin_arrived, twin_serve, twin_sent, twin_phase, twin_failed, twin_age,
                  twin_folding})

  // Ours is passed and goes; both have sent, and the other is written anew while ours is at work.
  `MUSTER_COVER(PassedAndGoes_C, (passed & twin_leaves) != '0)
  `MUSTER_COVER(OtherIsWritten_C, (&served_q) && writes[1] && twin_request != '0)
  `MUSTER_COVER(OtherFails_C, other_failed && our_phase && our_under_way && other_request != '0)

endmodule

`default_nettype wire
