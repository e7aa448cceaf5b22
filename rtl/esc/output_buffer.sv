// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "muster_assert.svh"

// Queue of Depth packets behind one output of an interchange box: up to Size packets enter in a
// cycle, one leaves.
//
// arrive_i[k][i] says that the packet of writer i is the (k+1)-th that enters in this cycle: places
// are taken from 0 on, one writer each, where open_i, which comes earlier, allows it. No more may
// enter than there is room for; room_o[k] says that k + 1 fit. packet_o is the oldest packet
// while valid_o is set and means nothing otherwise; with pop_i it leaves. A packet that enters in
// cycle t counts from t + 1 on; one that leaves in t makes room from t + 1 on. room_o, valid_o and
// packet_o are functions of registers. After reset the queue is empty.
//
// Packets lie in Size banks in turn, so that each bank has one writer and one reader: packet number
// s since reset lies in bank s mod Size. Storage has no reset. A place that is free may be written
// at any time, only the pointers count: so whether a bank is written depends on open_i and
// registers, what is written on arrive_i.
//
// Example, Size 4, Depth 12, 11 packets in it: room_o = 0001, so only arrive_i[0] may be set.
module output_buffer #(
  /// writers, 2 to 8
  parameter int unsigned Size = 4,
  /// packets it holds, 1 to 64
  parameter int unsigned Depth = 12,
  /// bits of a packet, 1 to 256
  parameter int unsigned PacketW = 64
) (
  input  wire logic                            clk_i,
  input  wire logic                            rst_ni,

  /// place k may be taken; must be set where arrive_i[k] is not zero
  input  wire logic [Size-1:0]                 open_i,
  input  wire logic [Size-1:0][Size-1:0]       arrive_i,
  input  wire logic [Size-1:0][PacketW-1:0]    packet_i,
  /// at least 1 .. Size more packets fit
  output logic [Size-1:0]                      room_o,

  /// the packet at packet_o leaves at this edge; only while valid_o is set
  input  wire logic                            pop_i,
  output logic                                 valid_o,
  output logic [PacketW-1:0]                   packet_o
);
  localparam int unsigned BankW = $clog2(Size);
  localparam int unsigned Rows = (Depth + Size - 1) / Size;
  localparam int unsigned RowW = (Rows > 1) ? $clog2(Rows) : 1;
  localparam int unsigned CountW = $clog2(Depth + 1);
  localparam int unsigned SumW = $clog2(Depth + Size + 1);
  localparam logic [RowW-1:0] LastRow = RowW'(Rows - 1);

  if (Size != 2 && Size != 4 && Size != 8) begin : gen_bad_size
    $error("output_buffer: Size must be 2, 4 or 8");
  end
  if (Depth < 1 || Depth > 64) begin : gen_bad_depth
    $error("output_buffer: Depth must be 1 to 64");
  end
  if (PacketW < 1 || PacketW > 256) begin : gen_bad_packet
    $error("output_buffer: PacketW must be 1 to 256");
  end

  logic [CountW-1:0] fill_q;
  logic [BankW-1:0] head_bank_q, tail_bank_q;
  logic [RowW-1:0] head_row_q, tail_row_q, head_row_next, tail_row_next;

  // ---- Who enters ---------------------------------------------------------------------------
  logic [Size-1:0] enter;
  logic [BankW:0] entering, tail_sum, head_sum;

  for (genvar k = 0; k < Size; k++) begin : gen_enter
    assign enter[k] = arrive_i[k] != '0;
  end
  always_comb begin
    entering = '0;
    for (int unsigned k = 0; k < Size; k++) entering = entering + (BankW + 1)'(enter[k]);
  end

  // ---- Pointers -----------------------------------------------------------------------------
  assign tail_sum = {1'b0, tail_bank_q} + entering;
  assign head_sum = {1'b0, head_bank_q} + (BankW + 1)'(pop_i);
  assign tail_row_next = (tail_row_q == LastRow) ? '0 : tail_row_q + 1'b1;
  assign head_row_next = (head_row_q == LastRow) ? '0 : head_row_q + 1'b1;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      fill_q <= '0;
      head_bank_q <= '0;
      tail_bank_q <= '0;
      head_row_q <= '0;
      tail_row_q <= '0;
    end else begin
      fill_q <= CountW'(SumW'(fill_q) + SumW'(entering) - SumW'(pop_i));
      head_bank_q <= head_sum[BankW-1:0];
      tail_bank_q <= tail_sum[BankW-1:0];
      if (head_sum[BankW]) head_row_q <= head_row_next;
      if (tail_sum[BankW]) tail_row_q <= tail_row_next;
    end
  end

  // ---- Storage ------------------------------------------------------------------------------
  // select[b][i]: writer i writes bank b. write[b]: bank b is written.
  logic [Size-1:0][Size-1:0] select;
  logic [Size-1:0] write, fits;
  logic [Size-1:0][PacketW-1:0] oldest;

  // Place k goes to bank tail + k: the places turned left by tail.
  assign select = (Size*Size)'({arrive_i, arrive_i} >> (Size * (Size - 32'(tail_bank_q))));
  assign fits = open_i & room_o;
  assign write = Size'({fits, fits} >> (Size - 32'(tail_bank_q)));

  function automatic logic [BankW-1:0] index_of(input logic [Size-1:0] one_hot);
    index_of = '0;
    for (int unsigned i = 0; i < Size; i++) begin
      if (one_hot[i]) index_of = index_of | BankW'(i);
    end
  endfunction

  for (genvar b = 0; b < Size; b++) begin : gen_bank
    logic [PacketW-1:0] mem [Rows];
    always_ff @(posedge clk_i) begin
      if (write[b]) begin
        mem[(b < 32'(tail_bank_q)) ? tail_row_next : tail_row_q] <=
            packet_i[index_of(select[b])];
      end
    end
    assign oldest[b] = mem[head_row_q];
  end

  assign packet_o = oldest[head_bank_q];
  assign valid_o = fill_q != '0;

  for (genvar k = 0; k < Size; k++) begin : gen_room
    assign room_o[k] = (k < Depth) && (32'(fill_q) + k < Depth);
  end

  // ---- Facts --------------------------------------------------------------------------------
  logic [7:0] head, tail;
  assign head = 8'(head_row_q) * 8'(Size) + 8'(head_bank_q);
  assign tail = 8'(tail_row_q) * 8'(Size) + 8'(tail_bank_q);
  function automatic logic one_each(input logic [Size*Size-1:0] arrive);
    one_each = 1'b1;
    for (int unsigned k = 0; k < Size; k++) begin
      if ((arrive[k*Size+:Size] & (arrive[k*Size+:Size] - 1'b1)) != '0) one_each = 1'b0;
    end
  endfunction

  `MUSTER_ASSERT(OneWriterPerPlace_A, one_each(arrive_i))
  `MUSTER_ASSERT(PlacesFromZeroOn_A, (enter & (enter + 1'b1)) == '0)
  `MUSTER_ASSERT(EnterWithRoom_A, (enter & ~(room_o & open_i)) == '0)
  `MUSTER_ASSERT(PopHasPacket_A, !pop_i || valid_o)
  `MUSTER_ASSERT(AtMostDepth_A, 32'(fill_q) <= Depth)
  `MUSTER_ASSERT(FillIsDistance_A, (head + 8'(fill_q) == tail) ||
                                   (head + 8'(fill_q) == tail + 8'(Rows * Size)))

endmodule

`default_nettype wire
