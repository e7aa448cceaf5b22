// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "muster_assert.svh"

// The replay buffer of a link end: keeps the flits of the block until the other end has
// acknowledged them, and sends them, again if need be (docs/systems/retry-link.md).
//
// Three sequence numbers run after each other: base, of the oldest flit kept; next, of the next to
// send; end, of the next that comes. A flit in cycle t is stored at the edge of t, unless the
// buffer is full. One that may be lost, loose_i, is stored only while more than Reserve places are
// free: so Reserve others always find a place, whatever came before them. While allow_i, one goes
// in each cycle, send_o: that of number next, from the buffer, if it has been read; or the one that
// comes in this cycle, if it is the next. The buffer is read in the cycle before, so it may be a
// block RAM, and a flit can be read in the cycle after it was written.
//
// ack_i confirms all before it; a number that is not between base and end confirms nothing. It is
// compared in the cycle before, as its frame comes: what is left is the choice of the next address.
// rewind_i makes base the next to send, the new one.
module muster_link_replay #(
  /// places, 4 to 32, a power of two
  parameter int unsigned Slots = 16,
  /// bits of a flit, with its channel and kind, 20 to 520
  parameter int unsigned Width = 20,
  /// places left free by flits that may be lost, 0 to 31; 0: none may be lost. Requires
  /// Reserve < Slots
  parameter int unsigned Reserve = 0,
  localparam int unsigned SeqW = $clog2(Slots) + 1
) (
  input  wire logic              clk_i,
  input  wire logic              rst_ni,
  /// forget all
  input  wire logic              clear_i,

  input  wire logic              push_i,
  input  wire logic [Width-1:0]  flit_i,
  /// it may be lost; it is, if it comes
  input  wire logic              loose_i,
  output logic                   lost_o,
  /// no place for it, and it may not be lost
  output logic                   full_o,

  /// a flit may be sent in this cycle; it is, it, its number; 0 if none is
  input  wire logic              allow_i,
  output logic                   send_o,
  output logic [Width-1:0]       flit_o,
  output logic [SeqW-1:0]        seq_o,

  /// number in the frame on the wires; in the cycle after, ack_i, which counts with ack_valid_i
  input  wire logic              comes_valid_i,
  input  wire logic [SeqW-1:0]   comes_i,
  input  wire logic              ack_valid_i,
  input  wire logic [SeqW-1:0]   ack_i,
  /// it confirms at least one
  output logic                   confirms_o,
  /// send again from the oldest that is then kept
  input  wire logic              rewind_i,
  /// no flit is kept; nothing changes without an input
  output logic                   empty_o,
  output logic                   quiet_o
);
  `MUSTER_POWER_OF_TWO(Slots, 4, 32)

  `MUSTER_RANGE(Width, 20, 520)
  `MUSTER_REFUSE(reserve, Reserve >= Slots,
                 "Slots must be more than Reserve, Vcs x Depth of a lossy link end")

  localparam int unsigned PlaceW = SeqW - 1;

  // A word that is read while it is written is not used: its number is end, so it is not ready.
  (* no_rw_check *) logic [Width-1:0] mem [Slots];
  logic [Width-1:0] word_q;
  logic [SeqW-1:0] base_q, next_q, end_q, base_d, next_d, end_d, kept, after;
  logic ready_q, store, direct, stored;

  assign kept = end_q - base_q;
  assign lost_o = (Reserve != 0) && loose_i && (kept >= SeqW'(Slots - Reserve));
  assign full_o = kept[PlaceW] && !lost_o;
  assign empty_o = end_q == base_q;
  assign quiet_o = empty_o && (next_q == end_q) && !ready_q;
  assign store = push_i && !full_o && !lost_o;

  // ---- What is sent ----------------------------------------------------------------------------
  assign direct = allow_i && store && (next_q == end_q);
  assign stored = allow_i && ready_q;
  assign send_o = direct || stored;
  assign flit_o = (word_q & {Width{stored}}) | (flit_i & {Width{direct}});
  assign seq_o = send_o ? next_q : '0;

  // ---- What is confirmed -----------------------------------------------------------------------
  // Compared as the frame comes, with the numbers of the next cycle, in which it is heard.
  logic [SeqW-1:0] confirmed, kept_then, behind;
  logic inside_q, beyond_q, by_one_q, passes;
  assign confirmed = comes_i - base_d;
  assign kept_then = end_d - base_d;
  assign behind = comes_i - next_d - 1'b1;
  always_ff @(posedge clk_i) begin
    if (comes_valid_i) begin
      inside_q <= (confirmed != '0) && (confirmed <= kept_then);
      beyond_q <= !behind[PlaceW];  // next, if inside
      by_one_q <= behind == '0;
    end
  end

  assign confirms_o = ack_valid_i && inside_q;
  assign passes = confirms_o && beyond_q && !(send_o && by_one_q);
  assign after = next_q + SeqW'(send_o);
  assign base_d = confirms_o ? ack_i : base_q;
  assign end_d = end_q + SeqW'(store);
  assign next_d = rewind_i ? base_d : passes ? ack_i : after;

  always_ff @(posedge clk_i) begin
    if (!rst_ni || clear_i) begin
      base_q <= '0;
      next_q <= '0;
      end_q <= '0;
      ready_q <= 1'b0;
    end else begin
      base_q <= base_d;
      next_q <= next_d;
      end_q <= end_d;
      ready_q <= (next_d != end_q) && (next_d != end_d);
    end
  end

  always_ff @(posedge clk_i) begin
    if (store) mem[end_q[PlaceW-1:0]] <= flit_i;
  end

  always_ff @(posedge clk_i) begin
    if (!quiet_o) word_q <= mem[next_d[PlaceW-1:0]];
  end

  `MUSTER_ASSERT(NoMoreThanSlots_A, kept <= SeqW'(Slots))
  `MUSTER_ASSERT(NextIsKept_A, next_q - base_q <= kept)
  `MUSTER_ASSERT(ReadyIsNext_A, !ready_q || next_q != end_q)
  logic [SeqW-1:0] heard, sent;
  assign heard = ack_i - base_q;
  assign sent = after - base_q;
  `MUSTER_ASSERT(ComparedBefore_A, !ack_valid_i || (inside_q == (heard != '0 && heard <= kept) &&
                                                   (passes == (confirms_o && heard > sent))))

endmodule

`default_nettype wire
