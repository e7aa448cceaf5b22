// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "muster_assert.svh"

// The queues of Depth packets behind the outputs of an interchange box: up to Size packets enter
// each in a cycle, one leaves.
//
// Packets enter at an edge in the order of places 0 .. Size - 1: place k enters the queues of
// taken_i[k], bit o for output o, with the packet of input order_i[k]. No more may enter a queue
// than there is room for; room_o[k][o] says that k + 1 fit. packet_o[o] is the oldest packet while
// valid_o[o] is set and undefined otherwise; with pop_i[o] it leaves. A packet that enters at the
// edge of cycle t counts from t + 1 on, and is at packet_o in t + 1 if it is the oldest; one that
// leaves in t makes room from t + 1 on. room_o, valid_o and packet_o are functions of registers.
// After reset the queues are empty.
//
// Packets wait for one cycle in packet_q while they are taken, and move to their bank in the next:
// what decides about them and the wide multiplexers that move them have a cycle each.
//
// Control is transposed: a vector has a bit of each output, or of each bank of each output (o *
// Size + b), so that one gate of the text is a gate for each of them. Packet number s of a queue
// since reset lies in bank s mod Size.
//
// Example, Size 4, Depth 12, output 2 holds 11 packets: room_o[0][2] is 1, room_o[1][2] is 0, so
// taken_i[k][2] may be set for one k.
module muster_output_buffers #(
  /// outputs, and writers of each: 2, 4 or 8, 2 to 8
  parameter int unsigned Size = 4,
  /// packets that a queue holds, 1 to 64
  parameter int unsigned Depth = 12,
  /// bits of a packet, 1 to 256
  parameter int unsigned PacketW = 64,
  localparam int unsigned BankW = $clog2(Size)
) (
  input  wire logic                            clk_i,
  input  wire logic                            rst_ni,

  /// a packet is offered; must be set where taken_i is not zero
  input  wire logic                            offered_i,
  input  wire logic [Size-1:0][Size-1:0]       taken_i,
  input  wire logic [Size-1:0][BankW-1:0]      order_i,
  /// by input
  input  wire logic [Size-1:0][PacketW-1:0]    packet_i,
  /// at least 1 .. Size more packets fit
  output logic [Size-1:0][Size-1:0]            room_o,

  /// the packet at packet_o leaves at this edge; only while valid_o is set
  input  wire logic [Size-1:0]                 pop_i,
  output logic [Size-1:0]                      valid_o,
  output logic [Size-1:0][PacketW-1:0]         packet_o
);
  localparam int unsigned Rows = (Depth + Size - 1) / Size;
  localparam int unsigned RowW = (Rows > 1) ? $clog2(Rows) : 1;
  localparam int unsigned HeadW = $clog2(Rows * Size);
  localparam int unsigned Banks = Size * Size;
  localparam logic [Banks-1:0] BankZero = {Size{Size'(1'b1)}};  // of each output

  `MUSTER_POWER_OF_TWO(Size, 2, 8)
  `MUSTER_RANGE(Depth, 1, 64)
  `MUSTER_RANGE(PacketW, 1, 256)

  logic [Size-1:0] several;  // more than one packet
  muster_queue_fills #(.Size(Size), .Depth(Depth)) fills (
    .clk_i, .rst_ni,
    .offered_i,
    .taken_i,
    .pop_i,
    .room_o,
    .valid_o,
    .several_o(several)
  );

  // ---- What enters, and who writes it in the next cycle -------------------------------------
  logic [Banks-1:0] tail_q, write_q;           // the bank of the next packet, one-hot; written now
  logic [BankW-1:0][Banks-1:0] who_q;          // by this input
  logic [BankW-1:0][Size-1:0] first_q;         // the input of the oldest packet
  logic [Size-1:0] new_q;                      // if that is one of them
  logic [Size-1:0][PacketW-1:0] packet_q;

  always_ff @(posedge clk_i) begin : entry
    logic [Banks-1:0] tail, write, here, all;
    logic [BankW*Banks-1:0] who;
    logic [BankW*Size-1:0] first;
    logic [Size-1:0] enters, earlier;
    logic [BankW-1:0] number;
    write_q <= '0;
    if (!rst_ni) begin
      tail_q <= BankZero;
    end else if (offered_i) begin
      tail = tail_q;
      write = '0;
      who = '0;
      first = '0;
      earlier = '0;
      for (int unsigned k = 0; k < Size; k++) begin
        enters = taken_i[k];
        number = order_i[k];
        for (int unsigned o = 0; o < Size; o++) all[o*Size+:Size] = {Size{enters[o]}};
        here = tail & all;
        write = write | here;
        for (int unsigned b = 0; b < BankW; b++) begin
          who[b*Banks+:Banks] = who[b*Banks+:Banks] | (here & {Banks{number[b]}});
          first[b*Size+:Size] = first[b*Size+:Size] | (enters & ~earlier & {Size{number[b]}});
        end
        earlier = earlier | enters;
        tail = (tail & ~all) | ((here << 1) & ~BankZero) | ((here >> (Size - 1)) & BankZero);
      end
      write_q <= write;
      tail_q <= tail;
      who_q <= who;
      first_q <= first;
    end
  end

  // Without a packet at an input or in a queue nothing changes.
  always_ff @(posedge clk_i) begin
    if (offered_i || valid_o != '0) new_q <= ~several & ~(valid_o ^ pop_i);
    if (offered_i) packet_q <= packet_i;
  end

  // ---- Storage ------------------------------------------------------------------------------
  logic [RowW-1:0][Banks-1:0] row;
  logic [HeadW-1:0][Size-1:0] head;  // row * Size + bank of the oldest packet

  muster_turn_counters #(.Counters(Banks), .Modulus(Rows)) rows (
    .clk_i, .rst_ni,
    .step_i(write_q),
    .count_o(row)
  );
  muster_turn_counters #(.Counters(Size), .Modulus(Rows * Size)) heads (
    .clk_i, .rst_ni,
    .step_i(pop_i),
    .count_o(head)
  );

  for (genvar o = 0; o < Size; o++) begin : gen_output
    logic [Size*BankW-1:0] bank_who;
    logic [Size*RowW-1:0] bank_row;
    logic [BankW-1:0] first, head_bank;
    logic [RowW-1:0] head_row;
    for (genvar d = 0; d < BankW; d++) begin : gen_number
      assign first[d] = first_q[d][o];
      assign head_bank[d] = head[d][o];
      for (genvar b = 0; b < Size; b++) begin : gen_bank
        assign bank_who[b*BankW+d] = who_q[d][o*Size+b];
      end
    end
    for (genvar d = 0; d < RowW; d++) begin : gen_row
      if (Rows == 1) begin : gen_one
        assign head_row[d] = 1'b0;
      end else begin : gen_many
        assign head_row[d] = head[BankW+d][o];
      end
      for (genvar b = 0; b < Size; b++) begin : gen_bank
        assign bank_row[b*RowW+d] = row[d][o*Size+b];
      end
    end

    // Each bank has one writer. They are the leaves of a tree of multiplexers, whose root is node
    // 1: a simulator looks at one bank.
    for (genvar b = 0; b < Size; b++) begin : gen_storage
      logic [PacketW-1:0] mem [Rows];
      always_ff @(posedge clk_i) begin
        if (write_q[o*Size+b]) mem[bank_row[b*RowW+:RowW]] <= packet_q[bank_who[b*BankW+:BankW]];
      end
    end
    for (genvar j = 2 * Size - 1; j > 0; j--) begin : gen_node
      logic [PacketW-1:0] value;
      if (j >= Size) begin : gen_leaf
        assign value = gen_storage[j-Size].mem[head_row];
      end else begin : gen_two
        assign value = head_bank[BankW-$unsigned($clog2(j+1))] ? gen_node[2*j+1].value
                                                      : gen_node[2*j].value;
      end
    end
    assign packet_o[o] = new_q[o] ? packet_q[first] : gen_node[1].value;
  end

  // ---- Facts --------------------------------------------------------------------------------
  `MUSTER_ASSERT(TailOneHot_A, (tail_q & (tail_q - BankZero)) == '0)
  `MUSTER_ASSERT(OffersAreTaken_A, offered_i || taken_i == '0)

endmodule

`default_nettype wire
