// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "muster_assert.svh"

// The input side of a preempting switch: a queue for each port and virtual channel, the routes of
// packets, a padding generator at each queue of data, and the way of barrier messages out of the
// last virtual channel, the barrier channel, to the message buffers.
//
// The queues are those of input_queues. Queues of data work as in input_stage, but no packet is for
// this switch, and a pad is a flit of data: they request an output (request_o, want_o) until
// taken_i, or are drained without a route. A sync flit at their heads that is no pad is dropped.
// Those of the barrier channel never request.
module preempt_inputs #(
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
  localparam int unsigned RouteW = $clog2(Dests),
  localparam int unsigned WordW = muster_pkg::BsrFlitW
) (
  input  wire logic                                     clk_i,
  input  wire logic                                     rst_ni,

  /// links in; see link_rx
  input  wire logic [Ports-1:0]                         rx_valid_i,
  input  wire logic [Ports-1:0][VcW-1:0]                rx_vc_i,
  input  wire logic [Ports-1:0][KindW-1:0]              rx_kind_i,
  input  wire logic [Ports-1:0][FlitW-1:0]              rx_payload_i,
  output logic [Ports-1:0][Vcs-1:0]                     rx_credit_o,

  /// no generator offers pads
  input  wire logic                                     unpadded_i,

  /// routing table: write, and the origin's read, whose mask is there from the next cycle on
  input  wire logic                                     route_write_i,
  input  wire logic [RouteW-1:0]                        route_addr_i,
  input  wire logic [Ports-1:0]                         route_mask_i,
  input  wire logic                                     origin_read_i,
  // A table of fewer entries needs fewer bits.
  /* verilator lint_off UNUSEDSIGNAL */
  input  wire logic [muster_pkg::DestW-1:0]             origin_dest_i,
  /* verilator lint_on UNUSEDSIGNAL */
  output logic [Ports-1:0]                              origin_mask_o,

  /// message buffers: see message_intake; the flit, and from the cycle after a message's first one
  /// on the mask of its destination
  input  wire logic [Ports-1:0]                         filling_i,
  input  wire logic [Ports-1:0]                         begins_i,
  output logic [Ports-1:0]                              push_o,
  output logic [Ports-1:0][WordW-1:0]                   flit_o,
  output logic [Ports-1:0][Ports-1:0]                   mask_o,

  /// what each queue offers for allocation: see pad_generator
  output logic [Queues-1:0]                             tail_o,
  output logic [Queues-1:0][KindW-1:0]                  kind_o,
  output logic [Queues-1:0][FlitW-1:0]                  payload_o,
  /// it wants to go to output want_o, one-hot; its packet has that channel already
  output logic [Queues-1:0]                             request_o,
  output logic [Queues-1:0][Ports-1:0]                  want_o,
  output logic [Queues-1:0]                             owner_o,
  /// it leaves in this cycle; only with request_o
  input  wire logic [Queues-1:0]                        taken_i,

  /// a packet without a route ends; flits that are neither data nor message were dropped, by port
  output logic [Queues-1:0]                             unroutable_o,
  output logic [Ports-1:0]                              malformed_o,
  /// all queues are empty and no pad is offered
  output logic                                          idle_o
);
  if (Vcs < 2 || Vcs > 4) begin : gen_bad_vcs
    $error("preempt_inputs: Vcs must be 2 to 4");
  end
  if (Dests < 16 || Dests > 2048) begin : gen_bad_dests
    $error("preempt_inputs: Dests must be 16 to 2048");
  end

  localparam int unsigned Channels = Vcs - 1;  // of data
  localparam int unsigned Last = Vcs - 1;      // the barrier channel

  logic [Queues-1:0] sync, plain, data, pop, read, here, here_first, head_tail, head_request;
  logic [Queues-1:0] begun, head_taken, pad, stray;
  logic [Queues-1:0][KindW-1:0] head_kind;
  logic [Queues-1:0][FlitW-1:0] head_payload;
  logic [Queues-1:0][RouteW-1:0] dest;
  // The bit `self` is never set.
  /* verilator lint_off UNUSEDSIGNAL */
  logic [Queues-1:0][Ports:0] entry;
  logic [Ports:0] origin_entry;
  /* verilator lint_on UNUSEDSIGNAL */
  logic [Ports-1:0] bad_message;
  logic queues_empty;

  input_queues #(
    .Ports(Ports),
    .Vcs(Vcs),
    .Depth(Depth),
    .FlitW(FlitW)
  ) queues (
    .clk_i,
    .rst_ni,
    .rx_valid_i,
    .rx_vc_i,
    .rx_kind_i,
    .rx_payload_i,
    .rx_credit_o,
    .sync_o(sync),
    .data_o(plain),
    .tail_o(head_tail),
    .kind_o(head_kind),
    .payload_o(head_payload),
    .pop_i(pop),
    .empty_o(queues_empty)
  );

  for (genvar q = 0; q < Queues; q++) begin : gen_head
    assign dest[q] = head_payload[q][RouteW-1:0];
  end

  route_table #(
    .Ports(Ports),
    .Readers(Queues + 1),
    .Dests(Dests)
  ) routes (
    .clk_i,
    .rst_ni,
    .write_i(route_write_i),
    .waddr_i(route_addr_i),
    .wentry_i({1'b0, route_mask_i}),
    .read_i({origin_read_i, read}),
    .raddr_i({origin_dest_i[RouteW-1:0], dest}),
    .entry_o({origin_entry, entry})
  );
  assign origin_mask_o = origin_entry[Ports-1:0];

  for (genvar i = 0; i < Ports; i++) begin : gen_port
    localparam int unsigned Messages = i * Vcs + Last;  // the queue of the barrier channel
    logic [Channels-1:0] pad_begin, pad_end;

    // ---- Packets ----------------------------------------------------------------------------
    for (genvar v = 0; v < Channels; v++) begin : gen_data
      localparam int unsigned Q = i * Vcs + v;
      logic drain;
      assign data[Q] = plain[Q] || (sync[Q] && head_kind[Q] == muster_pkg::KindPad);
      assign stray[Q] = sync[Q] && !data[Q];
      assign pop[Q] = stray[Q] || head_taken[Q] || drain;

      route_state #(
        .Ports(Ports)
      ) route (
        .clk_i,
        .rst_ni,
        .head_data_i(data[Q]),
        .head_tail_i(head_tail[Q]),
        .taken_i(head_taken[Q]),
        .read_o(read[Q]),
        .mask_i(entry[Q][Ports-1:0]),
        .self_i(1'b0),
        .request_o(head_request[Q]),
        .want_o(want_o[Q]),
        .owner_o(begun[Q]),
        .drain_o(drain),
        .local_o(here[Q]),
        .local_first_o(here_first[Q]),
        .dropped_o(unroutable_o[Q])
      );
      assign owner_o[Q] = begun[Q];

      pad_generator #(
        .FlitW(FlitW)
      ) pads (
        .clk_i,
        .rst_ni,
        .begin_i(pad_begin[v]),
        .end_i(pad_end[v]),
        .unpadded_i,
        .empty_i(!sync[Q] && !plain[Q]),
        .owner_i(begun[Q] && want_o[Q] != '0),
        .request_i(head_request[Q]),
        .tail_i(head_tail[Q]),
        .kind_i(head_kind[Q]),
        .payload_i(head_payload[Q]),
        .taken_o(head_taken[Q]),
        .request_o(request_o[Q]),
        .tail_o(tail_o[Q]),
        .kind_o(kind_o[Q]),
        .payload_o(payload_o[Q]),
        .taken_i(taken_i[Q]),
        .pad_o(pad[Q])
      );
    end

    // ---- Messages ---------------------------------------------------------------------------
    message_intake #(
      .Channels(Channels)
    ) intake (
      .sync_i(sync[Messages]),
      .data_i(plain[Messages]),
      .flit_i(flit_o[i]),
      .filling_i(filling_i[i]),
      .begins_i(begins_i[i]),
      .pop_o(pop[Messages]),
      .push_o(push_o[i]),
      .begin_o(pad_begin),
      .end_o(pad_end),
      .malformed_o(bad_message[i])
    );
    assign flit_o[i] = head_payload[Messages][WordW-1:0];
    assign read[Messages] = push_o[i] && begins_i[i];
    assign mask_o[i] = entry[Messages][Ports-1:0];
    assign malformed_o[i] = bad_message[i] || (stray[i*Vcs+:Channels] != '0);

    assign data[Messages] = 1'b0;
    assign stray[Messages] = 1'b0;
    assign head_taken[Messages] = 1'b0;
    assign head_request[Messages] = 1'b0;
    assign begun[Messages] = 1'b0;
    assign here[Messages] = 1'b0;
    assign here_first[Messages] = 1'b0;
    assign pad[Messages] = 1'b0;
    assign unroutable_o[Messages] = 1'b0;
    assign request_o[Messages] = 1'b0;
    assign want_o[Messages] = '0;
    assign owner_o[Messages] = 1'b0;
    assign tail_o[Messages] = 1'b0;
    assign kind_o[Messages] = '0;
    assign payload_o[Messages] = '0;
  end

  assign idle_o = queues_empty && pad == '0;

  `MUSTER_ASSERT(TakenOnRequest_A, (taken_i & ~request_o) == '0)
  `MUSTER_ASSERT(NothingIsForHere_A, (here | here_first) == '0)
  `MUSTER_ASSERT(PadsAreWithinPackets_A, (pad & ~owner_o) == '0)

endmodule

`default_nettype wire
