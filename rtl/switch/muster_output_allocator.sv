// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "muster_assert.svh"

// Allocation: which queues' flits are taken in this cycle, and for which outputs.
//
// Queue v * Ports + i belongs to input i and virtual channel v. Two steps, each of which begins
// from flip-flops: for each packet, an output channel gives itself to an input
// (muster_output_channels); for each flit, output p picks one of its channels whose owner has a
// flit, if the channel is open (a credit, and nothing closes the port), by round robin over v.
// Nothing is picked for an input: each queue has its own way through the crossbar, so an input may
// send one flit of each virtual channel in a cycle, to different outputs.
//
// The pointer of output p is 0 after reset and moves to v + 1 when channel v is picked.
module muster_output_allocator #(
  /// ports of the switch, 3 to 32
  parameter int unsigned Ports = 8,
  /// virtual channels, 1 to 4
  parameter int unsigned Vcs = 2,
  localparam int unsigned Queues = Ports * Vcs
) (
  input  wire logic                                  clk_i,
  input  wire logic                                  rst_ni,

  /// of virtual channel v: output of the packet in front at input i, one-hot or zero, bits
  /// i * Ports on; while it is new; and of the packet behind it. See muster_packet_routes
  input  wire logic [Vcs-1:0][Ports*Ports-1:0]       want_i,
  input  wire logic [Vcs-1:0][Ports*Ports-1:0]       new_i,
  input  wire logic [Vcs-1:0][Ports*Ports-1:0]       behind_i,
  /// a flit of it is there; it is the tail
  input  wire logic [Queues-1:0]                     ready_i,
  input  wire logic [Queues-1:0]                     tail_i,
  /// channel v of output p, bit v * Ports + p, may take a flit
  input  wire logic [Queues-1:0]                     open_i,
  /// no packet may get it
  input  wire logic [Queues-1:0]                     closed_i,

  /// the flit of queue q is taken
  output logic [Queues-1:0]                          taken_o,
  /// output p takes that of queue q: bit q * Ports + p
  output logic [Queues*Ports-1:0]                    select_o,
  /// a flit was allocated to the channel
  output logic [Queues-1:0]                          allocated_o,
  /// output p takes no flit, although the owner of one of its channels has one
  output logic [Ports-1:0]                           stalled_o,
  /// the channel has an owner
  output logic [Queues-1:0]                          owned_o,
  /// nothing changes unless a packet is new or a flit is there
  output logic                                       idle_o
);
  `MUSTER_RANGE(Ports, 3, 32)
  `MUSTER_RANGE(Vcs, 1, 4)

  localparam int unsigned MatrixW = Ports * Ports;
  logic [Queues-1:0] filled, wins, gets, grant;
  logic [Vcs-1:0] idle;

  for (genvar v = 0; v < Vcs; v++) begin : gen_vc
    logic [MatrixW-1:0] offers;
    // An offer is what fills a channel, so it need not wait for the grant.
    assign select_o[v*MatrixW+:MatrixW] = offers & {Ports{gets[v*Ports+:Ports]}};
    muster_output_channels #(.Ports(Ports)) channels (
      .clk_i, .rst_ni,
      .want_i(want_i[v]),
      .new_i(new_i[v]),
      .behind_i(behind_i[v]),
      .ready_i(ready_i[v*Ports+:Ports]),
      .tail_i(tail_i[v*Ports+:Ports]),
      .closed_i(closed_i[v*Ports+:Ports]),
      .filled_o(filled[v*Ports+:Ports]),
      .grant_i(grant[v*Ports+:Ports]),
      .offers_o(offers),
      .owned_o(owned_o[v*Ports+:Ports]),
      .idle_o(idle[v])
    );
  end

  muster_rr_arbiters #(.N(Vcs), .Lanes(Ports)) pick_vc (
    .clk_i, .rst_ni,
    .req_i(filled & open_i),
    .wins_o(wins),
    .grant_o(grant)
  );
  assign gets = open_i & wins;

  assign allocated_o = grant;
  always_comb begin
    stalled_o = '0;
    for (int unsigned q = 0; q < Queues; q++) begin
      if (filled[q]) stalled_o[q%Ports] = 1'b1;
    end
    for (int unsigned q = 0; q < Queues; q++) begin
      if (grant[q]) stalled_o[q%Ports] = 1'b0;
    end
    for (int unsigned q = 0; q < Queues; q++) taken_o[q] = select_o[q*Ports+:Ports] != '0;
  end
  assign idle_o = idle == '1;

  `MUSTER_ASSERT(TakenIsReady_A, (taken_o & ~ready_i) == '0)
  `MUSTER_ASSERT(AllocatedIsOpen_A, (allocated_o & ~open_i) == '0)

endmodule

`default_nettype wire
