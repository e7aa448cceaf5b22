// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "muster_assert.svh"

// The route of the packet at the head of one input queue: the first pipeline stage, "route and
// channel". The packet keeps its virtual channel, so the channel needs no choice.
//
//   idle     a data flit comes to the head: read_o reads the routing table, whose mask_i is there
//            from the next cycle on
//   active   want_o is the deterministic route, the lowest port of the mask, until the tail leaves
//   draining the mask was empty: every flit is taken (drain_o) up to the tail; with self_i the
//            packet is for this switch, else it has no route
//
// A data flit that comes to the head while idle counts as a head. Sync flits are ignored here:
// head_data_i is low then, and the state holds.
module route_state #(
  /// ports of the switch, 3 to 16
  parameter int unsigned Ports = 8
) (
  input  wire logic               clk_i,
  input  wire logic               rst_ni,

  /// the head of the queue is a data flit
  input  wire logic               head_data_i,
  /// it is a tail
  input  wire logic               head_tail_i,
  /// the flit at the head leaves for its output in this cycle; only with request_o
  input  wire logic               taken_i,

  /// read the table with the destination in the head flit
  output logic                    read_o,
  /// the entry read, valid from the cycle after read_o
  input  wire logic [Ports-1:0]   mask_i,
  /// the bit `self` of that entry
  input  wire logic               self_i,

  /// a data flit wants to go to want_o
  output logic                    request_o,
  /// one-hot while active, else zero
  output logic [Ports-1:0]        want_o,
  /// a flit of this packet has left and the tail has not; with want_o it holds its output channel
  output logic                    owner_o,
  /// take the head of the queue: it goes to no output
  output logic                    drain_o,
  /// it is of a packet for this switch, and it is the first of that packet
  output logic                    local_o,
  output logic                    local_first_o,
  /// a packet without a route ends in this cycle
  output logic                    dropped_o
);
  if (Ports < 3 || Ports > 16) begin : gen_bad_ports
    $error("route_state: Ports must be 3 to 16");
  end

  logic routed_q, begun_q, leaves;
  logic [Ports-1:0] above;

  above_lowest #(
    .N(Ports)
  ) lowest (
    .bits_i(mask_i),
    .above_o(above)
  );

  assign read_o = head_data_i && !routed_q;
  assign owner_o = begun_q;
  assign leaves = taken_i || drain_o;

  // Simulation-speed guard, functionally redundant: few packets are drained.
  always_comb begin
    want_o = '0;
    request_o = 1'b0;
    drain_o = 1'b0;
    dropped_o = 1'b0;
    local_o = 1'b0;
    local_first_o = 1'b0;
    if (routed_q) begin
      want_o = mask_i & ~above;
      if (mask_i != '0) begin
        request_o = head_data_i;
      end else begin
        drain_o = head_data_i;
        dropped_o = head_data_i && head_tail_i && !self_i;
        local_o = head_data_i && self_i;
        local_first_o = local_o && !begun_q;
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      routed_q <= 1'b0;
      begun_q <= 1'b0;
    end else if (leaves) begin
      routed_q <= !head_tail_i;
      begun_q <= !head_tail_i;
    end else if (read_o) begin
      routed_q <= 1'b1;
    end
  end

  `MUSTER_ASSERT(WantOneHot_A, (want_o & (want_o - 1'b1)) == '0)
  `MUSTER_ASSERT(TakenOnRequest_A, !taken_i || request_o)
  `MUSTER_ASSERT(BegunIsRouted_A, !begun_q || routed_q)

endmodule

`default_nettype wire
