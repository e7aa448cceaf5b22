// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "muster_assert.svh"

// The routes of the packets in the input queues of one virtual channel, read from the table on
// arrival. Input i is bit i of a vector, or row i of a matrix: bits i * Ports to i * Ports +
// Ports - 1, one for each output.
//
// arrived_i in cycle t + 1: the first flit of a packet was on the wires in t. Its table entry is
// row i of entry_i, its output one-hot, or self_i for a packet for this switch, or neither without
// a route. The packet *in front* is the one of the oldest flit that is not taken. With ends_i its
// tail is taken, and the next packet is in front from the next cycle on.
//
// In t + 1 the output of the packet is at new_o if no other is before it. From the next cycle on,
// or the first in which the packet is in front, it is at want_o, which comes from flip-flops.
// behind_o is the output of the packet behind the one in front, from t + 1 of that packet on. A
// packet without an output is drained from the second cycle in which it is in front.
//
// ends_i is timing-critical: one LUT behind it. Routes move when a packet comes or ends, which is
// not in most cycles, so a simulator looks at each input apart, and synthesis finds an enable.
module muster_packet_routes #(
  /// ports of the switch, 3 to 32
  parameter int unsigned Ports = 8,
  /// packets that a queue can hold, 1 to 16: its flits
  parameter int unsigned Depth = 4,
  localparam int unsigned MatrixW = Ports * Ports
) (
  input  wire logic                clk_i,
  input  wire logic                rst_ni,

  input  wire logic [Ports-1:0]    arrived_i,
  input  wire logic [MatrixW-1:0]  entry_i,
  input  wire logic [Ports-1:0]    self_i,
  /// the tail of the packet in front is taken; not in the cycle in which it is new
  input  wire logic [Ports-1:0]    ends_i,

  /// output of the packet in front, one-hot; zero if there is none, or if it is drained
  output logic [MatrixW-1:0]       want_o,
  /// the same in the cycle before it can be there
  output logic [MatrixW-1:0]       new_o,
  /// output of the packet behind it, likewise
  output logic [MatrixW-1:0]       behind_o,
  /// its flits go to no output; it is for this switch
  output logic [Ports-1:0]         drain_o,
  output logic [Ports-1:0]         local_o,
  /// a packet has ended in the cycle before
  output logic [Ports-1:0]         ended_o
);
  `MUSTER_RANGE(Ports, 3, 32)
  `MUSTER_RANGE(Depth, 1, 16)

  // Packets in unary: bit k * Ports + i for more than k at input i. ends_i comes last in a cycle.
  localparam int unsigned AllW = Depth * Ports;
  logic [AllW-1:0] count_q, with_new, ends;
  logic [Ports-1:0] known, more, ended_q, outputless;
  assign known = count_q[Ports-1:0];
  assign ends = {Depth{ends_i}};
  assign with_new = count_q | (AllW'({count_q, {Ports{1'b1}}}) & {Depth{arrived_i}});
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      count_q <= '0;
      ended_q <= '0;
    end else begin
      count_q <= (ends & (with_new >> Ports)) | (~ends & with_new);
      ended_q <= ends_i;
    end
  end

  // Places of routes behind the first, the last of them first: each takes the route of the one
  // behind it, or of the packet that comes. What is in one without a packet does not matter.
  logic [MatrixW-1:0] second;
  logic [Ports-1:0] second_self;
  if (Depth == 1) begin : gen_none
    assign more = '0;
    assign second = '0;
    assign second_self = '0;
  end else begin : gen_places
    for (genvar n = 1; n < Depth; n++) begin : gen_place
      localparam int unsigned At = (Depth - n) * Ports;
      logic [MatrixW-1:0] rows_q, next;
      logic [Ports-1:0] own_q, next_self, moves;
      if (n == 1) begin : gen_last
        assign next = entry_i;
        assign next_self = self_i;
        assign moves = arrived_i;  // there is room: nothing is in it
      end else begin : gen_inner
        for (genvar i = 0; i < Ports; i++) begin : gen_input
          assign next[i*Ports+:Ports] = count_q[At+Ports+i]
                                        ? gen_place[n-1].rows_q[i*Ports+:Ports]
                                        : entry_i[i*Ports+:Ports];
        end
        assign next_self = (count_q[At+Ports+:Ports] & gen_place[n-1].own_q) |
                           (~count_q[At+Ports+:Ports] & self_i);
        assign moves = ends_i | (arrived_i & ~count_q[At+:Ports]);
      end
      always_ff @(posedge clk_i) begin
        for (int unsigned i = 0; i < Ports; i++) begin
          if (moves[i]) begin
            rows_q[i*Ports+:Ports] <= next[i*Ports+:Ports];
            own_q[i] <= next_self[i];
          end
        end
      end
    end
    assign more = count_q[Ports+:Ports];
    assign second = gen_place[Depth-1].rows_q;
    assign second_self = gen_place[Depth-1].own_q;
  end

  // The first place is zero without a packet.
  logic [MatrixW-1:0] first_q, arriving;
  logic [Ports-1:0] self_q;
  always_comb begin
    arriving = '0;
    for (int unsigned i = 0; i < Ports; i++) begin
      if (arrived_i[i]) arriving[i*Ports+:Ports] = entry_i[i*Ports+:Ports];
    end
  end
  always_ff @(posedge clk_i) begin
    if (!rst_ni) first_q <= '0;
    else begin
      for (int unsigned i = 0; i < Ports; i++) begin
        if (ends_i[i] || (arrived_i[i] && !known[i])) begin
          first_q[i*Ports+:Ports] <= more[i] ? second[i*Ports+:Ports] : arriving[i*Ports+:Ports];
        end
      end
    end
  end
  always_ff @(posedge clk_i) begin
    for (int unsigned i = 0; i < Ports; i++) begin
      if (ends_i[i] || (arrived_i[i] && !known[i])) begin
        self_q[i] <= more[i] ? second_self[i] : self_i[i];
      end
    end
  end

  always_comb begin
    for (int unsigned i = 0; i < Ports; i++) begin
      new_o[i*Ports+:Ports] = known[i] ? '0 : arriving[i*Ports+:Ports];
      behind_o[i*Ports+:Ports] = more[i] ? second[i*Ports+:Ports] : arriving[i*Ports+:Ports];
      outputless[i] = first_q[i*Ports+:Ports] == '0;
    end
  end
  assign want_o = first_q;
  assign drain_o = known & ~ended_q & outputless;
  assign local_o = self_q;
  assign ended_o = ended_q;

  `MUSTER_ASSERT(RouteHasRoom_A, (arrived_i & count_q[AllW-1-:Ports]) == '0)
  `MUSTER_ASSERT(EndsIsThere_A, (ends_i & ~known) == '0)
  `MUSTER_ASSERT(WantIsKnown_A, (known | outputless) == '1)

endmodule

`default_nettype wire
