// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "formal.svh"

// muster_worm_buffer under any flits, any routing table, and outputs that take when they like.
//
// Two of the flits are marked, at any time, the second after the first; the facts hold for every
// pair because nothing tells which.
//   - an address flit goes only where its route names, any other only where addresses of its worm
//     before it went: to each such output once, unchanged, in order, and to all before the buffer
//     is empty
//   - a worm whose tail is held may begin; one whose tail has not come may not while the tail of an
//     older one has outputs to go to
//   - heads, tails and cut marks may come anywhere. A flit goes nowhere if it is no head and no
//     worm is open; a head inside a worm is its tail, and leaves as a cut mark, the word 0xf800; a
//     mark inside a worm leaves as one. At each output a tail leaves between flits of two worms
//
// A head inside a worm leaves without its payload, so it cannot be marked.
module worm_buffer_proof #(
  parameter int unsigned Ports = 3,
  parameter int unsigned Entries = 4,
  /// the last fact too, which takes pdr long: worms are apart
  parameter int unsigned Apart = 0,
  localparam int unsigned FlitW = 16,
  localparam int unsigned KindW = muster_pkg::KindW,
  localparam int unsigned OpcodeW = muster_pkg::OpcodeW
) (
  input  wire logic              clk_i,
  input  wire logic              offer_i,
  input  wire logic              head_i,
  input  wire logic              tail_i,
  input  wire logic [FlitW-1:3]  payload_i,
  /// any value: what the mark of the payload is checked by
  input  wire logic              bit_i,
  input  wire logic              first_i,
  input  wire logic              second_i,
  input  wire logic [Ports-1:0]  route_i,
  input  wire logic [Ports-1:0]  take_i
);
  `MUSTER_FORMAL_RESET

  logic push, empty;
  // The table is asked for every address flit; the mask is free in any cycle.
  logic headless;
  logic [KindW-1:0] kind;
  logic [FlitW-1:0] payload_in;
  logic [Ports-1:0] at, tail, cut_mark, may_begin, sent;
  logic [Ports-1:0][FlitW-1:0] payload;
  logic first_came_q, second_came_q, first_now, second_now;

  always_comb begin
    kind = '0;
    kind[muster_pkg::KindHead] = head_i;
    kind[muster_pkg::KindTail] = tail_i;
  end
  assign first_now = first_i && !first_came_q && !cut;
  assign second_now = second_i && first_came_q && !second_came_q && !cut;
  assign payload_in = {payload_i, bit_i, second_now, first_now};
  assign sent = at & take_i;

  muster_worm_buffer #(.Ports(Ports), .FlitW(FlitW), .Entries(Entries)) dut (
    .clk_i, .rst_ni,
    .head_data_i(offer_i),
    .head_kind_i(kind),
    .head_payload_i(payload_in),
    .push_o(push),
    .route_i,
    .at_o(at),
    .tail_o(tail),
    .cut_o(cut_mark),
    .payload_o(payload),
    .begin_o(may_begin),
    .sent_i(sent),
    .headless_o(headless),
    .empty_o(empty)
  );

  // ---- Where a flit taken in the cycle before goes ------------------------------------------
  // addresses_q: only addresses so far; member_q: it is of a worm
  logic came_q, address_q, head_q, addresses_q, member_q;
  logic [Ports-1:0] worm_q, named, goes;         // outputs that addresses of the worm went to
  logic address, open_q, begins, cut, kept_tail;  // open_q: a worm has begun and not ended
  logic is_mark, head;                            // a cut mark; a head and none
  assign is_mark = head_i && tail_i && payload_in[15:11] == 5'd31;
  assign head = head_i && !is_mark;
  assign begins = head && !open_q;
  assign cut = head && open_q;
  assign kept_tail = open_q ? tail_i || cut : tail_i && head;
  assign address = begins || (open_q && !kept_tail && addresses_q &&
                              payload_in[muster_pkg::DestW+:OpcodeW] ==
                                  OpcodeW'(muster_pkg::OpcodeWorm));
  assign named = route_i;
  assign goes = address_q ? named : (member_q ? worm_q : '0);
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      came_q <= 1'b0;
      open_q <= 1'b0;
      addresses_q <= 1'b0;
      worm_q <= '0;
    end else begin
      came_q <= push;
      if (push) addresses_q <= address;
      if (push) open_q <= (open_q || head) && !kept_tail;
      if (came_q && address_q) worm_q <= head_q ? named : (worm_q | named);
    end
    address_q <= address;
    head_q <= begins;
    member_q <= open_q || head;
  end

  // ---- The two marked flits -----------------------------------------------------------------
  logic first_fresh_q, second_fresh_q, first_tail_q, second_tail_q, first_bit_q, first_mark_q;
  logic no_tail_q, no_mark_q;  // no flit with a tail bit, no mark has come
  logic first_whole_q, second_whole_q;  // the tail of its worm is in the buffer, or was
  logic other_q;  // a worm has begun after the first, at the second at the latest
  logic [Ports-1:0] ended_q;  // by output: a tail has left, of the first or after it
  logic [Ports-1:0] first_to_q, first_to, second_to_q, second_to, first_done_q, second_done_q;
  logic [Ports-1:0] at_first, at_second, sent_first, sent_second;
  assign first_to = first_fresh_q ? goes : first_to_q;
  assign second_to = second_fresh_q ? goes : second_to_q;
  for (genvar p = 0; p < Ports; p++) begin : gen_output
    assign at_first[p] = at[p] && payload[p][0];
    assign at_second[p] = at[p] && payload[p][1];
  end
  assign sent_first = at_first & take_i;
  assign sent_second = at_second & take_i;

  always_ff @(posedge clk_i) begin
    first_fresh_q <= push && first_now;
    second_fresh_q <= push && second_now;
    first_to_q <= first_to;
    second_to_q <= second_to;
    if (!rst_ni) begin
      first_came_q <= 1'b0;
      second_came_q <= 1'b0;
      first_whole_q <= 1'b0;
      second_whole_q <= 1'b0;
      first_done_q <= '0;
      other_q <= 1'b0;
      ended_q <= '0;
      second_done_q <= '0;
      {no_tail_q, no_mark_q} <= '1;
    end else begin
      if (push && first_now) begin
        first_came_q <= 1'b1;
        first_tail_q <= kept_tail;
        first_bit_q <= bit_i;
        first_mark_q <= is_mark;
      end
      if (push && second_now) begin
        second_came_q <= 1'b1;
        second_tail_q <= kept_tail;
      end
      if (push && kept_tail && (first_now || first_came_q)) first_whole_q <= 1'b1;
      if (push && kept_tail && (second_now || second_came_q)) second_whole_q <= 1'b1;
      if (push && tail_i) no_tail_q <= 1'b0;
      if (push && is_mark) no_mark_q <= 1'b0;
      if (push && begins && first_came_q && !second_came_q) other_q <= 1'b1;
      ended_q <= ended_q | ((first_done_q | sent_first) & sent & tail);
      first_done_q <= first_done_q | sent_first;
      second_done_q <= second_done_q | sent_second;
    end
  end

  logic [Ports-1:0] tail_wrong, bit_wrong, mark_wrong, word_wrong, young;
  logic first_tail_waits;
  for (genvar p = 0; p < Ports; p++) begin : gen_wrong
    assign tail_wrong[p] = (at_first[p] && tail[p] != first_tail_q) ||
                           (at_second[p] && tail[p] != second_tail_q);
    assign mark_wrong[p] = at_first[p] && cut_mark[p] != first_mark_q;
    assign word_wrong[p] = at[p] && cut_mark[p] && no_mark_q && payload[p] != 16'hf800;
    assign bit_wrong[p] = at_first[p] && payload[p][2] != first_bit_q;
    assign young[p] = at_second[p] && !second_whole_q && first_tail_waits && may_begin[p];
  end
  assign first_tail_waits = first_came_q && first_tail_q && (first_to & ~first_done_q) != '0;

  `MUSTER_ASSUME(RouteIsOne_M, (route_i & (route_i - 1'b1)) == '0)
  `MUSTER_ASSERT(OnlyWhereNamed_A, (at_first & ~first_to) == '0 && (at_second & ~second_to) == '0)
  `MUSTER_ASSERT(OnlyWhatCame_A, first_came_q || at_first == '0)
  `MUSTER_ASSERT(OnceEach_A, (at_first & first_done_q) == '0 && (at_second & second_done_q) == '0)
  `MUSTER_ASSERT(NoneLost_A, !empty || !first_came_q || first_done_q == first_to)
  `MUSTER_ASSERT(InOrder_A, (at_second & first_to & ~first_done_q) == '0)
  `MUSTER_ASSERT(TailStays_A, tail_wrong == '0)
  `MUSTER_ASSERT(PayloadStays_A, bit_wrong == '0)
  `MUSTER_ASSERT(MarkStays_A, mark_wrong == '0)
  `MUSTER_ASSERT(MarkIsATail_A, (at & cut_mark & ~tail) == '0)
  `MUSTER_ASSERT(HeadEndsAsAMark_A, word_wrong == '0 &&
                                    (!no_tail_q || (at & tail & ~cut_mark) == '0))
  `MUSTER_ASSERT(WholeMayBegin_A, !first_whole_q || (at_first & ~may_begin) == '0)
  `MUSTER_ASSERT(YoungWaits_A, young == '0)
  `MUSTER_ASSERT(WormsAreApart_A,
                 Apart == 0 || !other_q || (at_second & first_done_q & ~ended_q) == '0)

  `MUSTER_COVER(HeadInside_C, headless && cut && push)
  `MUSTER_COVER(MarkLeaves_C, (at_second & cut_mark) != '0)
  `MUSTER_COVER(AnotherFollows_C, other_q && (at_second & first_done_q) != '0)
  `MUSTER_COVER(ToAllAndEmpty_C, empty && first_done_q == '1)
  `MUSTER_COVER(Full_C, offer_i && !push)
  `MUSTER_COVER(YoungIsThere_C, at_second != '0 && !second_whole_q && first_tail_waits)
  `MUSTER_COVER(AddressThenPayload_C, first_done_q == Ports'(2) && second_done_q == Ports'(6))

endmodule

`default_nettype wire
