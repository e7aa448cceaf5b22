// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "muster_assert.svh"

// muster_serial_unit with two registers: that of any one group, and another which the host may
// write at any time, with any other group. Any messages at any ports, for either or for neither
// group, in their favour or forged; any delay at the outputs and of the spill's latch.
//
//   - one message a cycle is taken, unless it waits for the latch; one that waits for its turn is
//     passed by fewer than Ports others, and by none from the same port
//   - no message goes up, and nothing is released, before a reduction message of every child has
//     been taken since it was last served; the data that go up are what Op makes of theirs
//   - with all of them taken the message up is offered in the next cycle, as that to each child is
//     after a release, and leaves after one message of the other group at most
//   - each child is served exactly once for each distribution, with its data
//   - the other group, messages for it, and messages from ports outside the group change nothing: a
//     second unit, `twin`, with this register alone, which sees only what is taken from the group's
//     own ports, has the same words for the host in every cycle and offers the same messages
module serial_unit_proof #(
  parameter int unsigned Ports = 3,
  parameter bit Turn = 1'b0,
  /// operation on the data
  parameter logic [2:0] Op = 3'd0,
  localparam int unsigned FlitW = 16,
  localparam int unsigned GidW = 12,  // so that data have 2 bits; two bits of it are used
  localparam int unsigned TypeW = muster_pkg::MsgTypeW,
  localparam int unsigned DataW = 2,
  localparam int unsigned ParentW = $clog2(Ports + 1)
) (
  input  wire logic                         clk_i,
  /// in reset: the group
  input  wire logic [ParentW-1:0]           parent_i,
  input  wire logic [1:0]                   gid_i,
  input  wire logic [Ports-1:0]             children_i,
  /// writes to the other register
  input  wire logic                         control_write_i,
  input  wire logic                         children_write_i,
  input  wire logic                         other_valid_i,
  input  wire logic                         other_turn_i,
  input  wire logic [2:0]                   other_op_i,
  input  wire logic [ParentW-1:0]           other_parent_i,
  input  wire logic [1:0]                   other_gid_i,
  input  wire logic [Ports-1:0]             other_children_i,
  input  wire logic [Ports-1:0]             msg_i,
  input  wire logic [Ports-1:0][TypeW-1:0]  msg_type_i,
  input  wire logic [Ports-1:0][1:0]        msg_gid_i,
  input  wire logic [Ports-1:0][DataW-1:0]  msg_data_i,
  input  wire logic                         latch_full_i,
  input  wire logic [Ports-1:0]             leaves_i,
  input  wire logic [3:0]                   read_word_i
);
  // Reset, the write of the group, barriers.
  logic rst_ni = 1'b0;
  logic setup_q, runs_q;
  always_ff @(posedge clk_i) begin
    rst_ni <= 1'b1;
    setup_q <= !rst_ni;
    runs_q <= rst_ni && (setup_q || runs_q);
  end

  logic [ParentW-1:0] parent_q;
  logic [1:0] gid_q;
  logic [Ports-1:0] children_q, parent_port;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      parent_q <= parent_i;
      gid_q <= gid_i;
      children_q <= children_i;
    end
  end
  assign parent_port = Turn ? '0 : Ports'(64'd1 << parent_q);

  // ---- The unit and its twin ------------------------------------------------------------------
  logic [Ports-1:0][FlitW-1:0] payload, out, twin_out;
  logic [Ports-1:0] hold, unknown, refused, malformed, waits, send, twin_send;
  logic [Ports-1:0] formed, taken, ours, own_out;
  logic [31:0] word, twin_word;

  for (genvar p = 0; p < Ports; p++) begin : gen_port
    assign payload[p] = {msg_type_i[p], GidW'(msg_gid_i[p]), msg_data_i[p]};
    assign ours[p] = msg_gid_i[p] == gid_q &&
                     (msg_type_i[p][0] ? parent_port[p] : children_q[p]);
    assign own_out[p] = send[p] && out[p][DataW+:GidW] == GidW'(gid_q);
  end
  assign waits = latch_full_i ? unknown : '0;

  muster_serial_unit #(.Ports(Ports), .Regs(2), .FlitW(FlitW), .GidW(GidW)) dut (
    .clk_i, .rst_ni,
    .control_write_i({control_write_i && runs_q, setup_q}),
    .children_write_i({children_write_i && runs_q, setup_q}),
    .valid_i(setup_q || other_valid_i),
    .turn_i(setup_q ? Turn : other_turn_i),
    .claimed_i(1'b0),
    .op_i(setup_q ? Op : other_op_i),
    .parent_i(setup_q ? parent_q : other_parent_i),
    .gid_i(GidW'(setup_q ? gid_q : other_gid_i)),
    .children_i(setup_q ? children_q : other_children_i),
    .msg_i,
    .msg_payload_i(payload),
    .hold_o(hold),
    .malformed_o(malformed),
    .unknown_o(unknown),
    .refused_o(refused),
    .wait_i(waits),
    .send_o(send),
    .send_payload_o(out),
    .leaves_i,
    .read_i(1'b1),
    .read_register_i(4'd0),
    .read_word_i,
    .word_o(word)
  );

  for (genvar p = 0; p < Ports; p++) begin : gen_taken
    assign formed[p] = msg_i[p] && !msg_type_i[p][1];
    assign taken[p] = formed[p] && !hold[p] && !waits[p];
  end

  muster_serial_unit #(.Ports(Ports), .Regs(1), .FlitW(FlitW), .GidW(GidW)) twin (
    .clk_i, .rst_ni,
    .control_write_i(setup_q),
    .children_write_i(setup_q),
    .valid_i(1'b1),
    .turn_i(Turn),
    .claimed_i(1'b0),
    .op_i(Op),
    .parent_i(parent_q),
    .gid_i(GidW'(gid_q)),
    .children_i(children_q),
    .msg_i(runs_q ? taken & ours : '0),
    .msg_payload_i(payload),
    .wait_i('0),
    .send_o(twin_send),
    .send_payload_o(twin_out),
    .leaves_i(leaves_i & own_out),
    .read_i(1'b1),
    .read_register_i(4'd0),
    .read_word_i,
    .word_o(twin_word)
  );

  // ---- What has happened, told from the messages only ------------------------------------------
`include "data_meaning.svh"

  // heard: sent a reduction message since it was last served. owed: a distribution for it is still
  // to leave. told: the parent has our reduction message and has not answered.
  logic [Ports-1:0] heard_q, owed_q, hears, heard_now;
  logic [DataW-1:0] heard_data_q, owed_data_q, data_now, data_in;
  logic told_q, distributes, released;
  always_comb begin
    distributes = 1'b0;
    data_in = '0;
    for (int unsigned p = 0; p < Ports; p++) begin
      hears[p] = taken[p] && ours[p] && !msg_type_i[p][0] && !owed_q[p] && !heard_q[p];
      if (taken[p] && ours[p]) begin
        distributes = msg_type_i[p][0] && told_q;
        data_in = msg_data_i[p];
      end
    end
  end
  assign heard_now = heard_q | hears;
  assign released = Turn ? hears != '0 && heard_now == children_q : distributes;
  assign data_now = (hears != '0) ? both(heard_data_q, data_in) : heard_data_q;
  always_ff @(posedge clk_i) begin
    if (!runs_q || released) begin
      heard_q <= '0;
      owed_q <= runs_q ? children_q : '0;
      told_q <= 1'b0;
      heard_data_q <= Neutral;
    end else begin
      heard_q <= heard_now;
      owed_q <= owed_q & ~(leaves_i & own_out);
      told_q <= told_q || (leaves_i & own_out & parent_port) != '0;
      heard_data_q <= data_now;
    end
    if (released) owed_data_q <= Turn ? data_now : data_in;
  end

  // ---- Turns ------------------------------------------------------------------------------------
  // Messages of others that were taken since the one at the head of this port has been there, and
  // since the last of each other port.
  localparam int unsigned PassW = $clog2(Ports + 1);
  logic [Ports-1:0] bypassed, passed_twice, late, leaves_late;
  logic [Ports-1:0][Ports-1:0] passed_q;
  logic [Ports-1:0][PassW-1:0] passes_q;
  logic [Ports-1:0] other_left_q;
  always_ff @(posedge clk_i) begin
    for (int unsigned p = 0; p < Ports; p++) begin
      if (!rst_ni || !formed[p] || taken[p]) begin
        passed_q[p] <= '0;
        passes_q[p] <= '0;
      end else begin
        passed_q[p] <= passed_q[p] | taken;
        if (taken != '0) passes_q[p] <= passes_q[p] + 1'b1;
      end
      // A message of the other group has left while ours was offered there.
      other_left_q[p] <= rst_ni && twin_send[p] && !(leaves_i[p] && own_out[p]) &&
                         (other_left_q[p] || leaves_i[p]);
    end
  end
  always_comb begin
    for (int unsigned p = 0; p < Ports; p++) begin
      bypassed[p] = 32'(passes_q[p]) >= Ports;
      passed_twice[p] = formed[p] && !taken[p] && (passed_q[p] & taken) != '0;
      late[p] = twin_send[p] && !send[p];
      leaves_late[p] = other_left_q[p] && !own_out[p];
    end
  end

  // ---- Facts ------------------------------------------------------------------------------------
  logic [Ports-1:0] ups, downs, up_wrong, down_wrong, differs;
  always_comb begin
    for (int unsigned p = 0; p < Ports; p++) begin
      ups[p] = own_out[p] && out[p][FlitW-1-:TypeW] == muster_pkg::MsgReduction;
      downs[p] = own_out[p] && out[p][FlitW-1-:TypeW] == muster_pkg::MsgDistribution;
      up_wrong[p] = ups[p] && !(parent_port[p] && heard_q == children_q && !told_q &&
                                out[p][DataW-1:0] == heard_data_q);
      down_wrong[p] = downs[p] && !(owed_q[p] && out[p][DataW-1:0] == owed_data_q);
      differs[p] = own_out[p] && !(twin_send[p] && out[p] == twin_out[p]);
    end
  end
  logic all_here;
  assign all_here = runs_q && !Turn && heard_q == children_q && !told_q;

  logic [1:0] releases_q;
  logic other_released_q;
  always_ff @(posedge clk_i) begin
    if (!runs_q) releases_q <= '0;
    else if (released && releases_q != '1) releases_q <= releases_q + 1'b1;
    other_released_q <= runs_q && (other_released_q || (send & ~own_out & leaves_i) != '0);
  end

  `MUSTER_ASSUME(HasChildren_M, children_q != '0)
  `MUSTER_ASSUME(ParentIsPort_M, Turn || (32'(parent_q) < Ports))
  `MUSTER_ASSUME(ParentIsNoChild_M, (children_q & parent_port) == '0)
  `MUSTER_ASSUME(OtherGroup_M, !control_write_i || other_gid_i != gid_q)
  `MUSTER_ASSUME(NothingBefore_M, runs_q || msg_i == '0)
  `MUSTER_ASSUME(LeavesOnRequest_M, (leaves_i & ~send) == '0)

  `MUSTER_ASSERT(OneIsTaken_A, $countones(formed & ~hold) == 32'(formed != '0))
  `MUSTER_ASSERT(DropsAreTaken_A, (refused & ~taken) == '0)
  `MUSTER_ASSERT(MalformedIsNotFormed_A, malformed == (msg_i & ~formed))
  `MUSTER_ASSERT(PassedByFew_A, bypassed == '0)
  `MUSTER_ASSERT(PassedOnceByEach_A, passed_twice == '0)
  `MUSTER_ASSERT(UpWhenAllTaken_A, up_wrong == '0)
  `MUSTER_ASSERT(DownWhenOwed_A, down_wrong == '0)
  `MUSTER_ASSERT(ReleaseNeedsAll_A, !released || heard_now == children_q)
  `MUSTER_ASSERT(OneDistribution_A, !released || owed_q == '0)
  `MUSTER_ASSERT(UpAsSoonAsAllTaken_A, !all_here || (twin_send & parent_port) == parent_port)
  `MUSTER_ASSERT(OwedIsOffered_A, !runs_q || (owed_q & ~twin_send) == '0)
  `MUSTER_ASSERT(OfferedInTime_A, late == '0 && leaves_late == '0)
  `MUSTER_ASSERT(OthersChangeNothing_A, !runs_q || word == twin_word)
  `MUSTER_ASSERT(OthersSendNothing_A, differs == '0)

  `MUSTER_COVER(TwoBarriers_C, releases_q == 2'd2 && owed_q == '0)
  `MUSTER_COVER(EarlyBird_C, owed_q != '0 && heard_q != '0)
  `MUSTER_COVER(OtherGroupSends_C, releases_q == 2'd1 && other_released_q)
  `MUSTER_COVER(AllWait_C, formed == '1 && waits != '0)
  `MUSTER_COVER(PassedByAll_C, 32'(passes_q[0]) == Ports - 1)
  `MUSTER_COVER(OtherLeavesFirst_C, other_left_q != '0)

endmodule

`default_nettype wire
