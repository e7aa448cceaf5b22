// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "muster_assert.svh"

// muster_many_unit with two groups: any one of them, written once after the memory has been
// cleared, and the other, which the host may write at any time, in the middle of a barrier too, and
// to anything. Messages of any type, group, data and port come in any cycle and stay until they are
// taken; outputs are free or not.
//
// What the group has heard and owes is told from the messages only. No child is early; each is
// served once for each barrier, with the data of all; each message is dropped for the reason for
// which it should be, or for none; what the host reads of the memory is what has happened; nothing
// of the other group changes any of this; no more than one message of the other goes before ours,
// and the outputs are never idle for long while ours waits.
module many_unit_proof #(
  parameter int unsigned Ports = 3,
  parameter bit          Turn = 1'b0,
  parameter logic [2:0]  Op = 3'd0,
  localparam int unsigned Groups = 2,
  localparam int unsigned FlitW = 16,
  localparam int unsigned GidW = 12,
  localparam int unsigned TypeW = muster_pkg::MsgTypeW,
  localparam int unsigned DataW = FlitW - TypeW - GidW,
  localparam int unsigned ParentW = $clog2(Ports + 1)
) (
  input  wire logic                        clk_i,

  // The group, constant by what is done with it, and what the host writes.
  input  wire logic [ParentW-1:0]          parent_i,
  input  wire logic                        gid_i,
  input  wire logic [Ports-1:0]            children_i,
  input  wire logic [2:0]                  host_write_i,
  input  wire logic [31:0]                 wdata_i,
  input  wire logic [3:0]                  read_word_i,

  input  wire logic [Ports-1:0]            msg_i,
  input  wire logic [Ports-1:0][TypeW-1:0] msg_type_i,
  input  wire logic [Ports-1:0][1:0]       msg_gid_i,
  input  wire logic [Ports-1:0][DataW-1:0] msg_data_i,
  input  wire logic [Ports-1:0]            leaves_i
);
  // Reset, clearing, the three writes of the group, barriers.
  localparam logic [2:0] Cleared = 3'(Groups), Runs = 3'(Groups + 3);
  logic rst_ni = 1'b0;
  logic [2:0] step_q;
  logic runs;
  always_ff @(posedge clk_i) begin
    rst_ni <= 1'b1;
    if (!rst_ni) step_q <= '0;
    else if (!runs) step_q <= step_q + 1'b1;
  end
  assign runs = rst_ni && step_q == Runs;

  logic [ParentW-1:0] parent_q;
  logic gid_q, selected_q;
  logic [Ports-1:0] children_q, parent_port;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      parent_q <= parent_i;
      gid_q <= gid_i;
      children_q <= children_i;
    end
  end
  assign parent_port = Turn ? '0 : Ports'(64'd1 << parent_q);

  logic [2:0] host_write;
  logic [31:0] wdata;
  always_comb begin
    host_write = runs ? host_write_i : '0;
    wdata = wdata_i;
    unique case (step_q)
      Cleared: {host_write, wdata} = {3'b100, 31'd0, gid_q};
      Cleared + 3'd1: {host_write, wdata} = {3'b010, 32'(children_q)};
      Cleared + 3'd2: {host_write, wdata} = {3'b001, 1'b1, Turn, 1'b0, Op, 10'(parent_q), 16'd0};
      default: ;
    endcase
  end
  logic looks_q;  // the group has been selected in the cycle before
  always_ff @(posedge clk_i) begin
    if (!rst_ni) selected_q <= 1'b0;
    else if (host_write[2]) selected_q <= wdata[0];
    looks_q <= runs && host_write[2] && wdata[0] == gid_q;
  end

  // ---- The unit -------------------------------------------------------------------------------
  logic [Ports-1:0][FlitW-1:0] payload, out;
  logic [Ports-1:0] hold, unknown, refused, malformed, send, formed, taken;
  logic [Ports-1:0] ours, own_out;
  logic [31:0] word;
  logic busy;
  for (genvar p = 0; p < Ports; p++) begin : gen_port
    // Identifiers 2 and 3 are beyond the memory.
    assign payload[p] = {msg_type_i[p], GidW'(msg_gid_i[p]), msg_data_i[p]};
    assign formed[p] = msg_i[p] && !msg_type_i[p][1];
    assign taken[p] = formed[p] && !hold[p];
    assign ours[p] = taken[p] && msg_gid_i[p] == {1'b0, gid_q};
    assign own_out[p] = send[p] && out[p][DataW+:GidW] == GidW'(gid_q);
  end

  muster_many_unit #(.Ports(Ports), .Groups(Groups), .FlitW(FlitW), .GidW(GidW)) dut (
    .clk_i, .rst_ni,
    .host_write_i(host_write),
    .wdata_i(wdata),
    .msg_i,
    .msg_payload_i(payload),
    .hold_o(hold),
    .malformed_o(malformed),
    .unknown_o(unknown),
    .refused_o(refused),
    .send_o(send),
    .send_payload_o(out),
    .leaves_i,
    .read_i(1'b1),
    .read_register_i(4'd0),
    .read_word_i,
    .word_o(word),
    .busy_o(busy)
  );

  // ---- What has happened, told from the messages only ------------------------------------------
`include "data_meaning.svh"

  // The message of ours that was taken in the cycle before, if there was one: it counts now.
  logic [Ports-1:0] came_q, all_came_q;
  logic came_distribution_q;
  logic [DataW-1:0] came_data_q;
  always_ff @(posedge clk_i) begin
    came_q <= rst_ni ? ours : '0;
    all_came_q <= rst_ni ? taken : '0;
    for (int unsigned p = 0; p < Ports; p++) begin
      if (ours[p]) {came_distribution_q, came_data_q} <= {msg_type_i[p][0], msg_data_i[p]};
    end
  end

  // heard: sent a reduction message since it was last served. owed: a distribution for it is still
  // to leave. told: the parent has our reduction message and has not answered.
  logic [Ports-1:0] heard_q, owed_q, hears, heard_now;
  logic [DataW-1:0] heard_data_q, owed_data_q, data_now;
  logic told_q, distributes, released;
  assign hears = came_distribution_q ? '0 : came_q & children_q & ~owed_q & ~heard_q;
  assign distributes = came_distribution_q && (came_q & parent_port) != '0 && told_q;
  assign heard_now = heard_q | hears;
  assign released = Turn ? hears != '0 && heard_now == children_q : distributes;
  assign data_now = (hears != '0) ? both(heard_data_q, came_data_q) : heard_data_q;
  always_ff @(posedge clk_i) begin
    if (!runs || released) begin
      heard_q <= '0;
      owed_q <= runs ? children_q : '0;
      told_q <= 1'b0;
      heard_data_q <= Neutral;
    end else begin
      heard_q <= heard_now;
      owed_q <= owed_q & ~(leaves_i & own_out);
      told_q <= told_q || (leaves_i & own_out & parent_port) != '0;
      heard_data_q <= data_now;
    end
    if (released) owed_data_q <= Turn ? data_now : came_data_q;
  end

  // ---- Our message among the others -------------------------------------------------------------
  logic waits, own_first, other_first;
  logic [Groups-1:0] passed_q;  // one bit more for each message of the other that has left
  logic [1:0] idle_q;           // cycles without any message at the outputs
  assign own_first = own_out != '0;
  assign other_first = send != '0 && !own_first;
  assign waits = runs && (owed_q != '0 || (!Turn && heard_q == children_q && !told_q));
  always_ff @(posedge clk_i) begin
    if (!waits) passed_q <= '0;
    else if (other_first && (send & ~leaves_i) == '0) passed_q <= {passed_q[Groups-2:0], 1'b1};
    if (!waits || send != '0) idle_q <= '0;
    else if (idle_q != '1) idle_q <= idle_q + 1'b1;
  end

  // ---- Facts ------------------------------------------------------------------------------------
  logic [Ports-1:0] up_wrong, down_wrong, phase_wrong, port_wrong;
  always_comb begin
    for (int unsigned p = 0; p < Ports; p++) begin
      up_wrong[p] = own_out[p] && !out[p][FlitW-TypeW] &&
                    !(parent_port[p] && heard_q == children_q && !told_q &&
                      out[p][DataW-1:0] == heard_data_q);
      down_wrong[p] = own_out[p] && out[p][FlitW-TypeW] &&
                      !(owed_q[p] && out[p][DataW-1:0] == owed_data_q);
    end
    port_wrong = came_q & ~(came_distribution_q ? parent_port : children_q);
    phase_wrong = (came_q & ~port_wrong) & ~(hears | (distributes ? parent_port : '0));
  end
  logic seen;
  always_comb begin
    seen = 1'b1;
    unique case (read_word_i)
      4'd0: seen = word == {1'b1, Turn, 1'b0, Op, 10'(parent_q), 15'd0, gid_q};
      4'd1: seen = word == {30'd0, waits, told_q};
      4'd2: seen = word == 32'(children_q);
      4'd4: seen = word == 32'(heard_q);
      4'd6: seen = word == 32'(owed_q);
      default: seen = word == '0;
    endcase
  end

  logic [1:0] releases_q;
  logic other_wrote_q;
  always_ff @(posedge clk_i) begin
    if (!runs) releases_q <= '0;
    else if (released && releases_q != '1) releases_q <= releases_q + 1'b1;
    other_wrote_q <= runs && (other_wrote_q || (host_write[1:0] != '0 && other_first));
  end

  `MUSTER_ASSUME(HasChildren_M, children_q != '0)
  `MUSTER_ASSUME(ParentIsPort_M, Turn || (32'(parent_q) < Ports))
  `MUSTER_ASSUME(ParentIsNoChild_M, (children_q & parent_port) == '0)
  `MUSTER_ASSUME(OneWrite_M, (host_write_i & (host_write_i - 1'b1)) == '0)
  `MUSTER_ASSUME(OtherGroup_M, !runs || host_write_i[1:0] == '0 || selected_q != gid_q)
  `MUSTER_ASSUME(NothingBefore_M, runs || msg_i == '0)
  `MUSTER_ASSUME(LeavesOnRequest_M, (leaves_i & ~send) == '0)

  `MUSTER_ASSERT(OneIsTaken_A, $countones(taken) == 32'(formed != '0 && host_write == '0))
  `MUSTER_ASSERT(MalformedIsNotFormed_A, malformed == (msg_i & ~formed))
  `MUSTER_ASSERT(NoneIsUnknown_A, (unknown & came_q) == '0)
  `MUSTER_ASSERT(DroppedHasCome_A, ((unknown | refused) & ~all_came_q) == '0)
  `MUSTER_ASSERT(Refused_A, came_q == '0 || refused == (port_wrong | phase_wrong))
  `MUSTER_ASSERT(UpWhenAllTaken_A, up_wrong == '0)
  `MUSTER_ASSERT(DownWhenOwed_A, down_wrong == '0)
  `MUSTER_ASSERT(ReleaseNeedsAll_A, !released || heard_now == children_q)
  `MUSTER_ASSERT(OneDistribution_A, !released || owed_q == '0)
  `MUSTER_ASSERT(HostSeesIt_A, !looks_q || seen)
  `MUSTER_ASSERT(OneGoesBefore_A, !passed_q[Groups-1])
  `MUSTER_ASSERT(NeverIdleForLong_A, idle_q < 2'd2)
  `MUSTER_ASSERT(BusyUntilThen_A, !waits || busy || send != '0)

  `MUSTER_COVER(TwoBarriers_C, releases_q == 2'd2 && owed_q == '0)
  `MUSTER_COVER(EarlyBird_C, owed_q != '0 && heard_q != '0)
  `MUSTER_COVER(OtherGoesFirst_C, passed_q[0] && own_first)
  `MUSTER_COVER(OtherIsWritten_C, releases_q == 2'd1 && other_wrote_q)
  `MUSTER_COVER(HostLooks_C, looks_q && owed_q != '0 && heard_q != '0)

endmodule

`default_nettype wire
