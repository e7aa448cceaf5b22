// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "muster_assert.svh"

// Two link ends over wires that lose, double and corrupt frames at will (lossy_wire): what goes in
// at one comes out at the other once and in order, and so do credits, while the link is up
// (docs/systems/retry-link.md).
//
// The CRC that comes is that of the frame with an error that may be 0: that an end sends the right
// one is for lockstep, that errors change it for the polynomial. The block at the near end sends
// when it has a credit, that at the far end gives credits when it likes. Flits carry their number.
// Both ends come out of reset apart: the far one when starts_i says so. It is one session: none is
// restarted.
//
//   - a flit that comes out is the next, whole, and one that went in; no queue holds more than
//     Depth
//   - no credit is gained; one that is not back is in a count that every frame of the far end
//     says, and while the near end has not heard it the far end knows so
//   - where all numbers on the way are: what makes the proof end. They are read inside the ends:
//     Yosys joins a wire of the name of one inside a cell to it (hierconn). A name that is not
//     there would be any value, and the fact would fail.
//
// Numbers are counted with a bit more than sequence numbers have, so a flit that is taken for that
// of one turn later is found.
module link_end_proof #(
  parameter int unsigned Depth = 1,
  /// frames on the way at once, each direction
  parameter int unsigned Places = 1,
  /// frames may pass each other: too weak
  parameter int unsigned Passing = 0
) (
  input  wire logic               clk_i,
  input  wire logic               starts_i,
  input  wire logic               send_i,
  input  wire logic               free_i,
  input  wire logic               there_i,
  input  wire logic               back_i,
  input  wire logic [Places-1:0]  there_moves_i,
  input  wire logic [Places-1:0]  back_moves_i,
  input  wire logic               there_first_i,
  input  wire logic               back_first_i,
  input  wire logic [15:0]        there_error_i,
  input  wire logic [15:0]        back_error_i
);
  localparam int unsigned Slots = 4;
  localparam int unsigned FlitW = 16;
  localparam int unsigned SeqW = $clog2(Slots) + 1;
  localparam int unsigned CountW = $clog2(Depth + 1);
  localparam int unsigned BodyW = 6 + 2 * SeqW + CountW + 1 + 3 + FlitW;
  localparam int unsigned NumberW = SeqW + 1;
  localparam logic [2:0] Kind = 3'b011;
  localparam logic [1:0] Up = 2'd2;

  logic rst_ni = 1'b0;
  logic far_rst_n = 1'b0;
  always_ff @(posedge clk_i) begin
    rst_ni <= 1'b1;
    far_rst_n <= far_rst_n || (rst_ni && starts_i);
  end

  // ---- Blocks: how many flits and credits have gone in, come out ------------------------------
  // Flits that go into an end that is down are thrown away; of the credits it gives one for each.
  logic [NumberW-1:0] sent_q, got_q, freed_q, returned_q, out_q, held_q;
  logic sends, frees, credit, comes, near_irq, far_irq, near_fell_q, near_up, far_up;
  logic [FlitW-1:0] payload;
  assign sends = rst_ni && send_i && (out_q < NumberW'(Depth));
  assign frees = far_rst_n && free_i && (held_q != '0);
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      sent_q <= '0;
      got_q <= '0;
      freed_q <= '0;
      returned_q <= '0;
      out_q <= '0;
      held_q <= '0;
      near_fell_q <= 1'b0;
    end else begin
      sent_q <= sent_q + NumberW'(sends && !near_irq);
      got_q <= got_q + NumberW'(comes);
      freed_q <= freed_q + NumberW'(frees);
      returned_q <= returned_q + NumberW'(credit && !near_fell_q);
      out_q <= out_q + NumberW'(sends) - NumberW'(credit);
      held_q <= held_q + NumberW'(comes) - NumberW'(frees);
      near_fell_q <= near_irq;
    end
  end

  // ---- Wires ------------------------------------------------------------------------------------
  logic near_valid, far_valid, there, back, near_quiet, far_quiet;
  logic [BodyW+15:0] near_frame, far_frame;
  logic [BodyW-1:0] there_body, back_body;
  logic [15:0] there_crc, back_crc;
  logic [Places-1:0] there_full, back_full;
  logic [Places-1:0][BodyW-1:0] there_bodies, back_bodies;
  link_crc #(.Width(BodyW)) crc_there (.word_i(there_body), .crc_o(there_crc));
  link_crc #(.Width(BodyW)) crc_back (.word_i(back_body), .crc_o(back_crc));
  lossy_wire #(
    .Width(BodyW),
    .Places(Places),
    .Passing(Passing)
  ) wire_there (
    .clk_i,
    .rst_ni,
    .put_i(near_valid),
    .frame_i(near_frame[BodyW+15:16]),
    .moves_i(there_moves_i),
    .comes_i(there_i),
    .first_i(there_first_i),
    .comes_o(there),
    .frame_o(there_body),
    .full_o(there_full),
    .frames_o(there_bodies)
  );
  lossy_wire #(
    .Width(BodyW),
    .Places(Places),
    .Passing(Passing)
  ) wire_back (
    .clk_i,
    .rst_ni,
    .put_i(far_valid),
    .frame_i(far_frame[BodyW+15:16]),
    .moves_i(back_moves_i),
    .comes_i(back_i),
    .first_i(back_first_i),
    .comes_o(back),
    .frame_o(back_body),
    .full_o(back_full),
    .frames_o(back_bodies)
  );

  // ---- Ends -------------------------------------------------------------------------------------
  logic far_credit, near_tx, near_vc, far_vc;
  logic [2:0] near_kind, far_kind;
  logic [FlitW-1:0] near_payload;
  logic [31:0] near_word, far_word;
  link_end #(
    .Vcs(1),
    .Depth(Depth),
    .FlitW(FlitW),
    .Slots(Slots),
    .Timeout(4 * Places),
    .Retries(1)
  ) near (
    .clk_i,
    .rst_ni,
    .rx_valid_i(sends),
    .rx_vc_i(1'b0),
    .rx_kind_i(Kind),
    .rx_payload_i(FlitW'(sent_q)),
    .rx_credit_o(credit),
    .tx_valid_o(near_tx),
    .tx_vc_o(near_vc),
    .tx_kind_o(near_kind),
    .tx_payload_o(near_payload),
    .tx_credit_i(1'b0),
    .frame_valid_i(back),
    .frame_i({back_body, back_crc ^ back_error_i}),
    .frame_valid_o(near_valid),
    .frame_o(near_frame),
    .reg_valid_i(1'b1),
    .reg_write_i(1'b0),
    .reg_addr_i(12'h001),
    .reg_wdata_i(32'd0),
    .reg_rdata_o(near_word),
    .irq_o(near_irq),
    .quiescent_o(near_quiet)
  );
  link_end #(
    .Vcs(1),
    .Depth(Depth),
    .FlitW(FlitW),
    .Slots(Slots),
    .Timeout(4 * Places),
    .Retries(1)
  ) far (
    .clk_i,
    .rst_ni(far_rst_n),
    .rx_valid_i(1'b0),
    .rx_vc_i(1'b0),
    .rx_kind_i(3'd0),
    .rx_payload_i('0),
    .rx_credit_o(far_credit),
    .tx_valid_o(comes),
    .tx_vc_o(far_vc),
    .tx_kind_o(far_kind),
    .tx_payload_o(payload),
    .tx_credit_i(frees),
    .frame_valid_i(there),
    .frame_i({there_body, there_crc ^ there_error_i}),
    .frame_valid_o(far_valid),
    .frame_o(far_frame),
    .reg_valid_i(1'b1),
    .reg_write_i(1'b0),
    .reg_addr_i(12'h001),
    .reg_wdata_i(32'd0),
    .reg_rdata_o(far_word),
    .irq_o(far_irq),
    .quiescent_o(far_quiet)
  );
  assign near_up = near_word[1:0] == Up;
  assign far_up = far_word[1:0] == Up;

  // ---- Inside the ends --------------------------------------------------------------------------
  (* hierconn *) logic [SeqW-1:0] \near.replay.base_q ;
  (* hierconn *) logic [SeqW-1:0] \near.replay.next_q ;
  (* hierconn *) logic [SeqW-1:0] \near.replay.end_q ;
  (* hierconn *) logic \near.replay.ready_q ;
  (* hierconn *) logic [FlitW+3:0] \near.replay.word_q ;
  (* hierconn *) logic [CountW-1:0] \near.credits.taken_q ;
  (* hierconn *) logic [CountW-1:0] \near.credits.given_q ;
  (* hierconn *) logic [CountW-1:0] \near.credits.seen_q ;
  (* hierconn *) logic \near.good_q ;
  (* hierconn *) logic \near.init_q ;
  (* hierconn *) logic \near.frame_news_q ;
  (* hierconn *) logic [SeqW-1:0] \near.ack_q ;
  (* hierconn *) logic [CountW-1:0] \near.count_q ;
  (* hierconn *) logic \near.peer_news_q ;
  (* hierconn *) logic [SeqW-1:0] \far.expected_q ;
  (* hierconn *) logic [CountW-1:0] \far.credits.count_q ;
  (* hierconn *) logic [CountW-1:0] \far.credits.delivered_q ;
  (* hierconn *) logic \far.good_q ;
  (* hierconn *) logic \far.init_q ;
  (* hierconn *) logic \far.frame_echo_q ;
  (* hierconn *) logic \far.news_q ;
  (* hierconn *) logic \far.echo_q ;
  (* hierconn *) logic \far.changed_q ;
  logic [SeqW-1:0] near_base, near_next, near_end, near_ack, far_expected;
  logic near_ready, near_good, near_init, near_frame_news, near_peer_news, far_good, far_init, far_frame_echo, far_news, far_echo, far_changed;
  logic [FlitW+3:0] near_read;
  logic [CountW-1:0] near_taken, near_given, near_seen, near_count, far_count, far_delivered;
  assign near_base = \near.replay.base_q ;
  assign near_next = \near.replay.next_q ;
  assign near_end = \near.replay.end_q ;
  assign near_ready = \near.replay.ready_q ;
  assign near_read = \near.replay.word_q ;
  assign near_taken = \near.credits.taken_q ;
  assign near_given = \near.credits.given_q ;
  assign near_seen = \near.credits.seen_q ;
  assign near_good = \near.good_q ;
  assign near_init = \near.init_q ;
  assign near_frame_news = \near.frame_news_q ;
  assign near_ack = \near.ack_q ;
  assign near_count = \near.count_q ;
  assign near_peer_news = \near.peer_news_q ;
  assign far_expected = \far.expected_q ;
  assign far_count = \far.credits.count_q ;
  assign far_delivered = \far.credits.delivered_q ;
  assign far_good = \far.good_q ;
  assign far_init = \far.init_q ;
  assign far_frame_echo = \far.frame_echo_q ;
  assign far_news = \far.news_q ;
  assign far_echo = \far.echo_q ;
  assign far_changed = \far.changed_q ;

  // Numbers of the oldest flit kept and of the next, with the bit that sequence numbers lack.
  logic [SeqW-1:0] kept, unsent;
  logic [NumberW-1:0] base, next, expected, unaccepted;
  assign kept = near_end - near_base;
  assign unsent = near_end - near_next;
  assign base = sent_q - NumberW'(kept);
  assign next = sent_q - NumberW'(unsent);
  assign expected = got_q + NumberW'(comes);
  assign unaccepted = sent_q - expected;

  // Frames on the way, the oldest first; the last one is put on the wires in this cycle.
  localparam int unsigned Ways = Places + 1;
  logic [Ways-1:0] there_on, back_on, f_init, f_flit, f_echo, b_init, b_news;
  logic [Ways-1:0][SeqW-1:0] f_seq, b_ack, b_acked;
  logic [Ways-1:0][CountW-1:0] b_count, b_counted;
  logic [Ways-1:0][NumberW-1:0] f_number;
  logic [Ways-1:0][FlitW+3:0] f_word;
  for (genvar w = 0; w < Ways; w++) begin : gen_way
    logic [BodyW-1:0] f, b;
    if (w < Places) begin : gen_place
      assign there_on[w] = there_full[Places-1-w];
      assign back_on[w] = back_full[Places-1-w];
      assign f = there_bodies[Places-1-w];
      assign b = back_bodies[Places-1-w];
    end else begin : gen_put
      assign there_on[w] = near_valid;
      assign back_on[w] = far_valid;
      assign f = near_frame[BodyW+15:16];
      assign b = far_frame[BodyW+15:16];
    end
    assign f_init[w] = f[BodyW-1];
    assign f_flit[w] = f[BodyW-3];
    assign f_echo[w] = f[BodyW-5];
    assign f_seq[w] = f[BodyW-7-:SeqW];
    assign f_word[w] = f[FlitW+3:0];
    assign f_number[w] = f_word[w][NumberW-1:0];
    assign b_init[w] = b[BodyW-1];
    assign b_news[w] = b[BodyW-4];
    assign b_ack[w] = b[BodyW-7-SeqW-:SeqW];
    assign b_count[w] = b[FlitW+4+:CountW];
    assign b_acked[w] = b_ack[w] - near_base;
    assign b_counted[w] = b_count[w] - near_given;
  end

  // Of a flit on the way: it is one that went in; at most Depth before the one expected; at most
  // Depth - 1 before one that was sent earlier.
  logic [Ways-1:0] strange, odd, rewound;
  always_comb begin
    for (int unsigned w = 0; w < Ways; w++) begin
      strange[w] = there_on[w] && f_flit[w] &&
                   ((sent_q - f_number[w] - NumberW'(1'b1)) >= unaccepted + NumberW'(Depth));
      odd[w] = there_on[w] && f_flit[w] &&
               (f_seq[w] != f_number[w][SeqW-1:0] || f_init[w] ||
                f_word[w] != {1'b0, Kind, FlitW'(f_number[w])});
      rewound[w] = 1'b0;
      for (int unsigned v = 0; v < w; v++) begin
        if (there_on[v] && f_flit[v] && there_on[w] && f_flit[w] &&
            (sent_q - f_number[w]) >= (sent_q - f_number[v]) + NumberW'(Depth)) begin
          rewound[w] = 1'b1;
        end
      end
    end
  end

  // What the near end has heard, what is on the way back, what the far end says: each is as far as
  // the one before it, or further.
  logic acks_ordered, counts_ordered, news_ordered, seen_all;
  logic [SeqW-1:0] acked;
  logic [CountW-1:0] counted;
  logic [1:0] flips;
  logic said;
  always_comb begin
    acks_ordered = 1'b1;
    acked = '0;
    if (near_good) acked = near_ack - near_base;
    for (int unsigned w = 0; w < Ways; w++) begin
      if (back_on[w]) begin
        if (b_acked[w] < acked) acks_ordered = 1'b0;
        acked = b_acked[w];
      end
    end
    if (NumberW'(acked) > expected - base || expected - base > NumberW'(kept)) begin
      acks_ordered = 1'b0;
    end

    counts_ordered = 1'b1;
    counted = near_seen - near_given;
    if (near_good && !near_init) begin
      if (CountW'(near_count - near_given) < counted) counts_ordered = 1'b0;
      counted = near_count - near_given;
    end
    for (int unsigned w = 0; w < Ways; w++) begin
      if (back_on[w] && !b_init[w]) begin
        if (b_counted[w] < counted) counts_ordered = 1'b0;
        counted = b_counted[w];
      end
    end
    if (CountW'(far_count - near_given) < counted) counts_ordered = 1'b0;

    // The news go round once: from echo to news there is one flip at most.
    flips = 2'd0;
    seen_all = 1'b1;
    said = far_echo;
    if (far_good && !far_init && far_up && far_frame_echo != said) begin
      flips = 2'd1;
      said = !said;
    end
    for (int unsigned w = 0; w < Ways; w++) begin
      if (there_on[w] && !f_init[w] && f_echo[w] != said) begin
        if (flips != 2'd2) flips = flips + 2'd1;
        said = !said;
      end
    end
    if (near_peer_news != said) begin
      if (flips != 2'd2) flips = flips + 2'd1;
      said = !said;
    end
    if (said == far_news && near_seen != far_count) seen_all = 1'b0;
    if (near_good && !near_init) begin
      if (near_frame_news != said) begin
        if (flips != 2'd2) flips = flips + 2'd1;
        said = !said;
      end
      if (said == far_news && near_count != far_count) seen_all = 1'b0;
    end
    for (int unsigned w = 0; w < Ways; w++) begin
      if (back_on[w] && !b_init[w]) begin
        if (b_news[w] != said) begin
          if (flips != 2'd2) flips = flips + 2'd1;
          said = !said;
        end
        if (said == far_news && b_count[w] != far_count) seen_all = 1'b0;
      end
    end
    if (far_news != said && flips != 2'd2) flips = flips + 2'd1;
    news_ordered = flips != 2'd2;
  end

  // ---- What is promised -------------------------------------------------------------------------
  // Of an end that is down what it hands to its block is no longer of the other.
  `MUSTER_ASSERT(InOrder_A, !comes || payload == FlitW'(got_q))
  `MUSTER_ASSERT(NoneInvented_A, !comes || got_q != sent_q)
  `MUSTER_ASSERT(WholeFlits_A, !comes || (far_kind == Kind && !far_vc))
  `MUSTER_ASSERT(NoMoreThanDepth_A, held_q <= NumberW'(Depth) && unaccepted <= NumberW'(Depth))
  `MUSTER_ASSERT(NoCreditGained_A, !credit || near_fell_q || returned_q != freed_q)
  `MUSTER_ASSERT(NoCreditTooMany_A, !credit || out_q != '0)
  `MUSTER_ASSERT(NothingBack_A, !near_tx && !far_credit)
  // A flit that has not come is kept, one that is kept and cannot be sent again has come; a credit
  // that has not come is counted, and the far end says so or waits for the echo.
  `MUSTER_ASSERT(FlitsKept_A, near_irq || unaccepted <= NumberW'(kept))
  `MUSTER_ASSERT(CreditsCounted_A, near_irq ||
                 (far_count == freed_q[CountW-1:0] &&
                  near_given == CountW'(returned_q + NumberW'(credit))))
  `MUSTER_ASSERT(CreditsSaid_A, near_irq || far_changed || far_news != far_echo ||
                                near_seen == far_count)

  // ---- Where the numbers are --------------------------------------------------------------------
  `MUSTER_ASSERT(KeptToTheLast_A, near_irq || (near_end == sent_q[SeqW-1:0] &&
                                               kept <= SeqW'(Depth) && unsent <= kept))
  `MUSTER_ASSERT(ReadIsNext_A, near_irq || !near_ready ||
                 (near_read == {1'b0, Kind, FlitW'(next)} && unsent != '0))
  `MUSTER_ASSERT(Expects_A, far_expected == expected[SeqW-1:0] &&
                            far_delivered == expected[CountW-1:0])
  `MUSTER_ASSERT(FlitsOnTheWay_A, (strange | odd | rewound) == '0)
  `MUSTER_ASSERT(AcksOnTheWay_A, near_irq || acks_ordered)
  `MUSTER_ASSERT(CountsOnTheWay_A, near_irq || counts_ordered)
  `MUSTER_ASSERT(Taken_A, near_irq || near_taken == sent_q[CountW-1:0])
  `MUSTER_ASSERT(Owed_A, near_irq || out_q == sent_q - returned_q)
  `MUSTER_ASSERT(Held_A, held_q == got_q - freed_q)
  `MUSTER_ASSERT(NewsGoRound_A, near_irq || news_ordered)
  `MUSTER_ASSERT(NewsAreSaid_A, near_irq || far_changed || seen_all)

  // ---- Reached ----------------------------------------------------------------------------------
  `MUSTER_COVER(Delivers_C, got_q == NumberW'(3) && near_up && far_up)
  `MUSTER_COVER(CreditsComeBack_C, returned_q == NumberW'(2) && near_up && far_up)
  `MUSTER_COVER(SendsAgain_C, near_word[15:8] != '0 && got_q == NumberW'(1) && far_up)
  `MUSTER_COVER(GoesDown_C, near_irq && far_irq && near_word[1:0] == far_word[1:0] &&
                            near_quiet && far_quiet)

endmodule

`default_nettype wire
