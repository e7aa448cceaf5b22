// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "muster_assert.svh"

// retry_register with `turn`, a member at each child port, and channels between them that lose and
// duplicate any messages, Places messages on the way in each. Members arrive and repeat at any
// time, and abort while they may; ticks and aborts of the register come at any time, and its
// messages wait at the outputs for any time.
//
// The facts are those of retry_watch.
module retry_register_proof #(
  parameter int unsigned Members = 2,
  /// messages on the way of one channel, 1 to 3
  parameter int unsigned Places = 1,
  /// operation on the data
  parameter logic [2:0] Op = 3'd0,
  localparam int unsigned Ports = 3,
  localparam int unsigned GidW = 4,
  localparam int unsigned DataW = 2,
  localparam int unsigned MessageW = muster_pkg::RetryW + DataW
) (
  input  wire logic                           clk_i,
  input  wire logic [Members-1:0]             arrive_i,
  input  wire logic [Members-1:0][DataW-1:0]  data_i,
  input  wire logic [Members-1:0]             member_abort_i,
  /// members repeat, messages move on and come; the register's leave, of what it requests
  input  wire logic [Members-1:0]             put_i,
  input  wire logic [Members-1:0][Places-1:0] up_moves_i,
  input  wire logic [Members-1:0][Places-1:0] down_moves_i,
  input  wire logic [Members-1:0]             up_comes_i,
  input  wire logic [Members-1:0]             down_comes_i,
  input  wire logic [Ports-1:0]               take_i,
  input  wire logic                           tick_i,
  input  wire logic                           abort_i
);
  localparam logic [Ports-1:0] Children = Ports'((1 << Members) - 1);

  // Reset, the write of the register, barriers.
  logic rst_ni = 1'b0;
  logic setup_q, runs_q, runs;
  always_ff @(posedge clk_i) begin
    rst_ni <= 1'b1;
    setup_q <= !rst_ni;
    runs_q <= rst_ni && (setup_q || runs_q);
  end
  assign runs = rst_ni && runs_q;

  // ---- Members and channels -------------------------------------------------------------------
  logic [Members-1:0] arrives, released, waits, failed;
  logic [Members-1:0][DataW-1:0] release_data;
  logic [Ports-1:0] msg, request, leaves, arrived, serve;
  logic [Ports-1:0][MessageW-1:0] message;
  logic [MessageW-1:0] sent;
  assign leaves = request & take_i;

  for (genvar m = 0; m < Members; m++) begin : gen_leaf
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
      .msg_o(msg[m]),
      .message_o(message[m]),
      .leaves_i(leaves[m]),
      .message_i(sent),
      .arrives_o(arrives[m]),
      .released_o(released[m]),
      .release_data_o(release_data[m]),
      .phase_o(),
      .waits_o(waits[m]),
      .failed_o(failed[m])
    );
  end
  for (genvar p = Members; p < Ports; p++) begin : gen_open
    assign {msg[p], message[p]} = '0;
  end

  // ---- The register ---------------------------------------------------------------------------
  logic down;
  retry_register #(
    .Ports(Ports),
    .GidW(GidW),
    .DataW(MessageW)
  ) dut (
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
    .children_i(Children),
    .abort_i(runs && abort_i),
    .tick_i,
    .age_tick_i(1'b0),
    .msg_i(msg),
    .msg_distribution_i('0),
    .msg_gid_i('0),
    .msg_data_i(message),
    .match_o(),
    .takes_o(),
    .request_o(request),
    .distribution_o(down),
    .data_o(sent),
    .leaves_i(leaves),
    .valid_o(),
    .turn_o(),
    .claimed_o(),
    .op_o(),
    .epoch_o(),
    .parent_o(),
    .gid_o(),
    .children_o(),
    .arrived_o(arrived),
    .serve_o(serve),
    .sent_o(),
    .phase_o(),
    .failed_o(),
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

  // A release has been sent to a member once more: another has had it and arrived.
  logic again_q;
  logic [Ports-1:0] served_q;
  always_ff @(posedge clk_i) begin
    served_q <= (runs && done != '0) ? served_q | (leaves & serve) : '0;
    again_q <= runs && (again_q || ((leaves & serve & served_q) != '0 && arrived != '0));
  end

  `MUSTER_ASSERT(TurnSendsDown_A, !runs || request == '0 || down)

  `MUSTER_COVER(ThreeBarriers_C, barriers == 2'd3)
  `MUSTER_COVER(AllHaveFailed_C, runs && failed == '1 && barriers == 2'd1)
  `MUSTER_COVER(ReleasedAgain_C, again_q && barriers == 2'd2)

endmodule

`default_nettype wire
