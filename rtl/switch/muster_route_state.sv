// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "muster_assert.svh"

// The route of the packet at the head of one input queue: the first pipeline stage, "route and
// channel". The packet keeps its virtual channel, so the channel needs no choice.
//
//   idle     a head comes to the head of the queue: read_o reads the routing table, whose route_i
//            is there from the next cycle on. Another data flit is headless: it is taken (drain_o)
//   active   want_o is the route, until the tail leaves
//   draining there is no route: every flit is taken (drain_o) up to the tail
//
// A head inside a packet, of which a flit has left, is headless too, and is the packet's tail:
// cut_o, with which it leaves as a cut mark. A cut mark is no head. Sync flits are ignored here:
// head_data_i is low then, and the state holds.
module muster_route_state #(
  /// ports of the switch, 3 to 16
  parameter int unsigned Ports = 8
) (
  input  wire logic               clk_i,
  input  wire logic               rst_ni,

  /// a data flit stands at the head of the queue; it is a head and no cut mark; it is a tail
  input  wire logic               head_data_i,
  input  wire logic               head_first_i,
  input  wire logic               head_tail_i,
  /// the flit at the head leaves for its output in this cycle; only with request_o
  input  wire logic               taken_i,

  /// read the table with the destination in that flit
  output logic                    read_o,
  /// the route read, one-hot or zero, valid from the cycle after read_o
  input  wire logic [Ports-1:0]   route_i,

  /// a data flit wants to go to want_o
  output logic                    request_o,
  /// one-hot while active, else zero
  output logic [Ports-1:0]        want_o,
  /// a flit of this packet has left and the tail has not; with want_o it holds its output channel
  output logic                    owner_o,
  /// take the head of the queue: it goes to no output
  output logic                    drain_o,
  /// it is a head inside a packet, and ends it
  output logic                    cut_o,
  /// a packet without a route ends in this cycle; a headless flit leaves
  output logic                    dropped_o,
  output logic                    headless_o
);
  `MUSTER_RANGE(Ports, 3, 16)

  logic routed_q, begun_q, leaves, stray, ends;

  assign read_o = head_data_i && !routed_q && head_first_i;
  assign stray = head_data_i && !routed_q && !head_first_i;
  assign cut_o = head_data_i && begun_q && head_first_i;
  assign ends = head_tail_i || cut_o;
  assign owner_o = begun_q;
  assign leaves = taken_i || drain_o;
  assign headless_o = stray || (cut_o && leaves);

  always_comb begin
    want_o = '0;
    request_o = 1'b0;
    drain_o = stray;
    dropped_o = 1'b0;
    if (routed_q) begin
      want_o = route_i;
      if (route_i != '0) begin
        request_o = head_data_i;
      end else begin
        drain_o = head_data_i;
        dropped_o = head_data_i && ends;
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      routed_q <= 1'b0;
      begun_q <= 1'b0;
    end else if (leaves) begin
      routed_q <= !ends && !stray;
      begun_q <= !ends && !stray;
    end else if (read_o) begin
      routed_q <= 1'b1;
    end
  end

  `MUSTER_ASSERT(WantOneHot_A, (want_o & (want_o - 1'b1)) == '0)
  `MUSTER_ASSERT(StrayIsTaken_A, !stray || (drain_o && !request_o))
  `MUSTER_ASSERT(TakenOnRequest_A, !taken_i || request_o)
  `MUSTER_ASSERT(BegunIsRouted_A, !begun_q || routed_q)

endmodule

`default_nettype wire
