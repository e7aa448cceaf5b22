// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "muster_assert.svh"

// The routes of the packets in one input queue, read from the table when they came.
//
// arrived_i in cycle t + 1 says that the first flit of a packet was on the wires in t, and entry_i
// is what the table says of it: its output one-hot, or bit Ports for a packet for this switch, or 0
// without a route. The packet *in front* is the one of the oldest flit that is not taken. In t + 1
// its route is at new_o if no other packet is before it; from the next cycle on, or the first in
// which it is in front, it stands in flip-flops: want_o, drain_o, local_o. With ends_i its tail is
// taken, and the next packet is in front from the next cycle on. behind_o is the output of that
// one, once it has come; it may be straight from the table, as new_o is.
module packet_routes #(
  /// ports of the switch, 3 to 16
  parameter int unsigned Ports = 8,
  /// packets that a queue can hold, 1 to 16: its flits
  parameter int unsigned Depth = 4
) (
  input  wire logic              clk_i,
  input  wire logic              rst_ni,

  input  wire logic              arrived_i,
  input  wire logic [Ports:0]    entry_i,
  /// the tail of the packet in front is taken; only a cycle after arrived_i of that packet or later
  input  wire logic              ends_i,

  /// output of the packet in front, one-hot; zero if there is none, or if it is drained
  output logic [Ports-1:0]       want_o,
  /// the same in the cycle before it can be there
  output logic [Ports-1:0]       new_o,
  /// output of the packet behind it, likewise
  output logic [Ports-1:0]       behind_o,
  /// its flits go to no output; it is for this switch
  output logic                   drain_o,
  output logic                   local_o
);
  if (Ports < 3 || Ports > 16) begin : gen_bad_ports
    $error("packet_routes: Ports must be 3 to 16");
  end
  if (Depth < 1 || Depth > 16) begin : gen_bad_depth
    $error("packet_routes: Depth must be 1 to 16");
  end

  logic known_q, more;
  logic [Ports:0] front_q, arrived, behind;
  assign arrived = arrived_i ? entry_i : '0;

  if (Depth == 1) begin : gen_one
    assign more = 1'b0;
    assign behind = arrived;
  end else begin : gen_ring
    // Routes behind the one in front, in unary and in a ring.
    localparam int unsigned Places = Depth - 1;
    localparam int unsigned PointerW = (Places > 1) ? $clog2(Places) : 1;
    localparam logic [PointerW-1:0] Last = PointerW'(Places - 1);

    logic [Ports:0] mem [Places];
    logic [PointerW-1:0] read_q, write_q;
    logic [Places-1:0] count_q, with_push;
    logic push;
    assign push = arrived_i && known_q;
    assign more = count_q[0];
    assign behind = more ? mem[read_q] : arrived;
    assign with_push = push ? Places'({count_q, 1'b1}) : count_q;

    // A route that comes in the cycle in which the one before it ends goes past the ring, and both
    // pointers past its place: nothing but the read pointer and the count depends on ends_i.
    always_ff @(posedge clk_i) begin
      if (push) mem[write_q] <= entry_i;
    end
    always_ff @(posedge clk_i) begin
      if (!rst_ni) begin
        count_q <= '0;
        read_q <= '0;
        write_q <= '0;
      end else begin
        count_q <= ends_i ? Places'({1'b0, with_push} >> 1) : with_push;
        if (push) write_q <= (write_q == Last) ? '0 : write_q + 1'b1;
        if (ends_i && with_push[0]) read_q <= (read_q == Last) ? '0 : read_q + 1'b1;
      end
    end
    `MUSTER_ASSERT(RouteHasRoom_A, !(push && count_q[Places-1] && !ends_i))
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) known_q <= 1'b0;
    else known_q <= ends_i ? more || arrived_i : known_q || arrived_i;
  end
  always_ff @(posedge clk_i) begin
    if (ends_i || !known_q) front_q <= behind;
  end

  assign want_o = known_q ? front_q[Ports-1:0] : '0;
  assign new_o = known_q ? '0 : arrived[Ports-1:0];
  assign behind_o = behind[Ports-1:0];
  assign drain_o = known_q && front_q[Ports-1:0] == '0;
  assign local_o = front_q[Ports];

  `MUSTER_ASSERT(EndsIsKnown_A, !ends_i || known_q)
  `MUSTER_ASSERT(EntryOneHot_A, !arrived_i || (entry_i & (entry_i - 1'b1)) == '0)

endmodule

`default_nettype wire
