// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "muster_assert.svh"

// Events of all contexts of a NIC, and their counts (docs/systems/nic-engine.md, Counting): two
// memories, words and counts, that are read in the cycle before a count is made.
//
// With read_i in t, event_o and fires_o are in t + 1 of the event at read_at_i. fires_o[b] says
// that with one more count of barriers whose number has bit 0 = b it has all. With count_i in t + 1
// that count is made at the edge: it rises by one, or is 0 if the event fires. An event that is
// read in the cycle in which another count of it is made has that one.
//
// Counts have no reset; those of a context are 0 from clear_i on, which wins over count_i. Words
// are written before they are read.
//
// Example: need is 2, both counts 0. Read and counted with odd_i in t + 1: it does not fire, in
// t + 2 fires_o is 10 if it is read in t + 1. Counted there with odd_i it fires, and both are 0.
module muster_nic_event_counts #(
  /// contexts, 1 to 8
  parameter int unsigned Contexts = 4,
  /// events of each, 2 to 32
  parameter int unsigned Steps = 16,
  localparam int unsigned ContextW = (Contexts > 1) ? $clog2(Contexts) : 1,
  localparam int unsigned EachW = $clog2(Steps),
  localparam int unsigned AtW = ContextW + EachW
) (
  input  wire logic                    clk_i,
  input  wire logic                    rst_ni,

  /// write word_i, laid out as in the register map, to the event at write_at_i: {context, event}
  input  wire logic                    write_i,
  input  wire logic [AtW-1:0]          write_at_i,
  /// bits above the peer's have no meaning
  input  wire logic [31:0]             word_i,
  /// the counts of these contexts are 0
  input  wire logic [Contexts-1:0]     clear_i,

  input  wire logic                    read_i,
  input  wire logic [AtW-1:0]          read_at_i,
  output muster_pkg::nic_event_t       event_o,
  output logic [1:0]                   fires_o,
  /// count the event that was read in the cycle before
  input  wire logic                    count_i,
  input  wire logic                    odd_i
);
  `MUSTER_RANGE(Contexts, 1, 8)
  `MUSTER_RANGE(Steps, 2, 32)

  localparam int unsigned Words = 1 << AtW;
  localparam int unsigned CountW = muster_pkg::NicCountW;

  /* verilator lint_off UNUSEDSIGNAL */
  muster_pkg::nic_events_word_t written;
  /* verilator lint_on UNUSEDSIGNAL */
  assign written = word_i;

  muster_nic_memory #(.Words(Words), .Width(muster_pkg::NicEventW)) words (
    .clk_i, .rst_ni,
    .write_i,
    .write_at_i,
    .word_i({written.write, written.last, written.need, written.next, written.slot,
             written.peer}),
    .read_i,
    .read_at_i,
    .read_o(event_o)
  );

  // ---- Counts ---------------------------------------------------------------------------------
  // `counted`: the memory has the counts of this event, else they are 0. `again`: what is read was
  // being written.
  logic [AtW-1:0] at_q;
  logic [Words-1:0] counted_q, named, cleared;
  logic again_q;
  logic [1:0][CountW-1:0] stored, before_q, counts, counts_d;

  muster_nic_memory #(.Words(Words), .Width(2 * CountW)) both (
    .clk_i, .rst_ni,
    .write_i(count_i),
    .write_at_i(at_q),
    .word_i(counts_d),
    .read_i,
    .read_at_i,
    .read_o(stored)
  );

  assign named = Words'(1'b1) << at_q;
  always_comb begin
    cleared = '0;
    for (int unsigned c = 0; c < Contexts; c++) begin
      if (clear_i[c]) cleared[(c<<EachW)+:(1<<EachW)] = '1;
    end
  end

  assign counts = ((counted_q & named) == '0) ? '0 : again_q ? before_q : stored;
  always_comb begin
    counts_d = counts;
    for (int unsigned b = 0; b < 2; b++) begin
      fires_o[b] = counts[b] + 1'b1 == event_o.need;
      if (odd_i == 1'(b)) counts_d[b] = fires_o[b] ? '0 : counts[b] + 1'b1;
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      counted_q <= '0;
      again_q <= 1'b0;
    end else begin
      counted_q <= (counted_q | (count_i ? named : '0)) & ~cleared;
      if (read_i) again_q <= count_i && (read_at_i == at_q);
    end
  end
  always_ff @(posedge clk_i) begin
    if (read_i) at_q <= read_at_i;
    if (count_i) before_q <= counts_d;
  end

  // A read in the cycle of a write is undefined, except for the counts that are written.
  logic read_q;
  always_ff @(posedge clk_i) read_q <= rst_ni && read_i;
  `MUSTER_ASSERT(ReadBeforeCount_A, !count_i || read_q)

endmodule

`default_nettype wire
