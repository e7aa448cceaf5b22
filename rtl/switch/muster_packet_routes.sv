// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "muster_assert.svh"
`include "muster_few.svh"

// The routes of the packets in one input queue, read from the table on arrival.
//
// arrived_i in cycle t + 1: the first flit of a packet was on the wires in t, and entry_i is its
// table entry: its output one-hot, or bit Ports for a packet for this switch, or 0 without a route.
// The packet *in front* is the one of the oldest flit that is not taken. With ends_i its tail is
// taken, and the next packet is in front from the next cycle on.
//
// In t + 1 the output of the packet is at new_o if no other is before it. From the next cycle on,
// or the first in which the packet is in front, it is at want_o, which comes from flip-flops.
// behind_o is the output of the packet behind the one in front, from t + 1 of that packet on. A
// packet without an output is drained from the second cycle in which it is in front.
//
// ends_i is timing-critical, so it goes to one flip-flop; the routes advance a cycle later, while
// the tail leaves.
module muster_packet_routes #(
  /// ports of the switch, 3 to 16
  parameter int unsigned Ports = 8,
  /// packets that a queue can hold, 1 to 16: its flits
  parameter int unsigned Depth = 4
) (
  input  wire logic              clk_i,
  input  wire logic              rst_ni,

  input  wire logic              arrived_i,
  input  wire logic [Ports:0]    entry_i,
  /// the tail of the packet in front is taken; not in the cycle in which it is new
  input  wire logic              ends_i,

  /// output of the packet in front, one-hot; zero if there is none, or if it is drained
  output logic [Ports-1:0]       want_o,
  /// the same in the cycle before it can be there
  output logic [Ports-1:0]       new_o,
  /// output of the packet behind it, likewise
  output logic [Ports-1:0]       behind_o,
  /// its flits go to no output; it is for this switch
  output logic                   drain_o,
  output logic                   local_o,
  /// the routes move up in this cycle
  output logic                   moves_o
);
  if (Ports < 3 || Ports > 16) begin : gen_bad_ports
    $error("muster_packet_routes: Ports must be 3 to 16");
  end
  if (Depth < 1 || Depth > 16) begin : gen_bad_depth
    $error("muster_packet_routes: Depth must be 1 to 16");
  end

  // The first route; its packet has ended in the cycle before, and is not the one in front.
  logic [Ports:0] first_q;
  logic known_q, ended_q;
  // The routes behind it: whether there are one, two or more; the second and the third.
  logic more, two_more;
  logic [Ports:0] second;
  /* verilator lint_off UNUSEDSIGNAL */
  logic [Ports:0] third;  // its bit for this switch, in queues of three flits or more
  /* verilator lint_on UNUSEDSIGNAL */

  logic [Ports-1:0] arrived;
  assign arrived = arrived_i ? entry_i[Ports-1:0] : '0;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      ended_q <= 1'b0;
      known_q <= 1'b0;
    end else begin
      ended_q <= ends_i;
      known_q <= (ended_q ? more : known_q) || arrived_i;
    end
  end
  always_ff @(posedge clk_i) begin
    if (ended_q || (arrived_i && !known_q)) first_q <= more ? second : entry_i;
  end

  if (Depth == 1) begin : gen_one
    assign more = 1'b0;
    assign two_more = 1'b0;
    assign second = '0;
    assign third = '0;
  end else begin : gen_behind
    logic [Depth-2:0] count_q, with_push;  // in unary
    logic [Ports:0] second_q;
    logic push;
    assign push = arrived_i && (ended_q ? more : known_q);
    assign with_push = push ? (Depth-1)'({count_q, 1'b1}) : count_q;
    assign more = count_q[0];
    assign second = second_q;

    // With all places taken, a route comes only in the cycle in which another goes.
    always_ff @(posedge clk_i) begin
      if (!rst_ni) count_q <= '0;
      else if (`MUSTER_FEW(arrived_i || ended_q)) begin
        if (!(ended_q && more)) count_q <= with_push;
        else if (!push) count_q <= (Depth-1)'({1'b0, count_q} >> 1);
      end
    end
    always_ff @(posedge clk_i) begin
      if (ended_q || (arrived_i && !more)) second_q <= two_more ? third : entry_i;
    end

    if (Depth == 2) begin : gen_two
      assign two_more = 1'b0;
      assign third = '0;
    end else begin : gen_ring
      localparam int unsigned Places = Depth - 2;
      localparam int unsigned PointerW = (Places > 1) ? $clog2(Places) : 1;
      localparam logic [PointerW-1:0] Last = PointerW'(Places - 1);

      logic [Ports:0] mem [Places];
      logic [PointerW-1:0] read_q, write_q;
      logic keep;
      assign two_more = count_q[1];
      assign third = mem[read_q];
      assign keep = arrived_i && (ended_q ? two_more : more);

      always_ff @(posedge clk_i) begin
        if (keep) mem[write_q] <= entry_i;
      end
      always_ff @(posedge clk_i) begin
        if (!rst_ni) begin
          read_q <= '0;
          write_q <= '0;
        end else begin
          if (keep) write_q <= (write_q == Last) ? '0 : write_q + 1'b1;
          if (ended_q && two_more) read_q <= (read_q == Last) ? '0 : read_q + 1'b1;
        end
      end
    end
    `MUSTER_ASSERT(RouteHasRoom_A, !(push && count_q[Depth-2] && !ended_q))
  end

  always_comb begin
    want_o = '0;
    new_o = '0;
    behind_o = '0;
    if (`MUSTER_FEW(known_q || arrived_i || ended_q || more)) begin
      if (ended_q) begin
        want_o = more ? second[Ports-1:0] : '0;
        new_o = more ? '0 : arrived;
        behind_o = two_more ? third[Ports-1:0] : arrived;
      end else begin
        want_o = known_q ? first_q[Ports-1:0] : '0;
        new_o = known_q ? '0 : arrived;
        behind_o = more ? second[Ports-1:0] : arrived;
      end
    end
  end
  assign drain_o = known_q && !ended_q && first_q[Ports-1:0] == '0;
  assign local_o = first_q[Ports];
  assign moves_o = ended_q;

  `MUSTER_ASSERT(EndsIsThere_A, !ends_i || (ended_q ? more : known_q))
  `MUSTER_ASSERT(EndedWasKnown_A, !ended_q || known_q)
  `MUSTER_ASSERT(EntryOneHot_A, !arrived_i || (entry_i & (entry_i - 1'b1)) == '0)

endmodule

`default_nettype wire
