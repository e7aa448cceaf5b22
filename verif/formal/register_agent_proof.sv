// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "formal.svh"

// muster_register_agent under any packets of any shape at any time, any host, any delay of the
// answer.
//
//   - isolation: while port `outside` has no permit, nothing that comes in there is ever written,
//     whatever other ports do: a write comes only out of a packet that came in at another port
//   - a write is done only over the word that the request expects, read since the host wrote it or
//     the permits
//   - a write is done only out of a request of seven flits whose tail is no cut mark; a packet that
//     a mark ends is malformed
//   - every request that was accepted and formed well has one answer of five flits, or is stranded;
//     nothing else is ever sent
//   - 26 cycles after the tail of a request the answer is there or there is none, 5 cycles after it
//     if the host only reads and not in two successive cycles, 4 cycles after it without the host
//   - with Tail, it always comes back to idle: it is free again for the next packet at most
//     Tail + 5 * Wait + 30 cycles after the first flit, a bound that is reached. It is assumed of
//     the sender and the link that the tail of a packet comes at most Tail cycles after its first
//     flit, and of the output that a flit of the answer that waits leaves after at most Wait cycles
//
// agent_request tells from the packets which one the access unit serves.
module register_agent_proof #(
  parameter int unsigned Ports = 3,
  parameter int unsigned Vcs = 1,
  parameter int unsigned Regs = 1,
  parameter int unsigned Tail = 0,
  parameter int unsigned Wait = 0,
  /// a flit of the answer may wait so many cycles longer than the bound knows; 0 for the proof
  parameter int unsigned Late = 0,
  localparam int unsigned Queues = Ports * Vcs,
  localparam int unsigned WordW = muster_pkg::AgentWordW,
  localparam logic [2:0] Last = 3'(muster_pkg::AnswerFlits - 1),
  localparam int unsigned Bound = Tail + muster_pkg::AnswerFlits * Wait + 30
) (
  input  wire logic                          clk_i,
  input  wire logic [Queues-1:0]             taken_i,
  input  wire logic [Queues-1:0]             tail_i,
  input  wire logic [Queues-1:0]             mark_i,
  input  wire logic [Queues-1:0][WordW-1:0]  payload_i,
  input  wire logic [Ports-1:0]              permit_i,
  input  wire logic                          host_i,
  input  wire logic                          host_write_i,
  input  wire logic                          host_touches_i,
  input  wire logic [31:0]                   word_i,
  input  wire logic [Ports-1:0]              route_mask_i,
  input  wire logic                          leaves_i,
  input  wire logic [Ports-1:0]              outside_i
);
  `MUSTER_FORMAL_RESET

  // ---- The access unit --------------------------------------------------------------------------
  logic [Queues-1:0] first;
  logic read, write, route_read, quiescent;
  logic [11:0] address;
  logic [Ports-1:0] want, permit, mask;
  logic [muster_pkg::KindW-1:0] kind;
  logic [3:0][Ports-1:0] happens;

  // A mark is a tail.
  logic [Queues-1:0] cut_mark;
  assign cut_mark = tail_i & mark_i;

  muster_register_agent #(.Ports(Ports), .Vcs(Vcs), .Regs(Regs)) dut (
    .clk_i, .rst_ni,
    .taken_i,
    .first_i(first),
    .tail_i,
    .cut_i(cut_mark),
    .payload_i,
    .permit_i(permit),
    .host_read_i(host_i),
    .host_write_i,
    .host_touches_i,
    .read_o(read),
    .write_o(write),
    .address_o(address),
    .word_i,
    .route_read_o(route_read),
    .route_mask_i(mask),
    .want_o(want),
    .kind_o(kind),
    .leaves_i,
    .harmful_i(1'b0),
    .foreign_i(1'b0),
    .patience_i('0),
    .event_o(happens),
    .quiescent_o(quiescent)
  );

  // The table's answer holds until it is read again; one port has no permit, ever.
  logic [Ports-1:0] mask_q, outside_q;
  always_ff @(posedge clk_i) begin
    if (route_read) mask_q <= route_mask_i;
    if (!rst_ni) outside_q <= outside_i;
  end
  assign mask = mask_q;
  assign permit = permit_i & ~outside_q;

  // ---- What has happened, told from the packets only ---------------------------------------
  logic begins, serves, received, over;
  logic [Queues-1:0] source_queue;
  logic [2:0] sent;
  agent_request #(.Queues(Queues)) packet (
    .clk_i, .rst_ni,
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
    .source_o(source_queue),
    .sent_o(sent),
    .over_o(over)
  );

  logic [Ports-1:0] source;
  for (genvar i = 0; i < Ports; i++) begin : gen_source
    assign source[i] = |source_queue[i*Vcs+:Vcs];
  end

  // A word was read, and neither it nor the permits have been written since.
  logic fresh_q, stale;
  assign stale = write || (host_write_i && host_touches_i);
  always_ff @(posedge clk_i) begin
    if (!rst_ni) fresh_q <= 1'b0;
    else fresh_q <= !stale && (read || fresh_q);
  end

  // ---- How long ------------------------------------------------------------------------------
  // Cycles that the packet has been served for; that it has been received for; that it is a request
  // without an answer; that a flit of the answer waits. What the host has done since the tail.
  localparam int unsigned CountW = $clog2(Bound + 2);
  logic [CountW-1:0] served_q, receives_q, executes_q, waits_q;
  logic host_q, alone_q, polls_q, executing, tail_comes;
  assign executing = serves && received && want == '0;
  assign tail_comes = (source_queue & taken_i & tail_i) != '0;
  always_ff @(posedge clk_i) begin
    if (!rst_ni || begins || !serves) served_q <= CountW'(begins);
    else if (served_q != '1) served_q <= served_q + 1'b1;
    if (!rst_ni || begins || received || !serves) receives_q <= CountW'(begins);
    else if (receives_q != '1) receives_q <= receives_q + 1'b1;
    if (!rst_ni || !executing) executes_q <= '0;
    else if (executes_q != '1) executes_q <= executes_q + 1'b1;
    if (!rst_ni || leaves_i || want == '0) waits_q <= '0;
    else if (waits_q != '1) waits_q <= waits_q + 1'b1;
    host_q <= host_i;
    alone_q <= !received || (alone_q && !host_i && !host_write_i);
    polls_q <= !received || (polls_q && !host_write_i && !(host_i && host_q));
  end

  `MUSTER_PERMITS_OF_HOST(permit, host_write_i && host_touches_i)

  // ---- Facts --------------------------------------------------------------------------------
  `MUSTER_ASSUME(LeavesOnWant_M, !leaves_i || want != '0)
  `MUSTER_ASSUME(OneOutside_M, $onehot0(outside_q))

  `MUSTER_ASSERT(OutsideNeverWrites_A, !write || (source & outside_q) == '0)
  `MUSTER_ASSERT(WriteIsARequest_A, !write || (serves && received && sent == '0))
  `MUSTER_ASSERT(MarkedIsMalformed_A, !serves || received ||
                                      (source_queue & taken_i & cut_mark) == '0 ||
                                      happens[1] == source)
  `MUSTER_ASSERT(WriteIsFresh_A, !write || fresh_q)
  `MUSTER_ASSERT(HostGoesFirst_A, !(host_i && read) && !(host_write_i && write))
  `MUSTER_ASSERT(WriteIsABarrierRegister_A, !write ||
                 (address[11:8] == muster_pkg::RegBarrier[11:8] &&
                  (address[3:0] == muster_pkg::RegBarrierControl[3:0] ||
                   address[3:0] == muster_pkg::RegBarrierChildren[3:0])))
  `MUSTER_ASSERT(AnswerIsToARequest_A, want == '0 || (serves && received))
  `MUSTER_ASSERT(AnswerEnds_A, want == '0 || (kind[muster_pkg::KindTail] == (sent == Last)))
  `MUSTER_ASSERT(BusyMeansServing_A, happens[0] == '0 || serves || begins)
  `MUSTER_ASSERT(QuietMeansNoAnswer_A, !quiescent || want == '0)
  // Free is what it says: the lowest that begins then is accepted.
  `MUSTER_ASSERT(FreeTakesTheNext_A, serves || !$onehot(first) || happens[0] == '0)
  `MUSTER_ASSERT(AnswerInTime_A, !executing || 32'(executes_q) < 25)
  `MUSTER_ASSERT(AnswerBesideReads_A, !executing || !polls_q || 32'(executes_q) < 4)
  `MUSTER_ASSERT(AnswerAlone_A, !executing || !alone_q || 32'(executes_q) < 3)
  if (Tail != 0) begin : gen_in_time
    `MUSTER_ASSUME(TailComes_M, !serves || received || 32'(receives_q) < Tail ||
                                (32'(receives_q) == Tail && tail_comes))
    `MUSTER_ASSUME(AnswerLeaves_M, want == '0 || leaves_i || 32'(waits_q) < Wait + Late)
    `MUSTER_ASSERT(ReturnsInTime_A, !serves || 32'(served_q) <= Bound)
    `MUSTER_COVER(AsLateAsItMay_C, over && 32'(served_q) == Bound)
  end

  `MUSTER_COVER(Writes_C, write)
  `MUSTER_COVER(Answers_C, over)
  `MUSTER_COVER(OutsideIsRefused_C, (happens[2] & outside_q) != '0)
  `MUSTER_COVER(Stranded_C, happens[3] != '0)
  `MUSTER_COVER(KeptOff_C, executing && 32'(executes_q) == 24)

endmodule

`default_nettype wire
