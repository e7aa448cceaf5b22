// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "muster_assert.svh"

// register_agent always comes back to idle: whatever packets begin, of any shape and at any port,
// it is free again for the next one within a bound. It is assumed that
//
//   - the tail of a packet comes at most Tail cycles after its first flit
//   - the host leaves the register port alone in three successive cycles again and again: at most
//     Host cycles end no such run. Permits change only as the host writes them
//   - a flit of the answer that waits leaves after at most Wait cycles
//
// The bound, Tail + Host + 5 * Wait + 8 cycles after the first flit, is reached. Each assumption is
// of what is outside the access unit: of the sender and the link, the host, the output. Without
// bounds: after three cycles without the host the answer is there or there is none.
//
// agent_request tells from the packets which one the access unit serves.
module agent_returns_proof #(
  parameter int unsigned Ports = 3,
  parameter int unsigned Tail = 8,
  parameter int unsigned Host = 2,
  parameter int unsigned Wait = 1,
  /// a flit of the answer may wait so many cycles longer than the bound knows; 0 for the proof
  parameter int unsigned Late = 0,
  localparam int unsigned WordW = muster_pkg::AgentWordW,
  localparam int unsigned Bound = Tail + Host + muster_pkg::AnswerFlits * Wait + 8
) (
  input  wire logic                         clk_i,
  input  wire logic [Ports-1:0]             taken_i,
  input  wire logic [Ports-1:0]             tail_i,
  input  wire logic [Ports-1:0][WordW-1:0]  payload_i,
  input  wire logic [Ports-1:0]             permit_i,
  input  wire logic                         host_i,
  input  wire logic [31:0]                  word_i,
  input  wire logic [Ports-1:0]             route_mask_i,
  input  wire logic                         leaves_i
);
  logic rst_ni = 1'b0;
  always_ff @(posedge clk_i) rst_ni <= 1'b1;

  // ---- The access unit --------------------------------------------------------------------------
  logic [Ports-1:0] first, want, mask_q;
  logic [3:0][Ports-1:0] happens;
  logic route_read;

  register_agent #(
    .Ports(Ports),
    .Vcs(1),
    .Regs(1)
  ) dut (
    .clk_i,
    .rst_ni,
    .taken_i,
    .first_i(first),
    .tail_i,
    .payload_i,
    .permit_i,
    .host_i,
    .read_o(),
    .write_o(),
    .address_o(),
    .data_o(),
    .word_i,
    .route_read_o(route_read),
    .route_dest_o(),
    .route_mask_i(mask_q),
    .want_o(want),
    .vc_o(),
    .kind_o(),
    .payload_o(),
    .leaves_i,
    .harmful_i(1'b0),
    .foreign_i(1'b0),
    .patience_i('0),
    .port_o(),
    .guarded_o(),
    .cut_o(),
    .event_o(happens),
    .quiescent_o()
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
    .payload_i,
    .first_o(first),
    .leaves_i,
    .stranded_i(happens[3] != '0),
    .begins_o(begins),
    .serves_o(serves),
    .received_o(received),
    .source_o(source),
    .sent_o(),
    .over_o(over),
    .writes_o(),
    .expected_o()
  );
  assign tail_comes = (source & taken_i & tail_i) != '0;

  // ---- How long ------------------------------------------------------------------------------
  // Cycles that the packet has been served for; that it has been received for; without a run of
  // three cycles without the host; that a flit of the answer waits.
  localparam int unsigned CountW = $clog2(Bound + 2);
  logic [CountW-1:0] served_q, receives_q, disturbed_q, waits_q;
  logic [1:0] was_free_q, was_received_q;
  logic executed_q, run;
  assign run = was_free_q == '1 && !host_i;
  always_ff @(posedge clk_i) begin
    was_free_q <= rst_ni ? {was_free_q[0], !host_i} : '0;
    was_received_q <= rst_ni ? {was_received_q[0], serves && received} : '0;
    executed_q <= rst_ni && serves && received && was_received_q == '1 && run;
    if (!rst_ni || begins || !serves) served_q <= CountW'(begins);
    else if (served_q != '1) served_q <= served_q + 1'b1;
    if (!rst_ni || begins || received || !serves) receives_q <= CountW'(begins);
    else if (receives_q != '1) receives_q <= receives_q + 1'b1;
    if (!rst_ni || run) disturbed_q <= '0;
    else if (disturbed_q != '1) disturbed_q <= disturbed_q + 1'b1;
    if (!rst_ni || leaves_i || want == '0) waits_q <= '0;
    else if (waits_q != '1) waits_q <= waits_q + 1'b1;
  end

  host_permits #(
    .Ports(Ports)
  ) permits (
    .clk_i,
    .rst_ni,
    .host_i,
    .permit_i
  );

  // ---- Facts --------------------------------------------------------------------------------
  `MUSTER_ASSUME(LeavesOnWant_M, !leaves_i || want != '0)
  `MUSTER_ASSUME(TailComes_M, !serves || received || 32'(receives_q) < Tail ||
                              (32'(receives_q) == Tail && tail_comes))
  `MUSTER_ASSUME(HostPauses_M, run || 32'(disturbed_q) < Host)
  `MUSTER_ASSUME(AnswerLeaves_M, want == '0 || leaves_i || 32'(waits_q) < Wait + Late)

  // Free again in time; and free is what it says: the lowest that begins then is accepted.
  `MUSTER_ASSERT(ReturnsInTime_A, !serves || 32'(served_q) <= Bound)
  `MUSTER_ASSERT(FreeTakesTheNext_A, serves || !$onehot(first) || happens[0] == '0)
  // Without any bound: three cycles without the host, and a whole request is answered or stranded.
  `MUSTER_ASSERT(ThreeCyclesDo_A, !executed_q || want != '0 || !serves)

  `MUSTER_COVER(AsLateAsItMay_C, over && 32'(served_q) == Bound)
  `MUSTER_COVER(Stranded_C, happens[3] != '0)

endmodule

`default_nettype wire
