// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "muster_assert.svh"

// One direction of a link of two ends, for proofs: a block at one end that sends when it has a
// credit, one at the other that gives credits when it likes, and the facts about both. Flits carry
// their number, with a bit more than sequence numbers have: one that is taken for that of a turn
// later is found.
//
// "There" is towards the receiver, "back" towards the sender; of the frames on the way the oldest
// comes first and the one that is put on the wires in this cycle last.
module link_way #(
  parameter int unsigned Depth = 1,
  parameter int unsigned Slots = 4,
  parameter int unsigned Ways = 2,
  localparam int unsigned FlitW = 16,
  localparam int unsigned WordW = FlitW + 4,
  localparam int unsigned SeqW = $clog2(Slots) + 1,
  localparam int unsigned CountW = $clog2(Depth + 1),
  localparam int unsigned NumberW = SeqW + 1,
  localparam int unsigned BodyW = 6 + 2 * SeqW + CountW + WordW,
  localparam int unsigned InsideW = 5 * SeqW + 6 * CountW + WordW + 9
) (
  input  wire logic                        clk_i,
  input  wire logic                        rst_ni,
  /// the block at the sender
  input  wire logic                        send_i,
  output logic                             sends_o,
  output logic [WordW-1:0]                 word_o,
  input  wire logic                        credit_i,
  /// the block at the receiver
  input  wire logic                        comes_i,
  input  wire logic [WordW-1:0]            word_i,
  input  wire logic                        free_i,
  output logic                             frees_o,
  /// inside the ends
  input  wire logic                        down_i,
  input  wire logic [InsideW-1:0]          sender_i,
  input  wire logic                        up_i,
  input  wire logic [InsideW-1:0]          receiver_i,
  /// frames on the way
  input  wire logic [Ways-1:0]             there_i,
  input  wire logic [Ways-1:0][BodyW-1:0]  there_body_i,
  input  wire logic [Ways-1:0]             back_i,
  input  wire logic [Ways-1:0][BodyW-1:0]  back_body_i,
  /// flits that have come, credits that are back
  output logic [NumberW-1:0]               got_o,
  output logic [NumberW-1:0]               returned_o
);
  localparam logic [2:0] Kind = 3'b011;  // a packet of one flit

  // ---- Blocks: how many flits and credits have gone in, come out ------------------------------
  // Flits that go into an end that is down are discarded; it gives a credit for each.
  logic [NumberW-1:0] sent_q, got_q, freed_q, returned_q, out_q, held_q;
  logic fell_q;
  assign sends_o = send_i && (out_q < NumberW'(Depth));
  assign word_o = {1'b0, Kind, FlitW'(sent_q)};
  assign frees_o = free_i && (held_q != '0);
  assign got_o = got_q;
  assign returned_o = returned_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      sent_q <= '0;
      got_q <= '0;
      freed_q <= '0;
      returned_q <= '0;
      out_q <= '0;
      held_q <= '0;
      fell_q <= 1'b0;
    end else begin
      sent_q <= sent_q + NumberW'(sends_o && !down_i);
      got_q <= got_q + NumberW'(comes_i);
      freed_q <= freed_q + NumberW'(frees_o);
      returned_q <= returned_q + NumberW'(credit_i && !fell_q);
      out_q <= out_q + NumberW'(sends_o) - NumberW'(credit_i);
      held_q <= held_q + NumberW'(comes_i) - NumberW'(frees_o);
      fell_q <= down_i;
    end
  end

  // ---- Inside the ends --------------------------------------------------------------------------
  logic [SeqW-1:0] s_base, s_next, s_end, s_ack, s_expected;
  logic [SeqW-1:0] r_base, r_next, r_end, r_ack, r_expected;
  logic [CountW-1:0] s_taken, s_given, s_seen, s_delivered, s_count, s_heard_count;
  logic [CountW-1:0] r_taken, r_given, r_seen, r_delivered, r_count, r_heard_count;
  logic [WordW-1:0] s_word, r_word;
  logic s_ready, s_good, s_init, s_heard_news, s_heard_echo, s_peer_news, s_news, s_echo, s_changed;
  logic r_ready, r_good, r_init, r_heard_news, r_heard_echo, r_peer_news, r_news, r_echo, r_changed;
  assign {s_base, s_next, s_end, s_ack, s_expected, s_taken, s_given, s_seen, s_delivered, s_count,
          s_heard_count, s_word, s_ready, s_good, s_init, s_heard_news, s_heard_echo, s_peer_news,
          s_news, s_echo, s_changed} = sender_i;
  assign {r_base, r_next, r_end, r_ack, r_expected, r_taken, r_given, r_seen, r_delivered, r_count,
          r_heard_count, r_word, r_ready, r_good, r_init, r_heard_news, r_heard_echo, r_peer_news,
          r_news, r_echo, r_changed} = receiver_i;

  // Numbers of the oldest flit kept and of the next, with the bit that sequence numbers lack.
  logic [SeqW-1:0] kept, unsent;
  logic [NumberW-1:0] base, next, expected, unaccepted;
  assign kept = s_end - s_base;
  assign unsent = s_end - s_next;
  assign base = sent_q - NumberW'(kept);
  assign next = sent_q - NumberW'(unsent);
  assign expected = got_q + NumberW'(comes_i);
  assign unaccepted = sent_q - expected;

  // ---- Frames on the way ------------------------------------------------------------------------
  logic [Ways-1:0] t_init, t_flit, t_echo, b_init, b_news;
  logic [Ways-1:0][SeqW-1:0] t_seq, b_ack;
  logic [Ways-1:0][CountW-1:0] b_count;
  logic [Ways-1:0][WordW-1:0] t_word;
  logic [Ways-1:0][NumberW-1:0] t_behind;  // 1 for the last flit that has gone in
  for (genvar w = 0; w < Ways; w++) begin : gen_way
    logic [BodyW-1:0] t, b;
    assign t = there_body_i[w];
    assign b = back_body_i[w];
    assign t_init[w] = t[BodyW-1];
    assign t_flit[w] = there_i[w] && t[BodyW-3];
    assign t_echo[w] = t[BodyW-5];
    assign t_seq[w] = t[BodyW-7-:SeqW];
    assign t_word[w] = t[WordW-1:0];
    assign t_behind[w] = sent_q - t_word[w][NumberW-1:0];
    assign b_init[w] = b[BodyW-1];
    assign b_news[w] = b[BodyW-4];
    assign b_ack[w] = b[BodyW-7-SeqW-:SeqW];
    assign b_count[w] = b[WordW+:CountW];
  end

  // A flit on the way is whole and has gone in; it is at most Depth before the one expected, and
  // less than Depth before one that was sent earlier.
  logic [Ways-1:0] changed, strange, rewound;
  always_comb begin
    for (int unsigned w = 0; w < Ways; w++) begin
      changed[w] = t_flit[w] && (t_init[w] || t_seq[w] != t_word[w][SeqW-1:0] ||
                                 t_word[w] != {1'b0, Kind, FlitW'(t_word[w][NumberW-1:0])});
      strange[w] = t_flit[w] && (t_behind[w] == '0 ||
                                 t_behind[w] > unaccepted + NumberW'(Depth));
      rewound[w] = 1'b0;
      for (int unsigned v = 0; v < w; v++) begin
        if (t_flit[v] && t_flit[w] && t_behind[w] >= t_behind[v] + NumberW'(Depth)) begin
          rewound[w] = 1'b1;
        end
      end
    end
  end

  // From what the sender has heard over what is on the way back to what the receiver says, each is
  // as far as the one before it, or further.
  logic acks_ordered, counts_ordered;
  logic [SeqW-1:0] acked;
  logic [CountW-1:0] counted;
  always_comb begin
    acks_ordered = 1'b1;
    acked = s_good ? s_ack - s_base : '0;
    for (int unsigned w = 0; w < Ways; w++) begin
      if (back_i[w]) begin
        if (SeqW'(b_ack[w] - s_base) < acked) acks_ordered = 1'b0;
        acked = b_ack[w] - s_base;
      end
    end
    if (NumberW'(acked) > expected - base || expected - base > NumberW'(kept)) begin
      acks_ordered = 1'b0;
    end

    counts_ordered = 1'b1;
    counted = s_seen - s_given;
    if (s_good && !s_init) begin
      if (CountW'(s_heard_count - s_given) < counted) counts_ordered = 1'b0;
      counted = s_heard_count - s_given;
    end
    for (int unsigned w = 0; w < Ways; w++) begin
      if (back_i[w] && !b_init[w]) begin
        if (CountW'(b_count[w] - s_given) < counted) counts_ordered = 1'b0;
        counted = b_count[w] - s_given;
      end
    end
    if (CountW'(r_count - s_given) < counted) counts_ordered = 1'b0;
  end

  // The news of the receiver circulate: from its `echo` over the sender to its `news` they flip
  // once at most, and where they are as they are now, so is the count.
  logic [2*Ways+3:0] passed, says, counts;
  logic flipped, said, news_ordered, seen_all;
  always_comb begin
    passed[0] = 1'b1;
    says[0] = r_echo;
    counts[0] = 1'b1;
    passed[1] = r_good && !r_init && up_i;
    says[1] = r_heard_echo;
    counts[1] = 1'b1;
    for (int unsigned w = 0; w < Ways; w++) begin
      passed[2 + w] = there_i[w] && !t_init[w];
      says[2 + w] = t_echo[w];
      counts[2 + w] = 1'b1;
      passed[4 + Ways + w] = back_i[w] && !b_init[w];
      says[4 + Ways + w] = b_news[w];
      counts[4 + Ways + w] = b_count[w] == r_count;
    end
    passed[2 + Ways] = 1'b1;
    says[2 + Ways] = s_peer_news;
    counts[2 + Ways] = s_seen == r_count;
    passed[3 + Ways] = s_good && !s_init;
    says[3 + Ways] = s_heard_news;
    counts[3 + Ways] = s_heard_count == r_count;

    news_ordered = 1'b1;
    seen_all = 1'b1;
    flipped = 1'b0;
    said = r_echo;
    for (int unsigned p = 0; p < 2 * Ways + 4; p++) begin
      if (passed[p]) begin
        if (says[p] != said && flipped) news_ordered = 1'b0;
        if (says[p] != said) flipped = 1'b1;
        if (says[p] == r_news && !counts[p]) seen_all = 1'b0;
        said = says[p];
      end
    end
    if (r_news != said && flipped) news_ordered = 1'b0;
  end

  // ---- What is promised -------------------------------------------------------------------------
  `MUSTER_ASSERT(InOrder_A, !comes_i || word_i == {1'b0, Kind, FlitW'(got_q)})
  `MUSTER_ASSERT(NoneInvented_A, !comes_i || got_q != sent_q)
  `MUSTER_ASSERT(NoMoreThanDepth_A, held_q + NumberW'(comes_i) <= NumberW'(Depth))
  // An end that is down gives its block the credits of all that it has taken.
  `MUSTER_ASSERT(NoCreditGained_A, !credit_i || (out_q != '0 && (fell_q || returned_q != freed_q)))
  // What has not come is kept; a credit that is not back is counted by the receiver and, until the
  // sender has heard it, the receiver waits for a turn or for the echo.
  `MUSTER_ASSERT(FlitsKept_A, down_i || unaccepted <= NumberW'(kept))
  `MUSTER_ASSERT(CreditsCounted_A, down_i || (r_count == freed_q[CountW-1:0] &&
                                              s_given == CountW'(returned_q + NumberW'(credit_i))))
  `MUSTER_ASSERT(CreditsSaid_A, down_i || r_changed || r_news != r_echo || s_seen == r_count)

  // ---- Where the numbers are --------------------------------------------------------------------
  `MUSTER_ASSERT(NumbersOfTheSender_A, down_i ||
                 (s_end == sent_q[SeqW-1:0] && kept <= SeqW'(Depth) && unsent <= kept &&
                  s_taken == sent_q[CountW-1:0] && out_q == sent_q - returned_q))
  `MUSTER_ASSERT(NumbersOfTheReceiver_A, r_expected == expected[SeqW-1:0] &&
                                         r_delivered == expected[CountW-1:0] &&
                                         held_q == got_q - freed_q &&
                                         unaccepted <= NumberW'(Depth))
  `MUSTER_ASSERT(ReadIsNext_A, down_i || !s_ready ||
                               (s_word == {1'b0, Kind, FlitW'(next)} && unsent != '0))
  `MUSTER_ASSERT(FlitsOnTheWay_A, (changed | strange | rewound) == '0)
  `MUSTER_ASSERT(AcksOnTheWay_A, down_i || acks_ordered)
  `MUSTER_ASSERT(CountsOnTheWay_A, down_i || counts_ordered)
  `MUSTER_ASSERT(NewsGoRound_A, down_i || news_ordered)
  `MUSTER_ASSERT(NewsAreSaid_A, down_i || r_changed || seen_all)

endmodule

`default_nettype wire
