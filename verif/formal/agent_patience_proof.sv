// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "formal.svh"

// muster_register_agent with Guard and a time T = 2 ** Patience comes back to idle whatever its
// requesters and its outputs do, and the host: packets that stop, packets that never end, answers
// that never leave, accesses in every cycle.
//
// After a packet was accepted in t, one that begins in t + 11 T + 26 or later is accepted: six more
// flits of the request and five of the answer take T cycles each at most, and 25 are between. (A
// packet that is too long ends before, with its eighth flit.) Accepted is what is not told as busy.
// register_agent_proof has the access unit without Guard, whose bound needs bounds of the others.
module agent_patience_proof #(
  parameter int unsigned Ports = 3,
  parameter int unsigned Patience = 1,
  /// the bound is so many cycles too small; 0 for the proof
  parameter int unsigned Early = 0,
  localparam int unsigned WordW = muster_pkg::AgentWordW,
  localparam int unsigned Bound = 11 * (1 << Patience) + 26 - Early
) (
  input  wire logic                         clk_i,
  input  wire logic [Ports-1:0]             taken_i,
  input  wire logic [Ports-1:0]             tail_i,
  input  wire logic [Ports-1:0]             mark_i,
  input  wire logic [Ports-1:0][WordW-1:0]  payload_i,
  input  wire logic [Ports-1:0]             permit_i,
  input  wire logic                         host_i,
  input  wire logic                         host_write_i,
  input  wire logic                         host_touches_i,
  input  wire logic                         harmful_i,
  input  wire logic                         foreign_i,
  input  wire logic [31:0]                  word_i,
  input  wire logic [Ports-1:0]             route_mask_i,
  input  wire logic                         leaves_i
);
  `MUSTER_FORMAL_RESET

  logic [Ports-1:0] first, want, cut, mask_q, open_q;
  logic [3:0][Ports-1:0] happens;
  logic route_read;

  // Packets of a queue are contiguous.
  assign first = taken_i & ~open_q;
  always_ff @(posedge clk_i) begin
    open_q <= rst_ni ? (open_q & ~taken_i) | (taken_i & ~tail_i) : '0;
    if (route_read) mask_q <= route_mask_i;
  end

  muster_register_agent #(.Ports(Ports), .Vcs(1), .Regs(1), .Guard(1)) dut (
    .clk_i, .rst_ni,
    .taken_i,
    .first_i(first),
    .tail_i,
    .cut_i(tail_i & mark_i),  // a mark is a tail
    .payload_i,
    .permit_i,
    .host_read_i(host_i),
    .host_write_i,
    .host_touches_i,
    .word_i,
    .route_read_o(route_read),
    .route_mask_i(mask_q),
    .want_o(want),
    .leaves_i,
    .harmful_i,
    .foreign_i,
    .patience_i(4'(Patience)),
    .cut_o(cut),
    .event_o(happens)
  );

  // ---- How long ------------------------------------------------------------------------------
  localparam int unsigned CountW = $clog2(Bound + 2);
  logic [CountW-1:0] served_q;  // cycles since a packet was accepted, saturating
  logic accepted;
  assign accepted = (first & ~happens[0]) != '0;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) served_q <= '1;
    else if (accepted) served_q <= CountW'(1);
    else if (served_q != '1) served_q <= served_q + 1'b1;
  end

  `MUSTER_PERMITS_OF_HOST(permit_i, host_write_i && host_touches_i)

  // ---- Facts --------------------------------------------------------------------------------
  `MUSTER_ASSUME(LeavesOnWant_M, !leaves_i || want != '0)
  `MUSTER_ASSERT(FreeInTime_A, first == '0 || 32'(served_q) < Bound || accepted)
  `MUSTER_ASSERT(CutIsStranded_A, cut == '0 || happens[3] != '0)

  `MUSTER_COVER(CutsAnswer_C, cut != '0)
  `MUSTER_COVER(DropsRequest_C, happens[1] != '0 && taken_i == '0)

endmodule

`default_nettype wire
