// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "muster_assert.svh"

// Step lists (docs/systems/nic-engine.md, Step lists): a memory of entries, without reset, written
// by the host before they are used.
//
// With read_i in t, entry_o is from t + 1 on the entry at at_i of t, as it was at the beginning of
// t, until the next read. An entry at or above Entries is undefined, and so is one that is read
// in the cycle in which it is written.
module muster_nic_steps #(
  /// entries, 2 to 256
  parameter int unsigned Entries = 16,
  localparam int unsigned AtW = $clog2(Entries)
) (
  input  wire logic                clk_i,
  input  wire logic                rst_ni,

  /// write word_i, laid out as in the register map, to entry write_at_i
  input  wire logic                write_i,
  input  wire logic [AtW-1:0]      write_at_i,
  /// its other bits have no meaning
  input  wire logic [31:0]         word_i,

  /// read the entry that the next cycle asks for
  input  wire logic                read_i,
  input  wire logic [AtW-1:0]      at_i,
  output muster_pkg::nic_entry_t   entry_o
);
  if (Entries < 2 || Entries > 256) begin : gen_bad_entries
    $error("muster_nic_steps: Entries must be 2 to 256");
  end

  /* verilator lint_off UNUSEDSIGNAL */
  muster_pkg::nic_lists_entry_t written;
  /* verilator lint_on UNUSEDSIGNAL */
  assign written = word_i;

  muster_nic_memory #(
    .Words(Entries),
    .Width(muster_pkg::NicEntryW)
  ) entries (
    .clk_i,
    .rst_ni,
    .write_i,
    .write_at_i,
    .word_i({written.send, written.last, written.next, written.slot, written.peer}),
    .read_i,
    .read_at_i(at_i),
    .read_o(entry_o)
  );

endmodule

`default_nettype wire
