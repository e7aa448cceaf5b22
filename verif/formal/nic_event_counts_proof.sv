// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "formal.svh"

// muster_nic_event_counts for any reads, counts and clears, watched at one event of any context: no
// count is lost or made twice, whatever is read and counted between two counts of it.
//
//   - the event fires exactly with its `need`th count since it fired last, or since the clear, in
//     both barriers apart
//   - counts of other events and clears of other contexts change nothing
//
// The wrapper writes the words first, then clears all; it keeps two counts of its own.
module nic_event_counts_proof #(
  parameter int unsigned Contexts = 2,  // a power of two, as Steps
  parameter int unsigned Steps = 2,
  localparam int unsigned ContextW = $clog2(Contexts),
  localparam int unsigned AtW = ContextW + $clog2(Steps),
  localparam int unsigned Words = 1 << AtW
) (
  input  wire logic                  clk_i,
  input  wire logic [AtW-1:0]        watched_i,
  input  wire logic [31:0]           word_i,
  input  wire logic [Contexts-1:0]   clear_i,
  input  wire logic                  read_i,
  input  wire logic [AtW-1:0]        read_at_i,
  input  wire logic                  count_i,
  input  wire logic                  odd_i
);
  `MUSTER_FORMAL_RESET

  logic [AtW:0] setup_q;
  logic ready, writes;
  assign ready = 32'(setup_q) == Words + 1;
  assign writes = rst_ni && 32'(setup_q) < Words;

  logic [AtW-1:0] watched_q;
  logic [3:0] need_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) watched_q <= watched_i;
    if (!rst_ni) setup_q <= '0;
    else if (!ready) setup_q <= setup_q + 1'b1;
    if (writes && setup_q[AtW-1:0] == watched_q) need_q <= word_i[29:26];
  end

  muster_pkg::nic_event_t descriptor;
  logic [1:0] fires;
  logic read_q, counts, here_q;
  assign counts = ready && count_i && read_q;
  muster_nic_event_counts #(.Contexts(Contexts), .Steps(Steps)) dut (
    .clk_i, .rst_ni,
    .write_i(writes),
    .write_at_i(setup_q[AtW-1:0]),
    .word_i,
    .clear_i(ready ? clear_i : '1),
    .read_i(ready && read_i),
    .read_at_i,
    .event_o(descriptor),
    .fires_o(fires),
    .count_i(counts),
    .odd_i
  );

  // What has been counted since the event fired, of barriers with even and with odd numbers.
  logic [3:0] even_q, odd_q, now;
  logic hit, cleared, all;
  assign hit = counts && here_q;
  assign now = odd_i ? odd_q : even_q;
  assign all = now + 4'd1 == need_q;
  assign cleared = !ready || clear_i[watched_q[AtW-1-:ContextW]];
  always_ff @(posedge clk_i) begin
    read_q <= rst_ni && ready && read_i;
    here_q <= read_at_i == watched_q;
    if (cleared) {even_q, odd_q} <= '0;
    else if (hit && odd_i) odd_q <= all ? '0 : now + 4'd1;
    else if (hit) even_q <= all ? '0 : now + 4'd1;
  end

  `MUSTER_ASSERT(FiresWithItsCount_A, !hit || fires[odd_i] == all)
  `MUSTER_ASSERT(SaysBoth_A, !(read_q && here_q) || fires == {odd_q + 4'd1 == need_q,
                                                              even_q + 4'd1 == need_q})
  `MUSTER_ASSERT(WordIsThere_A, !(read_q && here_q) || descriptor.need == need_q)

  `MUSTER_COVER(FiresOfSixteen_C, hit && all && need_q == 4'd0)
  `MUSTER_COVER(TwiceInARow_C, hit && need_q == 4'd3 && now == 4'd1 && read_i &&
                               read_at_i == watched_q)

endmodule

`default_nettype wire
