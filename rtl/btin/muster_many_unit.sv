// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "muster_assert.svh"

// Barrier groups in block RAM: a unit with 2 to 4096 of them, for switches whose hosts have many
// communicators. docs/systems/many-groups.md is the specification. The identifier of a group is its
// address in the memory, so no comparison is needed, and a group never searches for a free
// register.
//
// In: of the messages at msg_i one is taken in each cycle, by round robin over the ports: the
// pointer is 0 after reset and moves past a port whose message has been taken. None is taken in a
// cycle with a write of the host (host_write_i), which uses the memory then. The others are held at
// their ports (hold_o). Messages of a type that is neither reduction nor distribution (malformed_o)
// take no turn.
//
//   t      taken: the group's word is read
//   t + 1  decided by muster_group_rules, on the state at the beginning of t + 1: dropped
//          (unknown_o, refused_o), or the word is written, and the group's message goes to
//          muster_many_outputs
//   t + 2  that message is at send_o, if no other is before it
//
// A message taken in t + 1 sees in t + 2 the word written in t + 1, also for the same group: n
// arrivals of a group take n cycles.
//
// Taking a message never waits: each is decided in the next cycle, and the message that it causes
// has its place in the queue, because a group has at most one there. The word's bit `mark` changes
// with each message of the group that enters the queue, and the memory's bit `done` follows when it
// has left: they differ while one waits.
//
// With Parity a group whose word is read with a wrong parity bit has come to an end, wrong_o: it is
// taken for one that does not exist, and is written so.
//
// In the Groups cycles after reset no group exists: messages are dropped as unknown, and writes of
// the host are ignored (bit 31 of 0x110).
module muster_many_unit #(
  /// ports of the switch, 3 to 32
  parameter int unsigned Ports = 8,
  /// groups, a power of two, 2 to 4096. Requires Groups <= 2 ** GidW
  parameter int unsigned Groups = 256,
  /// payload bits of a flit, 16 to 80
  parameter int unsigned FlitW = 16,
  /// bits of a group identifier, 4 to 12
  parameter int unsigned GidW = 8,
  /// words of groups have a parity bit; 0 to 1
  parameter int unsigned Parity = 0
) (
  input  wire logic                          clk_i,
  input  wire logic                          rst_ni,

  /// the host writes a word, see muster_group_window
  input  wire logic [2:0]                    host_write_i,
  input  wire logic [31:0]                   wdata_i,

  /// a barrier message of port p; it stays there
  input  wire logic [Ports-1:0]              msg_i,
  input  wire logic [Ports-1:0][FlitW-1:0]   msg_payload_i,
  output logic [Ports-1:0]                   hold_o,
  /// one of this cycle is dropped
  output logic [Ports-1:0]                   malformed_o,
  /// that of the cycle before is, no group has it or its group refuses it; its type and group
  output logic [Ports-1:0]                   unknown_o,
  output logic [Ports-1:0]                   refused_o,
  output logic [muster_pkg::MsgTypeW+GidW-1:0] decided_o,

  /// a message for port p
  output logic [Ports-1:0]                   send_o,
  output logic [Ports-1:0][FlitW-1:0]        send_payload_o,
  /// it leaves in this cycle; only where send_o[p]
  input  wire logic [Ports-1:0]              leaves_i,

  /// for the host, see muster_group_window
  input  wire logic                          read_i,
  input  wire logic [3:0]                    read_register_i,
  input  wire logic [3:0]                    read_word_i,
  output logic [31:0]                        word_o,
  /// with Parity: a group has come to an end
  output logic                               wrong_o,

  /// there is something to do besides what send_o offers
  output logic                               busy_o
);
  localparam int unsigned AddrW = $clog2(Groups);
  localparam int unsigned DataW = FlitW - muster_pkg::MsgTypeW - GidW;
  localparam int unsigned ParentW = $clog2(Ports + 1);
  localparam int unsigned ControlW = 6 + ParentW;
  localparam int unsigned HostW = ControlW + 2 * Ports;
  localparam int unsigned WordW = 1 + HostW + DataW;

  `MUSTER_RANGE(FlitW, 16, 80)
  `MUSTER_REFUSE(gid, GidW < 4 || GidW > 12 || AddrW > GidW,
                 "GidW must be 4 to 12 and name all Groups")

  // ---- Cycle t: a message, or a write of the host ----------------------------------------------
  logic [Ports-1:0] formed, turn, port;
  logic [Ports-1:0][FlitW-2:0] payload;
  logic [FlitW-2:0] message;
  logic host_op, clearing;
  logic [AddrW-1:0] host_group, group;

  for (genvar p = 0; p < Ports; p++) begin : gen_payload
    assign formed[p] = msg_i[p] && !msg_payload_i[p][FlitW-1];  // type 0 or 1
    assign payload[p] = msg_payload_i[p][FlitW-2:0];
  end
  assign malformed_o = msg_i & ~formed;
  assign port = host_op ? '0 : turn;
  assign hold_o = formed & ~port;

  muster_rr_arbiter #(.N(Ports)) turns (
    .clk_i, .rst_ni,
    .req_i(formed),
    .take_i(!host_op),
    .grant_o(turn)
  );

  // A simulator skips this in the cycles without a message, which are most.
  always_comb begin
    message = '0;
    if (turn != '0) begin
      for (int unsigned p = 0; p < Ports; p++) begin
        if (turn[p]) message = message | payload[p];
      end
    end
  end

  logic distribution, in_range;
  logic [GidW-1:0] gid;
  logic [DataW-1:0] data;
  assign {distribution, gid, data} = message;
  assign group = host_op ? host_group : gid[AddrW-1:0];
  if (AddrW < GidW) begin : gen_beyond
    assign in_range = gid[GidW-1:AddrW] == '0;
  end else begin : gen_whole
    assign in_range = 1'b1;
  end

  logic [Ports-1:0] port_q;
  logic [AddrW-1:0] group_q;
  logic [GidW-1:0] gid_q;
  logic distribution_q, in_range_q;
  logic [DataW-1:0] data_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) port_q <= '0;
    else port_q <= port;
  end
  always_ff @(posedge clk_i) begin
    if (formed != '0 || host_op) begin
      group_q <= group;
      gid_q <= gid;
      distribution_q <= distribution;
      in_range_q <= in_range && !clearing;
      data_q <= data;
    end
  end

  // ---- Cycle t + 1: its group -----------------------------------------------------------------
  logic [WordW-1:0] word;
  logic wrong;
  logic [HostW-1:0] host_word, kept_word;
  logic mark, done, waits, apply, valid, group_turn, claimed, sent;
  logic [2:0] op;
  logic [ParentW-1:0] parent;
  logic [Ports-1:0] children, arrived, arrived_after, serve;
  logic [DataW-1:0] so_far, data_after;
  assign {mark, host_word, so_far} = wrong ? {done, {WordW - 1{1'b0}}} : word;
  assign wrong_o = wrong && (port_q != '0 || apply);
  assign waits = mark != done;

  muster_group_window #(.Ports(Ports), .Groups(Groups)) window (
    .clk_i, .rst_ni,
    .write_i(host_write_i),
    .wdata_i,
    .clearing_i(clearing),
    .op_o(host_op),
    .group_o(host_group),
    .apply_o(apply),
    .word_i(host_word),
    .word_o(kept_word),
    .serve_i(serve),
    .sent_i(sent),
    .waits_i(waits),
    .read_i,
    .read_register_i,
    .read_word_i,
    .read_o(word_o)
  );
  assign {valid, group_turn, claimed, op, parent, children, arrived} = kept_word;

  logic unknown, refused, sends, sends_distribution, finish, finish_mark, more;
  logic [Ports-1:0] first_ports, sends_ports;
  logic [AddrW-1:0] first_group;
  logic [DataW-1:0] sends_data;
  muster_group_rules #(.Ports(Ports), .DataW(DataW)) rules (
    .valid_i(valid && in_range_q),
    .turn_i(group_turn),
    .op_i(op),
    .parent_i(parent),
    .children_i(children),
    .arrived_i(arrived),
    .data_i(so_far),
    .waits_i(waits),
    .first_i(first_ports != '0 && first_group == group_q),
    .first_ports_i(first_ports),
    .serve_o(serve),
    .sent_o(sent),
    .port_i(port_q),
    .distribution_i(distribution_q),
    .msg_data_i(data_q),
    .unknown_o(unknown),
    .refused_o(refused),
    .arrived_o(arrived_after),
    .data_o(data_after),
    .sends_o(sends),
    .sends_ports_o(sends_ports),
    .sends_distribution_o(sends_distribution),
    .sends_data_o(sends_data)
  );
  assign unknown_o = unknown ? port_q : '0;
  assign refused_o = refused ? port_q : '0;
  assign decided_o = {muster_pkg::MsgTypeW'(distribution_q), gid_q};

  muster_group_memory #(.Groups(Groups), .WordW(WordW), .Parity(Parity)) memory (
    .clk_i, .rst_ni,
    .read_i(formed != '0 || host_op),
    .read_group_i(group),
    .word_o(word),
    .done_o(done),
    .wrong_o(wrong),
    .write_i(apply || (port_q != '0 && in_range_q)),
    .write_group_i(group_q),
    .write_word_i({mark ^ sends, valid, group_turn, claimed, op, parent, children, arrived_after,
                   data_after}),
    .finish_i(finish),
    .finish_group_i(first_group),
    .finish_done_i(finish_mark),
    .clearing_o(clearing)
  );

  // ---- Out ------------------------------------------------------------------------------------
  muster_many_outputs #(.Ports(Ports), .Groups(Groups), .FlitW(FlitW), .GidW(GidW)) outputs (
    .clk_i, .rst_ni,
    .push_i(sends),
    .push_group_i(group_q),
    .push_ports_i(sends_ports),
    .push_distribution_i(sends_distribution),
    .push_data_i(sends_data),
    .push_mark_i(!mark),
    .first_ports_o(first_ports),
    .first_group_o(first_group),
    .finish_o(finish),
    .finish_mark_o(finish_mark),
    .more_o(more),
    .send_payload_o,
    .leaves_i
  );
  assign send_o = first_ports;
  assign busy_o = port_q != '0 || apply || more || clearing;

  `MUSTER_ASSERT(OneIsTaken_A, (port & (port - 1'b1)) == '0)
  `MUSTER_ASSERT(SomeIsTaken_A, formed == '0 || host_op || hold_o != formed)
  `MUSTER_ASSERT(SendsWhenNoneWaits_A, !sends || !waits)
  `MUSTER_ASSERT(OneOperation_A, !apply || port_q == '0)
  `MUSTER_ASSERT(DropHasOneReason_A, (unknown_o & refused_o) == '0)

endmodule

`default_nettype wire
