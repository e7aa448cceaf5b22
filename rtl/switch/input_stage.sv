// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "muster_assert.svh"

// The input side of a switch for packets: a queue for each port and virtual channel, and the first
// pipeline stage, "route and channel".
//
// The queues are those of input_queues; sync flits do not enter them. The first flit of a packet
// has the table read; from the cycle after on it requests its output (request_o, want_o) until
// taken_i, or is drained, a flit a cycle: with local_o for this switch, else without a route.
module input_stage #(
  /// ports, 3 to 16
  parameter int unsigned Ports = 8,
  /// virtual channels, 1 to 4
  parameter int unsigned Vcs = 2,
  /// flits in an input queue, 1 to 16
  parameter int unsigned Depth = 4,
  /// payload bits of a flit, 16 to 80
  parameter int unsigned FlitW = 16,
  /// entries of the routing table, 16 to 2048
  parameter int unsigned Dests = 2048,
  localparam int unsigned Queues = Ports * Vcs,
  localparam int unsigned VcW = (Vcs > 1) ? $clog2(Vcs) : 1,
  localparam int unsigned KindW = muster_pkg::KindW,
  localparam int unsigned RouteW = $clog2(Dests)
) (
  input  wire logic                          clk_i,
  input  wire logic                          rst_ni,

  /// links in; see link_rx
  input  wire logic [Ports-1:0]              rx_valid_i,
  input  wire logic [Ports-1:0][VcW-1:0]     rx_vc_i,
  input  wire logic [Ports-1:0][KindW-1:0]   rx_kind_i,
  input  wire logic [Ports-1:0][FlitW-1:0]   rx_payload_i,
  output logic [Ports-1:0][Vcs-1:0]          rx_credit_o,

  /// routing table: write, and the agent's read, whose mask is there from the next cycle on
  input  wire logic                          route_write_i,
  input  wire logic [RouteW-1:0]             route_addr_i,
  input  wire logic [Ports:0]                route_entry_i,
  input  wire logic                          answer_read_i,
  // A table of fewer entries needs fewer bits.
  /* verilator lint_off UNUSEDSIGNAL */
  input  wire logic [muster_pkg::DestW-1:0]  answer_dest_i,
  /* verilator lint_on UNUSEDSIGNAL */
  output logic [Ports-1:0]                   answer_mask_o,

  /// the flit at the head of each queue
  output logic [Queues-1:0]                  tail_o,
  output logic [Queues-1:0][KindW-1:0]       kind_o,
  output logic [Queues-1:0][FlitW-1:0]       payload_o,
  /// it wants to go to output want_o, one-hot; its packet has that channel already
  output logic [Queues-1:0]                  request_o,
  output logic [Queues-1:0][Ports-1:0]       want_o,
  output logic [Queues-1:0]                  owner_o,
  /// it leaves in this cycle; only with request_o
  input  wire logic [Queues-1:0]             taken_i,
  /// it is for this switch and leaves in this cycle; it is the first of its packet
  output logic [Queues-1:0]                  local_o,
  output logic [Queues-1:0]                  local_first_o,
  /// a packet without a route ends
  output logic [Queues-1:0]                  unroutable_o,

  /// all queues are empty
  output logic                               empty_o
);
  if (Dests < 16 || Dests > 2048) begin : gen_bad_dests
    $error("input_stage: Dests must be 16 to 2048");
  end

  logic [Queues-1:0] data, pop, read, drain;
  logic [Ports-1:0] rx_data;
  logic [Queues-1:0][RouteW-1:0] dest;
  logic [Queues-1:0][Ports:0] entry;

  for (genvar i = 0; i < Ports; i++) begin : gen_rx
    assign rx_data[i] = rx_valid_i[i] && !rx_kind_i[i][muster_pkg::KindSync];
  end

  input_queues #(
    .Ports(Ports),
    .Vcs(Vcs),
    .Depth(Depth),
    .FlitW(FlitW)
  ) queues (
    .clk_i,
    .rst_ni,
    .rx_valid_i(rx_data),
    .rx_vc_i,
    .rx_kind_i,
    .rx_payload_i,
    .rx_credit_o,
    .valid_o(data),
    .tail_o,
    .kind_o,
    .payload_o,
    .pop_i(pop),
    .empty_o
  );

  // ---- Route and channel --------------------------------------------------------------------
  // The agent needs no bit `self`.
  /* verilator lint_off UNUSEDSIGNAL */
  logic [Ports:0] answer_entry;
  /* verilator lint_on UNUSEDSIGNAL */

  route_table #(
    .Ports(Ports),
    .Readers(Queues + 1),
    .Dests(Dests)
  ) routes (
    .clk_i,
    .rst_ni,
    .write_i(route_write_i),
    .waddr_i(route_addr_i),
    .wentry_i(route_entry_i),
    .read_i({answer_read_i, read}),
    .raddr_i({answer_dest_i[RouteW-1:0], dest}),
    .entry_o({answer_entry, entry})
  );
  assign answer_mask_o = answer_entry[Ports-1:0];

  for (genvar q = 0; q < Queues; q++) begin : gen_queue
    assign dest[q] = payload_o[q][RouteW-1:0];
    assign pop[q] = taken_i[q] || drain[q];

    route_state #(
      .Ports(Ports)
    ) route (
      .clk_i,
      .rst_ni,
      .head_data_i(data[q]),
      .head_tail_i(tail_o[q]),
      .taken_i(taken_i[q]),
      .read_o(read[q]),
      .mask_i(entry[q][Ports-1:0]),
      .self_i(entry[q][Ports]),
      .request_o(request_o[q]),
      .want_o(want_o[q]),
      .owner_o(owner_o[q]),
      .drain_o(drain[q]),
      .local_o(local_o[q]),
      .local_first_o(local_first_o[q]),
      .dropped_o(unroutable_o[q])
    );
  end

  `MUSTER_ASSERT(OneTakerPerFlit_A, (taken_i & drain) == '0)

endmodule

`default_nettype wire
