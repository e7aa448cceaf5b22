// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "muster_assert.svh"

// The input side of a multicast switch: a queue for each port and virtual channel, routes of the
// packets at their heads, and behind the queue of each port's worm channel, the last, its worm
// buffer.
//
// The queues are those of input_queues; sync flits do not enter them. Queues of data work as in
// input_stage, but no packet is for this switch: they request an output (request_o, want_o) until
// taken_i, or are drained without a route. Those of worms never request; their flits go to the
// buffers, see worm_buffer.
module multicast_inputs #(
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

  /// links in; see link_rx
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
  output logic [Ports-1:0][Ports-1:0][FlitW-1:0]        worm_payload_o,
  input  wire logic [Ports-1:0][Ports-1:0]              sent_i,

  /// a packet without a route ends, an address without a route was taken in the cycle before
  output logic [Queues-1:0]                             unroutable_o,
  /// all queues and buffers are empty
  output logic                                          empty_o
);
  if (Vcs < 2 || Vcs > 4) begin : gen_bad_vcs
    $error("multicast_inputs: Vcs must be 2 to 4");
  end
  if (Dests < 16 || Dests > 2048) begin : gen_bad_dests
    $error("multicast_inputs: Dests must be 16 to 2048");
  end

  logic [Queues-1:0] data, pop, read;
  logic [Ports-1:0] rx_data;
  logic [Queues-1:0][RouteW-1:0] dest;
  // The bit `self` is never set.
  /* verilator lint_off UNUSEDSIGNAL */
  logic [Queues-1:0][Ports:0] entry;
  /* verilator lint_on UNUSEDSIGNAL */
  logic [Ports-1:0] buffer_empty;
  logic queues_empty;

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
    .empty_o(queues_empty)
  );

  for (genvar q = 0; q < Queues; q++) begin : gen_head
    assign dest[q] = payload_o[q][RouteW-1:0];
  end

  route_table #(
    .Ports(Ports),
    .Readers(Queues),
    .Dests(Dests)
  ) routes (
    .clk_i,
    .rst_ni,
    .write_i(route_write_i),
    .waddr_i(route_addr_i),
    .wentry_i(route_entry_i),
    .read_i(read),
    .raddr_i(dest),
    .entry_o(entry)
  );

  for (genvar i = 0; i < Ports; i++) begin : gen_port
    localparam int unsigned Worms = i * Vcs + Vcs - 1;  // the queue of the worm channel
    logic push;

    for (genvar v = 0; v < Vcs - 1; v++) begin : gen_data
      localparam int unsigned Q = i * Vcs + v;
      logic drain;
      // No entry has the bit `self`.
      /* verilator lint_off UNUSEDSIGNAL */
      logic here, here_first;
      /* verilator lint_on UNUSEDSIGNAL */
      assign pop[Q] = taken_i[Q] || drain;

      route_state #(
        .Ports(Ports)
      ) route (
        .clk_i,
        .rst_ni,
        .head_data_i(data[Q]),
        .head_tail_i(tail_o[Q]),
        .taken_i(taken_i[Q]),
        .read_o(read[Q]),
        .mask_i(entry[Q][Ports-1:0]),
        .self_i(1'b0),
        .request_o(request_o[Q]),
        .want_o(want_o[Q]),
        .owner_o(owner_o[Q]),
        .drain_o(drain),
        .local_o(here),
        .local_first_o(here_first),
        .dropped_o(unroutable_o[Q])
      );
    end

    worm_buffer #(
      .Ports(Ports),
      .FlitW(FlitW)
    ) worms (
      .clk_i,
      .rst_ni,
      .head_data_i(data[Worms]),
      .head_kind_i(kind_o[Worms]),
      .head_payload_i(payload_o[Worms]),
      .push_o(push),
      .read_o(read[Worms]),
      .mask_i(entry[Worms][Ports-1:0]),
      .at_o(at_o[i]),
      .tail_o(worm_tail_o[i]),
      .payload_o(worm_payload_o[i]),
      .begin_o(begin_o[i]),
      .sent_i(sent_i[i]),
      .unrouted_o(unroutable_o[Worms]),
      .empty_o(buffer_empty[i])
    );
    assign pop[Worms] = push;
    assign request_o[Worms] = 1'b0;
    assign want_o[Worms] = '0;
    assign owner_o[Worms] = 1'b0;
  end

  assign empty_o = queues_empty && (&buffer_empty);

  `MUSTER_ASSERT(TakenOnRequest_A, (taken_i & ~request_o) == '0)

endmodule

`default_nettype wire
