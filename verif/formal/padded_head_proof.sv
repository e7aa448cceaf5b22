// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "formal.svh"

// An input buffer with its route and the head where the padding generator can be connected, as in
// muster_preempt_inputs, under any flits, any connections, and an output that takes when it likes.
// The flits of a packet that is cut, among them pads of other switches, come out unchanged, in
// order, each once, and the pads of this one only between its first flit and its tail. What else is
// sync, which switch III has in its buffers, is led away where it stands and changes nothing.
//
// Heads, tails and cut marks may come anywhere: what goes to the output are whole packets, a head,
// flits that are none, a tail. A head inside a packet goes as its tail, a cut mark, the word
// 0xf800; a mark inside a packet is its tail as it came, and one outside goes nowhere.
//
// Two of the flits are marked, at any time, the second after the first; the facts hold for every
// pair because nothing tells which.
module padded_head_proof #(
  parameter int unsigned Depth = 2,
  localparam int unsigned FlitW = 16,
  localparam int unsigned KindW = muster_pkg::KindW,
  localparam int unsigned Ports = 3
) (
  input  wire logic              clk_i,
  input  wire logic              offer_i,
  input  wire logic              sync_i,
  input  wire logic              head_i,
  input  wire logic              tail_i,
  input  wire logic [FlitW-1:3]  payload_i,
  /// any value: what the mark of the payload is checked by
  input  wire logic              bit_i,
  input  wire logic              first_i,
  input  wire logic              second_i,
  input  wire logic [Ports-1:0]  mask_i,
  input  wire logic              connected_i,
  input  wire logic              unpadded_i,
  input  wire logic              take_i
);
  `MUSTER_FORMAL_RESET

  logic push, pop, empty, full, read, route_request, owner, drain, taken, route_taken, request;
  logic data, stray;
  logic tail, pad, first_came_q, second_came_q, first_now, second_now;
  logic [KindW-1:0] kind_in, head_kind, kind;
  logic [FlitW-1:0] payload_in, head_payload, payload;
  logic [Ports-1:0] want, entry_q;
  logic cut, head_mark, head_first, head_tail, headless;

  assign push = offer_i && !full;
  assign kind_in = {sync_i, head_i, tail_i};
  assign first_now = push && first_i && !first_came_q;
  assign second_now = push && second_i && first_came_q && !second_came_q;
  assign payload_in = {payload_i, bit_i, second_now, first_now};

  muster_fifo #(.Width(KindW + FlitW), .Depth(Depth)) queue (
    .clk_i, .rst_ni,
    .push_i(push),
    .data_i({kind_in, payload_in}),
    .pop_i(pop),
    .data_o({head_kind, head_payload}),
    .empty_o(empty),
    .full_o(full)
  );

  // As in muster_preempt_inputs: what is data, and what is led away.
  assign data = !empty && (!head_kind[muster_pkg::KindSync] || head_kind == muster_pkg::KindPad);
  assign stray = !empty && !data;

  // The entry of the routing table is there from the cycle after the read on.
  always_ff @(posedge clk_i) begin
    if (read) entry_q <= mask_i;
  end

  assign head_mark = muster_pkg::is_cut(head_kind,
                                        head_payload[muster_pkg::DestW+:muster_pkg::OpcodeW]);
  assign head_first = head_kind[muster_pkg::KindHead] && !head_kind[muster_pkg::KindSync] &&
                      !head_mark;
  assign head_tail = head_kind[muster_pkg::KindTail];
  muster_route_state #(.Ports(Ports)) route (
    .clk_i, .rst_ni,
    .head_data_i(data),
    .head_first_i(head_first),
    .head_tail_i(head_tail),
    .taken_i(route_taken),
    .read_o(read),
    .route_i(entry_q & (~entry_q + 1'b1)),
    .request_o(route_request),
    .want_o(want),
    .owner_o(owner),
    .drain_o(drain),
    .cut_o(cut),
    .headless_o(headless)
  );

  muster_padded_head #(.FlitW(FlitW)) dut (
    .clk_i, .rst_ni,
    .connected_i,
    .pad_i('0),
    .unpadded_i,
    .empty_i(empty),
    .owner_i(owner && want != '0),
    .request_i(route_request),
    .tail_i(head_tail || cut),
    .kind_i(cut ? muster_pkg::KindCut : head_kind),
    .payload_i(cut ? muster_pkg::CutWord : head_payload),
    .taken_o(route_taken),
    .request_o(request),
    .tail_o(tail),
    .kind_o(kind),
    .payload_o(payload),
    .taken_i(taken),
    .pad_o(pad)
  );
  assign taken = take_i && request;
  assign pop = stray || route_taken || drain;

  // ---- What came out ------------------------------------------------------------------------
  logic mark;
  assign mark = kind == 3'b011 && payload[15:11] == 5'd31;
  logic flit_out, first_out, second_out, first_left_q, second_left_q;
  logic first_stray_q;
  logic inside_q;   // the first flit of a packet has left, its tail has not
  logic marked_q, marked_second_q;  // the bit of the marked flits
  logic [7:0] held_q;  // flits that came and did not leave
  assign flit_out = (taken && !pad) || drain;
  assign first_out = flit_out && head_payload[0];
  assign second_out = flit_out && head_payload[1];

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      {first_came_q, second_came_q, first_left_q, second_left_q, inside_q} <= '0;
      first_stray_q <= 1'b0;
      held_q <= '0;
    end else begin
      if (first_now) begin
        first_came_q <= 1'b1;
        first_stray_q <= sync_i && kind_in != muster_pkg::KindPad;
        marked_q <= bit_i;
      end
      if (second_now) begin
        second_came_q <= 1'b1;
        marked_second_q <= bit_i;
      end
      if (first_out) first_left_q <= 1'b1;
      if (second_out) second_left_q <= 1'b1;
      if (taken && !pad) inside_q <= !kind[muster_pkg::KindTail];
      held_q <= held_q + 8'(push) - 8'(flit_out || stray);
    end
  end

  `MUSTER_ASSERT(PadIsWithinPacket_A, !pad || (inside_q && connected_i && !unpadded_i && empty))
  `MUSTER_ASSERT(PadIsOne_A, !pad || (request && kind == muster_pkg::KindPad))
  `MUSTER_ASSERT(PadCarriesNothing_A, !pad || (payload == '0 && !tail))
  `MUSTER_ASSERT(PadLeavesQueue_A, !(taken && pad) || !pop)
  `MUSTER_ASSERT(FlitIsAsItCame_A, !request || pad ||
                                   (!empty && tail == kind[muster_pkg::KindTail] &&
                                    (cut ? kind == 3'b011 && payload == 16'hf800
                                         : kind == head_kind && payload == head_payload)))
  `MUSTER_ASSERT(PacketsAreWhole_A, !taken || kind == muster_pkg::KindPad ||
                                    (inside_q ? !kind[muster_pkg::KindHead] || mark
                                              : kind[muster_pkg::KindHead] && !mark))
  `MUSTER_ASSERT(OutsideIsDropped_A, !headless || cut || !taken)
  `MUSTER_ASSERT(PadsAreInside_A, !taken || kind != muster_pkg::KindPad || inside_q)
  `MUSTER_ASSERT(HeadlessIsTaken_A, !headless || pop)
  `MUSTER_ASSERT(FirstLeavesOnce_A, !(first_out && first_left_q))
  `MUSTER_ASSERT(SecondLeavesOnce_A, !(second_out && second_left_q))
  `MUSTER_ASSERT(InOrder_A, !second_left_q || first_left_q || first_stray_q)
  `MUSTER_ASSERT(StrayGoesNowhere_A, !stray || (!request && !drain && !read))
  `MUSTER_ASSERT(FirstIsWhole_A, !first_out || head_payload[2] == marked_q)
  `MUSTER_ASSERT(SecondIsWhole_A, !second_out || head_payload[2] == marked_second_q)
  `MUSTER_ASSERT(NoneIsLost_A, 32'(held_q) <= Depth && (held_q == '0) == empty)

  // A pad left between the marked flits.
  `MUSTER_SEEN(padded_q, taken && pad && first_left_q && !second_left_q)
  `MUSTER_COVER(HeadEndsPacket_C, taken && !pad && cut)
  `MUSTER_COVER(MarkEndsPacket_C, taken && !pad && mark && !cut)
  `MUSTER_COVER(MarkIsDropped_C, headless && head_mark)
  `MUSTER_COVER(HeadlessIsDropped_C, headless && !taken && first_out)
  `MUSTER_COVER(PadBetweenFlits_C, padded_q && second_out && inside_q)
  `MUSTER_COVER(PadOfAnother_C, taken && !pad && kind == muster_pkg::KindPad && inside_q)
  `MUSTER_COVER(StrayWithinPacket_C, stray && inside_q)

endmodule

`default_nettype wire
