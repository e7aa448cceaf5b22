// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "formal.svh"

// muster_interchange_box under any offers and any readiness behind it, with any seed.
//
//   - at most Depth packets are held for an output, as many as went in and have not come out
//   - a packet comes out only where it asked to go: it carries its digit and broadcast bit
//   - no packet is lost, invented or duplicated: packets carry one bit more, of any values, and the
//     packets in a buffer are those with and those without it that went in and have not come out
//   - what is taken is what one of the scan orders of docs/systems/interchange-box.md gives, which
//     one is left open: an input is taken exactly if at each output that it asks for there is room
//     behind the inputs before it in that order. So a broadcast is taken for all outputs or for
//     none, the first of the order, broadcast or not, wherever it has room, and no room is left
//     unused
module interchange_box_proof #(
  /// 2 or 4
  parameter int unsigned Size = 2,
  parameter int unsigned Depth = 2,
  localparam int unsigned DigitW = $clog2(Size),
  // Digit, broadcast bit, mark; a power of two, or Yosys has undriven bits between packets.
  localparam int unsigned PacketW = 4
) (
  input  wire logic                         clk_i,
  input  wire logic [15:0]                  seed_i,
  input  wire logic [Size-1:0]              valid_i,
  input  wire logic [Size-1:0][DigitW-1:0]  digit_i,
  input  wire logic [Size-1:0]              broadcast_i,
  input  wire logic [Size-1:0]              marked_i,
  input  wire logic [Size-1:0]              ready_i
);
  localparam int unsigned CountW = $clog2(Depth + Size + 1);

  `MUSTER_FORMAL_RESET

  logic [Size-1:0] taken, valid;
  logic [Size-1:0][PacketW-1:0] packet_in, packet;
  logic quiescent;

  for (genvar i = 0; i < Size; i++) begin : gen_packet
    assign packet_in[i] = {marked_i[i], broadcast_i[i], 2'(digit_i[i])};
  end

  muster_interchange_box #(.Size(Size), .Depth(Depth), .PacketW(PacketW)) dut (
    .clk_i, .rst_ni,
    .seed_i,
    .valid_i,
    .digit_i,
    .broadcast_i,
    .packet_i(packet_in),
    .ready_o(taken),
    .valid_o(valid),
    .packet_o(packet),
    .ready_i,
    .quiescent_o(quiescent)
  );

  // ---- Accounts of each output, with and without the mark -----------------------------------
  logic [Size-1:0] holds_too_many, valid_wrong, strayed, mark_wrong, was_full, held;
  logic [Size-1:0][Size-1:0] asks;  // output o, input i
  logic [Size-1:0][CountW-1:0] rooms;
  for (genvar o = 0; o < Size; o++) begin : gen_output
    logic [CountW-1:0] marked_q, plain_q, marked_in, plain_in, held_now;
    logic leaves, head_marked, full_q;
    assign leaves = valid[o] && ready_i[o];
    assign head_marked = packet[o][3];
    assign held_now = marked_q + plain_q;
    assign rooms[o] = CountW'(Depth) - held_now;
    for (genvar i = 0; i < Size; i++) begin : gen_asks
      assign asks[o][i] = valid_i[i] && (broadcast_i[i] || (digit_i[i] == DigitW'(o)));
    end
    always_comb begin
      marked_in = '0;
      plain_in = '0;
      for (int unsigned i = 0; i < Size; i++) begin
        if (asks[o][i] && taken[i] && marked_i[i]) marked_in = marked_in + 1'b1;
        if (asks[o][i] && taken[i] && !marked_i[i]) plain_in = plain_in + 1'b1;
      end
    end
    always_ff @(posedge clk_i) begin
      if (!rst_ni) begin
        marked_q <= '0;
        plain_q <= '0;
        full_q <= 1'b0;
      end else begin
        marked_q <= marked_q + marked_in - CountW'(leaves && head_marked);
        plain_q <= plain_q + plain_in - CountW'(leaves && !head_marked);
        full_q <= full_q || (held_now == CountW'(Depth));
      end
    end

    assign was_full[o] = full_q;
    assign held[o] = held_now != '0;
    assign holds_too_many[o] = held_now > CountW'(Depth);
    assign valid_wrong[o] = valid[o] != held[o];
    assign strayed[o] = valid[o] && !packet[o][2] && (packet[o][1:0] != 2'(o));
    assign mark_wrong[o] = valid[o] && (head_marked ? (marked_q == '0) : (plain_q == '0));
  end

  // ---- What each scan order gives: up from each input, then down from each ------------------
  logic [2*Size-1:0] explains;
  for (genvar s = 0; s < 2 * Size; s++) begin : gen_order
    logic [Size-1:0] given;
    for (genvar k = 0; k < Size; k++) begin : gen_place
      localparam int unsigned Input = (s < Size) ? (s + k) % Size : (s - k) % Size;
      logic [Size-1:0] lacks;
      for (genvar o = 0; o < Size; o++) begin : gen_room
        logic [CountW-1:0] earlier, so_far;  // requests for the output: before this one, with it
        if (k == 0) assign earlier = '0;
        else assign earlier = gen_place[k-1].gen_room[o].so_far;
        assign so_far = earlier + CountW'(asks[o][Input]);
        assign lacks[o] = asks[o][Input] && earlier >= rooms[o];
      end
      assign given[Input] = valid_i[Input] && lacks == '0;
    end
    assign explains[s] = taken == given;
  end

  `MUSTER_ASSERT(AtMostDepth_A, holds_too_many == '0)
  `MUSTER_ASSERT(NoneLost_A, valid_wrong == '0)
  `MUSTER_ASSERT(NoneMisrouted_A, strayed == '0)
  `MUSTER_ASSERT(NoneChanged_A, mark_wrong == '0)
  `MUSTER_ASSERT(TakenInSomeOrder_A, explains != '0)
  `MUSTER_ASSERT(OnlyOffersTaken_A, (taken & ~valid_i) == '0)
  `MUSTER_ASSERT(QuiescentMeansEmpty_A, quiescent == (held == '0))

  `MUSTER_COVER(FillsAndEmpties_C, (was_full == '1) && (held == '0))
  `MUSTER_COVER(SurplusBlocked_C, (valid_i == '1) && (broadcast_i == '0) && (taken != '0) &&
                                  (taken != '1))
  // With room for fewer packets than inputs not all can be taken at once.
  `MUSTER_COVER(BroadcastAmongOthers_C, (valid_i == '1) && (broadcast_i != '0) &&
                                        (broadcast_i != '1) && ((taken == '1) || (Depth < Size)))

endmodule

`default_nettype wire
