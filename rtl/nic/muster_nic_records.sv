// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "muster_assert.svh"

// The send packets of the point-to-point path and who gets them (docs/systems/nic-link.md,
// Sending).
//
// While a record is free, the lowest free one goes at the edge to a connection with eligible_i, in
// round robin: allocate_o, one-hot, in the same cycle. Where the host writes that connection in
// this cycle, the turn passes on but no context gets the record.
// Records that want to be sent are offered in round robin: want_o, and at_o, the connection of the
// one whose turn it is; granted_i says that its packet goes. source_busy_o says whether a record is
// that of connection source_i.
//
// Example, 2 records, connections 1 and 3 eligible from t on: allocate_o is connection 1 in t
// (record 0), 3 in t + 1 (record 1); at_o is 1 in t + 1 and, if granted there, 3 in t + 2.
module muster_nic_records #(
  /// send packets, 1 to 8
  parameter int unsigned Records = 4,
  /// connections, 1 to 32
  parameter int unsigned Conns = 16,
  localparam int unsigned ConnW = (Conns > 1) ? $clog2(Conns) : 1
) (
  input  wire logic                clk_i,
  input  wire logic                rst_ni,

  /// timed_i: timeout_i is not 0
  input  wire logic                timed_i,
  input  wire logic [15:0]         timeout_i,
  input  wire logic [3:0]          retries_i,

  input  wire logic [Conns-1:0]    eligible_i,
  output logic [Conns-1:0]         allocate_o,
  /// the host writes connection k; at most one, and written_at_i is its number
  input  wire logic [Conns-1:0]    written_i,
  input  wire logic [ConnW-1:0]    written_at_i,
  /// its tries are spent
  output logic [Conns-1:0]         gives_up_o,

  input  wire logic [ConnW-1:0]    source_i,
  output logic                     source_busy_o,
  /// the packet of source_i is acknowledged; only with source_busy_o
  input  wire logic                acked_i,

  output logic                     want_o,
  output logic [ConnW-1:0]         at_o,
  input  wire logic                granted_i,
  /// none is given away, wants to be sent or has its timer running
  output logic                     quiet_o
);
  `MUSTER_RANGE(Records, 1, 8)
  `MUSTER_RANGE(Conns, 1, 32)

  // ---- State: a vector over the records for each bit --------------------------------------------
  logic [Records-1:0] used_q, want_q;
  logic [Records-1:0][ConnW-1:0] connection_q;
  logic [Records-1:0] free, turn, freed, again, gives_up, runs, of_source, of_written;
  logic [Records-1:0] allocate, above_free, due;
  /* verilator lint_off UNUSEDSIGNAL */
  logic [Records-1:0] visited;  // all have one timeout
  /* verilator lint_on UNUSEDSIGNAL */
  logic spent;
  logic [Conns-1:0] chosen;
  logic [ConnW-1:0] chosen_index, given_up;

  muster_rr_arbiter #(.N(Conns)) connections (
    .clk_i, .rst_ni,
    .req_i(eligible_i),
    .take_i(free != '0),
    .grant_o(chosen)
  );

  assign free = ~used_q;
  assign allocate_o = (free != '0) ? chosen & ~written_i : '0;
  muster_above_lowest #(.N(Records)) lowest_free (
    .bits_i(free),
    .above_o(above_free)
  );
  assign allocate = (allocate_o != '0) ? free & ~above_free : '0;
  always_comb begin
    chosen_index = '0;
    for (int unsigned k = 0; k < Conns; k++) begin
      if (chosen[k]) chosen_index = chosen_index | ConnW'(k);
    end
  end

  muster_nic_timers #(.Timers(Records), .BaseW(16)) timers (
    .clk_i, .rst_ni,
    .at_o(visited),
    .base_i(timeout_i),
    .retries_i,
    .run_i(runs),
    .restart_i(allocate),
    .due_o(due),
    .spent_o(spent)
  );

  for (genvar r = 0; r < Records; r++) begin : gen_record
    assign of_source[r] = used_q[r] && (connection_q[r] == source_i);
    assign of_written[r] = used_q[r] && (connection_q[r] == written_at_i);
  end
  assign freed = (acked_i ? of_source : '0) | ((written_i != '0) ? of_written : '0);
  assign runs = timed_i ? used_q & ~want_q : '0;
  assign again = spent ? '0 : due & ~freed;
  assign gives_up = spent ? due & ~freed : '0;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      used_q <= '0;
      want_q <= '0;
    end else begin
      used_q <= allocate | (used_q & ~freed & ~gives_up);
      want_q <= allocate | (((want_q & ~(granted_i ? turn : '0)) | again) & ~freed);
    end
  end
  always_ff @(posedge clk_i) begin
    for (int unsigned r = 0; r < Records; r++) begin
      if (allocate[r]) connection_q[r] <= chosen_index;
    end
  end

  muster_rr_arbiter #(.N(Records)) sending (
    .clk_i, .rst_ni,
    .req_i(want_q),
    .take_i(granted_i),
    .grant_o(turn)
  );

  always_comb begin
    at_o = '0;
    given_up = '0;
    for (int unsigned r = 0; r < Records; r++) begin
      if (turn[r]) at_o = at_o | connection_q[r];
      if (gives_up[r]) given_up = given_up | connection_q[r];
    end
  end
  assign gives_up_o = (gives_up != '0) ? Conns'(1'b1) << given_up : '0;

  assign source_busy_o = of_source != '0;
  assign want_o = want_q != '0;
  assign quiet_o = (eligible_i == '0 || free == '0) && want_q == '0 && runs == '0;

  logic [Conns-1:0] held_twice, held, holds;
  always_comb begin
    held = '0;
    held_twice = '0;
    holds = '0;
    for (int unsigned r = 0; r < Records; r++) begin
      holds = free[r] ? '0 : Conns'(1'b1) << connection_q[r];
      held_twice = held_twice | (held & holds);
      held = held | holds;
    end
  end
  `MUSTER_ASSERT(OneRecordEach_A, held_twice == '0)
  `MUSTER_ASSERT(EligibleHasNone_A, (eligible_i & held) == '0)
  `MUSTER_ASSERT(AckedHasRecord_A, !acked_i || source_busy_o)
  `MUSTER_ASSERT(FreeWantsNothing_A, (want_q & free) == '0)
  `MUSTER_ASSERT(DueWhileItRuns_A, (due & ~runs) == '0)
  `MUSTER_ASSERT(GrantOnWant_A, !granted_i || want_o)

endmodule

`default_nettype wire
