// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "muster_assert.svh"

// The groups that a NIC serves: contexts that walk step lists (muster_nic_contexts.sv), or with
// Chained an event unit (muster_nic_event_unit.sv). Ports are those of the two; what one of them
// does not have is 0.
//
// Example, Chained: nothing is ever asked of the point-to-point path, ask_o is 0, and no message is
// answered, reply_o is 0.
module muster_nic_groups #(
  /// contexts, 1 to 8
  parameter int unsigned Contexts = 4,
  /// entries or events of each, 2 to 32
  parameter int unsigned Steps = 16,
  /// bits of sequence numbers, 2 to 8
  parameter int unsigned SeqW = 8,
  /// 0 to 1: 1 for an event unit
  parameter int unsigned Chained = 0,
  /// who asks for messages to be sent: the walk, which serves one context a cycle, or each group
  localparam int unsigned Asks = (Chained == 0) ? 1 : Contexts,
  localparam int unsigned ContextW = (Contexts > 1) ? $clog2(Contexts) : 1
) (
  input  wire logic                        clk_i,
  input  wire logic                        rst_ni,

  input  wire logic [Contexts-1:0]         control_i,
  input  wire logic [Contexts-1:0]         doorbell_i,
  input  wire logic [Contexts-1:0]         entry_i,
  input  wire logic [4:0]                  entry_at_i,
  input  wire logic [31:0]                 word_i,
  /// the context that the host's address names, whose words follow
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

  /// message_i is perhaps complete; it is, and in the next cycle in the message register
  input  wire logic                        comes_i,
  input  wire logic                        arrives_i,
  input  wire muster_pkg::nic_message_t    message_i,
  input  wire logic                        message_valid_i,
  input  wire logic                        collective_i,
  input  wire logic                        data_i,
  output logic                             direct_o,
  output logic                             unknown_o,
  output logic                             stale_o,
  output logic                             limited_o,
  output logic                             reply_o,
  output muster_pkg::nic_message_t         answer_o,

  output logic [Asks-1:0]                  want_o,
  output logic [Asks-1:0][muster_pkg::NicMessageW-1:0]  message_o,
  input  wire logic                        gap_over_i,
  input  wire logic [Asks-1:0]             grant_i,
  output logic                             ask_o,
  input  wire logic                        taken_i,

  output logic [Contexts-1:0]              notice_o,
  input  wire logic [ContextW-1:0]         event_at_i,
  output logic [31:0]                      event_o,
  input  wire logic [Contexts-1:0]         loaded_i,
  output logic                             still_o
);
  `MUSTER_RANGE(Chained, 0, 1)

  if (Chained == 0) begin : gen_walk
    muster_nic_contexts #(.Contexts(Contexts), .Steps(Steps), .SeqW(SeqW)) contexts (
      .arrives_i(comes_i), .*
    );
    assign limited_o = 1'b0;

    logic unused;
    assign unused = &{1'b0, arrives_i};
  end else begin : gen_chained
    muster_nic_event_unit #(.Contexts(Contexts), .Steps(Steps), .SeqW(SeqW)) unit (.*);
    assign received_o = '0;
    assign sent_o = '0;
    assign direct_o = 1'b0;
    assign reply_o = 1'b0;
    assign answer_o = '0;
    assign ask_o = 1'b0;

    logic unused;
    assign unused = &{1'b0, timed_i, timeout_i, retries_i, quiet_i, comes_i, message_valid_i,
                      data_i, gap_over_i, taken_i};
  end

endmodule

`default_nettype wire
