// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "muster_assert.svh"

// The contexts of a NIC, and what one of them says of the message register (muster_nic_walk.sv).
//
// A message is for the valid context with its group; software must guarantee at most one.
// A STEP, NACK or NOT-YET without one is unknown_o. Ports with a bit or word for each context are
// those of muster_nic_walk.sv; the others are of all together. All is in the same cycle, but
// message_i stands from the cycle before collective_i or data_i on, with arrives_i there.
//
// Example: contexts 0 and 2 have groups 7 and 9; a NACK of group 9 in t: what context 2 answers is
// at reply_o and answer_o in t.
module muster_nic_contexts #(
  /// contexts, 1 to 8
  parameter int unsigned Contexts = 4,
  /// entries of each, 2 to 32
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
  input  wire logic [4:0]                  entry_at_i,
  input  wire logic [31:0]                 word_i,
  input  wire logic [ContextW-1:0]         at_i,
  output logic                             refused_o,
  output logic [31:0]                      control_o,
  output logic [31:0]                      received_o,
  output logic [31:0]                      sent_o,

  /// timed_i: timeout_i is not 0
  input  wire logic                        timed_i,
  input  wire logic [15:0]                 timeout_i,
  input  wire logic [3:0]                  retries_i,
  input  wire logic [23:0]                 quiet_i,

  /// message_i is perhaps complete: in the next cycle it may be judged
  input  wire logic                        arrives_i,
  input  wire muster_pkg::nic_message_t    message_i,
  input  wire logic                        message_valid_i,
  input  wire logic                        collective_i,
  input  wire logic                        data_i,
  /// the context of the message's group goes through the point-to-point path
  output logic                             direct_o,
  output logic                             unknown_o,
  output logic                             stale_o,
  output logic                             reply_o,
  output muster_pkg::nic_message_t         answer_o,

  output logic                             want_o,
  output muster_pkg::nic_message_t         message_o,
  input  wire logic                        gap_over_i,
  input  wire logic                        grant_i,
  output logic                             ask_o,
  input  wire logic                        taken_i,

  output logic [Contexts-1:0]              notice_o,
  input  wire logic [ContextW-1:0]         event_at_i,
  output logic [31:0]                      event_o,
  input  wire logic [Contexts-1:0]         loaded_i,
  output logic                             still_o
);
  `MUSTER_RANGE(Contexts, 1, 8)
  `MUSTER_RANGE(Steps, 2, 32)
  `MUSTER_RANGE(SeqW, 2, 8)

  // ---- The entry that the message names -------------------------------------------------------
  // The message is known by its tail: the lists of all contexts are read in that cycle, for the
  // context that has the group in the next one.
  localparam int unsigned StepW = $clog2(Steps);
  logic [Contexts-1:0] owns, owner;
  logic [ContextW-1:0] owner_number, entry_number;
  muster_pkg::nic_entry_t named;

  assign owner = (control_i != '0 && word_i[31] && word_i[15:8] == message_i.group) ? control_i
                                                                                    : owns;
  always_comb begin
    owner_number = '0;
    entry_number = '0;
    for (int unsigned c = 0; c < Contexts; c++) begin
      if (owner[c]) owner_number = owner_number | ContextW'(c);
      if (entry_i[c]) entry_number = entry_number | ContextW'(c);
    end
  end

  /* verilator lint_off UNUSEDSIGNAL */
  muster_pkg::nic_lists_entry_t listed;
  /* verilator lint_on UNUSEDSIGNAL */
  assign listed = word_i;
  muster_nic_memory #(.Words(1 << (ContextW + StepW)), .Width(muster_pkg::NicEntryW)) lists (
    .clk_i, .rst_ni,
    .write_i(entry_i != '0),
    .write_at_i({entry_number, entry_at_i[StepW-1:0]}),
    .word_i({listed.send, listed.last, listed.next, listed.slot, listed.peer}),
    .read_i(arrives_i),
    .read_at_i({owner_number, message_i.slot[StepW-1:0]}),
    .read_o(named)
  );

  // ---- Their timers -----------------------------------------------------------------------------
  logic [Contexts-1:0] at, runs, restart, drains, due;
  logic spent;
  muster_nic_timers #(.Timers(Contexts), .BaseW(24)) timers (
    .clk_i, .rst_ni,
    .at_o(at),
    .base_i(((at & drains) != '0) ? quiet_i : {8'd0, timeout_i}),
    .retries_i,
    .run_i(runs),
    .restart_i(restart),
    .due_o(due),
    .spent_o(spent)
  );

  // ---- The contexts ---------------------------------------------------------------------------
  logic [muster_pkg::NicTypeW-1:0] answer_kind;
  muster_nic_walk #(.Contexts(Contexts), .Steps(Steps), .SeqW(SeqW)) walk (
    .runs_o(runs),
    .restart_o(restart),
    .drains_o(drains),
    .due_i(due),
    .spent_i(spent),
    .named_i(named),
    .owns_o(owns),
    .answer_o(answer_kind),
    .*
  );
  assign answer_o = {answer_kind, message_i.peer, named.slot, message_i.group, 8'd0,
                     message_i.barrier};

  `MUSTER_ASSERT(GroupsDiffer_A, (!collective_i && !data_i) || (owns & (owns - 1'b1)) == '0)
  `MUSTER_ASSERT(DataIsDirect_A, !data_i || direct_o)
  logic [3*Contexts-1:0] written;
  assign written = {control_i, doorbell_i, entry_i};
  `MUSTER_ASSERT(OneWrite_A, (written & (written - 1'b1)) == '0)

endmodule

`default_nettype wire
