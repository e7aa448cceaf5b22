// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "muster_assert.svh"

// How many packets the queues behind the outputs of a box hold.
//
// At an edge the packets of taken_i enter, one for each place k with taken_i[k][o] set, of which
// there may be no more than room; with pop_i[o] one leaves. What enters or leaves in cycle t counts
// from t + 1 on. After reset the queues are empty. Bit o of each vector is of output o, so that one
// gate of the text is a gate for each output. All outputs are functions of registers.
//
// Example, Size 4, Depth 12, output 2 holds 11 packets: room_o[0][2] is 1, room_o[1][2] is 0.
module muster_queue_fills #(
  /// outputs, and packets that may enter each in a cycle: 2, 4 or 8, 2 to 8
  parameter int unsigned Size = 4,
  /// packets that a queue holds, 1 to 64
  parameter int unsigned Depth = 12
) (
  input  wire logic                            clk_i,
  input  wire logic                            rst_ni,
  /// a packet is offered; must be set where taken_i is not zero
  input  wire logic                            offered_i,
  input  wire logic [Size-1:0][Size-1:0]       taken_i,
  /// only while valid_o is set
  input  wire logic [Size-1:0]                 pop_i,

  /// room_o[k][o]: at least k + 1 more packets fit
  output logic [Size-1:0][Size-1:0]            room_o,
  /// one packet or more
  output logic [Size-1:0]                      valid_o,
  /// two packets or more
  output logic [Size-1:0]                      several_o
);
  localparam int unsigned FillW = $clog2(Depth + 1);
  localparam int unsigned EnterW = $clog2(Size + 1);

  `MUSTER_POWER_OF_TWO(Size, 2, 8)
  `MUSTER_RANGE(Depth, 1, 64)

  logic [FillW*Size-1:0] fill_q;  // bit b of each number at b * Size

  function automatic logic [FillW*Size-1:0] filled(input logic [FillW*Size-1:0] fill,
                                                   input logic [Size*Size-1:0] accepted,
                                                   input logic [Size-1:0] pop);
    logic [EnterW*Size-1:0] entering;
    logic [Size-1:0] carry, both, held, more, grown, borrow;
    entering = '0;
    for (int unsigned place = 0; place < Size; place++) begin
      carry = accepted[place*Size+:Size];
      for (int unsigned b = 0; b < EnterW; b++) begin
        both = entering[b*Size+:Size] & carry;
        entering[b*Size+:Size] = entering[b*Size+:Size] ^ carry;
        carry = both;
      end
    end
    carry = '0;
    borrow = pop;
    for (int unsigned b = 0; b < FillW; b++) begin
      held = fill[b*Size+:Size];
      more = (b < EnterW) ? entering[b*Size+:Size] : '0;
      grown = held ^ more ^ carry;
      carry = (held & more) | (carry & (held | more));
      filled[b*Size+:Size] = grown ^ borrow;
      borrow = borrow & ~grown;
    end
  endfunction

  // Numbers greater than a constant.
  function automatic logic [Size-1:0] above(input int unsigned number,
                                            input logic [FillW*Size-1:0] fill);
    above = '0;
    for (int unsigned b = 0; b < FillW; b++) begin
      above = ((number >> b) % 2 == 1) ? above & fill[b*Size+:Size] : above | fill[b*Size+:Size];
    end
  endfunction

  always_ff @(posedge clk_i) begin
    if (!rst_ni) fill_q <= '0;
    else if (offered_i || valid_o != '0) fill_q <= filled(fill_q, taken_i, pop_i);
  end

  assign valid_o = above(0, fill_q);
  assign several_o = above(1, fill_q);
  for (genvar k = 0; k < Size; k++) begin : gen_room
    if (k < Depth) begin : gen_some
      assign room_o[k] = ~above(Depth - 1 - k, fill_q);
    end else begin : gen_never
      assign room_o[k] = '0;
    end
  end

  // ---- Facts --------------------------------------------------------------------------------
  `MUSTER_ASSERT(AtMostDepth_A, above(Depth, fill_q) == '0)
  `MUSTER_ASSERT(PopHasPacket_A, (pop_i & ~valid_o) == '0)

endmodule

`default_nettype wire
