// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "muster_assert.svh"

// The step list of a context (docs/systems/nic-engine.md, Step lists): a memory of Steps entries,
// without reset, written by the host before anybody names them.
//
// Two entries can be read in a cycle: entry_o is the one at at_i, in the same cycle, and
// named_o the one at named_at_i. What is written in t is read from t + 1 on. An entry at or above
// Steps means nothing.
module nic_steps #(
  /// entries, 2 to 32
  parameter int unsigned Steps = 16
) (
  input  wire logic                clk_i,
  input  wire logic                rst_ni,

  /// write word_i, laid out as in the register map, to entry write_at_i
  input  wire logic                write_i,
  input  wire logic [4:0]          write_at_i,
  /// its other bits have no meaning
  /* verilator lint_off UNUSEDSIGNAL */
  input  wire logic [31:0]         word_i,
  /* verilator lint_on UNUSEDSIGNAL */

  /// numbers of entries; the upper bits of one in the range are 0
  input  wire logic [4:0]          at_i,
  output muster_pkg::nic_entry_t   entry_o,
  /* verilator lint_off UNUSEDSIGNAL */
  input  wire logic [4:0]          named_at_i,
  /* verilator lint_on UNUSEDSIGNAL */
  output muster_pkg::nic_entry_t   named_o
);
  if (Steps < 2 || Steps > 32) begin : gen_bad_steps
    $error("nic_steps: Steps must be 2 to 32");
  end

  localparam int unsigned StepW = $clog2(Steps);

  logic [muster_pkg::NicEntryW-1:0] mem [Steps];

  always_ff @(posedge clk_i) begin
    if (write_i) begin
      mem[write_at_i[StepW-1:0]] <= {word_i[31:30], word_i[28:24], word_i[20:16], word_i[10:0]};
    end
  end

  assign entry_o = mem[at_i[StepW-1:0]];
  assign named_o = mem[named_at_i[StepW-1:0]];

  `MUSTER_ASSERT(WriteInRange_A, !write_i || 32'(write_at_i) < Steps)
  `MUSTER_ASSERT(EntryInRange_A, 32'(at_i) < Steps)

endmodule

`default_nettype wire
