// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "muster_assert.svh"

// Two retry_registers, one below the other, with members at both and channels that lose and
// duplicate any messages between all of them, Places messages on the way in each. Members arrive
// and repeat at any time, and abort while they may; ticks and aborts of each register come at any
// time, and messages wait at the outputs for any time.
//
// Beside the facts of retry_watch, on what is asked and answered, as the page has it:
//
//   - at a tick a register that has failed, or has sent its UP and waits, asks its parent: the UP
//     is at the output in the next cycle
//   - at a tick a register that has failed gives notice to all its children
//   - who asks for the last release, at a register that has one, gets it: it is at the output as
//     soon as UP and notice have left
module retry_network_proof #(
  /// members at the root, 0 to 1, and at the register below, 1 to 2
  parameter int unsigned Root = 1,
  parameter int unsigned Below = 1,
  /// messages on the way of one channel, 1 to 3
  parameter int unsigned Places = 1,
  /// operation on the data
  parameter logic [2:0] Op = 3'd0,
  localparam int unsigned Members = Root + Below,
  localparam int unsigned Ports = 3,
  localparam int unsigned GidW = 4,
  localparam int unsigned DataW = 2,
  localparam int unsigned MessageW = muster_pkg::RetryW + DataW
) (
  input  wire logic                           clk_i,
  input  wire logic [Members-1:0]             arrive_i,
  input  wire logic [Members-1:0][DataW-1:0]  data_i,
  input  wire logic [Members-1:0]             member_abort_i,
  /// members repeat, messages move on and come; the registers' leave, of what they request
  input  wire logic [Members-1:0]             put_i,
  input  wire logic [Members-1:0][Places-1:0] up_moves_i,
  input  wire logic [Members-1:0][Places-1:0] down_moves_i,
  input  wire logic [Members-1:0]             up_comes_i,
  input  wire logic [Members-1:0]             down_comes_i,
  input  wire logic [Places-1:0]              edge_up_moves_i,
  input  wire logic [Places-1:0]              edge_down_moves_i,
  input  wire logic                           edge_up_comes_i,
  input  wire logic                           edge_down_comes_i,
  input  wire logic [Ports-1:0]               root_take_i,
  input  wire logic [Ports-1:0]               lower_take_i,
  /// of the root, and of the register below
  input  wire logic [1:0]                     tick_i,
  input  wire logic [1:0]                     abort_i
);
  localparam int unsigned Parent = 2;  // port of the lower one
  localparam logic [Ports-1:0] RootChildren = Ports'((1 << (Root + 1)) - 1);
  localparam logic [Ports-1:0] LowerChildren = Ports'((1 << Below) - 1);

  // Reset, the write of the registers, barriers.
  logic rst_ni = 1'b0;
  logic setup_q, runs_q, runs;
  always_ff @(posedge clk_i) begin
    rst_ni <= 1'b1;
    setup_q <= !rst_ni;
    runs_q <= rst_ni && (setup_q || runs_q);
  end
  assign runs = rst_ni && runs_q;

  // ---- Members --------------------------------------------------------------------------------
  logic [Members-1:0] arrives, released, waits, failed;
  logic [Members-1:0][DataW-1:0] release_data;
  logic [Ports-1:0] root_msg, root_request, root_leaves, root_arrived, root_serve;
  logic [Ports-1:0] lower_msg, lower_request, lower_leaves, lower_arrived, lower_serve;
  logic [Ports-1:0][MessageW-1:0] root_message, lower_message;
  logic [MessageW-1:0] root_sent, lower_sent;
  logic root_down, lower_down, root_phase, lower_phase, root_failed, lower_failed;
  logic root_has_sent, lower_has_sent;
  assign root_leaves = root_request & root_take_i;
  assign lower_leaves = lower_request & lower_take_i;

  for (genvar m = 0; m < Members; m++) begin : gen_leaf
    logic msg, leaves;
    logic [MessageW-1:0] message, sent;
    if (m < Root) begin : gen_root
      assign root_msg[m] = msg;
      assign root_message[m] = message;
      assign {leaves, sent} = {root_leaves[m], root_sent};
    end else begin : gen_lower
      assign lower_msg[m-Root] = msg;
      assign lower_message[m-Root] = message;
      assign {leaves, sent} = {lower_leaves[m-Root], lower_sent};
    end

    retry_leaf #(
      .DataW(DataW),
      .Places(Places)
    ) leaf (
      .clk_i,
      .rst_ni(runs),
      .arrive_i(arrive_i[m]),
      .data_i(data_i[m]),
      .abort_i(member_abort_i[m]),
      .put_i(put_i[m]),
      .up_moves_i(up_moves_i[m]),
      .down_moves_i(down_moves_i[m]),
      .up_comes_i(up_comes_i[m]),
      .down_comes_i(down_comes_i[m]),
      .msg_o(msg),
      .message_o(message),
      .leaves_i(leaves),
      .message_i(sent),
      .arrives_o(arrives[m]),
      .released_o(released[m]),
      .release_data_o(release_data[m]),
      .phase_o(),
      .waits_o(waits[m]),
      .failed_o(failed[m])
    );
  end
  for (genvar p = Root + 1; p < Ports; p++) begin : gen_root_open
    assign {root_msg[p], root_message[p]} = '0;
  end
  for (genvar p = Below; p < Parent; p++) begin : gen_lower_open
    assign {lower_msg[p], lower_message[p]} = '0;
  end

  // ---- The edge between the registers ---------------------------------------------------------
  lossy_wire #(
    .Width(MessageW),
    .Places(Places)
  ) edge_up (
    .clk_i,
    .rst_ni(runs),
    .put_i(lower_leaves[Parent]),
    .frame_i(lower_sent),
    .moves_i(edge_up_moves_i),
    .comes_i(edge_up_comes_i),
    .first_i(1'b0),
    .comes_o(root_msg[Root]),
    .frame_o(root_message[Root]),
    .on_o(),
    .frames_o()
  );

  lossy_wire #(
    .Width(MessageW),
    .Places(Places)
  ) edge_down (
    .clk_i,
    .rst_ni(runs),
    .put_i(root_leaves[Root]),
    .frame_i(root_sent),
    .moves_i(edge_down_moves_i),
    .comes_i(edge_down_comes_i),
    .first_i(1'b0),
    .comes_o(lower_msg[Parent]),
    .frame_o(lower_message[Parent]),
    .on_o(),
    .frames_o()
  );

  retry_register #(
    .Ports(Ports),
    .GidW(GidW),
    .DataW(MessageW)
  ) root (
    .clk_i,
    .rst_ni,
    .control_write_i(setup_q),
    .valid_i(1'b1),
    .turn_i(1'b1),
    .claimed_i(1'b0),
    .op_i(Op),
    .epoch_i('0),
    .parent_i('0),
    .parent_port_i('0),
    .gid_i('0),
    .children_write_i(setup_q),
    .children_i(RootChildren),
    .abort_i(runs && abort_i[0]),
    .tick_i(tick_i[0]),
    .age_tick_i(1'b0),
    .msg_i(root_msg),
    .msg_distribution_i('0),
    .msg_gid_i('0),
    .msg_data_i(root_message),
    .match_o(),
    .takes_o(),
    .request_o(root_request),
    .distribution_o(root_down),
    .data_o(root_sent),
    .leaves_i(root_leaves),
    .valid_o(),
    .turn_o(),
    .claimed_o(),
    .op_o(),
    .epoch_o(),
    .parent_o(),
    .gid_o(),
    .children_o(),
    .arrived_o(root_arrived),
    .serve_o(root_serve),
    .sent_o(root_has_sent),
    .phase_o(root_phase),
    .failed_o(root_failed),
    .age_o(),
    .folding_o(),
    .under_way_o(),
    .busy_o()
  );

  retry_register #(
    .Ports(Ports),
    .GidW(GidW),
    .DataW(MessageW)
  ) lower (
    .clk_i,
    .rst_ni,
    .control_write_i(setup_q),
    .valid_i(1'b1),
    .turn_i(1'b0),
    .claimed_i(1'b0),
    .op_i(Op),
    .epoch_i('0),
    .parent_i(4'(Parent)),
    .parent_port_i(Ports'(1 << Parent)),
    .gid_i('0),
    .children_write_i(setup_q),
    .children_i(LowerChildren),
    .abort_i(runs && abort_i[1]),
    .tick_i(tick_i[1]),
    .age_tick_i(1'b0),
    .msg_i(lower_msg),
    .msg_distribution_i(Ports'(1 << Parent)),
    .msg_gid_i('0),
    .msg_data_i(lower_message),
    .match_o(),
    .takes_o(),
    .request_o(lower_request),
    .distribution_o(lower_down),
    .data_o(lower_sent),
    .leaves_i(lower_leaves),
    .valid_o(),
    .turn_o(),
    .claimed_o(),
    .op_o(),
    .epoch_o(),
    .parent_o(),
    .gid_o(),
    .children_o(),
    .arrived_o(lower_arrived),
    .serve_o(lower_serve),
    .sent_o(lower_has_sent),
    .phase_o(lower_phase),
    .failed_o(lower_failed),
    .age_o(),
    .folding_o(),
    .under_way_o(),
    .busy_o()
  );

  // ---- Facts ----------------------------------------------------------------------------------
  logic [Members-1:0] done;
  logic [1:0] barriers;
  retry_watch #(
    .Members(Members),
    .DataW(DataW),
    .Op(Op)
  ) watch (
    .clk_i,
    .rst_ni(runs),
    .arrives_i(arrives),
    .data_i,
    .waits_i(waits),
    .failed_i(failed),
    .released_i(released),
    .release_data_i(release_data),
    .done_o(done),
    .data_o(),
    .barriers_o(barriers)
  );

  // What a tick, or a question, of the cycle before must have led to.
  logic asks_q, sent_q, failed_q;
  logic [Ports-1:0] missed_q;
  logic [1:0] notify_q;
  always_ff @(posedge clk_i) begin
    {asks_q, sent_q, failed_q} <= {runs && tick_i[1], lower_has_sent, lower_failed};
    notify_q <= {2{runs}} & tick_i & {lower_failed, root_failed};
    for (int unsigned p = 0; p < Ports; p++) begin
      missed_q[p] <= runs && root_msg[p] && !root_failed && !root_arrived[p] &&
                     root_message[p][MessageW-1-:2] == {!root_phase, 1'b0};
    end
  end

  `MUSTER_ASSERT(AsksAgain_A, !asks_q || !((sent_q && lower_has_sent) || failed_q) ||
                              (lower_request[Parent] && !lower_down))
  `MUSTER_ASSERT(GivesNotice_A, (!notify_q[0] || root_arrived == RootChildren) &&
                                (!notify_q[1] || lower_arrived == LowerChildren))
  `MUSTER_ASSERT(Answers_A, (missed_q & ~root_serve) == '0 &&
                            (root_failed || root_request == root_serve))
  `MUSTER_ASSERT(RootSendsDown_A, !runs || root_request == '0 || root_down)

  `MUSTER_COVER(ThreeBarriers_C, barriers == 2'd3)
  `MUSTER_COVER(AllHaveFailed_C, runs && failed == '1 && barriers == 2'd1)

endmodule

`default_nettype wire
