// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "muster_assert.svh"

// The input side of a switch for packets: a queue for each port and virtual channel, and the routes
// of the packets in them, read on arrival.
//
// A flit on the wires in t is in its queue from t + 1 on; sync flits enter none. With Queued each
// is a packet of one flit for this switch in the queue of virtual channel 0, and leaves with
// message_o in place of local_o. The routing table has a reader for each port, addressed from the
// wires: the route of a packet whose first flit is on the wires in t is there in t + 1
// (muster_packet_routes), and stays with the packet.
//
// The allocation takes packets for other ports (taken_i). Packets for this switch, and those
// without a route, are drained, a flit a cycle, from t + 2 on. A flit taken in t leaves in t + 1:
// flit_o of its queue is then the flit for the crossbar or, with local_o, for the access unit.
//
// A headless flit (muster_queue_admission) is kept as a cut mark, a tail. It ends the packet that
// is open, or is alone: then it is drained. A bit `cut` says what it is; its payload stays as it
// came, and the output replaces it (muster_output_ports).
//
// With Guard a flit without a place is lost (muster_queue_admission): the flit before it leaves as
// the cut mark that ends its packet, and the packet's later flits are headless.
module muster_input_stage #(
  /// ports, 3 to 32
  parameter int unsigned Ports = 8,
  /// virtual channels, 1 to 4
  parameter int unsigned Vcs = 2,
  /// flits in an input queue, 1 to 16
  parameter int unsigned Depth = 4,
  /// payload bits of a flit, 16 to 512
  parameter int unsigned FlitW = 16,
  /// entries of the routing table, 16 to 65536. Requires FlitW >= $clog2(Dests) + 5
  parameter int unsigned Dests = 2048,
  /// flits without a place are lost, not an error of the sender; 0 to 1. Requires
  /// Guard == 0 || Depth >= 2
  parameter int unsigned Guard = 0,
  /// entries of the routing table have a parity bit; 0 to 1
  parameter int unsigned Parity = 0,
  /// sync flits enter the queues; 0 to 1. Excludes Guard
  parameter int unsigned Queued = 0,
  localparam int unsigned Queues = Ports * Vcs,
  localparam int unsigned VcW = (Vcs > 1) ? $clog2(Vcs) : 1,
  localparam int unsigned KindW = muster_pkg::KindW,
  localparam int unsigned RouteW = $clog2(Dests)
) (
  input  wire logic                          clk_i,
  input  wire logic                          rst_ni,

  /// links in; a flit needs a free place in its queue
  input  wire logic [Ports-1:0]              rx_valid_i,
  input  wire logic [Ports-1:0][VcW-1:0]     rx_vc_i,
  input  wire logic [Ports-1:0][KindW-1:0]   rx_kind_i,
  input  wire logic [Ports-1:0][FlitW-1:0]   rx_payload_i,
  /// one pulse for each flit taken in the cycle before
  output logic [Ports-1:0][Vcs-1:0]          rx_credit_o,

  /// routing table: write, and the access unit's read, whose mask is there from the next cycle on
  input  wire logic                          route_write_i,
  input  wire logic [RouteW-1:0]             route_addr_i,
  input  wire logic [Ports:0]                route_entry_i,
  input  wire logic                          answer_read_i,
  // A table of fewer entries needs fewer bits.
  /* verilator lint_off UNUSEDSIGNAL */
  input  wire logic [muster_pkg::DestW-1:0]  answer_dest_i,
  /* verilator lint_on UNUSEDSIGNAL */
  output logic [Ports-1:0]                   answer_mask_o,

  /// of each virtual channel: outputs of the packets in front, one-hot or zero, of new ones, and of
  /// those behind. See muster_packet_routes
  output logic [Vcs-1:0][Ports*Ports-1:0]    want_o,
  output logic [Vcs-1:0][Ports*Ports-1:0]    new_o,
  output logic [Vcs-1:0][Ports*Ports-1:0]    behind_o,
  /// a flit of it is there; it is a tail; the allocation takes it
  output logic [Queues-1:0]                  ready_o,
  output logic [Queues-1:0]                  tail_o,
  input  wire logic [Queues-1:0]             taken_i,

  /// the flit taken in the cycle before, {cut, head, tail, payload}; for this switch; and the first
  /// of its packet
  output logic [Queues-1:0][FlitW+2:0]       flit_o,
  output logic [Queues-1:0]                  local_o,
  output logic [Queues-1:0]                  local_first_o,
  /// with Queued: the flit of queue i is a sync flit
  output logic [Ports-1:0]                   message_o,
  /// a packet without a route ends; a headless flit is on the wires of port p
  output logic [Queues-1:0]                  unroutable_o,
  output logic [Ports-1:0]                   headless_o,
  /// with Guard: the data flit on the wires of port p is lost; the routing table is being swept
  output logic [Ports-1:0]                   lost_o,
  output logic                               sweeping_o,
  /// with Parity: an entry of the routing table that was read in the cycle before is damaged
  output logic                               wrong_o,

  /// no queue holds a flit, nothing of one that has left is still to be done, nothing is swept
  output logic                               empty_o
);
  `MUSTER_RANGE(Vcs, 1, 4)
  `MUSTER_RANGE(FlitW, 16, 512)
  `MUSTER_RANGE(Dests, 16, 65536)
  `MUSTER_REFUSE(address, RouteW > muster_pkg::DestW && FlitW < muster_pkg::OpcodeW + RouteW,
                 "FlitW must be the bits of a destination and 5 at least")
  `MUSTER_RANGE(Guard, 0, 1)
  `MUSTER_REFUSE(queued, Queued > 1 || (Queued == 1 && Guard == 1),
                 "Queued must be 0 or 1, without Guard")

  // {cut, head, tail, payload}, with Queued before them whether it is a sync flit.
  localparam int unsigned Width = FlitW + 3 + Queued;

  // ---- Routing table ------------------------------------------------------------------------
  // A flit has address bits 10..0 of its destination, and in bits 20..16 of its payload the others.
  // The access unit needs no bit `self`.
  localparam int unsigned DestW = muster_pkg::DestW;
  localparam int unsigned HighW = (FlitW < muster_pkg::DestHighAt + 5)
                                  ? FlitW - muster_pkg::DestHighAt : 5;
  localparam int unsigned AddressW = DestW + HighW;
  /* verilator lint_off UNUSEDSIGNAL */
  logic [Ports:0] answer_entry;
  /* verilator lint_on UNUSEDSIGNAL */
  logic [Ports-1:0] rx_data, rx_message, mark, no_head, rx_tail;
  logic [Ports-1:0][AddressW-1:0] dest;
  logic [Ports-1:0][Ports:0] entry;

  // A request names its source in 11 bits.
  muster_route_table #(
    .Ports(Ports), .Readers(Ports + 1), .Dests(Dests), .AddressW(AddressW), .Parity(Parity)
  ) routes (
    .clk_i, .rst_ni,
    .write_i(route_write_i),
    .waddr_i(route_addr_i),
    .wentry_i(route_entry_i),
    .read_i({answer_read_i, rx_data}),
    .none_i({1'b0, no_head | rx_message}),
    .raddr_i({AddressW'(answer_dest_i), dest}),
    .entry_o({answer_entry, entry}),
    .wrong_o,
    .sweeping_o
  );
  assign answer_mask_o = answer_entry[Ports-1:0];

  for (genvar i = 0; i < Ports; i++) begin : gen_port
    assign rx_data[i] = rx_valid_i[i] && (Queued == 1 || !rx_kind_i[i][muster_pkg::KindSync]);
    assign rx_message[i] = Queued == 1 && rx_valid_i[i] && rx_kind_i[i][muster_pkg::KindSync];
    assign mark[i] = muster_pkg::is_cut(rx_kind_i[i],
                                        rx_payload_i[i][DestW+:muster_pkg::OpcodeW]);
    assign no_head[i] = !rx_kind_i[i][muster_pkg::KindHead] || mark[i];
    assign rx_tail[i] = rx_kind_i[i][muster_pkg::KindTail] || rx_message[i];
    if (HighW != 0) begin : gen_wide
      assign dest[i] = {rx_payload_i[i][muster_pkg::DestHighAt+:HighW], rx_payload_i[i][DestW-1:0]};
    end else begin : gen_narrow
      assign dest[i] = rx_payload_i[i][DestW-1:0];
    end
  end

  // ---- Queues and routes --------------------------------------------------------------------
  logic [Queues-1:0] leaves, drain, drained, here, take, ends, ended, alone, left_tail;
  logic [Queues-1:0] arrived_q, begun_q, local_q, first_q, dropped_q;
  // A flit for queue q is on the wires; it is a head, a tail.
  logic [Queues-1:0] comes, heads, tails;
  logic [Queues-1:0] push, begins, headless, push_tail, full, cut;
  logic [Ports-1:0][VcW-1:0] rx_vc;
  for (genvar i = 0; i < Ports; i++) begin : gen_channel
    assign rx_vc[i] = rx_message[i] ? '0 : rx_vc_i[i];
  end
  if (VcW == 1) begin : gen_one_bit
    assign comes = Queues'({rx_data & rx_vc, rx_data & ~rx_vc});
  end else begin : gen_two_bits
    for (genvar q = 0; q < Queues; q++) begin : gen_queue
      assign comes[q] = rx_data[q%Ports] && rx_vc[q%Ports] == VcW'(q / Ports);
    end
  end
  assign heads = {Vcs{~no_head | rx_message}};
  assign tails = {Vcs{rx_tail}};

  muster_queue_admission #(.Queues(Queues), .Guard(Guard)) admission (
    .clk_i, .rst_ni,
    .come_i(comes),
    .head_i(heads),
    .tail_i(tails),
    .full_i(full),
    .push_o(push),
    .begin_o(begins),
    .headless_o(headless),
    .tail_o(push_tail),
    .cut_o(cut)
  );

  // What enters the queues of a port.
  logic [Ports-1:0][Width-1:0] flit;
  logic [Ports-1:0] pushed;
  always_comb begin
    headless_o = '0;
    pushed = '0;
    for (int unsigned v = 0; v < Vcs; v++) begin
      headless_o = headless_o | headless[v*Ports+:Ports];
      pushed = pushed | push[v*Ports+:Ports];
    end
  end
  for (genvar i = 0; i < Ports; i++) begin : gen_flit
    assign flit[i] = Width'({rx_message[i] && !headless_o[i], headless_o[i],
                             rx_kind_i[i][1:0] | {2{headless_o[i] || rx_message[i]}},
                             rx_payload_i[i]});
  end
  assign lost_o = (Guard == 1) ? rx_data & ~pushed : '0;

  logic [Queues-1:0][Width-1:0] left;
  muster_wormhole_queues #(
    .Ports(Ports), .Vcs(Vcs), .Width(Width), .Depth(Depth), .Guard(Guard)
  ) queues (
    .clk_i, .rst_ni,
    .push_i(push),
    .push_tail_i(push_tail),
    .data_i(flit),
    .ready_o,
    .tail_o,
    .take_i(take),
    .full_o(full),
    .cut_i(cut),
    .leaves_o(leaves),
    .data_o(left),
    .left_tail_o(left_tail)
  );

  // A flit that became a tail in its queue is a cut mark.
  for (genvar q = 0; q < Queues; q++) begin : gen_left
    logic made;
    assign made = (Guard == 1) && left_tail[q] && !left[q][FlitW+muster_pkg::KindTail];
    assign alone[q] = left[q][FlitW+2] && first_q[q];
    assign flit_o[q] = {left[q][FlitW+:3] | {3{made}}, left[q][FlitW-1:0]};
  end

  logic [Ports*Ports-1:0] rows;
  logic [Ports-1:0] is_self, message_q;  // message_q: a sync flit came in the cycle before
  for (genvar i = 0; i < Ports; i++) begin : gen_entry
    assign rows[i*Ports+:Ports] = entry[i][Ports-1:0];
    assign is_self[i] = entry[i][Ports] || message_q[i];
  end
  if (Queued == 1) begin : gen_queued
    always_ff @(posedge clk_i) begin
      if (!rst_ni) message_q <= '0;
      else message_q <= rx_message;
    end
    for (genvar i = 0; i < Ports; i++) begin : gen_message
      assign message_o[i] = local_q[i] && left[i][Width-1];
    end
  end else begin : gen_passing
    assign message_q = '0;
    assign message_o = '0;
  end
  for (genvar v = 0; v < Vcs; v++) begin : gen_vc
    muster_packet_routes #(.Ports(Ports), .Depth(Depth)) packets (
      .clk_i, .rst_ni,
      .arrived_i(arrived_q[v*Ports+:Ports]),
      .entry_i(rows),
      .self_i(is_self),
      .ends_i(ends[v*Ports+:Ports]),
      .want_o(want_o[v]),
      .new_o(new_o[v]),
      .behind_o(behind_o[v]),
      .drain_o(drain[v*Ports+:Ports]),
      .local_o(here[v*Ports+:Ports]),
      .ended_o(ended[v*Ports+:Ports])
    );
  end

  // begun_q: of the packet in front, which is drained, a flit was. first_q: the flit that leaves is
  // the first of one.
  assign drained = drain & ready_o;
  assign take = taken_i | drained;
  assign ends = take & tail_o;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      arrived_q <= '0;
      begun_q <= '0;
      local_q <= '0;
      first_q <= '0;
      dropped_q <= '0;
    end else begin
      arrived_q <= begins;
      begun_q <= (drained & ~tail_o) | (~drained & begun_q);
      local_q <= drained & here;
      first_q <= drained & ~begun_q;
      dropped_q <= drained & tail_o & ~here;
    end
  end
  logic [Queues-1:0] credit;  // port * Vcs + virtual channel
  always_comb begin
    for (int unsigned q = 0; q < Queues; q++) credit[q%Ports*Vcs+q/Ports] = leaves[q];
  end
  assign rx_credit_o = credit;
  always_comb begin
    local_o = local_q;
    local_o[Ports-1:0] = local_q[Ports-1:0] & ~message_o;
  end
  assign local_first_o = local_o & first_q;
  assign unroutable_o = dropped_q & ~alone;

  assign empty_o = (ready_o | leaves | ended | arrived_q | local_q | first_q | dropped_q) == '0 &&
                   message_q == '0 && !sweeping_o;

  `MUSTER_ASSERT(OneTakerPerFlit_A, (taken_i & drain) == '0)

endmodule

`default_nettype wire
