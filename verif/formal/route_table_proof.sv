// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "formal.svh"

// muster_route_table from any contents of its memory, under any writes and reads, seen at one entry
// that may be any.
//
//   - what is read there is the lowest port of the mask that was written last since the sweep; with
//     an empty mask `self`, if that was written; and no route if nothing was. With Masks the mask
//   - no address of at least Dests has a route, whatever its bits are, nor has a read that is to
//     have none
//   - any read, of any entry, has one output at most; with Masks none is for the switch itself
//   - with Parity none is wrong, as nothing changes what was written
module route_table_proof #(
  parameter int unsigned Ports = 3,
  parameter int unsigned Dests = 16,
  parameter int unsigned Masks = 0,
  parameter int unsigned Parity = 0,
  localparam int unsigned EntryW = Ports + 1,
  localparam int unsigned AddrW = $clog2(Dests),
  localparam int unsigned AddressW = 11
) (
  input  wire logic                 clk_i,
  input  wire logic                 write_i,
  input  wire logic [AddrW-1:0]     waddr_i,
  input  wire logic [EntryW-1:0]    wentry_i,
  input  wire logic                 read_i,
  input  wire logic                 none_i,
  input  wire logic [AddressW-1:0]  raddr_i,
  input  wire logic [AddrW-1:0]     place_i
);
  `MUSTER_FORMAL_RESET

  logic [EntryW-1:0] entry;
  logic sweeping, wrong;
  muster_route_table #(
    .Ports(Ports),
    .Readers(1),
    .Dests(Dests),
    .AddressW(AddressW),
    .Masks(Masks),
    .Parity(Parity)
  ) dut (
    .clk_i, .rst_ni,
    .write_i,
    .waddr_i,
    .wentry_i,
    .read_i,
    .none_i,
    .raddr_i,
    .entry_o(entry),
    .wrong_o(wrong),
    .sweeping_o(sweeping)
  );

  // What a write chooses.
  logic [Ports-1:0] mask;
  logic [EntryW-1:0] chosen;
  assign mask = wentry_i[Ports-1:0];
  assign chosen = (Masks == 1) ? EntryW'(mask)
                               : {wentry_i[Ports] && mask == '0, mask & (~mask + 1'b1)};

  // The entry that is looked at, what it should be, and what was read of it; one was.
  logic [AddrW-1:0] place_q;
  logic [EntryW-1:0] written_q, expected_q;
  logic looked_q, outside_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      place_q <= place_i;
      written_q <= '0;
      looked_q <= 1'b0;
      outside_q <= 1'b0;
    end else begin
      if (write_i && !sweeping && waddr_i == place_q) written_q <= chosen;
      if (read_i) begin
        looked_q <= raddr_i == AddressW'(place_q) && !none_i;
        outside_q <= 32'(raddr_i) >= Dests || none_i;
      end
    end
    if (read_i) expected_q <= written_q;
  end

  `MUSTER_ASSUME(WriteInTable_M, !write_i || 32'(waddr_i) < Dests)
  `MUSTER_ASSUME(PlaceInTable_M, 32'(place_q) < Dests)
  logic one_output;
  assign one_output = (Masks == 1) ? !entry[Ports] : (entry & (entry - 1'b1)) == '0;
  `MUSTER_ASSERT(OneOutput_A, one_output)
  `MUSTER_ASSERT(ReadsWhatWasWritten_A, !looked_q || entry == expected_q)
  `MUSTER_ASSERT(NoneIsWrong_A, !wrong)
  `MUSTER_ASSERT(OutsideHasNoRoute_A, !outside_q || entry == '0)
  `MUSTER_COVER(ReadsAnEntry_C, looked_q && entry != '0)
  `MUSTER_COVER(ReadsNone_C, looked_q && !sweeping && entry == '0)
  `MUSTER_COVER(ReadsOutside_C, outside_q && !sweeping)

endmodule

`default_nettype wire
