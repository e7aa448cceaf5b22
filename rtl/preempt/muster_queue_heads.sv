// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "muster_assert.svh"

// Switch III (Figure 10) has no crossbar in front of its input buffers: flits other than data wait
// in the queue of their channel and are taken out at the head. docs/systems/preempting-switches.md,
// "Crossbar I", switch III. The queues of one port.
//
// A padding request or end is taken at once. From the next cycle on it connects the padding
// generator to its own queue, pads_o, or disconnects it; data taken from the queue disconnect it
// too. A flit of a message goes to the barrier unit, of one channel in a cycle, the lowest.
module muster_queue_heads #(
  /// virtual channels, 1 to 3
  parameter int unsigned Vcs = 2,
  localparam int unsigned KindW = muster_pkg::KindW,
  /// bits of a message in a flit: 16, 24, 32 or 48
  parameter int unsigned WordW = muster_pkg::BsrFlitW
) (
  input  wire logic                       clk_i,
  input  wire logic                       rst_ni,

  /// the head is neither data nor a pad; its kind, its low bits; data or a pad leave the queue
  input  wire logic [Vcs-1:0]             sync_i,
  input  wire logic [Vcs-1:0][KindW-1:0]  kind_i,
  input  wire logic [Vcs-1:0][WordW-1:0]  word_i,
  input  wire logic [Vcs-1:0]             data_taken_i,

  /// the head leaves; only with sync_i
  output logic [Vcs-1:0]                  pop_o,
  /// a flit of a message for the barrier unit
  output logic                            unit_valid_o,
  output logic                            unit_first_o,
  output logic [WordW-1:0]                unit_word_o,
  /// the generator is connected to this queue
  output logic [Vcs-1:0]                  pads_o,
  /// a padding message without a meaning was dropped
  output logic                            malformed_o
);
  `MUSTER_RANGE(Vcs, 1, 3)

  logic [Vcs-1:0] control, known, message, above, taken;

  for (genvar v = 0; v < Vcs; v++) begin : gen_channel
    assign control[v] = sync_i[v] && kind_i[v] == muster_pkg::KindControl;
    assign known[v] = !word_i[v][15] && word_i[v][1:0] == 2'(v);

    always_ff @(posedge clk_i) begin
      if (!rst_ni) pads_o[v] <= 1'b0;
      else if (data_taken_i[v]) pads_o[v] <= 1'b0;
      else if (control[v] && known[v]) pads_o[v] <= word_i[v][15:14] == muster_pkg::PadRequest;
    end
  end
  assign message = sync_i & ~control;
  assign malformed_o = (control & ~known) != '0;

  muster_above_lowest #(
    .N(Vcs)
  ) lowest (
    .bits_i(message),
    .above_o(above)
  );
  assign taken = message & ~above;
  assign pop_o = control | taken;

  always_comb begin
    unit_valid_o = taken != '0;
    unit_first_o = 1'b0;
    unit_word_o = '0;
    for (int unsigned v = 0; v < Vcs; v++) begin
      if (taken[v]) begin
        unit_first_o = kind_i[v] == muster_pkg::KindFirst;
        unit_word_o = word_i[v];
      end
    end
  end

  `MUSTER_ASSERT(HeadIsOne_A, (sync_i & data_taken_i) == '0)

endmodule

`default_nettype wire
