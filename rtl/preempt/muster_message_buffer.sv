// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "muster_assert.svh"

// A barrier buffer of an input port: the flits of a barrier message, one to three, on their way
// through a preempting switch. docs/systems/preempting-switches.md, "Barrier buffers".
//
//   filling   no flit is there, or some, the last is not; or none is, and what came was broken
//   complete  from the cycle after the last flit came on; the unit takes it with take_i
//   going     it waits for an output, or one serves it: next_o is the flit that goes next, and
//             sent_i takes it; with the last one the buffer is empty again
//   left      it was consumed while an older one was in the port's buffers
//
// With take_i and consume_i the oldest message leaves an empty buffer; with change_i a first
// message goes on with another tag, mark and new node; with drop_i a message that is going is lost.
// freed_o: its credit goes back to the neighbour.
//
// A message that lacks a flit is given up when it is the oldest and no flit has come for Timeout
// cycles, which is more than there can be between two flits of one message. The next is found by
// its first flit.
module muster_message_buffer #(
  /// bits of a message in a flit: 16, 24, 32 or 48
  parameter int unsigned WordW = muster_pkg::BsrFlitW,
  localparam int unsigned MessageW = muster_pkg::BsrFlits * muster_pkg::BsrFlitW
) (
  input  wire logic                                 clk_i,
  input  wire logic                                 rst_ni,

  /// a flit of a message comes, the first one
  input  wire logic                                 valid_i,
  input  wire logic                                 first_i,
  input  wire logic [WordW-1:0]                     flit_i,
  /// no other of the port's buffers has an older message
  input  wire logic                                 oldest_i,
  /// with it the destination is there
  output logic                                      read_o,
  output logic [muster_pkg::DestW-1:0]              dest_o,
  /// a flit or a message was lost; the credit returns; it does for a message that was there
  output logic                                      malformed_o,
  output logic                                      freed_o,
  output logic                                      gone_o,

  /// the last flit comes: complete in the next cycle
  output logic                                      completes_o,
  /// complete: the unit may take it; the message, until a flit of it has gone
  output logic                                      complete_o,
  output muster_pkg::bsr_message_t                  message_o,
  /// it is of the type of first messages; also of what completes
  output logic                                      first_o,
  /// the unit takes it; only with complete_o
  input  wire logic                                 take_i,
  input  wire logic                                 consume_i,
  input  wire logic                                 change_i,
  input  wire logic [1:0]                           bnt_i,
  input  wire logic                                 refused_i,
  input  wire logic [muster_pkg::DestW-1:0]         new_node_i,

  /// going: its next flit, and it is sent, the last one, or the message is dropped;
  /// sent_i and drop_i only with going_o
  output logic                                      going_o,
  output logic [WordW-1:0]                          next_o,
  input  wire logic                                 sent_i,
  output logic                                      ends_o,
  input  wire logic                                 drop_i,

  /// filling, with 0 flits, and nothing broken
  output logic                                      empty_o
);
  typedef enum logic [1:0] {
    Filling,
    Complete,
    Going,
    Left
  } state_e;

  localparam int unsigned Flits = muster_pkg::bsr_first_flits(WordW);
  localparam int unsigned LaterFlits = muster_pkg::bsr_later_flits(WordW);
  localparam logic [1:0] Timeout = 2'd3;  // counted from 0

  state_e state_q, state_d;
  logic [1:0] count_q, count_d;  // flits there while filling, flits gone while going
  logic broken_q, broken_d;
  logic [1:0] silent_q;          // cycles without a flit
  logic first_q;                 // a first message
  logic [Flits*WordW-1:0] bits_q;  // less those gone
  logic last;        // the flit that comes or goes is the last
  logic is_first;    // what comes or goes is of a first message
  logic filling, begins, grows, lapses;
  // Bits of the last flit that are behind the message, which are 0 in what goes.
  localparam int unsigned Behind = Flits * WordW - MessageW;
  localparam int unsigned LaterBehind = LaterFlits * WordW - 2 * muster_pkg::BsrFlitW;
  logic [WordW-1:0] kept;

  assign message_o = bits_q[MessageW-1:0];
  assign first_o = (LaterFlits == 1 && begins) ? is_first : first_q;
  assign complete_o = state_q == Complete;
  assign going_o = state_q == Going;
  assign filling = state_q == Filling;
  assign empty_o = filling && count_q == '0 && !broken_q;
  assign is_first = begins ? flit_i[15:14] == muster_pkg::BsrFirst : first_q;
  assign last = (begins ? 2'd0 : count_q) == (is_first ? 2'(Flits - 1) : 2'(LaterFlits - 1));

  // Type 3 begins nothing.
  assign begins = valid_i && filling && first_i && flit_i[15:14] != 2'd3;
  assign grows = valid_i && filling && !first_i && count_q != '0;
  assign lapses = filling && !empty_o && !valid_i && silent_q == Timeout && oldest_i;
  assign read_o = (LaterFlits == 1) ? begins : grows && count_q == 2'd1;
  // Bits 26..16 of the message.
  if (WordW == muster_pkg::BsrFlitW) begin : gen_second
    assign dest_o = flit_i[muster_pkg::DestW-1:0];
  end else begin : gen_first
    if (LaterFlits == 2) begin : gen_both
      assign dest_o = {flit_i[muster_pkg::BsrFlitW+muster_pkg::DestW-WordW-1:0],
                       bits_q[WordW-1:muster_pkg::BsrFlitW]};
    end else begin : gen_only
      assign dest_o = flit_i[muster_pkg::BsrFlitW+:muster_pkg::DestW];
    end
  end
  assign completes_o = (begins || grows) && last;
  assign malformed_o = (begins && !empty_o) || (valid_i && !filling) || lapses;
  assign ends_o = sent_i && last;
  assign gone_o = (oldest_i && (state_q == Left || (take_i && consume_i))) || ends_o || drop_i;
  assign freed_o = lapses || gone_o;

  always_comb begin
    state_d = state_q;
    count_d = count_q;
    broken_d = broken_q;
    unique case (state_q)
      Filling: begin
        if (begins) begin
          count_d = last ? '0 : 2'd1;
          broken_d = 1'b0;
        end else if (grows) begin
          count_d = last ? '0 : count_q + 1'b1;
        end else if (valid_i || lapses) begin
          count_d = '0;
          broken_d = valid_i;
        end
        if (completes_o) state_d = Complete;
      end
      Complete: begin
        if (take_i && consume_i) state_d = oldest_i ? Filling : Left;
        else if (take_i) state_d = Going;
      end
      Going: begin
        if (sent_i) count_d = last ? '0 : count_q + 1'b1;
        if (ends_o || drop_i) state_d = Filling;
      end
      default: if (oldest_i) state_d = Filling;
    endcase
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      state_q <= Filling;
      count_q <= '0;
      broken_q <= 1'b0;
      silent_q <= '0;
    end else begin
      state_q <= state_d;
      count_q <= count_d;
      broken_q <= broken_d;
      if (valid_i) silent_q <= '0;
      else if (filling && !empty_o && silent_q != Timeout) silent_q <= silent_q + 1'b1;
    end
  end

  // What goes next is in front, so nothing has to be chosen.
  assign next_o = bits_q[WordW-1:0];
  assign kept = !last ? flit_i
                : flit_i & (is_first ? {WordW{1'b1}} >> Behind : {WordW{1'b1}} >> LaterBehind);
  always_ff @(posedge clk_i) begin
    if (begins) begin
      first_q <= is_first;
      bits_q[WordW-1:0] <= kept;
    end
    for (int unsigned n = 1; n < Flits; n++) begin
      if (grows && count_q == 2'(n)) bits_q[n*WordW+:WordW] <= kept;
      if (sent_i) bits_q[(n-1)*WordW+:WordW] <= bits_q[n*WordW+:WordW];
    end
    if (take_i && change_i) begin
      bits_q[2*muster_pkg::BsrFlitW+:muster_pkg::BsrFlitW] <=
          {bnt_i, refused_i, 2'b00, new_node_i};
    end
  end

  `MUSTER_ASSERT(TakenWhenComplete_A, !take_i || complete_o)
  `MUSTER_ASSERT(SentWhenGoing_A, !(sent_i || drop_i) || going_o)
  `MUSTER_ASSERT(DroppedBeforeItGoes_A, !drop_i || (!sent_i && count_q == '0))
  `MUSTER_ASSERT(CountInMessage_A,
                 count_q == '0 || count_q <= (first_q ? 2'(Flits - 1) : 2'(LaterFlits - 1)))
  `MUSTER_ASSERT(BrokenIsEmpty_A, !broken_q || (filling && count_q == '0))
  `MUSTER_ASSERT(KindIsKnown_A, going_o || count_q == '0 ||
                                (bits_q[15:14] != 2'd3 &&
                                 first_q == (bits_q[15:14] == muster_pkg::BsrFirst)))

endmodule

`default_nettype wire
