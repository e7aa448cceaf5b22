// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "muster_assert.svh"

// The rules of a node of a network in our own words, at the streams and the link of an endpoint.
// What users of the streams and the switch owe is assumed, what the endpoint owes is asserted:
//   1. what a stream offers stays until it is taken
//   2. a flit is sent only with a credit, a barrier message only with that of a pocket, if there is
//      one; a credit is given back once, in the cycle after the beat or message was taken; all are
//      back when packets have come whole and none of their beats waits
//   3. packets are whole: a head first, flits of one channel up to the tail, which alone may have
//      the head bit too: it is the cut mark. From the switch flits without a head, and marks, come
//      at any time, but no head inside a packet. A flit of the switch is a beat only if it is no
//      head and its packet is open; the tail is the last, and opcode 31 tells whether it is a mark
//   4. a packet with an illegal first beat, and the rest of one whose sender stopped, is taken, a
//      beat in each cycle; no other head is sent than that of a legal packet; a packet ends with a
//      mark exactly if its sender was silent for Timeout cycles in a row, and then in time; this
//      mark is the word 0xf800
module endpoint_rules #(
  parameter int unsigned Vcs = 1,
  parameter int unsigned Depth = 2,
  parameter int unsigned FlitW = 16,
  parameter int unsigned Pocket = 0,
  parameter int unsigned Dests = 16,
  parameter int unsigned Timeout = 2,
  localparam int unsigned VcW = (Vcs > 1) ? $clog2(Vcs) : 1,
  localparam int unsigned KindW = muster_pkg::KindW,
  localparam int unsigned BackW = Vcs + Pocket,
  localparam int unsigned BeatW = 1 + VcW + 16 + muster_pkg::OpcodeW + FlitW
) (
  input  wire logic              clk_i,
  input  wire logic              rst_ni,

  /// streams; a beat is {last, id, destination, opcode, data}
  input  wire logic              s_valid_i,
  input  wire logic              s_ready_i,
  input  wire logic [BeatW-1:0]  s_beat_i,
  input  wire logic              m_valid_i,
  input  wire logic              m_ready_i,
  input  wire logic [BeatW-1:0]  m_beat_i,

  /// link
  input  wire logic              tx_valid_i,
  input  wire logic [VcW-1:0]    tx_vc_i,
  input  wire logic [KindW-1:0]  tx_kind_i,
  input  wire logic [FlitW-1:0]  tx_payload_i,
  input  wire logic [BackW-1:0]  tx_credit_i,
  input  wire logic              rx_valid_i,
  input  wire logic [VcW-1:0]    rx_vc_i,
  input  wire logic [KindW-1:0]  rx_kind_i,
  input  wire logic [FlitW-1:0]  rx_payload_i,
  input  wire logic [BackW-1:0]  rx_credit_i,
  /// any value: watch the flit that comes
  input  wire logic              watch_i,

  /// a beat waited in the cycle before; a packet has begun on the wires
  output logic                   s_held_o,
  output logic                   m_held_o,
  output logic                   open_o,
  /// there is a credit for a barrier message
  output logic                   room_o
);
  // A queue empties in as many cycles as it has flits, a credit takes one more.
  localparam int unsigned Patience = Vcs * Depth + 2;
  localparam int unsigned IdleW = $clog2(Patience + 1);
  localparam int unsigned CountW = $clog2(Depth + 1) + 1;

  // ---- 1 ------------------------------------------------------------------------------------
  logic [BeatW-1:0] s_q, m_q;
  logic [VcW-1:0] s_id, m_id;
  assign s_id = s_beat_i[BeatW-2-:VcW];
  assign m_id = m_beat_i[BeatW-2-:VcW];
  always_ff @(posedge clk_i) begin
    if (!rst_ni) {s_held_o, m_held_o} <= '0;
    else {s_held_o, m_held_o} <= {s_valid_i && !s_ready_i, m_valid_i && !m_ready_i};
    s_q <= s_beat_i;
    m_q <= m_beat_i;
  end
  `MUSTER_ASSUME(SendStays_M, !s_held_o || (s_valid_i && s_beat_i == s_q))
  `MUSTER_ASSUME(ChannelsExist_M, 32'(rx_vc_i) < Vcs)
  `MUSTER_ASSERT(ReceivedStays_A, !m_held_o || (m_valid_i && m_beat_i == m_q))

  // ---- 2 ------------------------------------------------------------------------------------
  logic tx_data, rx_data, tx_sync, rx_sync, m_taken, rx_mark, rx_head;
  logic [Vcs-1:0] tx_bad, rx_bad, tx_gains, rx_gains, rx_short, beat_owes_q, rx_open_q, rx_open_bad;
  logic [Vcs-1:0] tx_room;
  logic [Vcs-1:0][CountW-1:0] rx_inside;  // flits whose credit is not back
  assign tx_data = tx_valid_i && !tx_kind_i[muster_pkg::KindSync];
  assign rx_data = rx_valid_i && !rx_kind_i[muster_pkg::KindSync];
  assign tx_sync = tx_valid_i && tx_kind_i[muster_pkg::KindSync];
  assign rx_sync = rx_valid_i && rx_kind_i[muster_pkg::KindSync];
  assign m_taken = m_valid_i && m_ready_i;
  assign rx_mark = rx_kind_i == 3'b011 && rx_payload_i[15:11] == 5'd31;
  assign rx_head = rx_kind_i[muster_pkg::KindHead] && !rx_mark;
  for (genvar v = 0; v < Vcs; v++) begin : gen_vc
    logic [CountW-1:0] tx_credits_q, rx_credits_q;
    logic tx, rx, open_q, owes_q;
    assign tx = tx_data && 32'(tx_vc_i) == v;
    assign rx = rx_data && 32'(rx_vc_i) == v;
    always_ff @(posedge clk_i) begin
      if (!rst_ni) begin
        tx_credits_q <= CountW'(Depth);
        rx_credits_q <= CountW'(Depth);
        {open_q, owes_q} <= '0;
      end else begin
        tx_credits_q <= tx_credits_q - CountW'(tx) + CountW'(tx_credit_i[v]);
        rx_credits_q <= rx_credits_q - CountW'(rx) + CountW'(rx_credit_i[v]);
        owes_q <= m_taken && 32'(m_id) == v;
        if (rx) open_q <= (open_q || rx_head) && !rx_kind_i[muster_pkg::KindTail];
      end
    end
    assign tx_bad[v] = tx && tx_credits_q == '0;
    assign tx_room[v] = tx_credits_q != '0;
    assign tx_gains[v] = tx_credit_i[v] && 32'(tx_credits_q) == Depth;
    assign rx_bad[v] = rx && rx_credits_q == '0;
    assign rx_gains[v] = rx_credit_i[v] && 32'(rx_credits_q) == Depth;
    assign rx_short[v] = 32'(rx_credits_q) != Depth;
    assign rx_open_bad[v] = rx && rx_head && open_q;
    assign rx_inside[v] = 32'(rx_credits_q) < Depth ? CountW'(Depth) - rx_credits_q : '0;
    assign rx_open_q[v] = open_q;
    assign beat_owes_q[v] = owes_q;
  end

  logic [IdleW-1:0] idle_q;  // cycles in which nothing came and no beat waited
  always_ff @(posedge clk_i) begin
    if (!rst_ni || rx_data || m_valid_i || rx_open_q != '0) idle_q <= '0;
    else if (32'(idle_q) < Patience) idle_q <= idle_q + 1'b1;
  end

  `MUSTER_ASSUME(SwitchKeepsCredits_M, rx_bad == '0 && tx_gains == '0)
  `MUSTER_ASSERT(SendsWithCredit_A, tx_bad == '0)
  `MUSTER_ASSERT(CreditsOnce_A, rx_gains == '0)
  `MUSTER_ASSERT(BeatsGiveCredit_A, (beat_owes_q & ~rx_credit_i[Vcs-1:0]) == '0)
  `MUSTER_ASSERT(AllCreditsComeBack_A, 32'(idle_q) < Patience || rx_short == '0)

  if (Pocket == 1) begin : gen_pocket
    logic tx_free_q, rx_free_q, owes_q;
    always_ff @(posedge clk_i) begin
      if (!rst_ni) {tx_free_q, rx_free_q, owes_q} <= 3'b110;
      else begin
        tx_free_q <= tx_credit_i[Vcs] || (tx_free_q && !tx_sync);
        rx_free_q <= rx_credit_i[Vcs] || (rx_free_q && !rx_sync);
        owes_q <= rx_sync;
      end
    end
    assign room_o = tx_free_q;
    `MUSTER_ASSUME(SwitchKeepsPocket_M,
                   !(rx_sync && !rx_free_q) && !(tx_credit_i[Vcs] && tx_free_q))
    `MUSTER_ASSERT(MessagesWithCredit_A, !tx_sync || tx_free_q)
    `MUSTER_ASSERT(MessagesGiveCredit_A, rx_credit_i[Vcs] == owes_q)
  end else begin : gen_no_pocket
    assign room_o = 1'b1;
  end

  // ---- 3 ------------------------------------------------------------------------------------
  logic [VcW-1:0] vc_q;
  logic ends;
  assign ends = tx_data && tx_kind_i == 3'b011;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) open_o <= 1'b0;
    else if (tx_data) open_o <= !tx_kind_i[muster_pkg::KindTail];
    if (tx_data) vc_q <= tx_vc_i;
  end
  `MUSTER_ASSUME(SwitchKeepsPackets_M, rx_open_bad == '0)
  `MUSTER_ASSERT(PacketsWhole_A, !tx_data || (open_o ? (tx_kind_i != 3'b010 && tx_vc_i == vc_q)
                                                     : tx_kind_i == 3'b010))
  `MUSTER_ASSERT(MarkIsTheWord_A, !ends || 32'(tx_payload_i) == 32'hf800)

  // A flit of the switch, any one: with its credit, when those before it have theirs, the beat that
  // was taken in the cycle before is its own, if there is one.
  logic watched_q, watches, its_turn, in_beat, its_open_q, its_tail_q, its_mark_q, own_31_q;
  logic [VcW-1:0] its_vc_q;
  logic [CountW-1:0] before_q;
  logic beat_q;
  logic [5:0] beat_end;  // last, opcode
  assign watches = watch_i && rx_data && !watched_q;
  assign its_turn = watched_q && before_q == '0 && rx_credit_i[its_vc_q];
  assign in_beat = beat_q && m_q[BeatW-2-:VcW] == its_vc_q;
  assign beat_end = {m_q[BeatW-1], m_q[FlitW+:muster_pkg::OpcodeW]};
  always_ff @(posedge clk_i) begin
    if (!rst_ni) {watched_q, beat_q, own_31_q} <= '0;
    else begin
      watched_q <= watches || (watched_q && !its_turn);
      beat_q <= m_taken;
      own_31_q <= own_31_q || (rx_data && rx_head && rx_payload_i[15:11] == 5'd31);
    end
    if (watches) begin
      its_vc_q <= rx_vc_i;
      before_q <= rx_inside[rx_vc_i] - CountW'(rx_credit_i[rx_vc_i]);
      its_open_q <= rx_open_q[rx_vc_i] && !rx_head;
      its_tail_q <= rx_kind_i[muster_pkg::KindTail];
      its_mark_q <= rx_mark;
    end else if (rx_credit_i[its_vc_q]) before_q <= before_q - 1'b1;
  end
  `MUSTER_ASSERT(BeatOfAPacket_A, !(its_turn && in_beat) || its_open_q)
  `MUSTER_ASSERT(BeatEnds_A, !(its_turn && in_beat) || beat_end[5] == its_tail_q)
  `MUSTER_ASSERT(MarkIs31_A, !(its_turn && in_beat && its_mark_q) || beat_end == 6'h3f)
  `MUSTER_ASSERT(OnlyMarkIs31_A, !(its_turn && in_beat && !its_mark_q && !own_31_q) ||
                                 beat_end[4:0] != 5'd31)

  `MUSTER_COVER(MarkIsABeat_C, its_turn && in_beat && its_mark_q && !own_31_q)
  `MUSTER_COVER(MarkAlone_C, its_turn && !its_open_q && its_mark_q)

  // ---- 4 ------------------------------------------------------------------------------------
  // A legal packet has begun with the first beat that waits; it is inside once a beat was taken.
  typedef enum logic [1:0] {Between, Inside, Silent, Skip} stream_e;
  localparam int unsigned SilentW = $clog2(Timeout + 1) + 1;
  localparam int unsigned Soon = 6;  // cycles with a credit until its tail is on the wires
  stream_e stream_q;
  logic [SilentW-1:0] silent_q;
  logic [2:0] late_q;
  logic illegal, s_taken, s_last, has_room;
  logic [15:0] s_dest;
  assign s_last = s_beat_i[BeatW-1];
  assign s_dest = s_beat_i[FlitW+muster_pkg::OpcodeW+:16];
  assign s_taken = s_valid_i && s_ready_i;
  assign illegal = 32'(s_dest) >= Dests || 32'(s_id) >= Vcs ||
                   32'(s_beat_i[FlitW+:muster_pkg::OpcodeW]) == 31;
  assign has_room = 32'(vc_q) < Vcs && tx_room[vc_q];
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      stream_q <= Between;
      silent_q <= '0;
      late_q <= '0;
    end else begin
      silent_q <= (stream_q == Inside && !s_valid_i) ? silent_q + 1'b1 : '0;
      late_q <= (stream_q == Silent && has_room) ? late_q + 1'b1 :
                (stream_q == Silent) ? late_q : '0;
      case (stream_q)
        Between: begin
          if (s_valid_i && illegal) stream_q <= Skip;
          else if (s_taken && !s_last) stream_q <= Inside;
        end
        Inside: begin
          if (s_taken && s_last) stream_q <= Between;
          if (!s_valid_i && 32'(silent_q) == Timeout - 1) stream_q <= Silent;
        end
        Silent: begin
          // Beats are discarded from two cycles before its tail is on the wires on.
          if (s_taken && s_last) stream_q <= Between;
          else if (ends) stream_q <= Skip;
        end
        default: if (s_taken && s_last) stream_q <= Between;
      endcase
    end
  end
  logic due_q;
  // Its sender was silent, and its tail is still to come.
  always_ff @(posedge clk_i) begin
    if (!rst_ni) due_q <= 1'b0;
    else due_q <= (due_q && !ends) ||
                  (stream_q == Inside && !s_valid_i && 32'(silent_q) == Timeout - 1);
  end
  `MUSTER_ASSERT(RestIsTaken_A, stream_q != Skip || s_ready_i)
  `MUSTER_ASSERT(EndsOnlyForTheSilent_A, !ends || due_q)
  `MUSTER_ASSERT(EndsWithAMark_A, !(tx_data && tx_kind_i[muster_pkg::KindTail] && due_q) || ends)
  `MUSTER_ASSERT(EndsInTime_A, 32'(late_q) <= Soon)
  `MUSTER_ASSERT(HeadsAreLegal_A, !(tx_data && !open_o) ||
                                  (32'(tx_payload_i[10:0]) < Dests && tx_payload_i[15:11] != '1))

endmodule

`default_nettype wire
