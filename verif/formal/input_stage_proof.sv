// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "formal.svh"

// muster_input_stage of three ports, under flits of any kind in any order, as a link brings them
// that restarts at any flit, any writes of the routing table at any time, from any contents of its
// memory, and an allocation that takes when it likes. Seen at the queue of port 0:
//
//   - what is taken for an output are whole packets: a head, flits that are none, a tail; behind
//     the first no flit has the head bit but a cut mark, which is the tail
//   - a packet begins with no mark: one that comes where no packet is open goes nowhere. Only with
//     Guard a head may leave as one, if the flit behind it was lost
//   - headless, and counted, is exactly a head inside a packet, and any other flit, so a mark,
//     where none is open. One inside a packet, and the flit before a lost one, leaves as a mark,
//     the word 0xf800
//   - a packet has one output, the same from its head to its tail
//   - a flit that is taken for no output is of a packet without one
//   - a credit returns for each flit, once
//
// So what comes out of a queue is as wormhole_output_proof has it, which proves that on an output
// no packet meets another. Without Guard senders have credits, with it they need none.
module input_stage_proof #(
  parameter int unsigned Depth = 1,
  parameter int unsigned Guard = 0,
  localparam int unsigned Ports = 3,
  localparam int unsigned FlitW = 16,
  localparam int unsigned KindW = muster_pkg::KindW,
  localparam int unsigned Dests = 16
) (
  input  wire logic                         clk_i,
  input  wire logic [Ports-1:0]             rx_valid_i,
  input  wire logic [Ports-1:0][KindW-1:0]  rx_kind_i,
  input  wire logic [Ports-1:0][FlitW-1:0]  rx_payload_i,
  input  wire logic                         write_i,
  input  wire logic [3:0]                   waddr_i,
  input  wire logic [Ports:0]               wentry_i,
  input  wire logic                         take_i
);
  `MUSTER_FORMAL_RESET

  logic [Ports-1:0][Ports-1:0] want;
  logic [Ports-1:0] rx_credit, ready, tail, taken, here, here_first, lost, headless, credit;
  logic [Ports-1:0][FlitW+2:0] flit;
  logic [KindW-1:0] kind;
  logic [FlitW-1:0] payload;
  logic empty;
  assign kind = {1'b0, flit[0][FlitW+:2]};
  assign payload = flit[0][FlitW+2] ? FlitW'(muster_pkg::CutWord) : flit[0][FlitW-1:0];
  assign taken = {2'b00, take_i && ready[0] && want[0] != '0};

  muster_input_stage #(
    .Ports(Ports),
    .Vcs(1),
    .Depth(Depth),
    .FlitW(FlitW),
    .Dests(Dests),
    .Guard(Guard)
  ) dut (
    .clk_i, .rst_ni,
    .rx_valid_i,
    .rx_vc_i('0),
    .rx_kind_i,
    .rx_payload_i,
    .rx_credit_o(rx_credit),
    .route_write_i(write_i),
    .route_addr_i(waddr_i),
    .route_entry_i(wentry_i),
    .answer_read_i(1'b0),
    .answer_dest_i('0),
    .want_o(want),
    .ready_o(ready),
    .tail_o(tail),
    .taken_i(taken),
    .flit_o(flit),
    .local_o(here),
    .local_first_o(here_first),
    .headless_o(headless),
    .lost_o(lost),
    .empty_o(empty)
  );

  // ---- Senders --------------------------------------------------------------------------------
  localparam int unsigned CountW = $clog2(Depth + 2);
  logic [Ports-1:0] comes, no_credit;
  logic [CountW-1:0] inside;  // flits of port 0 whose credit is not back
  for (genvar p = 0; p < Ports; p++) begin : gen_in
    logic [CountW-1:0] out_q;
    assign comes[p] = rx_valid_i[p] && !rx_kind_i[p][muster_pkg::KindSync];
    assign no_credit[p] = comes[p] && 32'(out_q) >= Depth;
    always_ff @(posedge clk_i) begin
      if (!rst_ni) out_q <= '0;
      else out_q <= out_q + CountW'(comes[p] && !lost[p]) - CountW'(rx_credit[p]);
    end
    if (p == 0) begin : gen_seen
      assign inside = out_q;
    end
  end
  assign credit = rx_credit;

  // ---- What comes: a packet is open from its head to its tail, or to a flit that is lost -------
  logic coming_q, comes_head, comes_mark, none_lost_q, none_headless_q;
  logic no_mark_q, no_tail_q;  // none has come; no tail without the head bit
  assign comes_mark = rx_kind_i[0] == 3'b011 && rx_payload_i[0][15:11] == 5'd31;
  assign comes_head = rx_kind_i[0][muster_pkg::KindHead] && !comes_mark;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) {coming_q, no_mark_q, no_tail_q, none_lost_q, none_headless_q} <= 5'b01111;
    else if (comes[0]) begin
      coming_q <= !lost[0] && !rx_kind_i[0][muster_pkg::KindTail] && coming_q != comes_head;
      no_mark_q <= no_mark_q && !comes_mark;
      no_tail_q <= no_tail_q && rx_kind_i[0] != 3'b001;
      none_lost_q <= none_lost_q && !lost[0];
      none_headless_q <= none_headless_q && !headless[0];
    end
  end

  // ---- What is taken for an output leaves in the next cycle -------------------------------------
  logic left_q, open_q;  // a flit was taken for an output; the one before was no tail
  logic [Ports-1:0] route_q;
  logic begun_q;         // of the packet in front a flit has been taken for an output
  logic heads_only_q;     // no flit but heads has come
  logic head_bit, mark;
  assign head_bit = kind[muster_pkg::KindHead];
  assign mark = kind == 3'b011 && payload[15:11] == 5'd31;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      left_q <= 1'b0;
      open_q <= 1'b0;
      begun_q <= 1'b0;
      heads_only_q <= 1'b1;
    end else begin
      left_q <= taken[0];
      if (comes[0] && !comes_head) heads_only_q <= 1'b0;
      if (left_q) open_q <= !kind[muster_pkg::KindTail];
      if (taken[0]) begun_q <= !tail[0];
    end
    if (taken[0] && !begun_q) route_q <= want[0];
  end

  `MUSTER_ASSUME(Credits_M, Guard == 1 || no_credit == '0)

  `MUSTER_ASSERT(PacketsAreWhole_A, !left_q || head_bit == !open_q || (open_q && mark))
  `MUSTER_ASSERT(BeginsWithNoMark_A, !(left_q && !open_q && mark) || !none_lost_q)
  `MUSTER_ASSERT(NoMarkIsForHere_A, !(here_first[0] && mark) || !none_lost_q)
  `MUSTER_ASSERT(HeadOfHere_A, !(here[0] && head_bit) || here_first[0] || mark)
  `MUSTER_ASSERT(MadeIsTheWord_A, !(left_q || here[0]) || !mark || !no_mark_q ||
                                  payload == 16'hf800)
  `MUSTER_ASSERT(EndsWithAMark_A, !(left_q && open_q && no_tail_q) || mark ||
                                  !kind[muster_pkg::KindTail])
  `MUSTER_ASSERT(HeadlessIsTold_A,
                 headless[0] == (comes[0] && !lost[0] && comes_head == coming_q))
  `MUSTER_ASSERT(OneOutput_A, (want[0] & (want[0] - 1'b1)) == '0)
  `MUSTER_ASSERT(OutputStays_A, !(begun_q && want[0] != '0) || want[0] == route_q)
  `MUSTER_ASSERT(NotDrainedWithin_A, !begun_q || want[0] != '0)
  `MUSTER_ASSERT(CreditOfAFlit_A, !credit[0] || inside != '0)
  `MUSTER_ASSERT(EmptyHasGivenAll_A, !empty || inside == '0)

  `MUSTER_COVER(PassesAMark_C, left_q && open_q && mark && payload != 16'hf800)
  `MUSTER_COVER(MarkAlone_C, headless[0] && comes_mark)
  `MUSTER_COVER(CutByALoss_C,
                Guard == 0 || (left_q && open_q && mark && no_mark_q && none_headless_q))
  `MUSTER_COVER(HeadInside_C, left_q && open_q && heads_only_q)
  `MUSTER_COVER(IsForHere_C, here_first[0])

endmodule

`default_nettype wire
