// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "muster_assert.svh"

// A context of the event unit: one group (docs/systems/nic-engine.md).
//
// It is due while its event at_o has a local count to come: after a start, event 0; after a
// descriptor is done, the next one. ring_o is 1 from the cycle of the start, or the one after the
// descriptor is done, until begun_i. fire_i puts the descriptor of event_i into its place, if that
// is empty; if not, it is lost_o. From the next cycle on the place asks for message_o to be sent,
// and is empty again after grant_i; after a cycle, if the descriptor does not write.
//
// With the descriptor that is last the barrier is complete: seq + 1, notice done.
//
// A write of the control word, or a release that is accepted, wins over all else in its cycle.
//
// Example: start in t, begun_i in t, fire_i in t + 1 with a write that is last: want_o in t + 2;
// granted there, notice_o in t + 3.
module muster_nic_event_context #(
  /// bits of sequence numbers, 2 to 8
  parameter int unsigned SeqW = 8
) (
  input  wire logic                       clk_i,
  input  wire logic                       rst_ni,

  /// register writes for this context, at most one in a cycle, with the word word_i
  input  wire logic                       control_i,
  input  wire logic                       doorbell_i,
  /* verilator lint_off UNUSEDSIGNAL */
  input  wire logic [31:0]                word_i,     // bits without a meaning
  /* verilator lint_on UNUSEDSIGNAL */
  /// the doorbell of this cycle has no effect
  output logic                            refused_o,
  output logic [31:0]                     control_o,

  /// the message register; owns_o: the context is valid and of its group. A STEP of this barrier
  /// or the next is near_o; if the barrier is running and its own, now_o
  /* verilator lint_off UNUSEDSIGNAL */
  input  wire muster_pkg::nic_message_t   message_i,  // only group and barrier are asked for
  /* verilator lint_on UNUSEDSIGNAL */
  output logic                            owns_o,
  output logic                            near_o,
  output logic                            now_o,

  /// a local count of event at_o is to begin; begun_i only with ring_o
  output logic                            ring_o,
  output logic [4:0]                      at_o,
  input  wire logic                       begun_i,
  /// a local count may be made, of barriers with numbers that are odd_o
  output logic                            running_o,
  output logic                            odd_o,

  /// an event has fired, only while running_o
  input  wire logic                       fire_i,
  /* verilator lint_off UNUSEDSIGNAL */
  input  wire muster_pkg::nic_event_t     event_i,    // what it needs is known
  /* verilator lint_on UNUSEDSIGNAL */
  output logic                            lost_o,

  /// asks for message_o to be sent; grant_i only with want_o
  output logic                            want_o,
  output muster_pkg::nic_message_t        message_o,
  input  wire logic                       grant_i,

  /// an event for the host, its word without the context's number; loaded_i clears it
  output logic                            notice_o,
  output logic [31:0]                     event_o,
  input  wire logic                       loaded_i,
  /// with idle inputs nothing changes but the notice
  output logic                            still_o
);
  `MUSTER_RANGE(SeqW, 2, 8)

  typedef enum logic [1:0] {None, Done, Unused, Released} notice_e;
  notice_e notice_q, notice_d;
  logic valid_q, valid_d, running_q, running_d, due_q, due_d, full_q, full_d;
  logic [7:0] gid_q;
  logic [SeqW-1:0] seq_q, seq_d, ahead;
  logic [4:0] at_q, at_d;
  logic start, release_it, done, complete;

  // The descriptor in the place.
  logic write_q, last_q;
  logic [4:0] next_q, slot_q;
  logic [10:0] peer_q;

  assign release_it = doorbell_i && valid_q && (notice_q == None) && word_i[1];
  assign start = doorbell_i && valid_q && (notice_q == None) && word_i[0] && !word_i[1] &&
                 !running_q;
  assign refused_o = doorbell_i && !start && !release_it;

  assign ahead = message_i.barrier[SeqW-1:0] - seq_q;
  assign owns_o = valid_q && (message_i.group == gid_q);
  assign near_o = ahead <= SeqW'(1);
  assign now_o = running_q && (ahead == '0);

  assign ring_o = due_q || start;
  assign at_o = start ? '0 : at_q;
  assign running_o = running_q;
  assign odd_o = seq_q[0];

  assign lost_o = fire_i && full_q;
  assign want_o = full_q && write_q;
  assign message_o = {muster_pkg::NicStep, peer_q, slot_q, gid_q, 8'd0, 8'(seq_q)};
  assign done = full_q && (!write_q || grant_i);
  assign complete = done && last_q;

  always_comb begin
    valid_d = valid_q;
    running_d = (running_q || start) && !complete;
    due_d = (ring_o && !begun_i && !complete) || (done && !last_q);
    at_d = (done && !last_q) ? next_q : at_o;
    full_d = (full_q && !done) || (fire_i && !full_q);
    seq_d = seq_q + SeqW'(complete);
    notice_d = loaded_i ? None : notice_q;
    if (complete) notice_d = Done;
    if (release_it) notice_d = Released;
    if (control_i) notice_d = None;
    if (release_it || control_i) begin
      valid_d = control_i && word_i[31];
      at_d = control_i ? '0 : at_q;
      seq_d = control_i ? word_i[SeqW-1:0] : seq_q;
      running_d = 1'b0;
      due_d = 1'b0;
      full_d = 1'b0;
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      valid_q <= 1'b0;
      running_q <= 1'b0;
      due_q <= 1'b0;
      full_q <= 1'b0;
      notice_q <= None;
      gid_q <= '0;
      seq_q <= '0;
      at_q <= '0;
    end else begin
      valid_q <= valid_d;
      running_q <= running_d;
      due_q <= due_d;
      full_q <= full_d;
      notice_q <= notice_d;
      seq_q <= seq_d;
      at_q <= at_d;
      if (control_i) gid_q <= word_i[15:8];
    end
  end
  always_ff @(posedge clk_i) begin
    if (fire_i && !full_q) begin
      {write_q, last_q, next_q, slot_q, peer_q} <= {event_i.write, event_i.last, event_i.next,
                                                    event_i.slot, event_i.peer};
    end
  end

  // ---- For the host -------------------------------------------------------------------------
  logic [SeqW-1:0] completed;
  assign completed = seq_q - 1'b1;
  assign control_o = {valid_q, 2'd0, running_q, 2'd0, notice_q, 3'd0, at_q, gid_q, 8'(seq_q)};
  assign notice_o = notice_q != None;
  assign event_o = (notice_q == Done) ? 32'(completed) : {3'd2, 29'd0};
  assign still_o = !due_q && !full_q;

  `MUSTER_ASSERT(ActiveIsValid_A, valid_q || !running_q)
  `MUSTER_ASSERT(WorkIsRunning_A, running_q || (!due_q && !full_q))
  `MUSTER_ASSERT(FiresRunning_A, !fire_i || running_q)
  `MUSTER_ASSERT(GrantOnWant_A, !grant_i || want_o)
  `MUSTER_ASSERT(BegunOnRing_A, !begun_i || ring_o)
  `MUSTER_ASSERT(NoticeOfRest_A, notice_q == None || !running_q)

endmodule

`default_nettype wire
