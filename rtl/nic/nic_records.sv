// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "muster_assert.svh"

// The send packets of the point-to-point path and who gets them (docs/systems/nic-link.md,
// Sending).
//
// While a record is free, the lowest free one goes at the edge to a connection with eligible_i, in
// round robin: allocate_o, one-hot, in the same cycle. Where the host writes that connection in
// this cycle, the turn passes on but nobody gets the record.
// Records that want to be sent are offered in round robin: want_o, of_o the connection of the one
// whose turn it is; granted_i says that it goes.
//
// Example, 2 records, connections 1 and 3 eligible from t on: allocate_o is connection 1 in t
// (record 0), 3 in t + 1 (record 1); of_o is 1 in t + 1 and, if granted there, 3 in t + 2.
module nic_records #(
  /// send packets, 1 to 8
  parameter int unsigned Records = 4,
  /// connections, 1 to 32
  parameter int unsigned Conns = 16
) (
  input  wire logic               clk_i,
  input  wire logic               rst_ni,

  input  wire logic [15:0]        timeout_i,
  input  wire logic [3:0]         retries_i,

  input  wire logic [Conns-1:0]   eligible_i,
  output logic [Conns-1:0]        allocate_o,
  /// the host writes connection k; at most one
  input  wire logic [Conns-1:0]   written_i,
  /// the packet of connection k is acknowledged; only if it has a record
  input  wire logic [Conns-1:0]   acked_i,
  /// its tries are spent
  output logic [Conns-1:0]        gives_up_o,

  output logic                    want_o,
  /// one-hot if want_o
  output logic [Conns-1:0]        of_o,
  input  wire logic               granted_i,
  /// none is given away, wants to be sent or has its timer running
  output logic                    quiet_o
);
  if (Records < 1 || Records > 8) begin : gen_bad_records
    $error("nic_records: Records must be 1 to 8");
  end
  if (Conns < 1 || Conns > 32) begin : gen_bad_conns
    $error("nic_records: Conns must be 1 to 32");
  end

  localparam int unsigned ConnW = (Conns > 1) ? $clog2(Conns) : 1;

  logic [Records-1:0] free, want, turn, freed, gives_up, runs, allocate, above_free;
  logic [Records-1:0][Conns-1:0] owner;  // one-hot; none of a free record
  logic [Conns-1:0] chosen;
  logic [ConnW-1:0] chosen_index;

  rr_arbiter #(
    .N(Conns)
  ) connections (
    .clk_i,
    .rst_ni,
    .req_i(eligible_i),
    .take_i(free != '0),
    .grant_o(chosen)
  );

  assign allocate_o = (free != '0) ? chosen & ~written_i : '0;
  above_lowest #(
    .N(Records)
  ) lowest_free (
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

  for (genvar r = 0; r < Records; r++) begin : gen_record
    logic [ConnW-1:0] connection;

    nic_record #(
      .Conns(Conns)
    ) record (
      .clk_i,
      .rst_ni,
      .timeout_i,
      .retries_i,
      .allocate_i(allocate[r]),
      .connection_i(chosen_index),
      .free_o(free[r]),
      .connection_o(connection),
      .want_o(want[r]),
      .granted_i(granted_i && turn[r]),
      .freed_i(freed[r]),
      .gives_up_o(gives_up[r]),
      .runs_o(runs[r])
    );

    assign owner[r] = free[r] ? '0 : Conns'(1'b1) << connection;
    assign freed[r] = (owner[r] & (acked_i | written_i)) != '0;
  end

  rr_arbiter #(
    .N(Records)
  ) sending (
    .clk_i,
    .rst_ni,
    .req_i(want),
    .take_i(granted_i),
    .grant_o(turn)
  );

  always_comb begin
    of_o = '0;
    gives_up_o = '0;
    for (int unsigned r = 0; r < Records; r++) begin
      if (turn[r]) of_o = of_o | owner[r];
      if (gives_up[r]) gives_up_o = gives_up_o | owner[r];
    end
  end

  assign want_o = want != '0;
  assign quiet_o = (eligible_i == '0 || free == '0) && want == '0 && runs == '0;

  logic [Conns-1:0] held_twice, held;
  always_comb begin
    held = '0;
    held_twice = '0;
    for (int unsigned r = 0; r < Records; r++) begin
      held_twice = held_twice | (held & owner[r]);
      held = held | owner[r];
    end
  end
  `MUSTER_ASSERT(OneRecordEach_A, held_twice == '0)
  `MUSTER_ASSERT(EligibleHasNone_A, (eligible_i & held) == '0)
  `MUSTER_ASSERT(AckedHasRecord_A, (acked_i & ~held) == '0)

endmodule

`default_nettype wire
