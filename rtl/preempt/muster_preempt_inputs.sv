// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "muster_assert.svh"

// The input side of a preempting switch: an input buffer for each port and virtual channel, the
// routes of packets and messages, and the heads where the padding generator can be connected.
//
// The buffers are those of muster_input_queues, and work as in muster_input_stage, but no packet is
// for this switch, and a pad is a flit of data: they request an output (request_o, want_o) until
// taken_i, or are drained without a route. What else is sync, in switch III only, is shown to
// muster_queue_heads, which takes it with sync_pop_i.
module muster_preempt_inputs #(
  /// ports, 3 to 16
  parameter int unsigned Ports = 8,
  /// virtual channels, 1 to 3
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
  localparam int unsigned RouteW = $clog2(Dests),
  localparam int unsigned WordW = muster_pkg::bsr_word_w(FlitW)
) (
  input  wire logic                                     clk_i,
  input  wire logic                                     rst_ni,

  /// columns 0 to Ports - 1 of crossbar I; see muster_link_rx. Credits of data
  input  wire logic [Ports-1:0]                         rx_valid_i,
  input  wire logic [Ports-1:0][VcW-1:0]                rx_vc_i,
  input  wire logic [Ports-1:0][KindW-1:0]              rx_kind_i,
  input  wire logic [Ports-1:0][FlitW-1:0]              rx_payload_i,
  output logic [Ports-1:0][Vcs-1:0]                     rx_credit_o,

  /// the padding generator is connected to this buffer; its pad; none is wanted
  input  wire logic [Ports-1:0][Vcs-1:0]                pads_i,
  input  wire logic [muster_pkg::BsrFlitW-1:0]          pad_i,
  input  wire logic                                     unpadded_i,

  /// heads that are neither data nor pads, the kind and low bits of all; they leave; data or a pad
  /// leave the buffer
  output logic [Ports-1:0][Vcs-1:0]                     sync_o,
  output logic [Ports-1:0][Vcs-1:0][KindW-1:0]          sync_kind_o,
  output logic [Ports-1:0][Vcs-1:0][WordW-1:0]          sync_word_o,
  input  wire logic [Ports-1:0][Vcs-1:0]                sync_pop_i,
  output logic [Ports-1:0][Vcs-1:0]                     data_taken_o,

  /// routing table: write; reads for messages and for the origin, whose masks are there from the
  /// next cycle on
  input  wire logic                                     route_write_i,
  input  wire logic [RouteW-1:0]                        route_addr_i,
  input  wire logic [Ports-1:0]                         route_mask_i,
  input  wire logic [Ports:0]                           message_read_i,
  input  wire logic [Ports:0][muster_pkg::DestW-1:0]    message_dest_i,
  output logic [Ports:0][Ports-1:0]                     message_mask_o,

  /// what each buffer offers for allocation: see muster_padded_head
  output logic [Queues-1:0]                             tail_o,
  output logic [Queues-1:0][KindW-1:0]                  kind_o,
  output logic [Queues-1:0][FlitW-1:0]                  payload_o,
  /// it wants to go to output want_o, one-hot; its packet has that channel already
  output logic [Queues-1:0]                             request_o,
  output logic [Queues-1:0][Ports-1:0]                  want_o,
  output logic [Queues-1:0]                             owner_o,
  /// it leaves in this cycle; only with request_o
  input  wire logic [Queues-1:0]                        taken_i,

  /// a packet without a route ends; a headless flit leaves
  output logic [Queues-1:0]                             unroutable_o,
  output logic [Queues-1:0]                             headless_o,
  /// the routing table is being swept after reset
  output logic                                          sweeping_o,
  /// all buffers are empty, no pad is offered and nothing is swept
  output logic                                          idle_o
);
  `MUSTER_RANGE(Vcs, 1, 3)
  `MUSTER_RANGE(Dests, 16, 2048)

  localparam int unsigned DestW = muster_pkg::DestW;
  localparam int unsigned HighW = (FlitW < muster_pkg::DestHighAt + 5)
                                  ? FlitW - muster_pkg::DestHighAt : 5;
  localparam int unsigned AddressW = DestW + HighW;

  logic [Queues-1:0] there, data, pop, read, head_tail, head_request;
  logic [Queues-1:0] head_taken, pad, drain, cut, mark;
  logic [Queues-1:0][KindW-1:0] head_kind;
  logic [Queues-1:0][FlitW-1:0] head_payload;
  logic [Queues-1:0][AddressW-1:0] dest;
  logic [Ports:0][AddressW-1:0] message_dest;
  // The bit `self` is never set. Both tables are swept at the same time, and have no parity.
  /* verilator lint_off UNUSEDSIGNAL */
  logic [1:0] sweeping, wrong;
  logic [Queues-1:0][Ports:0] entry;
  logic [Ports:0][Ports:0] message_entry;
  /* verilator lint_on UNUSEDSIGNAL */
  logic queues_empty;

  muster_input_queues #(
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
    .valid_o(there),
    .tail_o(head_tail),
    .kind_o(head_kind),
    .payload_o(head_payload),
    .pop_i(pop),
    .empty_o(queues_empty)
  );

  // A packet follows the lowest bit of a mask, which its table keeps; a message chooses.
  muster_route_table #(
    .Ports(Ports),
    .Readers(Queues),
    .Dests(Dests),
    .AddressW(AddressW)
  ) routes (
    .clk_i,
    .rst_ni,
    .write_i(route_write_i),
    .waddr_i(route_addr_i),
    .wentry_i({1'b0, route_mask_i}),
    .read_i(read),
    .none_i('0),
    .raddr_i(dest),
    .entry_o(entry),
    .wrong_o(wrong[0]),
    .sweeping_o(sweeping[0])
  );
  muster_route_table #(
    .Ports(Ports),
    .Readers(Ports + 1),
    .Dests(Dests),
    .AddressW(AddressW),
    .Masks(1)
  ) masks (
    .clk_i,
    .rst_ni,
    .write_i(route_write_i),
    .waddr_i(route_addr_i),
    .wentry_i({1'b0, route_mask_i}),
    .read_i(message_read_i),
    .none_i('0),
    .raddr_i(message_dest),
    .entry_o(message_entry),
    .wrong_o(wrong[1]),
    .sweeping_o(sweeping[1])
  );
  assign sweeping_o = sweeping != '0;
  for (genvar b = 0; b <= Ports; b++) begin : gen_message
    assign message_dest[b] = AddressW'(message_dest_i[b]);
    assign message_mask_o[b] = message_entry[b][Ports-1:0];
  end

  for (genvar i = 0; i < Ports; i++) begin : gen_port
    for (genvar v = 0; v < Vcs; v++) begin : gen_channel
      localparam int unsigned Q = i * Vcs + v;
      assign data[Q] = there[Q] && (!head_kind[Q][muster_pkg::KindSync] ||
                                    head_kind[Q] == muster_pkg::KindPad);
      if (HighW != 0) begin : gen_wide
        assign dest[Q] = {head_payload[Q][muster_pkg::DestHighAt+:HighW],
                          head_payload[Q][DestW-1:0]};
      end else begin : gen_narrow
        assign dest[Q] = head_payload[Q][DestW-1:0];
      end
      assign mark[Q] = muster_pkg::is_cut(head_kind[Q],
                                          head_payload[Q][muster_pkg::DestW+:muster_pkg::OpcodeW]);
      assign sync_o[i][v] = there[Q] && !data[Q];
      assign sync_kind_o[i][v] = head_kind[Q];
      assign sync_word_o[i][v] = head_payload[Q][WordW-1:0];
      assign data_taken_o[i][v] = head_taken[Q] || drain[Q];
      assign pop[Q] = sync_pop_i[i][v] || data_taken_o[i][v];

      muster_route_state #(
        .Ports(Ports)
      ) route (
        .clk_i,
        .rst_ni,
        .head_data_i(data[Q]),
        .head_first_i(head_kind[Q][muster_pkg::KindHead] && !head_kind[Q][muster_pkg::KindSync] &&
                      !mark[Q]),
        .head_tail_i(head_tail[Q]),
        .taken_i(head_taken[Q]),
        .read_o(read[Q]),
        .route_i(entry[Q][Ports-1:0]),
        .request_o(head_request[Q]),
        .want_o(want_o[Q]),
        .owner_o(owner_o[Q]),
        .drain_o(drain[Q]),
        .cut_o(cut[Q]),
        .dropped_o(unroutable_o[Q]),
        .headless_o(headless_o[Q])
      );

      muster_padded_head #(
        .FlitW(FlitW)
      ) head (
        .clk_i,
        .rst_ni,
        .connected_i(pads_i[i][v]),
        .pad_i,
        .unpadded_i,
        .empty_i(!there[Q]),
        .owner_i(owner_o[Q] && want_o[Q] != '0),
        .request_i(head_request[Q]),
        .tail_i(head_tail[Q] || cut[Q]),
        .kind_i(cut[Q] ? muster_pkg::KindCut : head_kind[Q]),
        .payload_i(cut[Q] ? FlitW'(muster_pkg::CutWord) : head_payload[Q]),
        .taken_o(head_taken[Q]),
        .request_o(request_o[Q]),
        .tail_o(tail_o[Q]),
        .kind_o(kind_o[Q]),
        .payload_o(payload_o[Q]),
        .taken_i(taken_i[Q]),
        .pad_o(pad[Q])
      );
    end
  end

  assign idle_o = queues_empty && pad == '0 && !sweeping_o;

  `MUSTER_ASSERT(TakenOnRequest_A, (taken_i & ~request_o) == '0)
  `MUSTER_ASSERT(PadsAreWithinPackets_A, (pad & ~owner_o) == '0)

endmodule

`default_nettype wire
