// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "muster_assert.svh"

// A send packet of the point-to-point path, and its record (docs/systems/nic-link.md, Sending).
//
// free; from allocate_i on of the connection given there, and it wants to be sent; granted_i: sent,
// its timer runs; the timer is due: it wants to be sent again, or, after `retries` of that,
// gives_up_o. freed_i wins over the timer and over the grant of its cycle. Changes are at the edge.
//
// What the packet says comes from memory in the cycle after allocate_i, at fetched_i: there
// fetching_o is 1, and packet_o is it from the next cycle on.
//
// Example: allocate_i in t, granted_i in t + 1; due_i in t + 12: wants again from t + 13 on; granted
// there; due_i with spent_i in t + 34: gives_up_o, and free from t + 35 on.
module muster_nic_record #(
  /// connections, 1 to 32
  parameter int unsigned Conns = 16,
  /// bits of what a packet says, 1 to 64
  parameter int unsigned PacketW = 33,
  localparam int unsigned ConnW = (Conns > 1) ? $clog2(Conns) : 1
) (
  input  wire logic                clk_i,
  input  wire logic                rst_ni,

  /// T is not 0
  input  wire logic                times_i,
  /// its timer, one of muster_nic_timers.sv, which allocate_i restarts
  output logic                     runs_o,
  input  wire logic                due_i,
  input  wire logic                spent_i,

  /// take it for this connection; only while free_o
  input  wire logic                allocate_i,
  input  wire logic [ConnW-1:0]    connection_i,
  input  wire logic [PacketW-1:0]  fetched_i,
  output logic                     free_o,
  output logic [ConnW-1:0]         connection_o,
  output logic                     fetching_o,
  output logic [PacketW-1:0]       packet_o,

  output logic                     want_o,
  /// only with want_o
  input  wire logic                granted_i,
  /// acknowledged, or its connection is written anew; not while free_o
  input  wire logic                freed_i,
  output logic                     gives_up_o
);
  if (Conns < 1 || Conns > 32) begin : gen_bad_conns
    $error("muster_nic_record: Conns must be 1 to 32");
  end
  if (PacketW < 1 || PacketW > 64) begin : gen_bad_packet
    $error("muster_nic_record: PacketW must be 1 to 64");
  end

  logic used_q, want_q, fetching_q, again;
  logic [ConnW-1:0] connection_q;
  logic [PacketW-1:0] packet_q;

  assign runs_o = used_q && !want_q && times_i;
  assign again = due_i && !spent_i && !freed_i;
  assign gives_up_o = due_i && spent_i && !freed_i;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      used_q <= 1'b0;
      want_q <= 1'b0;
      fetching_q <= 1'b0;
    end else begin
      fetching_q <= allocate_i;
      if (allocate_i) begin
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
  end

  always_ff @(posedge clk_i) begin
    if (allocate_i) connection_q <= connection_i;
    if (fetching_q) packet_q <= fetched_i;
  end

  assign free_o = !used_q;
  assign want_o = want_q;
  assign connection_o = connection_q;
  assign fetching_o = fetching_q;
  assign packet_o = packet_q;

  `MUSTER_ASSERT(DueWhileItRuns_A, !due_i || runs_o)
  `MUSTER_ASSERT(AllocatedWhenFree_A, !allocate_i || !used_q)
  `MUSTER_ASSERT(FreeWantsNothing_A, used_q || !want_q)
  `MUSTER_ASSERT(FetchesWhenNew_A, !fetching_q || want_q)
  `MUSTER_ASSERT(GrantOnWant_A, !granted_i || want_q)
  `MUSTER_ASSERT(FreedWasUsed_A, !freed_i || used_q)

endmodule

`default_nettype wire
