// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "muster_assert.svh"

// A wormhole switch that replicates multidestination worms: the switch of the multicast scheme with
// which the BTIN paper compares (section 4.3). docs/systems/baselines.md is the full
// specification, docs/reference/registers.md the map of the register port.
//
// Data packets go as docs/systems/data-path.md says, L + 3 cycles a hop, on all virtual channels
// but the last. That one carries worms: each input has a buffer for a whole worm, from which each
// output takes the addresses behind it and the payload at its own pace, L + 2 cycles after they
// came.
//
// Worked example: a worm with addresses behind ports 1 and 2 and two flits of payload is on the
// wires of port 0 in cycles 10 to 13. Port 1 sends its address in 13, as a head, and the payload in
// 15 and 16; port 2 sends its address in 14, as a head, and the payload in 15 and 16.
module muster_multicast_switch #(
  /// ports, 3 to 16
  parameter int unsigned Ports = 8,
  /// virtual channels, 2 to 4
  parameter int unsigned Vcs = 2,
  /// flits in an input queue, 1 to 16
  parameter int unsigned Depth = 4,
  /// payload bits of a flit, 16 to 80
  parameter int unsigned FlitW = 16,
  /// bits of a group identifier, 4 to 12: for hosts to read
  parameter int unsigned GidW = 8,
  /// entries of the routing table: nodes and switches of the network, 16 to 2048
  parameter int unsigned Dests = 2048,
  /// counts of each port, and an interrupt for what is dropped; 0 to 1
  parameter int unsigned Counters = 0,
  localparam int unsigned VcW = $clog2(Vcs),
  localparam int unsigned KindW = muster_pkg::KindW
) (
  input  wire logic                         clk_i,
  input  wire logic                         rst_ni,

  /// links in: a flit of port p on virtual channel rx_vc_i[p]; never without a credit
  input  wire logic [Ports-1:0]             rx_valid_i,
  input  wire logic [Ports-1:0][VcW-1:0]    rx_vc_i,
  input  wire logic [Ports-1:0][KindW-1:0]  rx_kind_i,
  input  wire logic [Ports-1:0][FlitW-1:0]  rx_payload_i,
  output logic [Ports-1:0][Vcs-1:0]         rx_credit_o,

  /// links out; tie tx_credit_i of an open port to 0
  output logic [Ports-1:0]                  tx_valid_o,
  output logic [Ports-1:0][VcW-1:0]         tx_vc_o,
  output logic [Ports-1:0][KindW-1:0]       tx_kind_o,
  output logic [Ports-1:0][FlitW-1:0]       tx_payload_o,
  input  wire logic [Ports-1:0][Vcs-1:0]    tx_credit_i,

  /// register port; a read is answered in the same cycle
  input  wire logic                         reg_valid_i,
  input  wire logic                         reg_write_i,
  input  wire logic [11:0]                  reg_addr_i,
  input  wire logic [31:0]                  reg_wdata_i,
  output logic [31:0]                       reg_rdata_o,

  /// with Counters what the host has not masked, else 0
  output logic                              irq_o,
  /// a clock with idle inputs would change nothing: the condition of a clock gate
  output logic                              quiescent_o
);
  localparam int unsigned Queues = Ports * Vcs;
  localparam int unsigned RouteW = $clog2(Dests);
  localparam int unsigned Width = FlitW + KindW + VcW;
  localparam logic [Vcs-1:0] WormVc = Vcs'(1'b1) << (Vcs - 1);

  logic route_write, inputs_empty, sweeping;
  logic [RouteW-1:0] route_addr;
  // A multicast switch has nothing for packets to end at: no bit `self`.
  /* verilator lint_off UNUSEDSIGNAL */
  logic [Ports:0] route_entry;
  /* verilator lint_on UNUSEDSIGNAL */
  logic [Queues-1:0] tail, request, owner, taken, unroutable, headless;
  logic [Queues-1:0][KindW-1:0] kind;
  logic [Queues-1:0][FlitW-1:0] payload;
  logic [Queues-1:0][Ports-1:0] want;
  // Of worms: [input][output] in the buffers, [output][input] at the outputs.
  logic [Ports-1:0][Ports-1:0] at, may_begin, worm_tail, worm_cut, sent;
  logic [Ports-1:0][Ports-1:0] out_at, out_begin, out_tail, out_cut, out_sent;
  logic [Ports-1:0][Ports-1:0][FlitW-1:0] worm_payload, out_payload;

  // ---- Register port --------------------------------------------------------------------------
  logic read;
  logic [31:0] word, counter_word;
  assign read = reg_valid_i && !reg_write_i;
  logic [Ports-1:0] hold_q;  // outputs whose virtual channels of data have no credit
  always_comb begin
    reg_rdata_o = word | counter_word;
    if (read && reg_addr_i == muster_pkg::RegHold) reg_rdata_o = 32'(hold_q);
  end
  always_ff @(posedge clk_i) begin
    if (!rst_ni) hold_q <= '0;
    else if (reg_valid_i && reg_write_i && reg_addr_i == muster_pkg::RegHold) begin
      hold_q <= reg_wdata_i[Ports-1:0];
    end
  end

  muster_switch_registers #(
    .Kind(muster_pkg::KindMulticastSwitch), .Ports(Ports), .Vcs(Vcs), .Depth(Depth), .Regs(0),
    .FlitW(FlitW), .GidW(GidW), .Dests(Dests), .Drops(Ports * Vcs)
  ) registers (
    .clk_i, .rst_ni,
    .read_i(read),
    .write_i(reg_valid_i && reg_write_i),
    .addr_i(reg_addr_i),
    .table_addr_i(reg_addr_i),
    .wdata_i(reg_wdata_i),
    .word_o(word),
    .unroutable_i(unroutable),
    .headless_i(headless),
    .sweeping_i(sweeping),
    .route_write_o(route_write),
    .route_addr_o(route_addr),
    .route_entry_o(route_entry)
  );

  // ---- Input side -----------------------------------------------------------------------------
  muster_multicast_inputs #(
    .Ports(Ports), .Vcs(Vcs), .Depth(Depth), .FlitW(FlitW), .Dests(Dests)
  ) inputs (
    .clk_i, .rst_ni,
    .rx_valid_i,
    .rx_vc_i,
    .rx_kind_i,
    .rx_payload_i,
    .rx_credit_o,
    .route_write_i(route_write),
    .route_addr_i(route_addr),
    .route_entry_i({1'b0, route_entry[Ports-1:0]}),
    .tail_o(tail),
    .kind_o(kind),
    .payload_o(payload),
    .request_o(request),
    .want_o(want),
    .owner_o(owner),
    .taken_i(taken),
    .at_o(at),
    .begin_o(may_begin),
    .worm_tail_o(worm_tail),
    .worm_cut_o(worm_cut),
    .worm_payload_o(worm_payload),
    .sent_i(sent),
    .unroutable_o(unroutable),
    .headless_o(headless),
    .sweeping_o(sweeping),
    .empty_o(inputs_empty)
  );

  // ---- Data: allocation and traversal ---------------------------------------------------------
  logic [Vcs-1:0][Ports-1:0] open, allocated;
  // No answer waits for a channel without owner.
  /* verilator lint_off UNUSEDSIGNAL */
  logic [Vcs-1:0][Ports-1:0] owned;
  /* verilator lint_on UNUSEDSIGNAL */
  logic [Ports-1:0] busy;
  logic [Ports-1:0][Width-1:0] crossing;

  muster_switch_fabric #(.Ports(Ports), .Vcs(Vcs), .FlitW(FlitW)) fabric (
    .clk_i, .rst_ni,
    .tail_i(tail),
    .kind_i(kind),
    .payload_i(payload),
    .request_i(request),
    .want_i(want),
    .owner_i(owner),
    .taken_o(taken),
    .open_i(open),
    .hold_i('0),
    .closed_i('0),
    .allocated_o(allocated),
    .owned_o(owned),
    .busy_o(busy),
    .flit_o(crossing)
  );

  // ---- Outputs --------------------------------------------------------------------------------
  for (genvar p = 0; p < Ports; p++) begin : gen_output
    // Data and worms leave one by one: no counter of 2 is asked for.
    /* verilator lint_off UNUSEDSIGNAL */
    logic [Vcs-1:0] has_two;
    /* verilator lint_on UNUSEDSIGNAL */
    logic [Vcs-1:0] has_one, reserve;
    logic [KindW-1:0] worm_kind;
    logic [FlitW-1:0] next_payload;
    logic [Width-1:0] flit;
    logic able, go;

    for (genvar i = 0; i < Ports; i++) begin : gen_input
      assign out_at[p][i] = at[i][p];
      assign out_begin[p][i] = may_begin[i][p];
      assign out_tail[p][i] = worm_tail[i][p];
      assign out_cut[p][i] = worm_cut[i][p];
      assign out_payload[p][i] = worm_payload[i][p];
      assign sent[i][p] = out_sent[p][i];
    end
    for (genvar v = 0; v < Vcs; v++) begin : gen_vc
      assign reserve[v] = allocated[v][p];
      assign open[v][p] = has_one[v] && !able && !hold_q[p];
    end

    muster_worm_output #(.Ports(Ports), .FlitW(FlitW)) worms (
      .clk_i, .rst_ni,
      .at_i(out_at[p]),
      .tail_i(out_tail[p]),
      .cut_i(out_cut[p]),
      .payload_i(out_payload[p]),
      .begin_i(out_begin[p]),
      .credit_i(has_one[Vcs-1]),
      .busy_i(busy[p]),
      .able_o(able),
      .go_o(go),
      .sent_o(out_sent[p]),
      .kind_o(worm_kind),
      .payload_o(next_payload)
    );

    assign flit = busy[p] ? crossing[p] : {VcW'(Vcs - 1), worm_kind, next_payload};

    muster_link_tx #(.Vcs(Vcs), .Depth(Depth), .FlitW(FlitW)) tx (
      .clk_i, .rst_ni,
      .send_i(busy[p] || go),
      .vc_i(flit[Width-1-:VcW]),
      .kind_i(flit[FlitW+:KindW]),
      .payload_i(flit[FlitW-1:0]),
      .reserve_i(reserve),
      .express_i(go),
      .express_vc_i(WormVc),
      .has_one_o(has_one),
      .has_many_o(has_two),
      .tx_valid_o(tx_valid_o[p]),
      .tx_vc_o(tx_vc_o[p]),
      .tx_kind_o(tx_kind_o[p]),
      .tx_payload_o(tx_payload_o[p]),
      .tx_credit_i(tx_credit_i[p])
    );
  end

  // ---- Counters -------------------------------------------------------------------------------
  `MUSTER_RANGE(Counters, 0, 1)
  logic counters_pending;
  if (Counters == 1) begin : gen_counters
    logic [Ports-1:0] stalled, lost;
    always_comb begin
      stalled = '0;
      lost = '0;
      for (int unsigned q = 0; q < Queues; q++) begin
        stalled = stalled | (request[q] ? want[q] : '0);
        if (unroutable[q] || headless[q]) lost[q/Vcs] = 1'b1;
      end
      for (int unsigned p = 0; p < Ports; p++) begin
        if (out_at[p] != '0) stalled[p] = 1'b1;
        if (out_sent[p] != '0) stalled[p] = 1'b0;
      end
      for (int unsigned v = 0; v < Vcs; v++) stalled = stalled & ~allocated[v];
    end
    muster_switch_counters #(.Ports(Ports)) counters (
      .clk_i, .rst_ni,
      .flit_i(tx_valid_o),
      .stall_i(stalled),
      .drop_i(lost),
      .refused_i(1'b0),
      .overflow_i(1'b0),
      .suspect_i(1'b0),
      .damage_i(1'b0),
      .read_i(read),
      .read_addr_i(reg_addr_i),
      .write_i(reg_valid_i && reg_write_i),
      .addr_i(reg_addr_i),
      .wdata_i(reg_wdata_i),
      .word_o(counter_word),
      .irq_o,
      .pending_o(counters_pending)
    );
  end else begin : gen_no_counters
    assign counter_word = '0;
    assign irq_o = 1'b0;
    assign counters_pending = 1'b0;
  end

  assign quiescent_o = inputs_empty && (busy == '0) && (tx_valid_o == '0) &&
                       (rx_credit_o == '0) && !counters_pending;

  logic still_q;  // was quiescent in the cycle before, and nothing came
  always_ff @(posedge clk_i) begin
    still_q <= rst_ni && quiescent_o && (rx_valid_i == '0) && (tx_credit_i == '0);
  end
  `MUSTER_ASSERT(QuiescentStays_A, !still_q || quiescent_o)

endmodule

`default_nettype wire
