// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "muster_assert.svh"

// The input side of a multicast switch: a queue for each port and virtual channel, routes of the
// packets at their heads, and behind the queue of each port's worm channel, the last, its worm
// buffer.
//
// The queues are those of muster_input_queues; sync flits do not enter them. Queues of data work as
// in muster_input_stage, but no packet is for this switch: they request an output (request_o,
// want_o) until taken_i, or are drained without a route. Those of worms never request; their flits
// go to the buffers, see muster_worm_buffer.
module muster_multicast_inputs #(
  /// ports, 3 to 16
  parameter int unsigned Ports = 8,
  /// virtual channels, 2 to 4
  parameter int unsigned Vcs = 2,
  /// flits in an input queue, 1 to 16
  parameter int unsigned Depth = 4,
  /// payload bits of a flit, 16 to 80
  parameter int unsigned FlitW = 16,
  /// entries of the routing table, 16 to 2048
  parameter int unsigned Dests = 2048,
  localparam int unsigned Queues = Ports * Vcs,
  localparam int unsigned VcW = $clog2(Vcs),
  localparam int unsigned KindW = muster_pkg::KindW,
  localparam int unsigned RouteW = $clog2(Dests)
) (
  input  wire logic                                     clk_i,
  input  wire logic                                     rst_ni,

  /// links in; see muster_link_rx
  input  wire logic [Ports-1:0]                         rx_valid_i,
  input  wire logic [Ports-1:0][VcW-1:0]                rx_vc_i,
  input  wire logic [Ports-1:0][KindW-1:0]              rx_kind_i,
  input  wire logic [Ports-1:0][FlitW-1:0]              rx_payload_i,
  output logic [Ports-1:0][Vcs-1:0]                     rx_credit_o,

  /// routing table
  input  wire logic                                     route_write_i,
  input  wire logic [RouteW-1:0]                        route_addr_i,
  input  wire logic [Ports:0]                           route_entry_i,

  /// the flit at the head of each queue
  output logic [Queues-1:0]                             tail_o,
  output logic [Queues-1:0][KindW-1:0]                  kind_o,
  output logic [Queues-1:0][FlitW-1:0]                  payload_o,
  /// it wants to go to output want_o, one-hot; its packet has that channel already
  output logic [Queues-1:0]                             request_o,
  output logic [Queues-1:0][Ports-1:0]                  want_o,
  output logic [Queues-1:0]                             owner_o,
  /// it leaves in this cycle; only with request_o
  input  wire logic [Queues-1:0]                        taken_i,

  /// buffer of input i, output p: a flit, if its worm may begin, its tail bit and payload; it
  /// leaves; [i][p] all
  output logic [Ports-1:0][Ports-1:0]                   at_o,
  output logic [Ports-1:0][Ports-1:0]                   begin_o,
  output logic [Ports-1:0][Ports-1:0]                   worm_tail_o,
  output logic [Ports-1:0][Ports-1:0]                   worm_cut_o,
  output logic [Ports-1:0][Ports-1:0][FlitW-1:0]        worm_payload_o,
  input  wire logic [Ports-1:0][Ports-1:0]              sent_i,

  /// a packet without a route ends, an address without a route was taken in the cycle before; a
  /// headless flit leaves its queue
  output logic [Queues-1:0]                             unroutable_o,
  output logic [Queues-1:0]                             headless_o,
  /// the routing table is being swept after reset
  output logic                                          sweeping_o,
  /// all queues and buffers are empty, and nothing is swept
  output logic                                          empty_o
);
  `MUSTER_RANGE(Vcs, 2, 4)
  `MUSTER_RANGE(Dests, 16, 2048)

  localparam int unsigned DestW = muster_pkg::DestW;
  localparam int unsigned HighW = (FlitW < muster_pkg::DestHighAt + 5)
                                  ? FlitW - muster_pkg::DestHighAt : 5;
  localparam int unsigned AddressW = DestW + HighW;

  logic [Queues-1:0] data, pop, read, head_tail;
  logic [Queues-1:0][KindW-1:0] head_kind;
  logic [Queues-1:0][FlitW-1:0] head_payload;
  logic [Ports-1:0] rx_data;
  logic [Queues-1:0][AddressW-1:0] dest;
  // The bit `self` is never set.
  /* verilator lint_off UNUSEDSIGNAL */
  logic [Queues-1:0][Ports:0] entry;
  logic wrong;  // the table has no parity
  /* verilator lint_on UNUSEDSIGNAL */
  logic [Ports-1:0] buffer_empty;
  logic queues_empty;

  for (genvar i = 0; i < Ports; i++) begin : gen_rx
    assign rx_data[i] = rx_valid_i[i] && !rx_kind_i[i][muster_pkg::KindSync];
  end

  muster_input_queues #(.Ports(Ports), .Vcs(Vcs), .Depth(Depth), .FlitW(FlitW)) queues (
    .clk_i, .rst_ni,
    .rx_valid_i(rx_data),
    .rx_vc_i,
    .rx_kind_i,
    .rx_payload_i,
    .rx_credit_o,
    .valid_o(data),
    .tail_o(head_tail),
    .kind_o(head_kind),
    .payload_o(head_payload),
    .pop_i(pop),
    .empty_o(queues_empty)
  );

  for (genvar q = 0; q < Queues; q++) begin : gen_head
    if (HighW != 0) begin : gen_wide
      assign dest[q] = {head_payload[q][muster_pkg::DestHighAt+:HighW],
                        head_payload[q][DestW-1:0]};
    end else begin : gen_narrow
      assign dest[q] = head_payload[q][DestW-1:0];
    end
  end

  muster_route_table #(.Ports(Ports), .Readers(Queues), .Dests(Dests), .AddressW(AddressW)) routes (
    .clk_i, .rst_ni,
    .write_i(route_write_i),
    .waddr_i(route_addr_i),
    .wentry_i(route_entry_i),
    .read_i(read),
    .none_i('0),
    .raddr_i(dest),
    .entry_o(entry),
    .wrong_o(wrong),
    .sweeping_o
  );

  for (genvar i = 0; i < Ports; i++) begin : gen_port
    localparam int unsigned Worms = i * Vcs + Vcs - 1;  // the queue of the worm channel
    logic push;

    for (genvar v = 0; v < Vcs - 1; v++) begin : gen_data
      localparam int unsigned Q = i * Vcs + v;
      logic mark, drain, cut;
      assign mark = muster_pkg::is_cut(head_kind[Q],
                                       head_payload[Q][muster_pkg::DestW+:muster_pkg::OpcodeW]);
      assign pop[Q] = taken_i[Q] || drain;
      assign tail_o[Q] = head_tail[Q] || cut;
      assign kind_o[Q] = cut ? muster_pkg::KindCut : head_kind[Q];
      assign payload_o[Q] = cut ? FlitW'(muster_pkg::CutWord) : head_payload[Q];

      muster_route_state #(.Ports(Ports)) route (
        .clk_i, .rst_ni,
        .head_data_i(data[Q]),
        .head_first_i(head_kind[Q][muster_pkg::KindHead] && !mark),
        .head_tail_i(head_tail[Q]),
        .taken_i(taken_i[Q]),
        .read_o(read[Q]),
        .route_i(entry[Q][Ports-1:0]),
        .request_o(request_o[Q]),
        .want_o(want_o[Q]),
        .owner_o(owner_o[Q]),
        .drain_o(drain),
        .cut_o(cut),
        .dropped_o(unroutable_o[Q]),
        .headless_o(headless_o[Q])
      );
    end

    muster_worm_buffer #(.Ports(Ports), .FlitW(FlitW)) worms (
      .clk_i, .rst_ni,
      .head_data_i(data[Worms]),
      .head_kind_i(head_kind[Worms]),
      .head_payload_i(head_payload[Worms]),
      .push_o(push),
      .read_o(read[Worms]),
      .route_i(entry[Worms][Ports-1:0]),
      .at_o(at_o[i]),
      .tail_o(worm_tail_o[i]),
      .cut_o(worm_cut_o[i]),
      .payload_o(worm_payload_o[i]),
      .begin_o(begin_o[i]),
      .sent_i(sent_i[i]),
      .unrouted_o(unroutable_o[Worms]),
      .headless_o(headless_o[Worms]),
      .empty_o(buffer_empty[i])
    );
    assign pop[Worms] = push;
    assign tail_o[Worms] = head_tail[Worms];
    assign kind_o[Worms] = head_kind[Worms];
    assign payload_o[Worms] = head_payload[Worms];
    assign request_o[Worms] = 1'b0;
    assign want_o[Worms] = '0;
    assign owner_o[Worms] = 1'b0;
  end

  assign empty_o = queues_empty && (&buffer_empty) && !sweeping_o;

  `MUSTER_ASSERT(TakenOnRequest_A, (taken_i & ~request_o) == '0)

endmodule

`default_nettype wire
