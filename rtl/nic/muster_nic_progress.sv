// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "muster_assert.svh"

// What a context knows of its barrier: its number, the steps received, those received early for the
// next barrier, the steps sent (docs/systems/nic-engine.md, A context).
//
// A message has ahead = (barrier_i - seq) mod 2^SeqW and names entry slot_i. In the same cycle
//   fresh_o     as a STEP it would set a bit: ahead 0 and not received, or 1 and not early
//   repeat_o    as a NACK it asks for what was sent: in this barrier, or in the one before
//   not_yet_o   as a NACK it asks for what will be: in this barrier, or in the next
//   present_o   ahead is 0
// With step_i its bit is set at the edge, if it is fresh. All four look at the state before it.
//
// mark_i sets the sent bit of entry at_i. complete_i ends the barrier: received = early, with the
// bit that the same edge sets, early = sent = 0, seq + 1, past = 1. hold_i wins over these; load_i
// wins over all: seq = seq_i and no bit.
//
// Example, SeqW 2, seq 3: a STEP of barrier 0 is for the next barrier, a NACK of barrier 2 for the
// one before, a STEP of barrier 1 or 2 is neither.
module muster_nic_progress #(
  /// entries, 2 to 32
  parameter int unsigned Steps = 16,
  /// bits of a barrier's number, 2 to 8
  parameter int unsigned SeqW = 8
) (
  input  wire logic              clk_i,
  input  wire logic              rst_ni,

  input  wire logic              load_i,
  input  wire logic [SeqW-1:0]   seq_i,
  input  wire logic              hold_i,

  /// entry that the message names, below Steps if step_i
  input  wire logic [4:0]        slot_i,
  input  wire logic [SeqW-1:0]   barrier_i,
  input  wire logic              step_i,
  output logic                   fresh_o,
  output logic                   repeat_o,
  output logic                   not_yet_o,
  output logic                   present_o,

  /// the entry at which the context is, below Steps; arrived_o: its bit of received
  input  wire logic [4:0]        at_i,
  output logic                   arrived_o,
  input  wire logic              mark_i,
  input  wire logic              complete_i,

  output logic [SeqW-1:0]        seq_o,
  output logic                   past_o,
  output logic [Steps-1:0]       received_o,
  output logic [Steps-1:0]       sent_o
);
  if (Steps < 2 || Steps > 32) begin : gen_bad_steps
    $error("muster_nic_progress: Steps must be 2 to 32");
  end
  if (SeqW < 2 || SeqW > 8) begin : gen_bad_seq
    $error("muster_nic_progress: SeqW must be 2 to 8");
  end

  logic [SeqW-1:0] seq_q, ahead;
  logic past_q;
  logic [Steps-1:0] received_q, early_q, sent_q;
  logic [Steps-1:0] named, at, comes, comes_early, marks;
  logic next, previous;

  assign named = Steps'(1'b1) << slot_i;
  assign at = Steps'(1'b1) << at_i;
  assign ahead = barrier_i - seq_q;
  assign present_o = ahead == '0;
  assign next = ahead == SeqW'(1);
  assign previous = ahead == '1;

  assign fresh_o = (present_o && (received_q & named) == '0) || (next && (early_q & named) == '0);
  assign repeat_o = (present_o && (sent_q & named) != '0) || (previous && past_q);
  assign not_yet_o = (present_o && (sent_q & named) == '0) || next;
  assign arrived_o = (received_q & at) != '0;

  assign comes = (step_i && present_o) ? named : '0;
  assign comes_early = (step_i && next) ? named : '0;
  assign marks = mark_i ? at : '0;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      seq_q <= '0;
      past_q <= 1'b0;
      received_q <= '0;
      early_q <= '0;
      sent_q <= '0;
    end else if (load_i) begin
      seq_q <= seq_i;
      past_q <= 1'b0;
      received_q <= '0;
      early_q <= '0;
      sent_q <= '0;
    end else if (!hold_i) begin
      if (complete_i) begin
        seq_q <= seq_q + 1'b1;
        past_q <= 1'b1;
        received_q <= early_q | comes_early;
        early_q <= '0;
        sent_q <= '0;
      end else begin
        received_q <= received_q | comes;
        early_q <= early_q | comes_early;
        sent_q <= sent_q | marks;
      end
    end
  end

  assign seq_o = seq_q;
  assign past_o = past_q;
  assign received_o = received_q;
  assign sent_o = sent_q;

  `MUSTER_ASSERT(OneAnswer_A, !(repeat_o && not_yet_o))
  `MUSTER_ASSERT(SlotInRange_A, !step_i || 32'(slot_i) < Steps)
  `MUSTER_ASSERT(AtInRange_A, 32'(at_i) < Steps)

endmodule

`default_nettype wire
