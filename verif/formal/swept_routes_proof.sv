// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "muster_assert.svh"

// swept_routes from any contents of its memory, under any writes and reads, seen at one entry that
// may be any: what is read is what was written there last since the sweep, and 0 if nothing was.
module swept_routes_proof #(
  parameter int unsigned Ports = 3,
  parameter int unsigned Dests = 16,
  localparam int unsigned EntryW = Ports + 1,
  localparam int unsigned AddrW = $clog2(Dests)
) (
  input  wire logic               clk_i,
  input  wire logic               write_i,
  input  wire logic [AddrW-1:0]   waddr_i,
  input  wire logic [EntryW-1:0]  wentry_i,
  input  wire logic               read_i,
  input  wire logic [AddrW-1:0]   raddr_i,
  input  wire logic [AddrW-1:0]   place_i
);
  logic rst_ni = 1'b0;
  always_ff @(posedge clk_i) rst_ni <= 1'b1;

  logic [EntryW-1:0] entry;
  logic sweeping;
  swept_routes #(
    .Ports(Ports),
    .Readers(1),
    .Dests(Dests)
  ) dut (
    .clk_i,
    .rst_ni,
    .write_i,
    .waddr_i,
    .wentry_i,
    .read_i,
    .raddr_i,
    .entry_o(entry),
    .sweeping_o(sweeping)
  );

  // The entry that is looked at, what it should be, and what was read of it; one was.
  logic [AddrW-1:0] place_q;
  logic [EntryW-1:0] written_q, expected_q;
  logic looked_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      place_q <= place_i;
      written_q <= '0;
      looked_q <= 1'b0;
    end else begin
      if (write_i && !sweeping && waddr_i == place_q) written_q <= wentry_i;
      if (read_i) looked_q <= raddr_i == place_q;
    end
    if (read_i) expected_q <= written_q;
  end

  `MUSTER_ASSUME(WriteInTable_M, !write_i || 32'(waddr_i) < Dests)
  `MUSTER_ASSUME(PlaceInTable_M, 32'(place_q) < Dests)
  `MUSTER_ASSERT(ReadsWhatWasWritten_A, !looked_q || entry == expected_q)
  `MUSTER_COVER(ReadsAnEntry_C, looked_q && entry != '0)
  `MUSTER_COVER(ReadsNone_C, looked_q && !sweeping && entry == '0)

endmodule

`default_nettype wire
