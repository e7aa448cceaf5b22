// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "formal.svh"

// muster_preempt_output between any buffers that ask and any data traffic that keeps to what it
// says, with the channels of switch I, II or III (Usable 1 to 3): all, channel 0, and those with a
// credit, which are any in each cycle. For short times, which may change in any cycle:
//   - what is cut was owned, carries nothing, and is handed back: no longer than the longest time
//     and the rest of a message, with switch III not counting cycles in which no message could
//     begin in it
//   - the first flit of a message served waits for at most W cycles in which the neighbour's
//     barrier buffer has room; with switch III in a row in which only data keep it from going
//   - messages go whole, one after the other, each with room, and requests and ends alternate
module preempt_output_proof #(
  parameter int unsigned Channels = 1,
  parameter int unsigned Usable = 1,
  parameter int unsigned Spares = 0,
  localparam int unsigned Buffers = 4
) (
  input  wire logic                  clk_i,
  input  wire logic [Buffers-1:0]    ask_i,
  input  wire logic                  long_i,
  input  wire logic                  single_i,
  input  wire logic [7:0]            idle_i,
  input  wire logic [7:0]            gap_i,
  input  wire logic [15:0]           longest_i,
  /// a barrier buffer of the neighbour becomes free, if one is not
  input  wire logic                  room_i,
  input  wire logic                  closed_i,
  input  wire logic                  random_i,
  input  wire logic [3:0]            draw_i,
  /// channels with a credit, with three, of switch III
  input  wire logic [Channels-1:0]   credited_i,
  input  wire logic [Channels-1:0]   ample_i,
  /// the allocator would send a flit of channel v, and it is a tail
  input  wire logic [Channels-1:0]   send_i,
  input  wire logic                  tail_i,
  /// the host holds the link, of switches I and II: each channel is as if it had an owner
  input  wire logic                  hold_i
);
  localparam int unsigned Longest = 7;  // that longest_i can be
  // Rest of a message of three flits and the end, each of which a flit may have traversed before.
  localparam int unsigned Rest = 7;
  // With one data channel no flit of another can be in the way at the end of the guard.
  localparam int unsigned W = (Usable == 1 && Channels > 1) ? 3 : (Channels == 1) ? 19 : 20;

  `MUSTER_FORMAL_RESET

  logic [Channels-1:0] owned_q, usable, ample, payable, cut, place, allocated, may;
  logic [Buffers-1:0] served;
  logic busy_q, room_q, frees, last, open, cuttable, flit, first, request, ends, hold, waits, quiet;
  logic [1:0] channel;
  logic held;
  assign held = (Usable == 3) ? 1'b0 : hold_i;

  assign usable = (Usable == 1) ? '1 : (Usable == 2) ? Channels'(1) : credited_i;
  assign ample = (Usable == 3) ? credited_i & ample_i : '1;
  assign payable = (Usable == 3) ? credited_i : '1;

  muster_preempt_output #(.Buffers(Buffers), .Channels(Channels), .Spares(Spares)) dut (
    .clk_i, .rst_ni,
    .idle_i,
    .gap_i,
    .longest_i,
    .random_i,
    .draw_i,
    .busy_i(busy_q),
    .room_i(frees),
    .closed_i,
    .usable_i(usable),
    .ample_i(ample),
    .payable_i(payable),
    .owned_i(owned_q),
    .held_i(held),
    .allocated_i(allocated),
    .ask_i,
    .served_o(served),
    .long_i(long_q),
    .single_i(single_q),
    .open_o(open),
    .cuttable_o(cuttable),
    .flit_o(flit),
    .first_o(first),
    .request_o(request),
    .end_o(ends),
    .channel_o(channel),
    .hold_o(hold),
    .cut_o(cut),
    .place_o(place),
    .waits_o(waits),
    .quiet_o(quiet)
  );

  // ---- Data: one flit a cycle, of a channel that has an owner or gets one -------------------
  assign may = send_i & ~cut & ~(place & ~owned_q);
  assign allocated = hold ? '0 : (may & (~may + 1'b1));
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      owned_q <= '0;
      busy_q <= 1'b0;
    end else begin
      owned_q <= tail_i ? (owned_q & ~allocated) : (owned_q | allocated);
      busy_q <= allocated != '0;
    end
  end

  // ---- Messages of one to three flits --------------------------------------------------------
  logic [1:0] gone_q;
  logic long_q, single_q;  // the message has three flits, one
  logic [Buffers-1:0] of_q;
  logic [1:0] begun_in_q;  // channel of the first flit
  logic [3:0] rooms_q;     // free barrier buffers of the neighbour
  assign room_q = rooms_q != '0;
  assign frees = room_i && rooms_q != 4'(Spares + 1);
  assign last = gone_q == (single_q ? 2'd0 : long_q ? 2'd2 : 2'd1);
  always_ff @(posedge clk_i) begin
    if (!rst_ni) rooms_q <= 4'(Spares + 1);
    else rooms_q <= rooms_q + 4'(frees) - 4'(flit && gone_q == '0);
    if (!rst_ni) gone_q <= '0;
    else if (flit) gone_q <= last ? '0 : gone_q + 1'b1;
    if (served == '0 || (flit && last)) {long_q, single_q} <= {long_i && !single_i, single_i};
    if (flit) of_q <= served;
    if (first) begun_in_q <= channel;
  end

  // ---- What is seen on the link -------------------------------------------------------------
  logic cut_q;                 // between a request and its end
  logic held_cut_q;            // of a link that was held then
  logic [1:0] which_q;         // its channel
  logic [5:0] wait_q;          // of the message served, its cycles with room
  logic [5:0] held_q;          // cycles since the request in which a message could begin there
  logic stands;                // switch III: flits do not move where the message could go
  logic [Channels-1:0] which;
  assign which = Channels'(1) << which_q;
  assign stands = cut_q ? (ample & which) == '0
                  : usable == '0 || ((usable & ~owned_q) != '0 && (ample & ~owned_q) == '0);
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      cut_q <= 1'b0;
      {wait_q, held_q} <= '0;
    end else begin
      if (request) begin
        cut_q <= 1'b1;
        held_cut_q <= held;
        which_q <= channel;
        held_q <= '0;
      end else if (cut_q && !stands && held_q != '1) begin
        held_q <= held_q + 1'b1;
      end
      if (ends) cut_q <= 1'b0;
      if (served == '0 || flit || gone_q != '0 || stands) wait_q <= '0;
      else if (room_q && wait_q != '1) wait_q <= wait_q + 1'b1;
    end
  end

  // Only the message itself takes the credits of a channel that is cut.
  logic kept_q;  // there were three, and nothing has gone
  always_ff @(posedge clk_i) begin
    kept_q <= rst_ni && cut_q && (ample & which) != '0 && !(flit || ends);
  end

  `MUSTER_ASSUME(CutKeepsItsCredits_M, !kept_q || (ample & which) != '0)
  `MUSTER_ASSUME(TimesAreShort_M, idle_i < 8'd4 && gap_i < 8'd4 && 32'(longest_i) <= Longest)

  `MUSTER_ASSERT(OneGoes_A, $countones({flit, request, ends, busy_q}) <= 1)
  `MUSTER_ASSERT(MessageHasRoom_A, !(flit && gone_q == '0) || room_q)
  `MUSTER_ASSERT(RequestHasRoom_A, !request || (room_q && served != '0))
  `MUSTER_ASSERT(FirstIsFirst_A, first == (flit && gone_q == '0))
  `MUSTER_ASSERT(RequestsAndEndsAlternate_A, !(request && cut_q) && !(ends && !cut_q))
  `MUSTER_ASSERT(EndIsOfTheCut_A, !ends || channel == which_q)
  `MUSTER_ASSERT(CutWasOwned_A, !request || held || (owned_q & (Channels'(1) << channel)) != '0)
  `MUSTER_ASSERT(CutIsUsable_A, !request || (usable & (Channels'(1) << channel)) != '0)
  `MUSTER_ASSERT(CutIsSilent_A, !cut_q || (allocated & which) == '0)
  `MUSTER_ASSERT(CutKeepsItsOwner_A, !cut_q || held_cut_q || (owned_q & which) != '0)
  `MUSTER_ASSERT(CutIsHandedBack_A, 32'(held_q) <= Longest + Rest)
  `MUSTER_ASSERT(NoEndWithinMessage_A, !(ends && gone_q != '0))
  `MUSTER_ASSERT(MessageIsOfOneBuffer_A, gone_q == '0 || served == of_q)
  `MUSTER_ASSERT(FirstFlitHasAPlace_A, !first || cut_q || (usable & ample & ~owned_q &
                                                           (Channels'(1) << channel)) != '0)
  `MUSTER_ASSERT(FlitIsInTheCut_A, !(flit && cut_q) || channel == which_q)
  `MUSTER_ASSERT(FlitsAreInOneChannel_A, !flit || gone_q == '0 || channel == begun_in_q)
  `MUSTER_ASSERT(WaitIsBounded_A, 32'(wait_q) <= W)
  `MUSTER_ASSERT(WaitsIsCounted_A, waits == (served != '0 && gone_q == '0 && room_q && !flit))
  `MUSTER_ASSERT(ServedAsChosen_A, !(open || cuttable) || served == '0)
  `MUSTER_ASSERT(QuietHoldsNothing_A, !quiet || (!cut_q && served == '0 && !hold))

  `MUSTER_COVER(WaitIsReached_C, 32'(wait_q) == W)
  `MUSTER_COVER(CutUsedTwice_C, cut_q && flit && last && held_q > 6'd6)
  `MUSTER_COVER(SpentWhileServed_C, ends && served != '0)

endmodule

`default_nettype wire
