// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "muster_assert.svh"

// A barrier unit of two registers, which two groups have: what messages, host and outputs do for
// the other group changes nothing for ours but a wait of one message at an output. Our group has
// register Place; the host writes both registers at any time.
//
// The twin is a second unit. It sees only the messages of our group and the writes of its register;
// the other register was never written. Of what leaves the unit, it sends what is ours.
//
//   - a message of ours that leaves is the one that the twin has for that output, bit by bit
//   - where the twin has a message for an output, the unit has one: ours, or one of the other group
//     that goes first; at most Passed, one, goes before ours
//   - our messages are judged the same: unknown, refused
//   - the host reads the same words of our register
//
// Only ports of barrier_unit are looked at.
module barrier_isolation_proof #(
  parameter int unsigned Ports = 3,
  parameter int unsigned Place = 0,
  /// messages of the other group that may go before one of ours; 1 for the proof
  parameter int unsigned Passed = 1,
  localparam int unsigned FlitW = 16,
  localparam int unsigned GidW = 12,  // so that data have 2 bits
  localparam int unsigned DataW = FlitW - muster_pkg::MsgTypeW - GidW
) (
  input  wire logic                         clk_i,
  input  wire logic [1:0]                   control_write_i,
  input  wire logic [1:0]                   children_write_i,
  input  wire logic                         valid_i,
  input  wire logic                         turn_i,
  input  wire logic [2:0]                   op_i,
  input  wire logic [3:0]                   parent_i,
  input  wire logic [GidW-1:0]              gid_i,
  input  wire logic [Ports-1:0]             children_i,
  input  wire logic [Ports-1:0]             msg_i,
  input  wire logic [Ports-1:0][FlitW-1:0]  msg_payload_i,
  input  wire logic [Ports-1:0]             goes_i,
  input  wire logic [1:0]                   word_i,
  input  wire logic                         register_i
);
  logic rst_ni = 1'b0;
  always_ff @(posedge clk_i) rst_ni <= 1'b1;

  // ---- The host: what it has written to each register -----------------------------------------
  localparam logic [1:0] Ours = 2'(1 << Place);
  logic [1:0] writes, valid_q, turn_q;
  logic [3:0] parent_0_q, parent_1_q;
  logic [GidW-1:0] gid_0_q, gid_1_q, our_gid;
  logic [Ports-1:0] children_0_q, children_1_q;
  assign our_gid = (Place == 1) ? gid_1_q : gid_0_q;
  // It makes no two valid registers of one group.
  assign writes[0] = control_write_i[0] && !control_write_i[1] &&
                     !(valid_i && valid_q[1] && gid_i == gid_1_q);
  assign writes[1] = control_write_i[1] && !control_write_i[0] &&
                     !(valid_i && valid_q[0] && gid_i == gid_0_q);
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      valid_q <= '0;
      turn_q <= '0;
      {parent_0_q, parent_1_q, gid_0_q, gid_1_q, children_0_q, children_1_q} <= '0;
    end else begin
      valid_q <= (valid_q & ~writes) | (writes & {2{valid_i}});
      turn_q <= (turn_q & ~writes) | (writes & {2{turn_i}});
      if (writes[0]) {parent_0_q, gid_0_q} <= {parent_i, gid_i};
      if (writes[1]) {parent_1_q, gid_1_q} <= {parent_i, gid_i};
      if (children_write_i[0]) children_0_q <= children_i;
      if (children_write_i[1]) children_1_q <= children_i;
    end
  end

  // ---- The unit and its twin ------------------------------------------------------------------
  logic [Ports-1:0] of_ours, leaves, twin_leaves, send, twin_send, sends_ours;
  logic [Ports-1:0] malformed, unknown, refused, twin_unknown, twin_refused;
  logic [Ports-1:0][FlitW-1:0] payload, twin_payload;
  logic [31:0] word, twin_word;
  logic busy, twin_busy;
  for (genvar p = 0; p < Ports; p++) begin : gen_port
    assign of_ours[p] = msg_i[p] && msg_payload_i[p][DataW+:GidW] == our_gid;
    assign sends_ours[p] = send[p] && payload[p][DataW+:GidW] == our_gid &&
                           (valid_q & Ours) != '0;
  end
  assign leaves = goes_i & send;
  assign twin_leaves = leaves & sends_ours;

  barrier_unit #(
    .Ports(Ports),
    .Regs(2),
    .FlitW(FlitW),
    .GidW(GidW)
  ) dut (
    .clk_i,
    .rst_ni,
    .control_write_i(writes),
    .children_write_i,
    .valid_i,
    .turn_i,
    .claimed_i(1'b0),
    .op_i,
    .parent_i,
    .gid_i,
    .children_i,
    .epoch_i('0),
    .abort_i('0),
    .periods_write_i(1'b0),
    .periods_i('0),
    .periods_o(),
    .suspect_o(),
    .msg_i,
    .msg_payload_i,
    .malformed_o(malformed),
    .unknown_o(unknown),
    .refused_o(refused),
    .send_o(send),
    .send_payload_o(payload),
    .leaves_i(leaves),
    .read_i(1'b1),
    .read_register_i({3'd0, register_i}),
    .read_word_i(word_i),
    .word_o(word),
    .kept_o(),
    .busy_o(busy)
  );

  barrier_unit #(
    .Ports(Ports),
    .Regs(2),
    .FlitW(FlitW),
    .GidW(GidW)
  ) twin (
    .clk_i,
    .rst_ni,
    .control_write_i(writes & Ours),
    .children_write_i(children_write_i & Ours),
    .valid_i,
    .turn_i,
    .claimed_i(1'b0),
    .op_i,
    .parent_i,
    .gid_i,
    .children_i,
    .epoch_i('0),
    .abort_i('0),
    .periods_write_i(1'b0),
    .periods_i('0),
    .periods_o(),
    .suspect_o(),
    .msg_i(of_ours),
    .msg_payload_i,
    .malformed_o(),
    .unknown_o(twin_unknown),
    .refused_o(twin_refused),
    .send_o(twin_send),
    .send_payload_o(twin_payload),
    .leaves_i(twin_leaves & twin_send),
    .read_i(1'b1),
    .read_register_i({3'd0, register_i}),
    .read_word_i(word_i),
    .word_o(twin_word),
    .kept_o(),
    .busy_o(twin_busy)
  );

  // ---- Waits, and the other group at work -----------------------------------------------------
  logic [Ports-1:0] differs, passed, passed_again;
  logic [1:0] served_q;  // both groups have had a message leave
  for (genvar p = 0; p < Ports; p++) begin : gen_wait
    logic [1:0] passed_q;
    assign differs[p] = sends_ours[p] && (!twin_send[p] || payload[p] != twin_payload[p]);
    assign passed[p] = passed_q != '0;
    assign passed_again[p] = 32'(passed_q) > Passed;
    always_ff @(posedge clk_i) begin
      if (!rst_ni || !twin_send[p] || twin_leaves[p]) passed_q <= '0;
      else if (leaves[p] && passed_q != '1) passed_q <= passed_q + 1'b1;
    end
  end
  always_ff @(posedge clk_i) begin
    if (!rst_ni) served_q <= '0;
    else served_q <= served_q | {(twin_leaves != '0), ((leaves & ~twin_leaves) != '0)};
  end

  // What the host owes, docs/reference/registers.md, beside different groups.
  `MUSTER_ASSUME(ParentsAreNoChildren_M,
                 (!valid_q[0] || turn_q[0] || (children_0_q & Ports'(16'd1 << parent_0_q)) == '0) &&
                 (!valid_q[1] || turn_q[1] || (children_1_q & Ports'(16'd1 << parent_1_q)) == '0))

  `MUSTER_ASSERT(SendsTheSame_A, differs == '0)
  `MUSTER_ASSERT(OfferedWhereOwed_A, (twin_send & ~send) == '0)
  `MUSTER_ASSERT(OthersPassOnce_A, passed_again == '0)
  `MUSTER_ASSERT(JudgedTheSame_A, (valid_q & Ours) == '0 ||
                                  (((unknown ^ twin_unknown) | (refused ^ twin_refused)) &
                                   of_ours) == '0)
  `MUSTER_ASSERT(ReadsTheSame_A, register_i != 1'(Place) || word == twin_word)
  // For pdr: the registers have what the host has written, and are silent while not valid.
  `MUSTER_ASSERT(ValidAsWritten_A, word_i != 2'd0 || {word[31:30], word[GidW-1:0]} ==
                 (register_i ? {valid_q[1], turn_q[1], gid_1_q} : {valid_q[0], turn_q[0], gid_0_q}))
  `MUSTER_ASSERT(OtherIsUnwritten_A, register_i == 1'(Place) || twin_word == '0)
  `MUSTER_ASSERT(FreeIsSilent_A, !word_i[1] || word == '0 ||
                                 (register_i ? valid_q[1] : valid_q[0]))
  `MUSTER_ASSERT(BusyWithOurs_A, busy || !twin_busy)

  // Ours is passed and goes; both have sent and the other is written anew while ours is at work.
  `MUSTER_COVER(PassedAndGoes_C, (passed & twin_leaves) != '0)
  `MUSTER_COVER(OtherIsWritten_C, (&served_q) && (writes & ~Ours) != '0 &&
                                  twin_send != '0)
  `MUSTER_COVER(BothAtWork_C, busy && twin_busy && malformed != '0)

endmodule

`default_nettype wire
