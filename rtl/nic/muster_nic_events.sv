// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "muster_assert.svh"

// The event port of a NIC (docs/systems/nic-engine.md, Events): a register that the host takes
// words from, and the queue of the point-to-point path before it.
//
// While the register is empty, or taken in this cycle, it is loaded at the edge with the first of:
// the notice of the lowest context, a dead connection, the oldest word of the queue. In the same
// cycle loaded_o or dead_loaded_o tells whose it is. A word stays at event_o until event_ready_i.
//
// Example: notices of contexts 1 and 3 in t, empty register: the word of 1 in t + 1; taken there,
// that of 3 in t + 2.
module muster_nic_events #(
  /// contexts, 1 to 8
  parameter int unsigned Contexts = 4,
  localparam int unsigned ContextW = (Contexts > 1) ? $clog2(Contexts) : 1
) (
  input  wire logic                        clk_i,
  input  wire logic                        rst_ni,

  /// context c has an event; word_i is that of context at_o, the lowest that has one, without its
  /// number yet, and with 0 in bits 23..11
  input  wire logic [Contexts-1:0]         notice_i,
  output logic [ContextW-1:0]              at_o,
  /* verilator lint_off UNUSEDSIGNAL */
  input  wire logic [31:0]                 word_i,
  /* verilator lint_on UNUSEDSIGNAL */
  output logic [Contexts-1:0]              loaded_o,

  input  wire logic                        dead_i,
  input  wire logic [31:0]                 dead_word_i,
  output logic                             dead_loaded_o,

  /// append to the queue; only while full_o is low
  input  wire logic                        push_i,
  input  wire logic [31:0]                 pushed_i,
  output logic                             full_o,

  output logic                             event_valid_o,
  output logic [31:0]                      event_o,
  input  wire logic                        event_ready_i,
  /// nothing waits and nothing is at the port
  output logic                             quiet_o
);
  `MUSTER_RANGE(Contexts, 1, 8)

  localparam int unsigned Words = 8;

  logic free, empty, pop, load, queued_q;
  logic [31:0] taken, word_q;
  logic [Contexts-1:0] above, first;

  muster_nic_queue #(.Width(32), .Depth(Words)) queue (
    .clk_i, .rst_ni,
    .push_i,
    .data_i(pushed_i),
    .pop_i(pop),
    .data_o(taken),
    .empty_o(empty),
    .full_o
  );

  assign free = !event_valid_o || event_ready_i;
  muster_above_lowest #(.N(Contexts)) lowest (
    .bits_i(notice_i),
    .above_o(above)
  );
  assign first = notice_i & ~above;
  assign loaded_o = free ? first : '0;
  assign dead_loaded_o = free && (notice_i == '0) && dead_i;
  assign pop = free && (notice_i == '0) && !dead_i && !empty;
  assign load = free && (notice_i != '0 || dead_i || !empty);

  always_comb begin
    at_o = '0;
    for (int unsigned c = 0; c < Contexts; c++) begin
      if (first[c]) at_o = at_o | ContextW'(c);
    end
  end
  // The port shows the word that the queue gave last, or one that is kept here.
  assign event_o = queued_q ? taken : word_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) event_valid_o <= 1'b0;
    else if (free) event_valid_o <= load;
  end
  always_ff @(posedge clk_i) begin
    if (load) begin
      queued_q <= pop;
      word_q <= (notice_i == '0) ? dead_word_i
                                 : {word_i[31:24], 5'd0, 3'(at_o), 5'd0, word_i[10:0]};
    end
  end

  assign quiet_o = !event_valid_o && (notice_i == '0) && !dead_i && empty;

  `MUSTER_ASSERT(OneIsLoaded_A, !(loaded_o != '0 && (dead_loaded_o || pop)) &&
                                !(dead_loaded_o && pop))
  `MUSTER_ASSERT(LoadedOneHot_A, (loaded_o & (loaded_o - 1'b1)) == '0)

endmodule

`default_nettype wire
