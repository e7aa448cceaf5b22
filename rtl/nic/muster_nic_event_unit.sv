// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "muster_assert.svh"

// The event unit of a NIC (docs/systems/nic-engine.md): barriers of up to Contexts groups by
// chained remote writes. A STEP counts an event of its context; an event that has its count fires
// its descriptor; the descriptor sends a STEP, and counts the next event when it is granted; the
// last one raises the notice. It stands in place of muster_nic_contexts, and its ports are as
// there.
//
// One count is made in a cycle: begun in the cycle before, when the event is read. A STEP begins in
// the cycle of its tail, with arrives_i; without that, a context that is due, round robin.
//
// Example: the tail of a STEP in t, arrives_i; the message register in t + 1, the event fires; in
// t + 2 its descriptor asks to be sent.
module muster_nic_event_unit #(
  /// contexts, 1 to 8
  parameter int unsigned Contexts = 4,
  /// events of each, 2 to 32
  parameter int unsigned Steps = 16,
  /// bits of sequence numbers, 2 to 8
  parameter int unsigned SeqW = 8,
  localparam int unsigned ContextW = (Contexts > 1) ? $clog2(Contexts) : 1
) (
  input  wire logic                        clk_i,
  input  wire logic                        rst_ni,

  input  wire logic [Contexts-1:0]         control_i,
  input  wire logic [Contexts-1:0]         doorbell_i,
  input  wire logic [Contexts-1:0]         entry_i,
  /* verilator lint_off UNUSEDSIGNAL */
  input  wire logic [4:0]                  entry_at_i,  // of one that exists, upper bits are 0
  /* verilator lint_on UNUSEDSIGNAL */
  input  wire logic [31:0]                 word_i,
  /// the context that the host's address names, with the word that is read
  input  wire logic [ContextW-1:0]         at_i,
  output logic                             refused_o,
  output logic [31:0]                      control_o,

  /// message_i is complete: in the next cycle it is in the message register
  input  wire logic                        arrives_i,
  /* verilator lint_off UNUSEDSIGNAL */
  input  wire muster_pkg::nic_message_t    message_i,   // its source is not looked at
  /* verilator lint_on UNUSEDSIGNAL */
  /// it is a STEP, NACK or NOT-YET
  input  wire logic                        collective_i,
  output logic                             unknown_o,
  output logic                             stale_o,
  /// a descriptor has found its place taken
  output logic                             limited_o,

  output logic [Contexts-1:0]              want_o,
  output logic [Contexts-1:0][muster_pkg::NicMessageW-1:0]  message_o,
  input  wire logic [Contexts-1:0]         grant_i,

  output logic [Contexts-1:0]              notice_o,
  /// the word of context event_at_i, without its number
  input  wire logic [ContextW-1:0]         event_at_i,
  output logic [31:0]                      event_o,
  input  wire logic [Contexts-1:0]         loaded_i,
  output logic                             still_o
);
  localparam int unsigned StepW = $clog2(Steps);

  // ---- Which count is begun -------------------------------------------------------------------
  logic [Contexts-1:0] owns, owner, ring, begun;
  logic [Contexts-1:0][4:0] at;
  logic [Contexts-1:0][31:0] controls, notices;
  logic [ContextW-1:0] owner_number, entry_number, begun_number;
  logic [4:0] begun_at;

  assign owner = (control_i != '0 && word_i[31] && word_i[15:8] == message_i.group) ? control_i
                                                                                    : owns;
  muster_rr_arbiter #(.N(Contexts)) turn (
    .clk_i, .rst_ni,
    .req_i(arrives_i ? '0 : ring),
    .take_i(1'b1),
    .grant_o(begun)
  );

  always_comb begin
    owner_number = '0;
    entry_number = '0;
    begun_number = '0;
    begun_at = '0;
    for (int unsigned c = 0; c < Contexts; c++) begin
      if (owner[c]) owner_number = owner_number | ContextW'(c);
      if (entry_i[c]) entry_number = entry_number | ContextW'(c);
      if (begun[c]) begun_number = begun_number | ContextW'(c);
      if (begun[c]) begun_at = begun_at | at[c];
    end
  end

  // ---- The count that is made -----------------------------------------------------------------
  logic [Contexts-1:0] near, now, running, odd, local_q, fire, lost;
  logic [1:0] fires;
  logic remote, made_odd, fires_it, step_counts, local_counts;
  muster_pkg::nic_event_t descriptor;

  muster_nic_event_counts #(.Contexts(Contexts), .Steps(Steps)) events (
    .clk_i, .rst_ni,
    .write_i(entry_i != '0),
    .write_at_i({entry_number, entry_at_i[StepW-1:0]}),
    .word_i,
    .clear_i(control_i),
    .read_i(arrives_i || begun != '0),
    .read_at_i(arrives_i ? {owner_number, message_i.slot[StepW-1:0]}
                         : {begun_number, begun_at[StepW-1:0]}),
    .event_o(descriptor),
    .fires_o(fires),
    .count_i(step_counts || local_counts),
    .odd_i(made_odd)
  );

  assign remote = collective_i && (owns != '0) && (message_i.kind == muster_pkg::NicStep) &&
                  (32'(message_i.slot) < Steps);
  assign made_odd = collective_i ? message_i.barrier[0] : (local_q & odd) != '0;
  assign fires_it = fires[made_odd];
  assign step_counts = remote && (owns & (fires_it ? now : near)) != '0;
  assign local_counts = (local_q & running) != '0;
  assign fire = fires_it ? (step_counts ? owns : local_q & running) : '0;
  assign unknown_o = collective_i && !remote;
  assign stale_o = remote && !step_counts;
  assign limited_o = lost != '0;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) local_q <= '0;
    else local_q <= begun;
  end

  // ---- The contexts ---------------------------------------------------------------------------
  logic [Contexts-1:0] refused, still, valid;
  for (genvar c = 0; c < Contexts; c++) begin : gen_context
    muster_nic_event_context #(.SeqW(SeqW)) one (
      .clk_i, .rst_ni,
      .control_i(control_i[c]),
      .doorbell_i(doorbell_i[c]),
      .word_i,
      .refused_o(refused[c]),
      .control_o(controls[c]),
      .message_i,
      .owns_o(owns[c]),
      .near_o(near[c]),
      .now_o(now[c]),
      .ring_o(ring[c]),
      .at_o(at[c]),
      .begun_i(begun[c]),
      .running_o(running[c]),
      .odd_o(odd[c]),
      .fire_i(fire[c]),
      .event_i(descriptor),
      .lost_o(lost[c]),
      .want_o(want_o[c]),
      .message_o(message_o[c]),
      .grant_i(grant_i[c]),
      .notice_o(notice_o[c]),
      .event_o(notices[c]),
      .loaded_i(loaded_i[c]),
      .still_o(still[c])
    );
    assign valid[c] = 1'(controls[c] >> 31);
  end
  assign control_o = controls[at_i];
  assign event_o = notices[event_at_i];
  assign refused_o = refused != '0;
  assign still_o = (still == '1) && (local_q == '0);

  `MUSTER_ASSERT(GroupsDiffer_A, !collective_i || (owns & (owns - 1'b1)) == '0)
  `MUSTER_ASSERT(OneCount_A, !(collective_i && local_q != '0))
  `MUSTER_ASSERT(EventExists_A, begun == '0 || 32'(begun_at) < Steps)
  `MUSTER_ASSERT(WrittenBeforeUse_A, (entry_i & valid) == '0)

endmodule

`default_nettype wire
