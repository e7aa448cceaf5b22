// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "muster_assert.svh"

// One end of a link whose wires may lose, double or corrupt frames; docs/systems/retry-link.md is
// its specification, cycle by cycle. It stands between a port of a block and the wires. What goes
// in at one end comes out at the other once and in order, and so do credits; or the link is down,
// which irq_o and a register say.
//
//   rx        --> link_replay  --+--> link_crc --> frame_o
//   rx_credit <-- link_credits <-+
//   tx        <-- link_delivery <--- link_crc <-- frame_i
//   link_session: handshake, timer, down
//
// A flit takes 2 cycles more than on the wires alone, a credit 3.
module link_end #(
  /// virtual channels, 1 to 4
  parameter int unsigned Vcs = 2,
  /// places in each queue of a block, 1 to 15
  parameter int unsigned Depth = 4,
  /// payload bits, 16 to 64
  parameter int unsigned FlitW = 16,
  /// barrier messages take a credit of their own: 0 to 1
  parameter int unsigned Pocket = 0,
  /// places of the replay buffer, 4 to 32, a power of two
  parameter int unsigned Slots = 16,
  /// cycles without progress before all is sent again, 4 to 255; at least 2 L + 5
  parameter int unsigned Timeout = 16,
  /// times in a row that this may bring nothing, 1 to 15
  parameter int unsigned Retries = 8,
  localparam int unsigned VcW = (Vcs > 1) ? $clog2(Vcs) : 1,
  localparam int unsigned Backs = Vcs + Pocket,
  localparam int unsigned SeqW = $clog2(Slots) + 1,
  localparam int unsigned CountW = $clog2(Depth + 1),
  localparam int unsigned WordW = VcW + muster_pkg::KindW + FlitW,
  localparam int unsigned BodyW = 6 + 2 * SeqW + Backs * CountW + WordW,
  localparam int unsigned FrameW = BodyW + 16
) (
  input  wire logic                          clk_i,
  input  wire logic                          rst_ni,

  /// flits from the block, credits to it
  input  wire logic                          rx_valid_i,
  input  wire logic [VcW-1:0]                rx_vc_i,
  input  wire logic [muster_pkg::KindW-1:0]  rx_kind_i,
  input  wire logic [FlitW-1:0]              rx_payload_i,
  output logic [Backs-1:0]                   rx_credit_o,
  /// flits to the block, credits from it
  output logic                               tx_valid_o,
  output logic [VcW-1:0]                     tx_vc_o,
  output logic [muster_pkg::KindW-1:0]       tx_kind_o,
  output logic [FlitW-1:0]                   tx_payload_o,
  input  wire logic [Backs-1:0]              tx_credit_i,

  /// the wires
  input  wire logic                          frame_valid_i,
  input  wire logic [FrameW-1:0]             frame_i,
  output logic                               frame_valid_o,
  output logic [FrameW-1:0]                  frame_o,

  /// register port: a write at the edge, a read answered in the same cycle
  input  wire logic                          reg_valid_i,
  input  wire logic                          reg_write_i,
  input  wire logic [11:0]                   reg_addr_i,
  /* verilator lint_off UNUSEDSIGNAL */
  input  wire logic [31:0]                   reg_wdata_i,  // bits 2..0 of the status
  /* verilator lint_on UNUSEDSIGNAL */
  output logic [31:0]                        reg_rdata_o,

  /// the link is down and no restart has been asked for
  output logic                               irq_o,
  /// nothing changes without an input
  output logic                               quiescent_o
);
  if (Vcs < 1 || Vcs > 4) begin : gen_bad_vcs
    $error("link_end: Vcs must be 1 to 4");
  end
  if (Pocket > 1) begin : gen_bad_pocket
    $error("link_end: Pocket must be 0 or 1");
  end
  if (FlitW < 16 || FlitW > 64) begin : gen_bad_flit
    $error("link_end: FlitW must be 16 to 64");
  end

  // ---- The frame that has come -----------------------------------------------------------------
  // Its flit goes on at once; what else it says is heard in the next cycle, since more follows from
  // it and the CRC is long enough.
  logic f_init, f_ask, f_flit, f_news, f_echo, f_nack, good, bad, init, other;
  logic good_q, init_q, ask_q, frame_news_q, frame_echo_q, nack_q;
  logic [SeqW-1:0] f_seq, f_ack, ack_q;
  logic [Backs-1:0][CountW-1:0] f_count, count_q;
  logic [WordW-1:0] f_word;
  logic [15:0] f_crc, right_crc;
  logic waiting, up, rises, down, clear;

  assign {f_init, f_ask, f_flit, f_news, f_echo, f_nack, f_seq, f_ack, f_count, f_word, f_crc} =
      frame_i;
  link_crc #(
    .Width(BodyW)
  ) check (
    .word_i(frame_i[FrameW-1:16]),
    .crc_o(right_crc)
  );
  assign good = frame_valid_i && !waiting && (f_crc == right_crc);
  assign bad = frame_valid_i && !waiting && (f_crc != right_crc);
  assign init = good_q && init_q;
  assign other = good_q && !init_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni || clear) good_q <= 1'b0;
    else good_q <= good;
  end
  always_ff @(posedge clk_i) begin
    if (frame_valid_i) begin
      init_q <= f_init;
      ask_q <= f_ask;
      frame_news_q <= f_news;
      frame_echo_q <= f_echo;
      nack_q <= f_nack;
      ack_q <= f_ack;
      count_q <= f_count;
    end
  end

  // ---- Session ---------------------------------------------------------------------------------
  logic [SeqW-1:0] expected_q, ahead;
  logic news_q, echo_q, changed_q, peer_news_q, owes_q;
  logic heeds, comes_flit, accept, gap, nack, missing_q, told_q, full, kept_none, confirms;
  logic waits, progress, again, drained;
  logic greets, greet_ask, greet_echo, restarts, write, kill, restart, clears;
  logic [1:0] state;
  logic [2:0] reason;

  assign heeds = other && up;
  assign comes_flit = good && !f_init && (up || rises) && f_flit;
  assign accept = comes_flit && (f_seq == expected_q);
  // One with a later number: those between have been lost. The other end is told once.
  assign ahead = f_seq - expected_q;
  assign gap = comes_flit && !accept && !ahead[SeqW-1] && !told_q;
  assign nack = heeds && nack_q;
  assign waits = !kept_none || (news_q != echo_q);
  assign progress = confirms || (heeds && (frame_echo_q == news_q) && (news_q != echo_q));

  link_session #(
    .Timeout(Timeout),
    .Retries(Retries)
  ) session (
    .clk_i,
    .rst_ni,
    .init_i(init),
    .other_i(other),
    .ask_i(ask_q),
    .echo_i(frame_echo_q),
    .waits_i(waits),
    .progress_i(progress),
    .nack_i(nack),
    .again_o(again),
    .overflow_i(rx_valid_i && full),
    .kill_i(kill),
    .restart_i(restart),
    .drained_i(drained),
    .clear_o(clear),
    .greets_o(greets),
    .ask_o(greet_ask),
    .echo_o(greet_echo),
    .waiting_o(waiting),
    .up_o(up),
    .rises_o(rises),
    .down_o(down),
    .restarts_o(restarts),
    .state_o(state),
    .reason_o(reason)
  );

  // ---- Flits of the block ----------------------------------------------------------------------
  logic sends_flit, kept_quiet;
  logic [WordW-1:0] word;
  logic [SeqW-1:0] seq;
  link_replay #(
    .Slots(Slots),
    .Width(WordW)
  ) replay (
    .clk_i,
    .rst_ni,
    .clear_i(clear || (down && !kept_quiet)),
    .push_i(rx_valid_i && !down),
    .flit_i({rx_vc_i, rx_kind_i, rx_payload_i}),
    .full_o(full),
    .allow_i(up && !greets),
    .send_o(sends_flit),
    .flit_o(word),
    .seq_o(seq),
    .ack_valid_i(heeds),
    .ack_i(ack_q),
    .confirms_o(confirms),
    .rewind_i((again || nack) && !kept_none),
    .empty_o(kept_none),
    .quiet_o(kept_quiet)
  );

  // ---- Flits for the block ---------------------------------------------------------------------
  logic [Vcs-1:0] tail;
  /* verilator lint_off UNUSEDSIGNAL */
  logic [Backs-1:0] room;  // of a pocket nobody asks: no tail goes there
  /* verilator lint_on UNUSEDSIGNAL */
  logic open;
  logic [VcW-1:0] f_vc;
  logic [muster_pkg::KindW-1:0] f_kind;
  logic [FlitW-1:0] f_payload;
  assign {f_vc, f_kind, f_payload} = f_word;
  link_delivery #(
    .Vcs(Vcs),
    .FlitW(FlitW)
  ) delivery (
    .clk_i,
    .rst_ni,
    .clear_i(clear),
    .down_i(down),
    .accept_i(accept),
    .vc_i(f_vc),
    .kind_i(f_kind),
    .payload_i(f_payload),
    .room_i(room[Vcs-1:0]),
    .tail_o(tail),
    .open_o(open),
    .tx_valid_o,
    .tx_vc_o,
    .tx_kind_o,
    .tx_payload_o
  );

  // ---- Credits ---------------------------------------------------------------------------------
  logic [Backs-1:0] take, deliver, rx_class, f_class;
  logic [Backs-1:0][CountW-1:0] count;
  logic paid, returned, consumed;
  always_comb begin
    for (int unsigned c = 0; c < Backs; c++) begin
      if (c < Vcs) begin
        rx_class[c] = !rx_kind_i[muster_pkg::KindSync] && (rx_vc_i == VcW'(c));
        f_class[c] = !f_kind[muster_pkg::KindSync] && (f_vc == VcW'(c));
      end else begin
        rx_class[c] = rx_kind_i[muster_pkg::KindSync];
        f_class[c] = f_kind[muster_pkg::KindSync];
      end
    end
  end
  assign take = rx_valid_i ? rx_class : '0;
  assign deliver = (accept ? f_class : '0) | Backs'(tail);
  link_credits #(
    .Backs(Backs),
    .Depth(Depth)
  ) credits (
    .clk_i,
    .rst_ni,
    .clear_i(clear),
    .down_i(down),
    .take_i(take),
    .deliver_i(deliver),
    .credit_i(tx_credit_i),
    .credit_o(rx_credit_o),
    .seen_valid_i(heeds),
    .seen_i(count_q),
    .count_o(count),
    .room_o(room),
    .paid_o(paid),
    .returned_o(returned),
    .consumed_o(consumed)
  );

  // ---- The frame that goes ---------------------------------------------------------------------
  logic comes, bare, sends, flips, news, ask, echo;
  logic [BodyW-1:0] body;
  logic [15:0] crc;
  assign comes = tx_credit_i != '0;
  assign bare = up && !greets && (owes_q || comes || (changed_q && news_q == echo_q));
  assign sends = sends_flit || bare;
  assign flips = sends && (changed_q || comes) && (news_q == echo_q);
  assign news = news_q ^ flips;
  assign ask = greets ? greet_ask : sends_flit || (news != echo_q);
  assign echo = greets ? greet_echo : peer_news_q;
  assign body = {greets, ask, sends_flit, news, echo, missing_q && !greets,
                 sends_flit ? seq : SeqW'(1'b0), expected_q, count,
                 sends_flit ? word : WordW'(1'b0)};
  link_crc #(
    .Width(BodyW)
  ) make (
    .word_i(body),
    .crc_o(crc)
  );

  always_ff @(posedge clk_i) begin
    if (!rst_ni) frame_valid_o <= 1'b0;
    else frame_valid_o <= greets || sends;
  end
  always_ff @(posedge clk_i) begin
    if (greets || sends) frame_o <= {body, crc};
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni || clear) begin
      expected_q <= '0;
      news_q <= 1'b0;
      echo_q <= 1'b0;
      changed_q <= 1'b0;
      peer_news_q <= 1'b0;
      owes_q <= 1'b0;
      missing_q <= 1'b0;
      told_q <= 1'b0;
    end else begin
      missing_q <= (missing_q && !sends && !accept) || gap;
      told_q <= (told_q && !accept) || gap;
      expected_q <= expected_q + SeqW'(accept);
      news_q <= news;
      changed_q <= !flips && (changed_q || comes);
      owes_q <= (owes_q && !sends) || (heeds && ask_q) || again;
      if (heeds) begin
        echo_q <= frame_echo_q;
        peer_news_q <= frame_news_q;
      end
    end
  end

  // ---- Registers -------------------------------------------------------------------------------
  logic [7:0] replays_q, rejected_q;
  logic settled, drained_state;
  assign write = reg_valid_i && reg_write_i && (reg_addr_i == muster_pkg::RegLinkStatus);
  assign restart = write && reg_wdata_i[0];
  assign kill = write && reg_wdata_i[1];
  assign clears = write && reg_wdata_i[2];
  assign drained_state = down && returned && consumed && !open;
  assign drained = drained_state && !rx_valid_i;

  always_ff @(posedge clk_i) begin
    if (!rst_ni || clears) begin
      replays_q <= '0;
      rejected_q <= '0;
    end else begin
      replays_q <= replays_q + 8'((again || nack) && !kept_none && replays_q != '1);
      rejected_q <= rejected_q + 8'(bad && rejected_q != '1);
    end
  end

  always_comb begin
    reg_rdata_o = '0;
    if (reg_valid_i) begin
      case (reg_addr_i)
        muster_pkg::RegIdentity: begin
          reg_rdata_o = {muster_pkg::RegMagic, muster_pkg::KindLinkEnd, muster_pkg::RegMapVersion};
        end
        muster_pkg::RegLinkStatus: begin
          reg_rdata_o = {8'd0, rejected_q, replays_q, 1'b0, restarts, drained, reason, state};
        end
        muster_pkg::RegWidths: begin
          reg_rdata_o = {4'(Retries), 8'(Timeout), 8'(Slots), 1'(Pocket), 5'(Depth), 3'(Vcs), 3'd0};
        end
        default: reg_rdata_o = '0;
      endcase
    end
  end

  // ---- Quiet -----------------------------------------------------------------------------------
  assign irq_o = down && !restarts;
  assign settled = up ? !waits && !owes_q && !changed_q && paid
                   : drained_state ? !restarts : returned && (tail == '0);
  assign quiescent_o = !frame_valid_o && !tx_valid_o && (rx_credit_o == '0) && !good_q && !greets &&
                       (up || down) && kept_quiet && settled;

  logic still_q;  // was quiescent in the cycle before, and nothing came
  always_ff @(posedge clk_i) begin
    still_q <= rst_ni && quiescent_o && !rx_valid_i && (tx_credit_i == '0) && !frame_valid_i &&
               !(reg_valid_i && reg_write_i);
  end
  `MUSTER_ASSERT(QuiescentStays_A, !still_q || quiescent_o)
  `MUSTER_ASSERT(FrameOnce_A, !(greets && sends))

endmodule

`default_nettype wire
