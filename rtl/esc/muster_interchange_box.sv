// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "muster_assert.svh"

// The n x n interchange box of the Extra Stage Cube (section 2 of the paper): n inputs, n outputs,
// a buffer of S packets behind each output. docs/systems/interchange-box.md is the specification;
// in short:
//
// Input i with valid_i requests output digit_i, or all outputs with broadcast_i. ready_o tells in
// the same cycle which offers the box takes at this edge; it does not depend on ready_i. Of the
// requests for one output those that come first in the scan order fill the room that its buffer has
// at the beginning of the cycle, the surplus is blocked. A broadcast is taken for all outputs or
// for none, and counts before others either way. An offer that is not taken changes no state.
//
// The scan order starts at an input and goes in a direction that are drawn in every cycle in which
// two inputs ask for one output: start from draw bits IndexW-1 .. 0, down from draw bit 3 of
// muster_block_random.sv, which steps in those cycles only.
//
// A packet taken in cycle t into an empty buffer is at packet_o in t + 1. A packet that leaves in t
// makes room from t + 1 on.
//
// Example, Size 4, Depth 12: inputs 0, 1, 3 request output 2, which holds 11; start 2, down 1: the
// order is 2 1 0 3, ready_o is 0010. With down 0 (2 3 0 1) it is 1000.
module muster_interchange_box #(
  /// n, inputs and outputs: 2, 4 or 8, 2 to 8
  parameter int unsigned Size = 4,
  /// S, packets in an output buffer, 1 to 64
  parameter int unsigned Depth = 12,
  /// bits of a packet, 1 to 256; the box does not look at them
  parameter int unsigned PacketW = 64,
  localparam int unsigned DigitW = (Size > 1) ? $clog2(Size) : 1
) (
  input  wire logic                            clk_i,
  input  wire logic                            rst_ni,
  /// first value of the random numbers; taken while rst_ni is low, 0 as 1
  input  wire logic [15:0]                     seed_i,

  /// input i offers packet_i[i]
  input  wire logic [Size-1:0]                 valid_i,
  /// the output it asks for
  input  wire logic [Size-1:0][DigitW-1:0]     digit_i,
  /// it asks for all outputs; digit_i is then ignored
  input  wire logic [Size-1:0]                 broadcast_i,
  input  wire logic [Size-1:0][PacketW-1:0]    packet_i,
  /// the box takes it at this edge; only where valid_i
  output logic [Size-1:0]                      ready_o,

  /// buffer o is not empty; packet_o[o] is its oldest packet
  output logic [Size-1:0]                      valid_o,
  output logic [Size-1:0][PacketW-1:0]         packet_o,
  /// that packet leaves at this edge; ignored without valid_o
  input  wire logic [Size-1:0]                 ready_i,

  /// all buffers are empty: with idle inputs nothing changes
  output logic                                 quiescent_o
);
  `MUSTER_POWER_OF_TWO(Size, 2, 8)
  `MUSTER_RANGE(Depth, 1, 64)
  `MUSTER_RANGE(PacketW, 1, 256)

  // ---- The order of the inputs --------------------------------------------------------------
  logic [Size-1:0][DigitW-1:0] order;
  logic contended;
  // Draw bit 2 is not used in a box of fewer than eight inputs.
  /* verilator lint_off UNUSEDSIGNAL */
  logic [3:0] draw;
  /* verilator lint_on UNUSEDSIGNAL */

  muster_block_random #(.DrawBits(4)) random (
    .clk_i, .rst_ni,
    .seed_i,
    .step_i(contended),
    .draw_o(draw)
  );

  muster_scan_order #(.Size(Size)) scan (
    .start_i(draw[DigitW-1:0]),
    .down_i(draw[3]),
    .order_o(order)
  );

  // ---- Requests, by place in that order -----------------------------------------------------
  logic [Size-1:0][Size-1:0] requests, room, taken;  // bit o for output o
  for (genvar k = 0; k < Size; k++) begin : gen_place
    logic [DigitW-1:0] i;
    logic [Size-1:0] outputs;
    assign i = order[k];
    assign outputs = (Size'(1'b1) << digit_i[i]) | {Size{broadcast_i[i]}};
    assign requests[k] = outputs & {Size{valid_i[i]}};
  end

  muster_output_scan #(.Size(Size)) select (
    .requests_i(requests),
    .room_i(room),
    .taken_o(taken),
    .contended_o(contended)
  );

  always_comb begin
    ready_o = '0;
    for (int unsigned k = 0; k < Size; k++) begin
      ready_o = ready_o | (Size'(taken[k] != '0) << order[k]);
    end
  end

  // ---- Buffers ------------------------------------------------------------------------------
  muster_output_buffers #(.Size(Size), .Depth(Depth), .PacketW(PacketW)) buffers (
    .clk_i, .rst_ni,
    .offered_i(valid_i != '0),
    .taken_i(taken),
    .order_i(order),
    .packet_i,
    .room_o(room),
    .pop_i(ready_i & valid_o),
    .valid_o,
    .packet_o
  );

  assign quiescent_o = valid_o == '0;

  // ---- Facts --------------------------------------------------------------------------------
  `MUSTER_ASSERT(ReadyToOffers_A, (ready_o & ~valid_i) == '0)
  `MUSTER_ASSERT(EmptyBoxTakesOne_A, !quiescent_o || (valid_i == '0) || (ready_o != '0))

endmodule

`default_nettype wire
