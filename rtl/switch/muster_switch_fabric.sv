// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "muster_assert.svh"

// Second and third pipeline stage of a switch: the allocator, and the crossbar with a register for
// each input port. See muster_switch_allocator and crossbar.
//
// A flit allocated in cycle t, that of a queue with taken_o, is at its output in t + 1: busy_o[p],
// and channel, kind and payload in flit_o[p].
module muster_switch_fabric #(
  /// ports, 3 to 16
  parameter int unsigned Ports = 8,
  /// virtual channels, 1 to 4
  parameter int unsigned Vcs = 2,
  /// payload bits of a flit, 16 to 80
  parameter int unsigned FlitW = 16,
  localparam int unsigned Queues = Ports * Vcs,
  localparam int unsigned VcW = (Vcs > 1) ? $clog2(Vcs) : 1,
  localparam int unsigned KindW = muster_pkg::KindW,
  localparam int unsigned Width = FlitW + KindW + VcW
) (
  input  wire logic                         clk_i,
  input  wire logic                         rst_ni,

  /// queue q = i * Vcs + v: the flit at its head
  input  wire logic [Queues-1:0]            tail_i,
  input  wire logic [Queues-1:0][KindW-1:0] kind_i,
  input  wire logic [Queues-1:0][FlitW-1:0] payload_i,
  /// it has a route, to this output, one-hot, and its packet owns the channel
  input  wire logic [Queues-1:0]            request_i,
  input  wire logic [Queues-1:0][Ports-1:0] want_i,
  input  wire logic [Queues-1:0]            owner_i,
  /// it leaves
  output logic [Queues-1:0]                 taken_o,

  /// channel (p, v) may take a flit; output p takes none; no packet may begin on (p, v); one is
  /// allocated; it has an owner: [v][p] all
  input  wire logic [Vcs-1:0][Ports-1:0]    open_i,
  input  wire logic [Ports-1:0]              hold_i,
  input  wire logic [Vcs-1:0][Ports-1:0]    closed_i,
  output logic [Vcs-1:0][Ports-1:0]         allocated_o,
  output logic [Vcs-1:0][Ports-1:0]         owned_o,

  /// a flit is there for output p: channel, kind, payload
  output logic [Ports-1:0]                  busy_o,
  output logic [Ports-1:0][Width-1:0]       flit_o
);
  `MUSTER_RANGE(FlitW, 16, 80)

  logic [Ports-1:0][Ports-1:0] to;
  logic [Queues-1:0] offered;
  logic [Ports-1:0] offers;
  logic [Ports-1:0][Width-1:0] chosen;

  muster_switch_allocator #(.Ports(Ports), .Vcs(Vcs)) allocator (
    .offered_o(offered),
    .to_o(to),
    .*
  );

  // What an input offers is chosen beside the outputs' arbitration, and kept if it is taken.
  always_comb begin
    chosen = '0;
    for (int unsigned i = 0; i < Ports; i++) begin
      offers[i] = offered[i*Vcs+:Vcs] != '0;
      for (int unsigned v = 0; v < Vcs; v++) begin
        if (offered[i*Vcs+v]) begin
          chosen[i] = chosen[i] | {VcW'(v), kind_i[i*Vcs+v], payload_i[i*Vcs+v]};
        end
      end
    end
  end

  muster_crossbar #(.Ports(Ports), .Width(Width)) xbar (
    .clk_i, .rst_ni,
    .offered_i(offers),
    .to_i(to),
    .flit_i(chosen),
    .busy_o,
    .flit_o
  );

endmodule

`default_nettype wire
