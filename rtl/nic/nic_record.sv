// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "muster_assert.svh"

// A send packet of the point-to-point path, and its record (docs/systems/nic-link.md, Sending).
//
// free; from allocate_i on of the connection given there, and it wants to be sent; granted_i: sent,
// its timer runs; the timer is due: it wants to be sent again, or, after `retries` of that,
// gives_up_o. freed_i wins over the timer and over the grant of its cycle. Changes are at the edge.
//
// Example, timeout 3, retries 1: granted in t: wants again in t + 5; granted in t + 5: gives_up_o
// in t + 12, free in t + 13.
module nic_record #(
  /// connections, 1 to 32
  parameter int unsigned Conns = 16,
  localparam int unsigned ConnW = (Conns > 1) ? $clog2(Conns) : 1
) (
  input  wire logic               clk_i,
  input  wire logic               rst_ni,

  input  wire logic [15:0]        timeout_i,
  input  wire logic [3:0]         retries_i,

  /// take it for this connection; only while free_o
  input  wire logic               allocate_i,
  input  wire logic [ConnW-1:0]   connection_i,
  output logic                    free_o,
  output logic [ConnW-1:0]        connection_o,

  output logic                    want_o,
  /// only with want_o
  input  wire logic               granted_i,
  /// acknowledged, or its connection is written anew; not while free_o
  input  wire logic               freed_i,
  output logic                    gives_up_o,
  /// its timer runs
  output logic                    runs_o
);
  if (Conns < 1 || Conns > 32) begin : gen_bad_conns
    $error("nic_record: Conns must be 1 to 32");
  end

  logic used_q, want_q, due, spent, again;
  logic [ConnW-1:0] connection_q;

  assign runs_o = used_q && !want_q && (timeout_i != '0);
  assign again = runs_o && due && !spent && !freed_i;
  assign gives_up_o = runs_o && due && spent && !freed_i;

  nic_timer #(
    .BaseW(16)
  ) timer (
    .clk_i,
    .rst_ni,
    .base_i(timeout_i),
    .retries_i,
    .run_i(runs_o),
    .clear_i(allocate_i),
    .again_i(again),
    .due_o(due),
    .spent_o(spent)
  );

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      used_q <= 1'b0;
      want_q <= 1'b0;
    end else if (allocate_i) begin
      used_q <= 1'b1;
      want_q <= 1'b1;
    end else if (freed_i || gives_up_o) begin
      used_q <= 1'b0;
      want_q <= 1'b0;
    end else if (again) begin
      want_q <= 1'b1;
    end else if (granted_i) begin
      want_q <= 1'b0;
    end
  end

  always_ff @(posedge clk_i) begin
    if (allocate_i) connection_q <= connection_i;
  end

  assign free_o = !used_q;
  assign want_o = want_q;
  assign connection_o = connection_q;

  `MUSTER_ASSERT(AllocatedWhenFree_A, !allocate_i || !used_q)
  `MUSTER_ASSERT(FreeWantsNothing_A, used_q || !want_q)
  `MUSTER_ASSERT(GrantOnWant_A, !granted_i || want_q)
  `MUSTER_ASSERT(FreedWasUsed_A, !freed_i || used_q)

endmodule

`default_nettype wire
