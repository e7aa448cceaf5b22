// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "muster_assert.svh"
`include "muster_few.svh"

// The input side of a switch for packets: a queue for each port and virtual channel, and the routes
// of the packets in them, read on arrival.
//
// A flit on the wires in t is in its queue from t + 1 on; sync flits enter none. The routing table
// has a reader for each port, addressed from the wires: the route of a packet whose first flit is
// on the wires in t is there in t + 1 (packet_routes), and stays with the packet. The first flit
// after reset, and the first after a tail, begins a packet, whatever its head bit is.
//
// The allocation takes packets for other ports (taken_i). Packets for this switch, and those
// without a route, are drained, a flit a cycle, from t + 2 on. A flit taken in t leaves in t + 1:
// payload_o of its queue is then the flit for the crossbar or, with local_o, for the access unit.
//
// With Guard a flit without a place is lost (queue_admission): its packet ends with the flit before
// it, and the packet's later flits have no route. The table then has only routes written since
// reset (swept_routes).
module input_stage #(
  /// ports, 3 to 16
  parameter int unsigned Ports = 8,
  /// virtual channels, 1 to 4
  parameter int unsigned Vcs = 2,
  /// flits in an input queue, 1 to 16
  parameter int unsigned Depth = 4,
  /// payload bits of a flit, 16 to 80
  parameter int unsigned FlitW = 16,
  /// entries of the routing table, 16 to 65536. Requires FlitW >= $clog2(Dests) + 5
  parameter int unsigned Dests = 2048,
  /// flits without a place are lost, not an error of the sender; 0 to 1. Requires
  /// Guard == 0 || Depth >= 2
  parameter int unsigned Guard = 0,
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

  /// outputs of the packet in front in each queue, one-hot or zero, of a new one, and of the packet
  /// behind: see packet_routes
  output logic [Queues-1:0][Ports-1:0]       want_o,
  output logic [Queues-1:0][Ports-1:0]       new_o,
  output logic [Queues-1:0][Ports-1:0]       behind_o,
  /// a flit of it is there; it is a tail; the allocation takes it
  output logic [Queues-1:0]                  ready_o,
  output logic [Queues-1:0]                  tail_o,
  input  wire logic [Queues-1:0]             taken_i,

  /// the flit taken in the cycle before; for this switch; and the first of its packet
  output logic [Queues-1:0][KindW-1:0]       kind_o,
  output logic [Queues-1:0][FlitW-1:0]       payload_o,
  output logic [Queues-1:0]                  local_o,
  output logic [Queues-1:0]                  local_first_o,
  /// a packet without a route ends
  output logic [Queues-1:0]                  unroutable_o,
  /// with Guard: the data flit on the wires of port p is lost; the routing table is being swept
  output logic [Ports-1:0]                   lost_o,
  output logic                               sweeping_o,

  /// no queue holds a flit, nothing of one that has left is still to be done, nothing is swept
  output logic                               empty_o
);
  if (Vcs < 1 || Vcs > 4) begin : gen_bad_vcs
    $error("input_stage: Vcs must be 1 to 4");
  end
  if (FlitW < 16 || FlitW > 80) begin : gen_bad_flit
    $error("input_stage: FlitW must be 16 to 80");
  end
  if (Dests < 16 || Dests > 65536) begin : gen_bad_dests
    $error("input_stage: Dests must be 16 to 65536");
  end
  if (RouteW > muster_pkg::DestW && FlitW < muster_pkg::OpcodeW + RouteW) begin : gen_bad_address
    $error("input_stage: FlitW must be the bits of a destination and 5 at least");
  end
  if (Guard > 1) begin : gen_bad_guard
    $error("input_stage: Guard must be 0 or 1");
  end

  localparam int unsigned Width = FlitW + KindW;
  localparam logic [KindW-1:0] TailKind = KindW'(1 << muster_pkg::KindTail);

  // ---- Routing table ------------------------------------------------------------------------
  // The deterministic route is the lowest port of the mask: found as it is written. The access unit
  // needs no bit `self`.
  /* verilator lint_off UNUSEDSIGNAL */
  logic [Ports:0] answer_entry;
  /* verilator lint_on UNUSEDSIGNAL */
  logic [Ports:0] write_entry;
  logic [Ports-1:0] above, rx_data;
  logic [Ports-1:0][RouteW-1:0] dest;
  logic [Ports-1:0][Ports:0] entry;

  above_lowest #(
    .N(Ports)
  ) lowest (
    .bits_i(route_entry_i[Ports-1:0]),
    .above_o(above)
  );
  assign write_entry = {route_entry_i[Ports] && route_entry_i[Ports-1:0] == '0,
                        route_entry_i[Ports-1:0] & ~above};

  // A request names its source in 11 bits.
  logic [RouteW-1:0] answer_dest;
  if (RouteW > muster_pkg::DestW) begin : gen_wide_answer
    assign answer_dest = RouteW'(answer_dest_i);
  end else begin : gen_narrow_answer
    assign answer_dest = answer_dest_i[RouteW-1:0];
  end

  logic sweeping;
  if (Guard == 1) begin : gen_swept
    swept_routes #(
      .Ports(Ports),
      .Readers(Ports + 1),
      .Dests(Dests)
    ) routes (
      .clk_i,
      .rst_ni,
      .write_i(route_write_i),
      .waddr_i(route_addr_i),
      .wentry_i(write_entry),
      .read_i({answer_read_i, rx_data}),
      .raddr_i({answer_dest, dest}),
      .entry_o({answer_entry, entry}),
      .sweeping_o(sweeping)
    );
  end else begin : gen_plain
    route_table #(
      .Ports(Ports),
      .Readers(Ports + 1),
      .Dests(Dests)
    ) routes (
      .clk_i,
      .rst_ni,
      .write_i(route_write_i),
      .waddr_i(route_addr_i),
      .wentry_i(write_entry),
      .read_i({answer_read_i, rx_data}),
      .raddr_i({answer_dest, dest}),
      .entry_o({answer_entry, entry})
    );
    assign sweeping = 1'b0;
  end
  assign sweeping_o = sweeping;
  assign answer_mask_o = answer_entry[Ports-1:0];

  for (genvar i = 0; i < Ports; i++) begin : gen_port
    assign rx_data[i] = rx_valid_i[i] && !rx_kind_i[i][muster_pkg::KindSync];
    if (RouteW > muster_pkg::DestW) begin : gen_wide
      assign dest[i] = {rx_payload_i[i][muster_pkg::DestHighAt+:RouteW-muster_pkg::DestW],
                        rx_payload_i[i][muster_pkg::DestW-1:0]};
    end else begin : gen_narrow
      assign dest[i] = rx_payload_i[i][RouteW-1:0];
    end
  end

  // ---- Queues and routes --------------------------------------------------------------------
  logic [Queues-1:0] leaves, drain, here, take, ends, moves, kept;
  logic [Queues-1:0] arrived, arrived_q, begun_q, local_q, dropped_q;
  logic [Queues-1:0] comes;  // a flit for queue q is on the wires
  always_comb begin
    comes = '0;
    for (int unsigned q = 0; q < Queues; q++) begin
      if (`MUSTER_FEW(rx_data[q/Vcs])) begin
        comes[q] = rx_data[q/Vcs] && rx_vc_i[q/Vcs] == VcW'(q % Vcs);
      end
    end
  end

  for (genvar q = 0; q < Queues; q++) begin : gen_queue
    localparam int unsigned I = q / Vcs;
    logic push, push_tail, first_q;
    logic full, cut, left_tail;
    logic [KindW-1:0] kind;
    logic [Ports:0] read;
    assign push_tail = rx_kind_i[I][muster_pkg::KindTail];

    if (Guard == 1) begin : gen_guard
      logic routed;
      queue_admission admission (
        .clk_i,
        .rst_ni,
        .come_i(comes[q]),
        .tail_i(push_tail),
        .full_i(full),
        .open_i(!first_q),
        .push_o(push),
        .cut_o(cut),
        .routed_o(routed)
      );
      assign read = routed ? entry[I] : '0;
      assign kind_o[q] = (kind & ~TailKind) | (left_tail ? TailKind : '0);
    end else begin : gen_no_guard
      assign push = comes[q];
      assign cut = 1'b0;
      assign read = entry[I];
      assign kind_o[q] = kind;

      /* verilator lint_off UNUSEDSIGNAL */
      logic unused;
      assign unused = &{1'b0, full, left_tail};
      /* verilator lint_on UNUSEDSIGNAL */
    end
    assign kept[q] = push;

    input_queue #(
      .Width(Width),
      .Depth(Depth),
      .Guard(Guard)
    ) queue (
      .clk_i,
      .rst_ni,
      .push_i(push),
      .push_tail_i(push_tail),
      .data_i({rx_kind_i[I], rx_payload_i[I]}),
      .ready_o(ready_o[q]),
      .tail_o(tail_o[q]),
      .take_i(take[q]),
      .full_o(full),
      .cut_i(cut),
      .leaves_o(leaves[q]),
      .data_o({kind, payload_o[q]}),
      .left_tail_o(left_tail)
    );

    packet_routes #(
      .Ports(Ports),
      .Depth(Depth)
    ) route (
      .clk_i,
      .rst_ni,
      .arrived_i(arrived_q[q]),
      .entry_i(read),
      .ends_i(ends[q]),
      .want_o(want_o[q]),
      .new_o(new_o[q]),
      .behind_o(behind_o[q]),
      .drain_o(drain[q]),
      .local_o(here[q]),
      .moves_o(moves[q])
    );

    assign arrived[q] = push && first_q;
    always_ff @(posedge clk_i) begin
      if (!rst_ni) first_q <= 1'b1;
      else if (push || cut) first_q <= cut || push_tail;
    end
    always_ff @(posedge clk_i) begin
      if (!rst_ni) begun_q[q] <= 1'b0;
      else if (leaves[q]) begun_q[q] <= !kind_o[q][muster_pkg::KindTail];
    end
  end

  // Of all queues together: a simulator takes as long for them as for one.
  logic [Queues-1:0] drained;
  assign drained = drain & ready_o;
  assign take = taken_i | drained;
  assign ends = take & tail_o;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      arrived_q <= '0;
      local_q <= '0;
      dropped_q <= '0;
    end else begin
      arrived_q <= arrived;
      local_q <= drained & here;
      dropped_q <= drained & tail_o & ~here;
    end
  end
  assign rx_credit_o = leaves;
  assign local_o = local_q;
  assign local_first_o = local_q & ~begun_q;
  assign unroutable_o = dropped_q;

  for (genvar i = 0; i < Ports; i++) begin : gen_lost
    assign lost_o[i] = (Guard == 1) && rx_data[i] && kept[i*Vcs+:Vcs] == '0;
  end

  assign empty_o = (ready_o | leaves | moves | arrived_q | local_q | dropped_q) == '0 && !sweeping;

  `MUSTER_ASSERT(OneTakerPerFlit_A, (taken_i & drain) == '0)

endmodule

`default_nettype wire
