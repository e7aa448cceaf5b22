// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "formal.svh"

// muster_register_agent always comes back to idle: whatever packets begin, of any shape and at any
// port, and whatever the host does on the register port, it is free again for the next one within a
// bound. It is assumed that
//
//   - the tail of a packet comes at most Tail cycles after its first flit
//   - a flit of the answer that waits leaves after at most Wait cycles
//
// The bound, Tail + 5 * Wait + 30 cycles after the first flit, is reached. Each assumption is of
// what is outside the access unit: of the sender and the link, of the output. Without bounds: 26
// cycles after the tail of a request the answer is there or there is none, 5 cycles after it if the
// host only reads and not in two successive cycles, 4 cycles after it without the host.
//
// agent_request tells from the packets which one the access unit serves.
module agent_returns_proof #(
  parameter int unsigned Ports = 3,
  parameter int unsigned Tail = 8,
  parameter int unsigned Wait = 1,
  /// a flit of the answer may wait so many cycles longer than the bound knows; 0 for the proof
  parameter int unsigned Late = 0,
  localparam int unsigned WordW = muster_pkg::AgentWordW,
  localparam int unsigned Bound = Tail + muster_pkg::AnswerFlits * Wait + 30
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
  input  wire logic [31:0]                  word_i,
  input  wire logic [Ports-1:0]             route_mask_i,
  input  wire logic                         leaves_i
);
  `MUSTER_FORMAL_RESET

  // ---- The access unit --------------------------------------------------------------------------
  logic [Ports-1:0] first, want, mask_q;
  logic [3:0][Ports-1:0] happens;
  logic route_read;

  // A mark is a tail.
  logic [Ports-1:0] cut_mark;
  assign cut_mark = tail_i & mark_i;

  muster_register_agent #(
    .Ports(Ports),
    .Vcs(1),
    .Regs(1)
  ) dut (
    .clk_i,
    .rst_ni,
    .taken_i,
    .first_i(first),
    .tail_i,
    .cut_i(cut_mark),
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
    .harmful_i(1'b0),
    .foreign_i(1'b0),
    .patience_i('0),
    .event_o(happens)
  );

  // The table's answer holds until it is read again.
  always_ff @(posedge clk_i) begin
    if (route_read) mask_q <= route_mask_i;
  end

  logic begins, serves, received, over, tail_comes;
  logic [Ports-1:0] source;
  agent_request #(
    .Queues(Ports)
  ) packet (
    .clk_i,
    .rst_ni,
    .taken_i,
    .tail_i,
    .cut_i(cut_mark),
    .payload_i,
    .first_o(first),
    .leaves_i,
    .stranded_i(happens[3] != '0),
    .begins_o(begins),
    .serves_o(serves),
    .received_o(received),
    .source_o(source),
    .over_o(over)
  );
  assign tail_comes = (source & taken_i & tail_i) != '0;

  // ---- How long ------------------------------------------------------------------------------
  // Cycles that the packet has been served for; that it has been received for; that it is a request
  // without an answer; that a flit of the answer waits. What the host has done since the tail.
  localparam int unsigned CountW = $clog2(Bound + 2);
  logic [CountW-1:0] served_q, receives_q, executes_q, waits_q;
  logic host_q, alone_q, polls_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni || begins || !serves) served_q <= CountW'(begins);
    else if (served_q != '1) served_q <= served_q + 1'b1;
    if (!rst_ni || begins || received || !serves) receives_q <= CountW'(begins);
    else if (receives_q != '1) receives_q <= receives_q + 1'b1;
    if (!rst_ni || !received || !serves || want != '0) executes_q <= '0;
    else if (executes_q != '1) executes_q <= executes_q + 1'b1;
    if (!rst_ni || leaves_i || want == '0) waits_q <= '0;
    else if (waits_q != '1) waits_q <= waits_q + 1'b1;
    host_q <= host_i;
    alone_q <= !received || (alone_q && !host_i && !host_write_i);
    polls_q <= !received || (polls_q && !host_write_i && !(host_i && host_q));
  end

  `MUSTER_PERMITS_OF_HOST(permit_i, host_write_i && host_touches_i)

  // ---- Facts --------------------------------------------------------------------------------
  `MUSTER_ASSUME(LeavesOnWant_M, !leaves_i || want != '0)
  `MUSTER_ASSUME(TailComes_M, !serves || received || 32'(receives_q) < Tail ||
                              (32'(receives_q) == Tail && tail_comes))
  `MUSTER_ASSUME(AnswerLeaves_M, want == '0 || leaves_i || 32'(waits_q) < Wait + Late)

  // Free again in time; and free is what it says: the lowest that begins then is accepted.
  `MUSTER_ASSERT(ReturnsInTime_A, !serves || 32'(served_q) <= Bound)
  `MUSTER_ASSERT(FreeTakesTheNext_A, serves || !$onehot(first) || happens[0] == '0)
  // Without any bound of others: so many cycles, and a whole request is answered or stranded.
  logic executing;
  assign executing = serves && received && want == '0;
  `MUSTER_ASSERT(AnswerInTime_A, !executing || 32'(executes_q) < 25)
  `MUSTER_ASSERT(AnswerBesideReads_A, !executing || !polls_q || 32'(executes_q) < 4)
  `MUSTER_ASSERT(AnswerAlone_A, !executing || !alone_q || 32'(executes_q) < 3)

  `MUSTER_COVER(AsLateAsItMay_C, over && 32'(served_q) == Bound)
  `MUSTER_COVER(Stranded_C, happens[3] != '0)
  `MUSTER_COVER(KeptOff_C, executing && 32'(executes_q) == 24)

endmodule

`default_nettype wire
