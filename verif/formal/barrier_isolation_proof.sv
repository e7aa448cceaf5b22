// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "formal.svh"

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
// With Labels messages of ours are those that name register Place, and the other group may have the
// identifier of ours. Register r has label r + 1 for every port, written first.
//
// Only ports of muster_barrier_unit are looked at.
module barrier_isolation_proof #(
  parameter int unsigned Ports = 3,
  parameter int unsigned Place = 0,
  /// messages of the other group that may go before one of ours; 1 for the proof
  parameter int unsigned Passed = 1,
  parameter bit Labels = 1'b0,
  localparam int unsigned FlitW = 16,
  localparam int unsigned GidW = 12,  // so that data have 2 bits
  localparam int unsigned DataW = FlitW - muster_pkg::MsgTypeW - GidW,
  localparam int unsigned ParentW = $clog2(Ports + 1)
) (
  input  wire logic                         clk_i,
  input  wire logic [1:0]                   control_write_i,
  input  wire logic [1:0]                   children_write_i,
  input  wire logic                         valid_i,
  input  wire logic                         turn_i,
  input  wire logic [2:0]                   op_i,
  input  wire logic [ParentW-1:0]           parent_i,
  input  wire logic [GidW-1:0]              gid_i,
  input  wire logic [Ports-1:0]             children_i,
  input  wire logic [Ports-1:0]             msg_i,
  input  wire logic [Ports-1:0][FlitW-1:0]  msg_payload_i,
  input  wire logic [Ports-1:0]             goes_i,
  input  wire logic [3:0]                   word_i,
  input  wire logic                         register_i
);
  `MUSTER_FORMAL_RESET

  // ---- The host: what it has written to each register -----------------------------------------
  localparam logic [1:0] Ours = 2'(1 << Place);
  logic [1:0] writes, valid_q, turn_q;
  logic [1:0] parent_is_child;
  logic [1:0][ParentW-1:0] parent_q;
  logic [1:0][GidW-1:0] gid_q;
  logic [1:0][Ports-1:0] children_q;
  logic [GidW-1:0] our_name, our_label;  // in messages to the unit, and from it
  assign our_name = Labels ? GidW'(Place) : gid_q[Place];
  assign our_label = Labels ? GidW'(Place + 1) : gid_q[Place];

  // The labels of register 0 are written, those of register 1, both have been.
  logic [2:0] labels_q;
  always_ff @(posedge clk_i) labels_q <= rst_ni ? {|labels_q[2:1], labels_q[0], 1'b0} : 3'd1;
  for (genvar r = 0; r < 2; r++) begin : gen_host
    // It makes no two valid registers of one group.
    assign writes[r] = control_write_i[r] && !control_write_i[1-r] &&
                       (Labels ? labels_q[2]
                               : !(valid_i && valid_q[1-r] && gid_i == gid_q[1-r]));
    always_ff @(posedge clk_i) begin
      if (!rst_ni) {valid_q[r], turn_q[r], parent_q[r], gid_q[r]} <= '0;
      else if (writes[r]) {valid_q[r], turn_q[r], parent_q[r], gid_q[r]} <=
          {valid_i, turn_i, parent_i, gid_i};
      if (!rst_ni) children_q[r] <= '0;
      else if (children_write_i[r]) children_q[r] <= children_i;
    end
    assign parent_is_child[r] = valid_q[r] && !turn_q[r] &&
                                (children_q[r] & Ports'(64'd1 << parent_q[r])) != '0;
  end

  // ---- The unit and its twin ------------------------------------------------------------------
  // Element 1 of an array is of the twin.
  logic [Ports-1:0] of_ours, leaves, twin_leaves, sends_ours;
  logic [1:0][Ports-1:0] send, malformed, unknown, refused;
  logic [1:0][Ports-1:0][FlitW-1:0] payload;
  logic [1:0][31:0] word;
  logic [1:0] busy;
  for (genvar p = 0; p < Ports; p++) begin : gen_port
    assign of_ours[p] = msg_i[p] && msg_payload_i[p][DataW+:GidW] == our_name;
    assign sends_ours[p] = send[0][p] && payload[0][p][DataW+:GidW] == our_label &&
                           (valid_q & Ours) != '0;
  end
  assign leaves = goes_i & send[0];
  assign twin_leaves = leaves & sends_ours;

  for (genvar u = 0; u < 2; u++) begin : gen_unit
    muster_barrier_unit #(
      .Ports(Ports),
      .Regs(2),
      .FlitW(FlitW),
      .GidW(GidW),
      .Labels(32'(Labels))
    ) dut (
      .clk_i, .rst_ni,
      .control_write_i((u == 0) ? writes : writes & Ours),
      .children_write_i((u == 0) ? children_write_i : children_write_i & Ours),
      .valid_i,
      .turn_i,
      .claimed_i(1'b0),
      .op_i,
      .parent_i,
      .gid_i,
      .children_i,
      .labels_write_i({1'b0, |labels_q[1:0]}),
      .labels_register_i({3'd0, labels_q[1]}),
      .labels_i({8{2'd0, labels_q[1], labels_q[0]}}),
      .epoch_i('0),
      .abort_i('0),
      .periods_write_i(1'b0),
      .periods_i('0),
      .msg_i((u == 0) ? msg_i : of_ours),
      .msg_payload_i,
      .malformed_o(malformed[u]),
      .unknown_o(unknown[u]),
      .refused_o(refused[u]),
      .send_o(send[u]),
      .send_payload_o(payload[u]),
      .leaves_i((u == 0) ? leaves : twin_leaves & send[1]),
      .read_i(1'b1),
      .read_register_i({3'd0, register_i}),
      .read_word_i(word_i),
      .word_o(word[u]),
      .busy_o(busy[u])
    );
  end

  // ---- Waits, and the other group at work -----------------------------------------------------
  logic [Ports-1:0] differs, passed, passed_again;
  logic [1:0] served_q;  // both groups have had a message leave
  for (genvar p = 0; p < Ports; p++) begin : gen_wait
    logic [1:0] passed_q;
    assign differs[p] = sends_ours[p] && (!send[1][p] || payload[0][p] != payload[1][p]);
    assign passed[p] = passed_q != '0;
    assign passed_again[p] = 32'(passed_q) > Passed;
    always_ff @(posedge clk_i) begin
      if (!rst_ni || !send[1][p] || twin_leaves[p]) passed_q <= '0;
      else if (leaves[p] && passed_q != '1) passed_q <= passed_q + 1'b1;
    end
  end
  always_ff @(posedge clk_i) begin
    if (!rst_ni) served_q <= '0;
    else served_q <= served_q | {(twin_leaves != '0), ((leaves & ~twin_leaves) != '0)};
  end

  // What the host owes, docs/reference/registers.md, beside different groups.
  `MUSTER_ASSUME(ParentsAreNoChildren_M, parent_is_child == '0)

  `MUSTER_ASSERT(SendsTheSame_A, differs == '0)
  `MUSTER_ASSERT(OfferedWhereOwed_A, (send[1] & ~send[0]) == '0)
  `MUSTER_ASSERT(OthersPassOnce_A, passed_again == '0)
  `MUSTER_ASSERT(JudgedTheSame_A, (valid_q & Ours) == '0 ||
                                  (((unknown[0] ^ unknown[1]) | (refused[0] ^ refused[1])) &
                                   of_ours) == '0)
  `MUSTER_ASSERT(ReadsTheSame_A, register_i != 1'(Place) || word[0] == word[1])
  // For pdr: the registers have what the host has written, and are silent while not valid.
  `MUSTER_ASSERT(ValidAsWritten_A, word_i != 4'd0 || {word[0][31:30], word[0][GidW-1:0]} ==
                 (register_i ? {valid_q[1], turn_q[1], gid_q[1]}
                             : {valid_q[0], turn_q[0], gid_q[0]}))
  `MUSTER_ASSERT(OtherIsUnwritten_A, register_i == 1'(Place) || word[1] == '0)
  `MUSTER_ASSERT(FreeIsSilent_A, word_i < 4'd4 || word[0] == '0 ||
                                 (register_i ? valid_q[1] : valid_q[0]))
  `MUSTER_ASSERT(BusyWithOurs_A, busy[0] || !busy[1])

  // Ours is passed and goes; both have sent and the other is written anew while ours is at work.
  `MUSTER_COVER(PassedAndGoes_C, (passed & twin_leaves) != '0)
  `MUSTER_COVER(OtherIsWritten_C, (&served_q) && (writes & ~Ours) != '0 &&
                                  send[1] != '0)
  `MUSTER_COVER(BothAtWork_C, busy == '1 && malformed[0] != '0)

endmodule

`default_nettype wire
