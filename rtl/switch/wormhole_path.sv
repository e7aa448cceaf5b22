// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "muster_assert.svh"

// The wormhole data path that all switches share: input queues, table routing, allocation,
// crossbar, output registers with credits, and a way in and out for barrier messages.
// docs/barrier-switch.md tells cycle by cycle what it does; in short, for a flit on the wires in t:
//
//   data head   t+1 table read   t+2 allocation   t+3 traversal   t+4 on the next wires  (L + 3)
//   data body   t+1 allocation   t+2 traversal    t+3 on the next wires, if nothing is before it
//   sync        t+1 out at sync_o, and gone from its queue in the same cycle
//
// A barrier message offered at barrier_i[p] goes out in the cycle in which barrier_go_o[p] answers:
// at once if no data flit is traversing to p and the barrier channel has a credit. If only a
// traversing flit is in the way, the allocator leaves p free, so that it goes in the next cycle.
// barrier_more_i[p] says that another message waits behind the one offered: with own_i, where
// barrier messages have a virtual channel of their own and priority, it keeps data from p as well.
module wormhole_path #(
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

  /// links out; see link_tx
  output logic [Ports-1:0]                   tx_valid_o,
  output logic [Ports-1:0][VcW-1:0]          tx_vc_o,
  output logic [Ports-1:0][KindW-1:0]        tx_kind_o,
  output logic [Ports-1:0][FlitW-1:0]        tx_payload_o,
  input  wire logic [Ports-1:0][Vcs-1:0]     tx_credit_i,

  /// the barrier channel is the last virtual channel (with priority), not the first
  input  wire logic                          own_i,

  /// a barrier message has come on the barrier channel of port p; it is there for this cycle only
  output logic [Ports-1:0]                   sync_o,
  output logic [Ports-1:0][FlitW-1:0]        sync_payload_o,
  /// a sync flit on another virtual channel of port p was thrown away
  output logic [Ports-1:0]                   stray_o,

  /// send this message to port p; held until barrier_go_o[p], but may be replaced before
  input  wire logic [Ports-1:0]              barrier_i,
  input  wire logic [Ports-1:0][FlitW-1:0]   barrier_payload_i,
  /// another message waits for port p behind the one offered
  input  wire logic [Ports-1:0]              barrier_more_i,
  output logic [Ports-1:0]                   barrier_go_o,

  /// routing table, written before the first packet
  input  wire logic                          route_write_i,
  input  wire logic [RouteW-1:0]             route_addr_i,
  input  wire logic [Ports-1:0]              route_mask_i,
  /// queue i * Vcs + v has dropped a packet without a route
  output logic [Ports*Vcs-1:0]               unroutable_o,

  /// all queues, the crossbar and the outputs are empty
  output logic                               quiescent_o
);
  localparam int unsigned Queues = Ports * Vcs;
  localparam int unsigned Width = FlitW + KindW + VcW;

  if (Dests < 16 || Dests > 2048) begin : gen_bad_dests
    $error("wormhole_path: Dests must be 16 to 2048");
  end

  // Index of a queue: port * Vcs + virtual channel.
  logic [Queues-1:0] head_valid, head_sync, head_tail, pop;
  logic [Queues-1:0][KindW-1:0] head_kind;
  logic [Queues-1:0][FlitW-1:0] head_payload;
  logic [Queues-1:0] read, request, owner, drain, taken;
  logic [Queues-1:0][RouteW-1:0] dest;
  logic [Queues-1:0][Ports-1:0] mask, want;

  // ---- Input queues -------------------------------------------------------------------------
  for (genvar i = 0; i < Ports; i++) begin : gen_rx
    link_rx #(
      .Vcs(Vcs),
      .Depth(Depth),
      .FlitW(FlitW)
    ) rx (
      .clk_i,
      .rst_ni,
      .rx_valid_i(rx_valid_i[i]),
      .rx_vc_i(rx_vc_i[i]),
      .rx_kind_i(rx_kind_i[i]),
      .rx_payload_i(rx_payload_i[i]),
      .rx_credit_o(rx_credit_o[i]),
      .head_valid_o(head_valid[i*Vcs+:Vcs]),
      .head_kind_o(head_kind[i*Vcs+:Vcs]),
      .head_payload_o(head_payload[i*Vcs+:Vcs]),
      .pop_i(pop[i*Vcs+:Vcs])
    );
  end

  // ---- Barrier messages leave their queues at once ------------------------------------------
  logic [Vcs-1:0] barrier_vc;  // one-hot: the barrier channel
  always_comb begin
    barrier_vc = '0;
    if (own_i) barrier_vc[Vcs-1] = 1'b1;
    else barrier_vc[0] = 1'b1;
  end

  always_comb begin
    for (int unsigned i = 0; i < Ports; i++) begin
      sync_o[i] = |(head_sync[i*Vcs+:Vcs] & barrier_vc);
      stray_o[i] = |(head_sync[i*Vcs+:Vcs] & ~barrier_vc);
      sync_payload_o[i] = own_i ? head_payload[i*Vcs+Vcs-1] : head_payload[i*Vcs];
    end
  end

  // ---- Route and channel --------------------------------------------------------------------
  route_table #(
    .Ports(Ports),
    .Readers(Queues),
    .Dests(Dests)
  ) routes (
    .clk_i,
    .rst_ni,
    .write_i(route_write_i),
    .waddr_i(route_addr_i),
    .wmask_i(route_mask_i),
    .read_i(read),
    .raddr_i(dest),
    .mask_o(mask)
  );

  for (genvar q = 0; q < Queues; q++) begin : gen_queue
    assign head_sync[q] = head_valid[q] && head_kind[q][muster_pkg::KindSync];
    assign head_tail[q] = head_kind[q][muster_pkg::KindTail];
    assign dest[q] = head_payload[q][RouteW-1:0];
    assign pop[q] = head_sync[q] || taken[q] || drain[q];

    route_state #(
      .Ports(Ports)
    ) route (
      .clk_i,
      .rst_ni,
      .head_data_i(head_valid[q] && !head_kind[q][muster_pkg::KindSync]),
      .head_tail_i(head_tail[q]),
      .taken_i(taken[q]),
      .read_o(read[q]),
      .mask_i(mask[q]),
      .request_o(request[q]),
      .want_o(want[q]),
      .owner_o(owner[q]),
      .drain_o(drain[q]),
      .dropped_o(unroutable_o[q])
    );
  end

  // ---- Barrier against data at each output --------------------------------------------------
  logic [Ports-1:0][Vcs-1:0] has_one, has_two;
  logic [Ports-1:0] busy, barrier_credit, held;
  logic [Vcs-1:0][Ports-1:0] open, allocated;

  always_comb begin
    for (int unsigned p = 0; p < Ports; p++) begin
      barrier_credit[p] = |(has_one[p] & barrier_vc);
      barrier_go_o[p] = barrier_i[p] && barrier_credit[p] && !busy[p];
      held[p] = barrier_i[p] && barrier_credit[p] && (busy[p] || (own_i && barrier_more_i[p]));
      for (int unsigned v = 0; v < Vcs; v++) begin
        open[v][p] = !held[p] &&
                     ((barrier_vc[v] && barrier_go_o[p]) ? has_two[p][v] : has_one[p][v]);
      end
    end
  end

  // ---- Allocation and traversal -------------------------------------------------------------
  logic [Ports-1:0][Ports-1:0] to;
  logic [Ports-1:0][Width-1:0] chosen, crossing;

  switch_allocator #(
    .Ports(Ports),
    .Vcs(Vcs)
  ) allocator (
    .clk_i,
    .rst_ni,
    .request_i(request),
    .want_i(want),
    .owner_i(owner),
    .tail_i(head_tail),
    .open_i(open),
    .taken_o(taken),
    .to_o(to),
    .allocated_o(allocated)
  );

  always_comb begin
    chosen = '0;
    for (int unsigned i = 0; i < Ports; i++) begin
      for (int unsigned v = 0; v < Vcs; v++) begin
        if (taken[i*Vcs+v]) begin
          chosen[i] = chosen[i] | {VcW'(v), head_kind[i*Vcs+v], head_payload[i*Vcs+v]};
        end
      end
    end
  end

  crossbar #(
    .Ports(Ports),
    .Width(Width)
  ) xbar (
    .clk_i,
    .rst_ni,
    .to_i(to),
    .flit_i(chosen),
    .busy_o(busy),
    .flit_o(crossing)
  );

  // ---- Outputs ------------------------------------------------------------------------------
  localparam logic [KindW-1:0] SyncKind = KindW'(1 << muster_pkg::KindSync);
  logic [VcW-1:0] barrier_vc_index;
  assign barrier_vc_index = own_i ? VcW'(Vcs - 1) : '0;

  for (genvar p = 0; p < Ports; p++) begin : gen_tx
    logic [Width-1:0] flit;
    logic [Vcs-1:0] reserve;
    always_comb begin
      flit = '0;
      if (busy[p]) flit = crossing[p];
      else if (barrier_go_o[p]) flit = {barrier_vc_index, SyncKind, barrier_payload_i[p]};
    end
    for (genvar v = 0; v < Vcs; v++) begin : gen_vc
      assign reserve[v] = allocated[v][p];
    end

    link_tx #(
      .Vcs(Vcs),
      .Depth(Depth),
      .FlitW(FlitW)
    ) tx (
      .clk_i,
      .rst_ni,
      .send_i(busy[p] || barrier_go_o[p]),
      .vc_i(flit[Width-1-:VcW]),
      .kind_i(flit[FlitW+:KindW]),
      .payload_i(flit[FlitW-1:0]),
      .reserve_i(reserve),
      .express_i(barrier_go_o[p]),
      .express_vc_i(barrier_vc),
      .has_one_o(has_one[p]),
      .has_two_o(has_two[p]),
      .tx_valid_o(tx_valid_o[p]),
      .tx_vc_o(tx_vc_o[p]),
      .tx_kind_o(tx_kind_o[p]),
      .tx_payload_o(tx_payload_o[p]),
      .tx_credit_i(tx_credit_i[p])
    );
  end

  assign quiescent_o = (head_valid == '0) && (busy == '0) && (tx_valid_o == '0) &&
                       (rx_credit_o == '0);

  `MUSTER_ASSERT(OneTakerPerFlit_A, (taken & drain) == '0)
  `MUSTER_ASSERT(SyncIsNotData_A, (head_sync & (taken | drain)) == '0)

endmodule

`default_nettype wire
