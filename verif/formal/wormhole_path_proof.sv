// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "formal.svh"

// muster_wormhole_path of three ports and one channel, with any contents of the routing table: from
// any contents of its memory, with any writes at any time, during packets too. One entry alone,
// that of destination Dest, is legal and stays: it is written with some port, the lowest of its
// mask, before the first packet to it comes at input Source. These packets are *ours*: whole
// packets, as many as like to come, between any other whole packets of this input. At the other
// inputs there are flits of any kind in any order, for any entry, that of ours too. There are
// barrier messages, accesses of the host, answers of the access unit and any delay of credits.
//
//   - each flit of ours that leaves its queue is on the wires of the output of the entry in the
//     next cycle, unchanged, in order; no flit of ours is there otherwise, and at another output
//     never
//   - from head to tail of a packet of ours no other flit of data is on these wires
//   - while a flit of ours is alone inside, with a credit and without a barrier message, some flit
//     leaves at this output in any Idle cycles in a row: no channel is kept by a packet that is
//     gone
//
// So no content of any other entry touches a packet of ours, and each of its flits is delivered
// once. With the assertions of the modules: an owner of a channel has a packet that wants it
// (muster_output_channels), an output has one flit (muster_queue_crossbar), no queue overflows
// (muster_wormhole_queues).
//
// Flits of ours have bit Mark of their payload, which nothing in the path reads; no others have it.
module wormhole_path_proof #(
  parameter int unsigned Source = 0,
  parameter int unsigned Depth = 1,
  /// cycles in which nothing leaves, at most
  parameter int unsigned Idle = 3,
  localparam int unsigned Ports = 3,
  localparam int unsigned FlitW = 22,
  localparam int unsigned Mark = 21,
  localparam int unsigned Dest = 5,
  localparam int unsigned Dests = 16,
  localparam int unsigned KindW = muster_pkg::KindW
) (
  input  wire logic                         clk_i,
  input  wire logic [Ports-1:0]             rx_valid_i,
  input  wire logic [Ports-1:0][KindW-1:0]  rx_kind_i,
  input  wire logic [Ports-1:0][FlitW-1:0]  rx_payload_i,
  input  wire logic [Ports-1:0]             tx_credit_i,
  input  wire logic [Ports-1:0]             hold_i,
  input  wire logic [Ports-1:0]             barrier_i,
  input  wire logic                         write_i,
  input  wire logic [3:0]                   waddr_i,
  input  wire logic [Ports:0]               wentry_i,
  input  wire logic                         host_read_i,
  input  wire logic                         host_write_i,
  input  wire logic                         host_touches_i,
  input  wire logic [31:0]                  word_i
);
  `MUSTER_FORMAL_RESET

  logic [Ports-1:0] rx_credit, tx_valid;
  logic [Ports-1:0][KindW-1:0] tx_kind;
  logic [Ports-1:0][FlitW-1:0] tx_payload;
  logic sweeping;
  muster_wormhole_path #(
    .Ports(Ports),
    .Vcs(1),
    .Depth(Depth),
    .FlitW(FlitW),
    .Dests(Dests),
    .Regs(1)
  ) dut (
    .clk_i, .rst_ni,
    .rx_valid_i,
    .rx_vc_i('0),
    .rx_kind_i,
    .rx_payload_i,
    .rx_credit_o(rx_credit),
    .tx_valid_o(tx_valid),
    .tx_kind_o(tx_kind),
    .tx_payload_o(tx_payload),
    .tx_credit_i,
    .hold_i,
    .barrier_i,
    .barrier_payload_i('0),
    .route_write_i(write_i),
    .route_addr_i(waddr_i),
    .route_entry_i(wentry_i),
    .permit_i('1),
    .host_read_i,
    .host_write_i,
    .host_touches_i,
    .agent_word_i(word_i),
    .harmful_i(1'b0),
    .foreign_i(1'b0),
    .patience_i('0),
    .sweeping_o(sweeping)
  );

  // ---- The entry of ours ----------------------------------------------------------------------
  logic begun_q;              // a packet of ours has come
  logic [Ports-1:0] route_q;  // what was written last, none if that is no port
  logic writes;
  assign writes = write_i && waddr_i == 4'(Dest);
  always_ff @(posedge clk_i) begin
    if (!rst_ni) route_q <= '0;
    else if (writes && !sweeping) begin
      route_q <= wentry_i[Ports-1:0] & (~wentry_i[Ports-1:0] + 1'b1);
    end
  end

  // ---- Links in: credits; ours ------------------------------------------------------------------
  localparam int unsigned CountW = $clog2(Depth + 2);
  logic [Ports-1:0] comes, no_credit, empty, marked, open_q;
  for (genvar p = 0; p < Ports; p++) begin : gen_in
    logic [CountW-1:0] out_q;  // flits whose credit is not back
    assign comes[p] = rx_valid_i[p] && !rx_kind_i[p][muster_pkg::KindSync];
    assign no_credit[p] = comes[p] && 32'(out_q) >= Depth;
    assign empty[p] = out_q == '0 && !comes[p] && !open_q[p];
    assign marked[p] = comes[p] && rx_payload_i[p][Mark];
    always_ff @(posedge clk_i) begin
      if (!rst_ni) begin
        out_q <= '0;
        open_q[p] <= 1'b0;
      end else begin
        out_q <= out_q + CountW'(comes[p]) - CountW'(rx_credit[p]);
        if (comes[p]) open_q[p] <= !rx_kind_i[p][muster_pkg::KindTail];
      end
    end
  end

  logic head, ours, ours_q, badly_framed;
  assign head = rx_kind_i[Source][muster_pkg::KindHead];
  assign badly_framed = comes[Source] && head == open_q[Source];
  assign ours = comes[Source] && (head ? rx_payload_i[Source][15:0] == 16'(Dest) &&
                                         rx_payload_i[Source][20:16] == '0 : ours_q);
  always_ff @(posedge clk_i) begin
    if (!rst_ni) {ours_q, begun_q} <= '0;
    else begin
      if (comes[Source]) ours_q <= ours;
      begun_q <= begun_q || ours;
    end
  end

  // ---- What is in the queue of Source, oldest first ---------------------------------------------
  localparam int unsigned Width = KindW + FlitW;
  logic [Depth-1:0] held_q;  // in unary
  logic [Depth-1:0][Width-1:0] flit_q;
  logic [Depth:0] held;
  logic [Depth:0][Width-1:0] flit;
  logic [Depth:0] free;
  always_comb begin
    held = {1'b0, held_q};
    flit = {Width'(0), flit_q};
    free = ~held & {held_q, 1'b1};
    if (comes[Source]) begin
      for (int unsigned i = 0; i <= Depth; i++) begin
        if (free[i]) flit[i] = {rx_kind_i[Source], rx_payload_i[Source]};
      end
      held = held | free;
    end
  end
  always_ff @(posedge clk_i) begin
    if (!rst_ni) held_q <= '0;
    else held_q <= rx_credit[Source] ? held[Depth:1] : held[Depth-1:0];
    flit_q <= rx_credit[Source] ? flit[Depth:1] : flit[Depth-1:0];
  end

  // ---- Links out --------------------------------------------------------------------------------
  logic [Ports-1:0] goes, mark_goes, paid_too_much, paid;
  for (genvar p = 0; p < Ports; p++) begin : gen_out
    logic [CountW-1:0] away_q;
    assign goes[p] = tx_valid[p] && !tx_kind[p][muster_pkg::KindSync];
    assign mark_goes[p] = goes[p] && tx_payload[p][Mark];
    assign paid_too_much[p] = tx_credit_i[p] && away_q == '0;
    assign paid[p] = away_q == '0;
    always_ff @(posedge clk_i) begin
      if (!rst_ni) away_q <= '0;
      else away_q <= away_q + CountW'(goes[p]) - CountW'(tx_credit_i[p]);
    end
  end

  logic due_q, inside_q;
  logic [Width-1:0] due_flit_q, at_output;
  always_comb begin
    at_output = '0;
    for (int unsigned p = 0; p < Ports; p++) begin
      if (route_q[p]) at_output = at_output | {tx_kind[p], tx_payload[p]};
    end
  end
  always_ff @(posedge clk_i) begin
    if (!rst_ni) {due_q, inside_q} <= '0;
    else begin
      due_q <= rx_credit[Source] && flit_q[0][Mark];
      if (due_q) inside_q <= !due_flit_q[FlitW+muster_pkg::KindTail];
    end
    due_flit_q <= flit_q[0];
  end

  // ---- Alone ------------------------------------------------------------------------------------
  logic alone;
  logic [2:0] idle_q;
  logic [Ports-1:0] others;
  assign others = ~empty & ~(Ports'(1) << Source);
  assign alone = others == '0 && held_q[0] && !due_q && flit_q[0][Mark] &&
                 (route_q & paid & ~goes & ~hold_i & ~barrier_i) != '0;
  always_ff @(posedge clk_i) begin
    if (!rst_ni || !alone) idle_q <= '0;
    else if (idle_q != '1) idle_q <= idle_q + 1'b1;
  end

  `MUSTER_ASSUME(Credits_M, no_credit == '0 && paid_too_much == '0)
  `MUSTER_ASSUME(WholePackets_M, !badly_framed)
  `MUSTER_ASSUME(EntryIsLegalAndStays_M, !ours || route_q != '0)
  `MUSTER_ASSUME(EntryStays_M, !(begun_q || ours) || !writes)
  `MUSTER_ASSUME(OursAreMarked_M, marked == Ports'(ours) << Source)

  `MUSTER_ASSERT(LeavesByItsEntry_A,
                 !due_q || ((goes & route_q) != '0 && at_output == due_flit_q))
  `MUSTER_ASSERT(OnceAndNowhereElse_A, mark_goes == (due_q ? route_q : '0))
  `MUSTER_ASSERT(NothingBetween_A, !inside_q || due_q || (goes & route_q) == '0)
  `MUSTER_ASSERT(NoOwnerWithoutAPacket_A, 32'(idle_q) <= Idle)

  `MUSTER_COVER(WholePacketLeaves_C, inside_q && due_q && !comes[Source])
  `MUSTER_COVER(IdleSoLong_C, 32'(idle_q) == Idle)
  `MUSTER_COVER(AmongOthers_C, due_q && (goes & ~route_q) == ~route_q)

endmodule

`default_nettype wire
