// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "muster_assert.svh"

// The contexts of a NIC, and what one of them says of the message register (muster_nic_context.sv).
//
// A message is for the valid context with its group; software must guarantee at most one.
// A STEP, NACK or NOT-YET without one is unknown_o. Ports with a bit or word for each context are
// those of muster_nic_context; the others are of all together. All is in the same cycle, but
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
  parameter int unsigned SeqW = 8
) (
  input  wire logic                        clk_i,
  input  wire logic                        rst_ni,

  input  wire logic [Contexts-1:0]         control_i,
  input  wire logic [Contexts-1:0]         doorbell_i,
  input  wire logic [Contexts-1:0]         entry_i,
  input  wire logic [4:0]                  entry_at_i,
  input  wire logic [31:0]                 word_i,
  output logic                             refused_o,
  output logic [Contexts-1:0][31:0]        control_o,
  output logic [Contexts-1:0][Steps-1:0]   received_o,
  output logic [Contexts-1:0][Steps-1:0]   sent_o,

  input  wire logic [15:0]                 timeout_i,
  input  wire logic [3:0]                  retries_i,
  input  wire logic [23:0]                 quiet_i,

  /// message_i is perhaps complete: in the next cycle it may be judged
  input  wire logic                        arrives_i,
  input  wire muster_pkg::nic_message_t    message_i,
  input  wire logic                        collective_i,
  input  wire logic                        data_i,
  /// the context of the message's group goes through the point-to-point path
  output logic                             direct_o,
  output logic                             unknown_o,
  output logic                             stale_o,
  output logic                             reply_o,
  output muster_pkg::nic_message_t         answer_o,

  output logic [Contexts-1:0]              want_o,
  output logic [Contexts-1:0][muster_pkg::NicMessageW-1:0]  message_o,
  input  wire logic                        gap_over_i,
  input  wire logic [Contexts-1:0]         grant_i,
  output logic [Contexts-1:0]              ask_o,
  input  wire logic [Contexts-1:0]         taken_i,

  output logic [Contexts-1:0]              notice_o,
  output logic [Contexts-1:0][31:0]        event_o,
  input  wire logic [Contexts-1:0]         loaded_i,
  output logic                             still_o
);
  if (Contexts < 1 || Contexts > 8) begin : gen_bad_contexts
    $error("muster_nic_contexts: Contexts must be 1 to 8");
  end
  if (Steps < 2 || Steps > 32) begin : gen_bad_steps
    $error("muster_nic_contexts: Steps must be 2 to 32");
  end
  if (SeqW < 2 || SeqW > 8) begin : gen_bad_seq
    $error("muster_nic_contexts: SeqW must be 2 to 8");
  end

  // ---- The entry that the message names -------------------------------------------------------
  // The message is known by its tail: the lists of all contexts are read in that cycle, for the
  // context that has the group in the next one.
  localparam int unsigned StepW = $clog2(Steps);
  localparam int unsigned ContextW = (Contexts > 1) ? $clog2(Contexts) : 1;
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

  muster_nic_steps #(
    .Entries(1 << (ContextW + StepW))
  ) lists (
    .clk_i,
    .rst_ni,
    .write_i(entry_i != '0),
    .write_at_i({entry_number, entry_at_i[StepW-1:0]}),
    .word_i,
    .read_i(arrives_i),
    .at_i({owner_number, message_i.slot[StepW-1:0]}),
    .entry_o(named)
  );

  // ---- The contexts ---------------------------------------------------------------------------
  logic [Contexts-1:0] direct, unknown, stale, reply, refused, still;
  logic [Contexts-1:0][muster_pkg::NicTypeW-1:0] answer;
  logic [muster_pkg::NicTypeW-1:0] answer_kind;
  /* verilator lint_off UNUSEDSIGNAL */
  logic [Contexts-1:0][31:0] received, sent;  // bits of entries above the list are 0
  /* verilator lint_on UNUSEDSIGNAL */

  for (genvar c = 0; c < Contexts; c++) begin : gen_context
    assign received_o[c] = received[c][Steps-1:0];
    assign sent_o[c] = sent[c][Steps-1:0];
    muster_nic_context #(
      .Steps(Steps),
      .SeqW(SeqW)
    ) one (
      .clk_i,
      .rst_ni,
      .control_i(control_i[c]),
      .doorbell_i(doorbell_i[c]),
      .entry_i(entry_i[c]),
      .entry_at_i,
      .word_i,
      .refused_o(refused[c]),
      .control_o(control_o[c]),
      .received_o(received[c]),
      .sent_o(sent[c]),
      .timeout_i,
      .retries_i,
      .quiet_i,
      .message_i,
      .named_i(named),
      .collective_i,
      .data_i,
      .owns_o(owns[c]),
      .direct_o(direct[c]),
      .unknown_o(unknown[c]),
      .stale_o(stale[c]),
      .reply_o(reply[c]),
      .answer_o(answer[c]),
      .want_o(want_o[c]),
      .message_o(message_o[c]),
      .gap_over_i,
      .grant_i(grant_i[c]),
      .ask_o(ask_o[c]),
      .taken_i(taken_i[c]),
      .notice_o(notice_o[c]),
      .event_o(event_o[c]),
      .loaded_i(loaded_i[c]),
      .still_o(still[c])
    );
  end

  assign direct_o = (owns & direct) != '0;
  assign unknown_o = unknown != '0 || (collective_i && owns == '0);
  assign stale_o = stale != '0;
  assign reply_o = reply != '0;
  assign refused_o = refused != '0;
  assign still_o = still == '1;
  always_comb begin
    answer_kind = '0;
    for (int unsigned c = 0; c < Contexts; c++) begin
      if (reply[c]) answer_kind = answer_kind | answer[c];
    end
  end
  assign answer_o = {answer_kind, message_i.peer, named.slot, message_i.group, 8'd0,
                     message_i.barrier};

  `MUSTER_ASSERT(GroupsDiffer_A, (!collective_i && !data_i) || (owns & (owns - 1'b1)) == '0)
  `MUSTER_ASSERT(DataIsDirect_A, !data_i || direct_o)
  logic [3*Contexts-1:0] written;
  assign written = {control_i, doorbell_i, entry_i};
  `MUSTER_ASSERT(OneWrite_A, (written & (written - 1'b1)) == '0)

endmodule

`default_nettype wire
