// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "muster_assert.svh"

// A routing table in which an entry that was not written since reset is 0, no route:
// docs/systems/guard.md, "Routes".
//
// The memory has no reset. In the Dests cycles after reset, sweeping_o, it is swept: every entry
// becomes 0, one a cycle. During the sweep writes are ignored, and reads return 0. Otherwise it is
// a route_table, whose header describes the ports.
module swept_routes #(
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
  input  wire logic                           rst_ni,

  input  wire logic                           write_i,
  input  wire logic [AddrW-1:0]               waddr_i,
  input  wire logic [EntryW-1:0]              wentry_i,

  input  wire logic [Readers-1:0]             read_i,
  input  wire logic [Readers-1:0][AddrW-1:0]  raddr_i,
  output logic [Readers-1:0][EntryW-1:0]      entry_o,

  output logic                                sweeping_o
);
  if (Dests < 16 || Dests > 65536) begin : gen_bad_dests
    $error("swept_routes: Dests must be 16 to 65536");
  end

  localparam logic [AddrW-1:0] Last = AddrW'(Dests - 1);

  logic sweeping_q;
  logic [AddrW-1:0] next_q;        // the entry that is swept
  logic [Readers-1:0] unwritten_q;  // what the reader has read is of a table that is being swept
  logic [Readers-1:0][EntryW-1:0] entry;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      sweeping_q <= 1'b1;
      next_q <= '0;
    end else if (sweeping_q) begin
      sweeping_q <= next_q != Last;
      next_q <= next_q + 1'b1;
    end
  end
  always_ff @(posedge clk_i) begin
    if (!rst_ni) unwritten_q <= '1;
    else unwritten_q <= (unwritten_q & ~read_i) | (sweeping_q ? read_i : '0);
  end

  route_table #(
    .Ports(Ports),
    .Readers(Readers),
    .Dests(Dests)
  ) table_of_all (
    .clk_i,
    .rst_ni,
    .write_i(sweeping_q || write_i),
    .waddr_i(sweeping_q ? next_q : waddr_i),
    .wentry_i(sweeping_q ? '0 : wentry_i),
    .read_i,
    .raddr_i,
    .entry_o(entry)
  );

  for (genvar r = 0; r < Readers; r++) begin : gen_reader
    assign entry_o[r] = unwritten_q[r] ? '0 : entry[r];
  end
  assign sweeping_o = sweeping_q;

endmodule

`default_nettype wire
