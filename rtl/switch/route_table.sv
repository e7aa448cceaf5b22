// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "muster_assert.svh"

// The routing table of a switch: for each destination the mask of legal next ports, and above it
// the bit `self`.
//
// One write port for the host, and a read port for each reader (an input queue, the access unit). A
// read with read_i[r] in cycle t has its entry at entry_o[r] from t + 1 on, until the next read of
// that reader: the register is the one inside a block RAM, and the tool makes the copies of the
// memory that so many readers need. The table has no reset: software must write it before the first
// packet. An address of at least Dests, possible if Dests is not a power of two, reads 0.
module route_table #(
  /// ports of the switch, 3 to 16: an entry has a bit more
  parameter int unsigned Ports = 8,
  /// number of read ports, 1 to 65
  parameter int unsigned Readers = 16,
  /// entries, 16 to 65536
  parameter int unsigned Dests = 2048,
  localparam int unsigned EntryW = Ports + 1,
  localparam int unsigned AddrW = $clog2(Dests)
) (
  input  wire logic                           clk_i,
  /// for the assertions only
  input  wire logic                           rst_ni,

  /// writes happen below Dests
  input  wire logic                           write_i,
  input  wire logic [AddrW-1:0]               waddr_i,
  input  wire logic [EntryW-1:0]              wentry_i,

  input  wire logic [Readers-1:0]             read_i,
  input  wire logic [Readers-1:0][AddrW-1:0]  raddr_i,
  output logic [Readers-1:0][EntryW-1:0]      entry_o
);
  if (Ports < 3 || Ports > 16) begin : gen_bad_ports
    $error("route_table: Ports must be 3 to 16");
  end
  if (Readers < 1 || Readers > 65) begin : gen_bad_readers
    $error("route_table: Readers must be 1 to 65");
  end
  if (Dests < 16 || Dests > 65536) begin : gen_bad_dests
    $error("route_table: Dests must be 16 to 65536");
  end

  // A block RAM has one port for reads: the tool makes a copy of the memory for each reader. Yosys
  // takes time and memory exponential in the read ports to find places for them, minutes for 12, so
  // no memory has more than eight. The number of block RAMs is the same.
  localparam int unsigned ReadersPerCopy = 8;
  localparam int unsigned Copies = (Readers + ReadersPerCopy - 1) / ReadersPerCopy;

  for (genvar c = 0; c < Copies; c++) begin : gen_copy
    localparam int unsigned First = c * ReadersPerCopy;
    localparam int unsigned Here =
        (Readers - First < ReadersPerCopy) ? Readers - First : ReadersPerCopy;
    (* ram_style = "block" *) logic [EntryW-1:0] mem [Dests];

    always_ff @(posedge clk_i) begin
      if (write_i) mem[waddr_i] <= wentry_i;
    end

    for (genvar k = 0; k < Here; k++) begin : gen_reader
      localparam int unsigned R = First + k;
      logic [EntryW-1:0] entry_q;
      always_ff @(posedge clk_i) begin
        if (read_i[R]) entry_q <= mem[raddr_i[R]];
      end
      if ((1 << AddrW) == Dests) begin : gen_whole
        assign entry_o[R] = entry_q;
      end else begin : gen_part
        logic inside_q;
        always_ff @(posedge clk_i) begin
          if (read_i[R]) inside_q <= raddr_i[R] < AddrW'(Dests);
        end
        assign entry_o[R] = inside_q ? entry_q : '0;
      end
    end
  end

  `MUSTER_ASSERT(WriteInTable_A, !write_i || 32'(waddr_i) < Dests)

endmodule

`default_nettype wire
