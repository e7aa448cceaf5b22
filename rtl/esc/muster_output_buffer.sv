// SPDX-License-Identifier: Apache-2.0
`default_nettype none

// The packets of one output of an interchange box, which muster_output_buffers.sv controls: Size
// banks of Rows rows, each bank with one writer and one reader, so that Size packets enter in a
// cycle.
//
// At an edge with write_i[b] packet_i[who_i[b]] goes to row row_i[b] of bank b. packet_o is
// packet_i[first_i] with new_i, else what is in row head_row_i of bank head_bank_i. Storage has no
// reset.
//
// Example, Size 2: write_i = 10, who_i[1] = 0, row_i[1] = 3: bank 1 has packet_i[0] in row 3 from
// the next cycle on.
module muster_output_buffer #(
  /// writers: 2, 4 or 8, 2 to 8
  parameter int unsigned Size = 4,
  /// packets in a bank, 1 to 32
  parameter int unsigned Rows = 3,
  /// bits of a packet, 1 to 256
  parameter int unsigned PacketW = 64,
  localparam int unsigned BankW = $clog2(Size),
  localparam int unsigned RowW = (Rows > 1) ? $clog2(Rows) : 1
) (
  input  wire logic                            clk_i,
  input  wire logic [Size-1:0][PacketW-1:0]    packet_i,

  input  wire logic [Size-1:0]                 write_i,
  input  wire logic [Size-1:0][BankW-1:0]      who_i,
  input  wire logic [Size-1:0][RowW-1:0]       row_i,

  input  wire logic                            new_i,
  input  wire logic [BankW-1:0]                first_i,
  input  wire logic [BankW-1:0]                head_bank_i,
  input  wire logic [RowW-1:0]                 head_row_i,
  output logic [PacketW-1:0]                   packet_o
);
  if (Size != 2 && Size != 4 && Size != 8) begin : gen_bad_size
    $error("muster_output_buffer: Size must be 2, 4 or 8");
  end
  if (Rows < 1 || Rows > 32) begin : gen_bad_rows
    $error("muster_output_buffer: Rows must be 1 to 32");
  end
  if (PacketW < 1 || PacketW > 256) begin : gen_bad_packet
    $error("muster_output_buffer: PacketW must be 1 to 256");
  end

  for (genvar b = 0; b < Size; b++) begin : gen_bank
    logic [PacketW-1:0] mem [Rows];
    always_ff @(posedge clk_i) begin
      if (write_i[b]) mem[row_i[b]] <= packet_i[who_i[b]];
    end
  end

  // A tree of multiplexers: node 1 is its root, the banks are its leaves. A simulator looks at one
  // bank.
  for (genvar j = 2 * Size - 1; j > 0; j--) begin : gen_node
    logic [PacketW-1:0] value;
    if (j >= Size) begin : gen_leaf
      assign value = gen_bank[j-Size].mem[head_row_i];
    end else begin : gen_two
      assign value = head_bank_i[BankW-$unsigned($clog2(j+1))] ? gen_node[2*j+1].value
                                                    : gen_node[2*j].value;
    end
  end

  assign packet_o = new_i ? packet_i[first_i] : gen_node[1].value;

endmodule

`default_nettype wire
