// SPDX-License-Identifier: Apache-2.0
`default_nettype none


// What a preempting switch does with the flit at the head of the barrier channel's queue of one
// port. docs/systems/preempting-switches.md, "Intake". Combinational.
//
// A padding request or end is executed at once (begin_o, end_o), whatever the port's message buffer
// holds; another flit goes to that buffer as soon as it is filling. What is neither is dropped.
module message_intake #(
  /// data channels, 1 to 3
  parameter int unsigned Channels = 1
) (
  /// the flit at the head: a sync flit, another one; its payload
  input  wire logic                         sync_i,
  input  wire logic                         data_i,
  // Link control has bits that mean nothing.
  /* verilator lint_off UNUSEDSIGNAL */
  input  wire logic [muster_pkg::BsrFlitW-1:0] flit_i,
  /* verilator lint_on UNUSEDSIGNAL */
  /// the message buffer takes a flit; the next flit begins a message
  input  wire logic                         filling_i,
  input  wire logic                         begins_i,

  /// the flit leaves the queue: to the buffer, as link control of a channel, or dropped
  output logic                              pop_o,
  output logic                              push_o,
  output logic [Channels-1:0]               begin_o,
  output logic [Channels-1:0]               end_o,
  output logic                              malformed_o
);
  if (Channels < 1 || Channels > 3) begin : gen_bad_channels
    $error("message_intake: Channels must be 1 to 3");
  end

  logic control, known;
  assign control = sync_i && begins_i && flit_i[15:14] == muster_pkg::BsrControl;
  // Bit 12 is the end, 1..0 the channel.
  assign known = !flit_i[13] && 32'(flit_i[1:0]) < Channels;
  assign push_o = sync_i && filling_i && !control;
  assign malformed_o = data_i || (control && !known);
  assign pop_o = push_o || control || data_i;

  always_comb begin
    begin_o = '0;
    end_o = '0;
    if (control && known) begin
      for (int unsigned v = 0; v < Channels; v++) begin
        begin_o[v] = 32'(flit_i[1:0]) == v && !flit_i[12];
        end_o[v] = 32'(flit_i[1:0]) == v && flit_i[12];
      end
    end
  end

endmodule

`default_nettype wire
