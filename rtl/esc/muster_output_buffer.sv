// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "muster_assert.svh"

// Queue of Depth packets behind one output of an interchange box: up to Size packets enter in a
// cycle, one leaves.
//
// k packets enter at an edge with entering_i[k] set. The next cycle tells which: who_i[k] is the
// writer of the (k+1)-th, packet_i[w] the packet of writer w. So the decision about a packet and
// its move have a cycle each. No more may enter than there is room for; room_o[k]
// says that k + 1 fit. packet_o is the oldest packet while valid_o is set and undefined
// otherwise; with pop_i it leaves. A packet that enters at the edge of cycle t counts from t + 1
// on, and is at packet_o in t + 1 if it is the oldest; one that leaves in t makes room from t + 1
// on. room_o is registers, valid_o a function of registers, packet_o of registers, who_i and
// packet_i. After reset the queue is empty.
//
// The number of entering packets is timing-critical, so each pointer has its next values ready, one
// for each number: no adder and no comparison is behind entering_i.
//
// Packets lie in Size banks in turn, so that each bank has one writer and one reader: packet number
// s since reset lies in bank s mod Size, from one cycle after it entered on. Storage has no reset.
// A place that is free may be written at any time, only the pointers count: if a packet enters, all
// places that are free behind it are written too.
//
// Example, Size 4, Depth 12, 11 packets in it: room_o = 0001, so entering_i may be 00001 or 00010.
module muster_output_buffer #(
  /// writers: 2, 4 or 8, 2 to 8
  parameter int unsigned Size = 4,
  /// packets it holds, 1 to 64
  parameter int unsigned Depth = 12,
  /// bits of a packet, 1 to 256
  parameter int unsigned PacketW = 64,
  localparam int unsigned BankW = $clog2(Size)
) (
  input  wire logic                            clk_i,
  input  wire logic                            rst_ni,

  /// clock enable; must be set while valid_o is, or where a packet enters
  input  wire logic                            active_i,

  /// one-hot: this many packets enter
  input  wire logic [Size:0]                   entering_i,
  /// at least 1 .. Size more packets fit
  output logic [Size-1:0]                      room_o,

  /// of the packets that entered at the last edge; undefined beyond these
  input  wire logic [Size-1:0][BankW-1:0]      who_i,
  input  wire logic [Size-1:0][PacketW-1:0]    packet_i,

  /// the packet at packet_o leaves at this edge; only while valid_o is set
  input  wire logic                            pop_i,
  output logic                                 valid_o,
  output logic [PacketW-1:0]                   packet_o
);
  localparam int unsigned Rows = (Depth + Size - 1) / Size;
  localparam int unsigned RowW = (Rows > 1) ? $clog2(Rows) : 1;
  localparam int unsigned CountW = $clog2(Depth + 1);
  localparam int unsigned Changes = Size + 2;  // of the fill: by one less to Size more
  localparam logic [RowW-1:0] LastRow = RowW'(Rows - 1);

  if (Size != 2 && Size != 4 && Size != 8) begin : gen_bad_size
    $error("muster_output_buffer: Size must be 2, 4 or 8");
  end
  if (Depth < 1 || Depth > 64) begin : gen_bad_depth
    $error("muster_output_buffer: Depth must be 1 to 64");
  end
  if (PacketW < 1 || PacketW > 256) begin : gen_bad_packet
    $error("muster_output_buffer: PacketW must be 1 to 256");
  end

  // ---- Pointers -----------------------------------------------------------------------------
  logic [CountW-1:0] fill_q, fill_d;
  logic [Size-1:0] room_q, room_d;
  logic [BankW-1:0] head_bank_q, tail_bank_q, tail_bank_d;
  logic [RowW-1:0] head_row_q, tail_row_q, tail_row_d, head_row_next, tail_row_next;
  logic [BankW:0] head_sum;
  logic [Changes-1:0] change;  // one-hot: 1 and what the fill grows by

  assign change = pop_i ? {1'b0, entering_i} : {entering_i, 1'b0};
  assign head_sum = {1'b0, head_bank_q} + (BankW + 1)'(pop_i);
  assign tail_row_next = (tail_row_q == LastRow) ? '0 : tail_row_q + 1'b1;
  assign head_row_next = (head_row_q == LastRow) ? '0 : head_row_q + 1'b1;

  always_comb begin
    fill_d = '0;
    room_d = room_q & {Size{change[1]}};  // as it was
    for (int unsigned c = 0; c < Changes; c++) begin
      fill_d = fill_d | ({CountW{change[c]}} & CountW'(32'(fill_q) + c - 1));
      for (int unsigned k = 0; k < Size; k++) begin
        if (c != 1) room_d[k] = room_d[k] | (change[c] && (32'(fill_q) + c + k < Depth + 1));
      end
    end
    tail_bank_d = '0;
    tail_row_d = '0;
    for (int unsigned e = 0; e <= Size; e++) begin
      tail_bank_d = tail_bank_d | ({BankW{entering_i[e]}} & BankW'(32'(tail_bank_q) + e));
      tail_row_d = tail_row_d | ({RowW{entering_i[e]}} &
                                 ((32'(tail_bank_q) + e >= Size) ? tail_row_next : tail_row_q));
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      fill_q <= '0;
      head_bank_q <= '0;
      tail_bank_q <= '0;
      head_row_q <= '0;
      tail_row_q <= '0;
      for (int unsigned k = 0; k < Size; k++) room_q[k] <= k < Depth;
    end else begin
      fill_q <= fill_d;
      head_bank_q <= head_sum[BankW-1:0];
      tail_bank_q <= tail_bank_d;
      head_row_q <= head_sum[BankW] ? head_row_next : head_row_q;
      tail_row_q <= tail_row_d;
      room_q <= room_d;
    end
  end

  // ---- What entered at the last edge --------------------------------------------------------
  logic some_q, oldest_is_new_q;
  logic [BankW-1:0] write_bank_q;
  logic [RowW-1:0] write_row_q, write_row_next;
  logic [Size-1:0] free_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      some_q <= 1'b0;
    end else if (active_i) begin
      some_q <= !entering_i[0];
      oldest_is_new_q <= fill_q == CountW'(pop_i);
      write_bank_q <= tail_bank_q;
      write_row_q <= tail_row_q;
      free_q <= room_o;
    end
  end
  assign write_row_next = (write_row_q == LastRow) ? '0 : write_row_q + 1'b1;

  // ---- Storage ------------------------------------------------------------------------------
  logic [PacketW-1:0] packet [Size];
  logic [PacketW-1:0] oldest [Size];

  for (genvar b = 0; b < Size; b++) begin : gen_bank
    logic [PacketW-1:0] mem [Rows];
    logic [BankW-1:0] place;  // which of the packets that entered is for this bank
    assign place = BankW'($unsigned(b)) - write_bank_q;
    always_ff @(posedge clk_i) begin
      if (active_i && some_q && free_q[place]) begin
        mem[(b < 32'(write_bank_q)) ? write_row_next : write_row_q] <= packet[who_i[place]];
      end
    end
    assign oldest[b] = mem[head_row_q];
    assign packet[b] = packet_i[b];
  end

  assign packet_o = oldest_is_new_q ? packet[who_i[0]] : oldest[head_bank_q];
  assign valid_o = fill_q != '0;

  assign room_o = room_q;

  // ---- Facts --------------------------------------------------------------------------------
  logic [Size-1:0] room;
  for (genvar k = 0; k < Size; k++) begin : gen_room
    assign room[k] = 32'(fill_q) + k < Depth;
  end
  `MUSTER_ASSERT(RoomIsRight_A, room_q == room)
  `MUSTER_ASSERT(OneNumberEnters_A, $onehot(entering_i))
  `MUSTER_ASSERT(EnterWithRoom_A, (entering_i[Size:1] & ~room_q) == '0)
  `MUSTER_ASSERT(PopHasPacket_A, !pop_i || valid_o)
  `MUSTER_ASSERT(AsleepMeansStill_A, active_i || (!some_q && !valid_o && entering_i[0]))

endmodule

`default_nettype wire
