// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "muster_assert.svh"

// The output queue of a unit that keeps its groups in block RAM: messages, each for a set of ports,
// in the order in which they were made (docs/systems/many-groups.md).
//
// The first message is at send_payload_o of all its ports at once and leaves through each when it
// can (leaves_i). In the cycle in which it leaves through the last of them, finish_o, the next
// takes its place. A message pushed in cycle t is first in t + 1 if none waits behind the first and
// the first finishes in t or there is none. Otherwise it goes to the block RAM behind, from which
// it can be taken at the edges of t + 2 and later.
//
// A group has at most one message here, so Groups places behind the first are enough (in the cycle
// in which none is first, though one is behind, all of them). So a push never waits.
module muster_many_outputs #(
  /// ports of the switch, 3 to 32
  parameter int unsigned Ports = 8,
  /// groups, a power of two, 2 to 4096. Requires Groups <= 2 ** GidW
  parameter int unsigned Groups = 256,
  /// payload bits of a flit, 16 to 80
  parameter int unsigned FlitW = 16,
  /// bits of a group identifier, 4 to 12
  parameter int unsigned GidW = 8,
  localparam int unsigned AddrW = $clog2(Groups),
  localparam int unsigned DataW = FlitW - muster_pkg::MsgTypeW - GidW
) (
  input  wire logic                         clk_i,
  input  wire logic                         rst_ni,

  /// a message of this group for these ports, of which there is one; none of the group is here
  input  wire logic                         push_i,
  input  wire logic [AddrW-1:0]             push_group_i,
  input  wire logic [Ports-1:0]             push_ports_i,
  input  wire logic                         push_distribution_i,
  input  wire logic [DataW-1:0]             push_data_i,
  /// a mark that comes back when it finishes
  input  wire logic                         push_mark_i,

  /// the first: there is one if it has ports; its group
  output logic [Ports-1:0]                  first_ports_o,
  output logic [AddrW-1:0]                  first_group_o,
  /// it leaves through the last of its ports in this cycle; its mark
  output logic                              finish_o,
  output logic                              finish_mark_o,
  /// messages wait behind it
  output logic                              more_o,

  output logic [Ports-1:0][FlitW-1:0]       send_payload_o,
  /// the first leaves through port p, one of first_ports_o
  input  wire logic [Ports-1:0]             leaves_i
);
  localparam int unsigned EntryW = 2 + Ports + AddrW + DataW;

  `MUSTER_RANGE(Ports, 3, 32)
  `MUSTER_POWER_OF_TWO(Groups, 2, 4096)
  `MUSTER_RANGE(FlitW, 16, 80)
  `MUSTER_REFUSE(gid, GidW < 4 || GidW > 12 || AddrW > GidW,
                 "GidW must be 4 to 12 and name all Groups")

  // ---- Behind the first -----------------------------------------------------------------------
  (* ram_style = "block" *) logic [EntryW-1:0] entries [Groups];
  logic [AddrW:0] read_q, read_d, write_q;  // a bit more than a place, so that full is not empty
  logic [EntryW-1:0] pushed, next_q;
  logic ready_q;  // next_q is the entry at read_q
  logic none_behind, room, bypass, load, store, meets;

  assign pushed = {push_mark_i, push_distribution_i, push_ports_i, push_group_i, push_data_i};
  assign none_behind = read_q == write_q;
  assign load = room && ready_q;
  assign bypass = push_i && room && none_behind;
  assign store = push_i && !bypass;
  assign read_d = load ? read_q + 1'b1 : read_q;

  always_ff @(posedge clk_i) begin
    if (store) entries[write_q[AddrW-1:0]] <= pushed;
  end
  // A place is not read where it is written: that would take a full memory.
  assign meets = store && write_q[AddrW-1:0] == read_d[AddrW-1:0];
  always_ff @(posedge clk_i) begin
    if (read_d != write_q) next_q <= meets ? 'x : entries[read_d[AddrW-1:0]];
  end
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      read_q <= '0;
      write_q <= '0;
      ready_q <= 1'b0;
    end else begin
      read_q <= read_d;
      if (store) write_q <= write_q + 1'b1;
      ready_q <= read_d != write_q;
    end
  end

  // ---- The first ------------------------------------------------------------------------------
  logic [Ports-1:0] ports_q, left;
  logic mark_q, distribution_q;
  logic [AddrW-1:0] group_q;
  logic [DataW-1:0] data_q;
  assign left = ports_q & ~leaves_i;
  assign room = left == '0;

  logic mark, distribution;
  logic [Ports-1:0] ports;
  logic [AddrW-1:0] group;
  logic [DataW-1:0] data;
  assign {mark, distribution, ports, group, data} = load ? next_q : pushed;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) ports_q <= '0;
    else ports_q <= (load || bypass) ? ports : left;
  end
  always_ff @(posedge clk_i) begin
    if (load || bypass) begin
      mark_q <= mark;
      distribution_q <= distribution;
      group_q <= group;
      data_q <= data;
    end
  end

  assign first_ports_o = ports_q;
  assign first_group_o = group_q;
  assign finish_o = (ports_q != '0) && room;
  assign finish_mark_o = mark_q;
  assign more_o = !none_behind || ready_q;

  logic [FlitW-1:0] message;
  assign message = {distribution_q ? muster_pkg::MsgDistribution : muster_pkg::MsgReduction,
                    GidW'(group_q), data_q};
  assign send_payload_o = {Ports{message}};

  logic [AddrW:0] waiting;
  assign waiting = write_q - read_q;
  `MUSTER_ASSERT(PushHasPorts_A, !push_i || push_ports_i != '0)
  `MUSTER_ASSERT(NeverFull_A, !store || 32'(waiting) < Groups)
  `MUSTER_ASSERT(LeavesThroughItsPorts_A, (leaves_i & ~ports_q) == '0)
  `MUSTER_ASSERT(ReadyIsBehind_A, !ready_q || !none_behind)

endmodule

`default_nettype wire
