// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "muster_assert.svh"

// One output of a preempting switch: which message buffer it serves, and which data channel it
// has cut for it. docs/systems/preempting-switches.md, "Choice of an output", "Output p".
//
// A message goes in the place of a data channel: a usable one without owner, or a cut one, once the
// neighbour's barrier buffer has room for it. With neither the padding request for a usable channel
// goes first, and the padding end follows when no message has come for idle_i cycles, or when the
// cut, once used, has lasted for longest_i. A channel just given back is guarded: it is not cut
// again before one of its flits has gone or 16 cycles have passed. What the output wants to send
// goes in the same cycle if the crossbar holds no flit for it. This is the paper's entry of a
// barrier that preempts: the channel, and its state.
//
// Towards the allocator: hold_o, nothing is allocated to the output; cut_o, nothing of this data
// channel; place_o, no packet begins on it. From a message's first flit to its last at most one
// flit of data is in the way of each.
module muster_preempt_output #(
  /// message buffers of the switch, 4 to 24: ports, 1 and Spares
  parameter int unsigned Buffers = 9,
  /// virtual channels, 1 to 3
  parameter int unsigned Channels = 1,
  /// barrier buffers of a port, and of the origin, beyond the first, 0 to 7
  parameter int unsigned Spares = 0
) (
  input  wire logic                  clk_i,
  input  wire logic                  rst_ni,

  /// the host's: cycles; choose the channel to cut by draw_i, 0 to 15, else the last
  input  wire logic [7:0]            idle_i,
  input  wire logic [7:0]            gap_i,
  input  wire logic [15:0]           longest_i,
  input  wire logic                  random_i,
  input  wire logic [3:0]            draw_i,

  /// the crossbar holds a flit for the output; a barrier buffer of the neighbour has become free
  input  wire logic                  busy_i,
  input  wire logic                  room_i,
  /// no message may choose this output
  input  wire logic                  closed_i,
  /// channels that may be taken or cut; in which a message may begin; in which a padding end may
  /// go; that have an owner; a flit of which is allocated
  input  wire logic [Channels-1:0]   usable_i,
  input  wire logic [Channels-1:0]   ample_i,
  input  wire logic [Channels-1:0]   payable_i,
  input  wire logic [Channels-1:0]   owned_i,
  input  wire logic [Channels-1:0]   allocated_i,
  /// the host holds the link: it is as if each channel had an owner, whose data have no credit
  input  wire logic                  held_i,

  /// buffers that ask for the output; the one that it serves, one-hot or zero
  input  wire logic [Buffers-1:0]    ask_i,
  output logic [Buffers-1:0]         served_o,
  /// the message there, of which no flit has gone, has three, or one, not two
  input  wire logic                  long_i,
  input  wire logic                  single_i,
  /// a message that chose this output would need no cut; it would need one, and could have it
  output logic                       open_o,
  output logic                       cuttable_o,

  /// what goes in this cycle: the served buffer's next flit, its message's first one; a padding
  /// request; a padding end; and in which channel
  output logic                       flit_o,
  output logic                       first_o,
  output logic                       request_o,
  output logic                       end_o,
  output logic [1:0]                 channel_o,

  output logic                       hold_o,
  output logic [Channels-1:0]        cut_o,
  output logic [Channels-1:0]        place_o,

  /// a message is served, its first flit has room, and does not go
  output logic                       waits_o,
  /// nothing served, cut or guarded, no gap
  output logic                       quiet_o
);
  localparam logic [4:0] Guard = 5'd16;

  `MUSTER_RANGE(Spares, 0, 7)
  `MUSTER_RANGE(Buffers, 4, 24)
  `MUSTER_RANGE(Channels, 1, 3)

  logic [Buffers-1:0] served_q, grant;
  logic serves_q;                                   // one is served
  logic [3:0] rooms_q;                              // barrier buffers of the neighbour are free
  logic room_q;                                     // one is
  logic begun_q, ends_q;                            // its first flit has gone; the last is next
  logic used_q;                                     // a message's flit has gone in the cut
  logic [Channels-1:0] place_q, cut_q, guarded_q;   // each one-hot or zero
  logic [4:0] guard_q;
  logic [7:0] timer_q, gap_q;
  logic [15:0] left_q;                              // of the cut's longest time
  logic times_q, gaps_q, lasts_q;                   // these are not 0
  logic spent_q;                                    // the cut is used and its time is over
  logic due_q;                                      // the padding end is
  logic begins_q;                                   // the first flit is, and has room

  // ---- What it could do, and what it wants --------------------------------------------------
  logic cut, ready;
  logic [Channels-1:0] owned, free, places, above, place, cuttable;
  assign cut = cut_q != '0;
  assign ready = !serves_q && !gaps_q && !closed_i;
  assign owned = held_i ? '1 : owned_i;
  assign free = usable_i & ~owned;
  assign places = free & ample_i;
  muster_above_lowest #(
    .N(Channels)
  ) lowest (
    .bits_i(places),
    .above_o(above)
  );
  assign place = begun_q ? place_q : places & ~above;
  assign cuttable = usable_i & owned & ~guarded_q;
  assign open_o = ready && !cut && free != '0;
  assign cuttable_o = ready && (cut || cuttable != '0);

  // One channel at most is guarded: of two that are usable and owned, one can be cut.
  logic want_flit, want_request, want_end, able, cuts;
  assign cuts = free == '0 && (cuttable != '0 || (usable_i & (usable_i - 1'b1)) != '0);
  assign want_end = due_q && (cut_q & payable_i) != '0;
  assign want_flit = begun_q ||
                     (begins_q && (cut ? (cut_q & ample_i) != '0 : places != '0));
  assign want_request = begins_q && !cut && cuts;
  assign able = want_end || begun_q ||
                (begins_q && (cut ? (cut_q & ample_i) != '0 : places != '0 || cuts));
  assign flit_o = want_flit && !busy_i;
  assign first_o = flit_o && !begun_q;
  assign request_o = want_request && !busy_i;
  assign end_o = want_end && !busy_i;
  assign hold_o = able && (busy_i || (serves_q && !ends_q && !(single_i && want_flit)));
  assign waits_o = serves_q && !begun_q && room_q && !flit_o;

  // ---- Which channel is cut -----------------------------------------------------------------
  // rank[v]: how many of the channels below v could be cut; rank[Channels], of all n. The one at
  // random has rank floor(n draw / 16), else it is the last.
  logic [Channels:0][1:0] rank;
  logic [1:0] below, number;
  logic [Channels-1:0] chosen;
  always_comb begin
    rank = '0;
    below = '0;
    for (int unsigned v = 0; v < Channels; v++) begin
      below = {below[1] ^ (below[0] & cuttable[v]), below[0] ^ cuttable[v]};
      rank[v+1] = below;
    end
    number = 2'd0;
    if (rank[Channels] == 2'd3) number = {draw_i >= 4'd11, draw_i >= 4'd6 && draw_i < 4'd11};
    else if (rank[Channels] == 2'd2) number = {1'b0, draw_i[3]};
    chosen = '0;
    for (int unsigned v = 0; v < Channels; v++) begin
      chosen[v] = cuttable[v] && (random_i ? rank[v] == number : rank[v+1] == rank[Channels]);
    end
  end

  function automatic logic [1:0] index(input logic [Channels-1:0] one_hot);
    index = '0;
    for (int unsigned v = 0; v < Channels; v++) begin
      if (one_hot[v]) index = index | 2'(v);
    end
  endfunction
  assign channel_o = index(cut ? cut_q : want_flit ? place : chosen);

  // ---- Whom it serves -----------------------------------------------------------------------
  logic ends;     // the last flit of the message goes
  logic chooses;  // a buffer that asks is served in the next cycle
  assign ends = flit_o && (ends_q || single_i);
  // With several buffers the next message follows at once.
  assign chooses = ready || (Spares != 0 && ends && gap_i == '0);
  muster_rr_arbiter #(
    .N(Buffers)
  ) turn (
    .clk_i,
    .rst_ni,
    .req_i(ask_i),
    .take_i(chooses),
    .grant_o(grant)
  );

  // ---- State --------------------------------------------------------------------------------
  logic serves_d, begun_d, room_d, times_d, spent_d, due_d;
  assign serves_d = (serves_q && !ends) || (chooses && ask_i != '0);
  assign begun_d = flit_o ? !ends : begun_q;
  assign room_d = room_i || (room_q && !(first_o && rooms_q == 4'd1));
  assign times_d = (request_o || (flit_o && cut)) ? idle_i != '0
                   : times_q && !(cut && timer_q[7:1] == '0);
  assign spent_d = !end_o && cut && (used_q || flit_o) && !(lasts_q && left_q[15:1] != '0);
  assign due_d = (request_o || (cut && !end_o)) && !begun_d &&
                 (!(times_d || serves_d) || spent_d);

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      served_q <= '0;
      serves_q <= 1'b0;
      room_q <= 1'b1;
      rooms_q <= 4'(Spares + 1);
      {begun_q, ends_q} <= '0;
      {used_q, spent_q} <= '0;
      {due_q, begins_q} <= '0;
      {place_q, cut_q, guarded_q} <= '0;
      guard_q <= '0;
      {timer_q, gap_q} <= '0;
      left_q <= '0;
      {times_q, gaps_q, lasts_q} <= '0;
    end else begin
      serves_q <= serves_d;
      begun_q <= begun_d;
      room_q <= room_d;
      if (Spares == 0) rooms_q <= 4'd1;
      else rooms_q <= rooms_q + 4'(room_i) - 4'(first_o);
      times_q <= times_d;
      spent_q <= spent_d;
      due_q <= due_d;
      begins_q <= serves_d && room_d && !begun_d && !due_d;
      if (gaps_q) begin
        gap_q <= gap_q - 1'b1;
        gaps_q <= gap_q[7:1] != '0;
      end
      if (flit_o) begin
        ends_q <= !ends && (begun_q || !long_i);
        if (cut) used_q <= 1'b1;
        else place_q <= place;
      end
      if (chooses && ask_i != '0) served_q <= grant;
      else if (ends) served_q <= '0;
      if (ends) begin
        place_q <= '0;
        gap_q <= gap_i;
        gaps_q <= gap_i != '0;
      end
      if (request_o) begin
        cut_q <= chosen;
        used_q <= 1'b0;
        left_q <= longest_i;
        lasts_q <= longest_i != '0;
      end else if (cut && lasts_q) begin
        left_q <= left_q - 1'b1;
        lasts_q <= left_q[15:1] != '0;
      end
      if (request_o || (flit_o && cut)) timer_q <= idle_i;
      else if (cut && times_q) timer_q <= timer_q - 1'b1;
      if (end_o) begin
        cut_q <= '0;
        guarded_q <= cut_q;
        guard_q <= Guard;
      end else if (guarded_q != '0) begin
        guard_q <= guard_q - 1'b1;
        if ((allocated_i & guarded_q) != '0 || guard_q[4:1] == '0) guarded_q <= '0;
      end
    end
  end

  assign served_o = served_q;
  assign cut_o = cut_q;
  // The one flit of a message is let in beside data of other channels.
  assign place_o = (single_i && flit_o && !cut) ? place : place_q;
  // Of what follows, so much as makes a state that cannot be quiet too.
  assign quiet_o = !(serves_q || cut || gaps_q || begun_q || begins_q || due_q || spent_q) &&
                   {served_q, guarded_q} == '0;

  // A flit of data was in the way in the cycle before. What is cut was held then.
  logic blocked_q, held_cut_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      blocked_q <= 1'b0;
      held_cut_q <= 1'b0;
    end else begin
      blocked_q <= able && busy_i;
      if (request_o) held_cut_q <= held_i;
    end
  end

  `MUSTER_ASSERT(OneServed_A, (served_q & (served_q - 1'b1)) == '0 && serves_q == (served_q != '0))
  `MUSTER_ASSERT(EndsIsBegun_A, !ends_q || begun_q)
  `MUSTER_ASSERT(SpentIsKnown_A, spent_q == (cut && used_q && !lasts_q))
  `MUSTER_ASSERT(DueIsKnown_A, due_q == (cut && !begun_q && (!(times_q || serves_q) || spent_q)))
  `MUSTER_ASSERT(BeginsIsKnown_A, begins_q == (serves_q && room_q && !begun_q && !due_q))
  `MUSTER_ASSERT(NotZeroIsKnown_A, gaps_q == (gap_q != '0) && times_q == (timer_q != '0) &&
                                   lasts_q == (left_q != '0) && (guarded_q == '0 || guard_q != '0))
  `MUSTER_ASSERT(OneChannel_A, ((cut_q & (cut_q - 1'b1)) | (place_q & (place_q - 1'b1)) |
                                 (guarded_q & (guarded_q - 1'b1))) == '0)
  `MUSTER_ASSERT(RoomForAll_A, !room_i || !((Spares == 0) ? room_q : rooms_q == 4'(Spares + 1)))
  `MUSTER_ASSERT(CutOrPlace_A, cut_q == '0 || place_q == '0)
  `MUSTER_ASSERT(BegunHasItsPlace_A, !begun_q || (serves_q && (cut || place_q != '0)))
  `MUSTER_ASSERT(CutIsSilent_A, (allocated_i & cut_q) == '0)
  `MUSTER_ASSERT(CutHasOwner_A, held_cut_q || (cut_q & ~owned_i) == '0)
  `MUSTER_ASSERT(PlaceHasNone_A, (place_q & owned_i) == '0)
  `MUSTER_ASSERT(OneFlitInTheWay_A, !(blocked_q && busy_i))

endmodule

`default_nettype wire
