// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "muster_assert.svh"

// One muster_retry_register with `turn`, or two, one below the other, with members at both and
// channels that lose and duplicate any messages between all of them, Places messages on the way in
// each. Members arrive and repeat at any time, and abort while they may; ticks and aborts of each
// register come at any time, and messages wait at the outputs for any time.
//
// Beside the facts of retry_watch, on what is asked and answered, as the page has it:
//
//   - at a tick a register that has failed, or has sent its UP and waits, asks its parent: the UP
//     is at the output in the next cycle
//   - at a tick a register that has failed gives notice to all its children
//   - who asks for the last release, at a register that has one, gets it: it is at the output as
//     soon as UP and notice have left
module retry_network_proof #(
  /// members at the root, 0 to 1, and at the register below, 1 to 2; or up to 3 at the root, and 0
  /// without a register below
  parameter int unsigned Root = 1,
  parameter int unsigned Below = 1,
  /// messages on the way of one channel, 1 to 3
  parameter int unsigned Places = 1,
  /// operation on the data
  parameter logic [2:0] Op = 3'd0,
  localparam int unsigned Members = Root + Below,
  localparam int unsigned Registers = (Below == 0) ? 1 : 2,
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
  /// of the root, and of the register below
  input  wire logic [1:0][Ports-1:0]          take_i,
  input  wire logic [1:0]                     tick_i,
  input  wire logic [1:0]                     abort_i
);
  localparam int unsigned Parent = 2;  // port of the lower one
  localparam logic [Ports-1:0] RootChildren = Ports'((1 << (Root + Registers - 1)) - 1);
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
  // Of the registers: element 0 of an array is of the root, 1 of the one below.
  logic [1:0][Ports-1:0] msg, request, leaves, arrived, serve;
  logic [1:0][Ports-1:0][MessageW-1:0] message;
  logic [1:0][MessageW-1:0] sent;
  logic [1:0] down, phase, register_failed, has_sent;
  assign leaves = request & take_i;

  for (genvar m = 0; m < Members; m++) begin : gen_leaf
    localparam int unsigned At = (m < Root) ? 0 : 1;
    localparam int unsigned Port = (m < Root) ? m : m - Root;
    retry_leaf #(.DataW(DataW), .Places(Places)) leaf (
      .clk_i, .rst_ni(runs),
      .arrive_i(arrive_i[m]),
      .data_i(data_i[m]),
      .abort_i(member_abort_i[m]),
      .put_i(put_i[m]),
      .up_moves_i(up_moves_i[m]),
      .down_moves_i(down_moves_i[m]),
      .up_comes_i(up_comes_i[m]),
      .down_comes_i(down_comes_i[m]),
      .msg_o(msg[At][Port]),
      .message_o(message[At][Port]),
      .leaves_i(leaves[At][Port]),
      .message_i(sent[At]),
      .arrives_o(arrives[m]),
      .released_o(released[m]),
      .release_data_o(release_data[m]),
      .waits_o(waits[m]),
      .failed_o(failed[m])
    );
  end
  for (genvar p = Root + Registers - 1; p < Ports; p++) begin : gen_root_open
    assign {msg[0][p], message[0][p]} = '0;
  end

  // ---- The registers, and the edge between two ------------------------------------------------
  if (Below == 0) begin : gen_single
    assign {msg[1], message[1], request[1], arrived[1], serve[1], sent[1]} = '0;
    assign {down[1], phase[1], register_failed[1], has_sent[1]} = '0;
  end else begin : gen_edge
    for (genvar p = Below; p < Parent; p++) begin : gen_lower_open
      assign {msg[1][p], message[1][p]} = '0;
    end

    lossy_wire #(.Width(MessageW), .Places(Places)) up (
      .clk_i, .rst_ni(runs),
      .put_i(leaves[1][Parent]),
      .frame_i(sent[1]),
      .moves_i(edge_up_moves_i),
      .comes_i(edge_up_comes_i),
      .first_i(1'b0),
      .comes_o(msg[0][Root]),
      .frame_o(message[0][Root])
    );

    lossy_wire #(.Width(MessageW), .Places(Places)) back (
      .clk_i, .rst_ni(runs),
      .put_i(leaves[0][Root]),
      .frame_i(sent[0]),
      .moves_i(edge_down_moves_i),
      .comes_i(edge_down_comes_i),
      .first_i(1'b0),
      .comes_o(msg[1][Parent]),
      .frame_o(message[1][Parent])
    );
  end

  for (genvar r = 0; r < Registers; r++) begin : gen_register
    localparam logic [Ports-1:0] ParentPort = (r == 0) ? '0 : Ports'(1 << Parent);
    muster_retry_register #(.Ports(Ports), .GidW(GidW), .DataW(MessageW)) dut (
      .clk_i, .rst_ni,
      .control_write_i(setup_q),
      .valid_i(1'b1),
      .turn_i(r == 0),
      .claimed_i(1'b0),
      .op_i(Op),
      .epoch_i('0),
      .parent_i((r == 0) ? '0 : 2'(Parent)),
      .parent_port_i(ParentPort),
      .gid_i('0),
      .children_write_i(setup_q),
      .children_i((r == 0) ? RootChildren : LowerChildren),
      .abort_i(runs && abort_i[r]),
      .tick_i(tick_i[r]),
      .age_tick_i(1'b0),
      .msg_i(msg[r]),
      .msg_distribution_i(ParentPort),
      .msg_gid_i('0),
      .msg_data_i(message[r]),
      .request_o(request[r]),
      .distribution_o(down[r]),
      .data_o(sent[r]),
      .leaves_i(leaves[r]),
      .arrived_o(arrived[r]),
      .serve_o(serve[r]),
      .sent_o(has_sent[r]),
      .phase_o(phase[r]),
      .failed_o(register_failed[r])
    );
  end

  // ---- Facts ----------------------------------------------------------------------------------
  logic [1:0] barriers;
  logic [Members-1:0] done;
  retry_watch #(.Members(Members), .DataW(DataW), .Op(Op)) watch (
    .clk_i, .rst_ni(runs),
    .arrives_i(arrives),
    .data_i,
    .waits_i(waits),
    .failed_i(failed),
    .released_i(released),
    .release_data_i(release_data),
    .done_o(done),
    .barriers_o(barriers)
  );

  // What a tick, or a question, of the cycle before must have led to.
  logic asks_q, sent_q, failed_q;
  logic [Ports-1:0] missed_q;
  logic [1:0] notify_q;
  always_ff @(posedge clk_i) begin
    {asks_q, sent_q, failed_q} <= {runs && tick_i[1], has_sent[1], register_failed[1]};
    notify_q <= {2{runs}} & tick_i & register_failed;
    for (int unsigned p = 0; p < Ports; p++) begin
      missed_q[p] <= runs && msg[0][p] && !register_failed[0] && !arrived[0][p] &&
                     message[0][p][MessageW-1-:2] == {!phase[0], 1'b0};
    end
  end

  `MUSTER_ASSERT(AsksAgain_A, !asks_q || !((sent_q && has_sent[1]) || failed_q) ||
                              (request[1][Parent] && !down[1]))
  `MUSTER_ASSERT(GivesNotice_A, (!notify_q[0] || arrived[0] == RootChildren) &&
                                (!notify_q[1] || arrived[1] == LowerChildren))
  `MUSTER_ASSERT(Answers_A, (missed_q & ~serve[0]) == '0 &&
                            (register_failed[0] || request[0] == serve[0]))
  `MUSTER_ASSERT(RootSendsDown_A, !runs || request[0] == '0 || down[0])

  `MUSTER_COVER(ThreeBarriers_C, barriers == 2'd3)
  `MUSTER_COVER(AllHaveFailed_C, runs && failed == '1 && barriers == 2'd1)

  // A release has been sent to a member once more: another has had it and arrived.
  if (Below == 0) begin : gen_again
    logic again_q;
    logic [Ports-1:0] served_q, serves;
    assign serves = leaves[0] & serve[0];
    always_ff @(posedge clk_i) begin
      served_q <= (runs && done != '0) ? served_q | serves : '0;
      again_q <= runs && (again_q || ((serves & served_q) != '0 && arrived[0] != '0));
    end
    `MUSTER_COVER(ReleasedAgain_C, again_q && barriers == 2'd2)
  end

endmodule

`default_nettype wire
