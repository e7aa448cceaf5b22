// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "muster_assert.svh"

// An interchange box that combines synchronization messages (beyond the paper, which calls it
// extremely expensive; Pfister and Norton, 1985). docs/systems/interchange-box.md is the
// specification.
//
// Ports, random numbers, scan order and latency are those of muster_interchange_box.sv, but the box
// looks at its packets, which are those of docs/systems/esc.md: two agree if both are of kind 2,
// synchronization, and their routing tags are equal; merged, the numbers of messages (less 1, bits
// 33 .. 18) and the cycles of generation (bits 61 .. 34) are added. A synchronization packet is not
// a broadcast.
//
// Example, Size 4, Depth 12: synchronization packets for one PE at all inputs, buffers empty: all
// are taken, and one packet with bits 33 .. 18 = 3 is at that output in the next cycle.
module muster_combining_box #(
  /// n, inputs and outputs: 2, 4 or 8, 2 to 8
  parameter int unsigned Size = 4,
  /// S, packets in an output buffer, 1 to 64
  parameter int unsigned Depth = 4,
  /// bits of a packet, 64 to 64
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
  /// it asks for all outputs; digit_i is then ignored; only for kinds other than 2
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
  localparam logic [1:0] KindSynchronization = 2'd2;

  `MUSTER_POWER_OF_TWO(Size, 2, 8)
  `MUSTER_RANGE(Depth, 1, 64)
  `MUSTER_REFUSE(packet, PacketW != 64, "PacketW must be 64")

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

  // ---- What is offered, by place in that order ----------------------------------------------
  // A packet that agrees with one of an earlier place follows it: the first of those that agree
  // leads, and asks for all of them with their sum.
  logic [Size-1:0][Size-1:0] requests, leads;  // bit o for output o
  logic [Size*PacketW-1:0] sums;
  for (genvar k = 0; k < Size; k++) begin : gen_place
    logic [DigitW-1:0] i;
    logic [Size-1:0] outputs;
    logic [PacketW-1:0] packet;
    logic sync, follows;
    assign i = order[k];
    assign packet = packet_i[i];
    assign outputs = (Size'(1'b1) << digit_i[i]) | {Size{broadcast_i[i]}};
    assign requests[k] = outputs & {Size{valid_i[i]}};
    assign sync = valid_i[i] && packet[63:62] == KindSynchronization;

    logic [Size-1:0] ahead;  // bit j: this place agrees with the earlier one j
    for (genvar j = 0; j < Size; j++) begin : gen_ahead
      if (j < k) begin : gen_earlier
        assign ahead[j] = sync && gen_place[j].sync && packet[17:0] == gen_place[j].packet[17:0];
      end else begin : gen_none
        assign ahead[j] = 1'b0;
      end
    end
    assign follows = ahead != '0;
    assign leads[k] = requests[k] & {Size{!follows}};

    for (genvar j = k; j < Size; j++) begin : gen_sum
      logic [27:0] sum_births;
      logic [15:0] sum_messages;
      if (j == k) begin : gen_own
        assign sum_births = packet[61:34];
        assign sum_messages = packet[33:18];
      end else begin : gen_more
        logic more;
        assign more = gen_place[j].ahead[k];
        assign sum_births = gen_sum[j-1].sum_births + (gen_place[j].packet[61:34] & {28{more}});
        // Bit 0 gives a carry, as both numbers are less by 1.
        /* verilator lint_off UNUSEDSIGNAL */
        logic [16:0] messages;
        /* verilator lint_on UNUSEDSIGNAL */
        assign messages = {gen_sum[j-1].sum_messages, 1'b1} +
                          {gen_place[j].packet[33:18] & {16{more}}, more};
        assign sum_messages = messages[16:1];
      end
    end
    assign sums[k*PacketW+:PacketW] = {packet[63:62], gen_sum[Size-1].sum_births,
                                       gen_sum[Size-1].sum_messages, packet[17:0]};
  end

  always_comb begin : contention
    logic [Size-1:0] once, twice;
    once = '0;
    twice = '0;
    for (int unsigned k = 0; k < Size; k++) begin
      twice = twice | (once & requests[k]);
      once = once | requests[k];
    end
    contended = twice != '0;
  end

  // ---- Which are taken ----------------------------------------------------------------------
  // Joiners need no place. The others are taken as in a box that does not combine.
  logic [Size-1:0][Size-1:0] joins, needs, room, taken;
  assign needs = leads & ~joins;

  logic [Size-1:0] pop;
  // Followers and joiners contend as well; packets do not move after they were taken.
  /* verilator lint_off UNUSEDSIGNAL */
  logic needs_contend;
  logic [Size-1:0] several;
  /* verilator lint_on UNUSEDSIGNAL */
  muster_output_scan #(.Size(Size)) select (
    .requests_i(needs),
    .room_i(room),
    .taken_o(taken),
    .contended_o(needs_contend)
  );

  logic [Size-1:0] leader_taken, accepted;  // by place
  for (genvar k = 0; k < Size; k++) begin : gen_accepted
    assign leader_taken[k] = joins[k] != '0 || taken[k] != '0;
    assign accepted[k] = leader_taken[k] || (gen_place[k].ahead & leader_taken) != '0;
  end
  always_comb begin
    ready_o = '0;
    for (int unsigned k = 0; k < Size; k++) ready_o = ready_o | (Size'(accepted[k]) << order[k]);
  end

  // ---- Buffers ------------------------------------------------------------------------------
  assign pop = ready_i & valid_o;

  muster_queue_fills #(.Size(Size), .Depth(Depth)) fills (
    .clk_i, .rst_ni,
    .offered_i(valid_i != '0),
    .taken_i(taken),
    .pop_i(pop),
    .room_o(room),
    .valid_o,
    .several_o(several)
  );

  for (genvar o = 0; o < Size; o++) begin : gen_output
    logic [Size-1:0] lead, join_here, append;
    for (genvar k = 0; k < Size; k++) begin : gen_place_here
      assign lead[k] = leads[k][o];
      assign append[k] = taken[k][o];
      assign joins[k][o] = join_here[k];
    end

    muster_combining_buffer #(.Size(Size), .Depth(Depth)) buffer (
      .clk_i, .rst_ni,
      .lead_i(lead),
      .sum_i(sums),
      .join_o(join_here),
      .append_i(append),
      .pop_i(pop[o]),
      .packet_o(packet_o[o])
    );
  end

  assign quiescent_o = valid_o == '0;

  // ---- Facts --------------------------------------------------------------------------------
  `MUSTER_ASSERT(ReadyToOffers_A, (ready_o & ~valid_i) == '0)
  `MUSTER_ASSERT(EmptyBoxTakesOne_A, !quiescent_o || (valid_i == '0) || (ready_o != '0))

endmodule

`default_nettype wire
