// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "muster_assert.svh"

// The in-band register access unit of a switch: it answers register requests that come as packets
// for the switch itself. docs/systems/groups.md has the rules and docs/reference/formats.md the
// packets.
//
//   idle       of the queues that begin such a packet (first_i) the lowest is accepted
//   receiving  its flits, until the tail; anything but a request of 7 flits is malformed, and so is
//              one that a cut mark ends
//   reading    the word at address_o is taken from word_i
//   deciding   status: a write is to be done if the word is the expected one
//   writing    it is done, from flip-flops
//   answering  5 flits, one in each cycle with leaves_i
//
// The host goes first on the register port. Its request, of a read or a write, keeps the unit from
// reading and from nothing else: the unit reads in the next cycle without one. What the host writes
// a cycle later is of no concern to a request that reads. A request that writes begins again with
// reading after a write of the host to what it may depend on: the barrier registers, the permits,
// and with Guard those of groups. Any other write of the host it waits for, in deciding and in
// writing. So a write is done only if the word is the expected one in that cycle. With the eighth
// cycle in which the host has kept the unit from going on, it does no more than answer that it is
// busy, with the word 0.
//
// Flits are taken in every state, so no queue waits for the unit: a packet that begins while it is
// not idle, or beside an accepted one, is dropped and reported at event_o[0].
//
// With Guard (docs/systems/guard.md) a write is refused if the guard of the registers calls it
// harmful or foreign while the unit is deciding. A request whose next flit does not come within the
// time that the host has set is given up, and so is an answer whose next flit does not leave: the
// unit is idle then. A packet of more than 7 flits is malformed with the eighth. If some flits of
// the answer have left (cut_o), muster_owed_tails sends its tail.
//
// Latency: with the tail taken in t, the first flit of the answer is offered in t + 4, and in t +
// 26 at the latest, whatever the host does.
module muster_register_agent #(
  /// ports of the switch, 3 to 32
  parameter int unsigned Ports = 8,
  /// virtual channels, 1 to 4
  parameter int unsigned Vcs = 2,
  /// barrier registers that packets may write, 0 to 16
  parameter int unsigned Regs = 4,
  /// harmful writes are refused, and what does not move is given up; 0 to 1
  parameter int unsigned Guard = 0,
  localparam int unsigned Queues = Ports * Vcs,
  localparam int unsigned WordW = muster_pkg::AgentWordW
) (
  input  wire logic                              clk_i,
  input  wire logic                              rst_ni,

  /// queue i * Vcs + v gives up a flit of a packet for this switch
  input  wire logic [Queues-1:0]                 taken_i,
  /// it is the packet's first flit
  input  wire logic [Queues-1:0]                 first_i,
  /// it is the packet's tail; that is a cut mark
  input  wire logic [Queues-1:0]                 tail_i,
  input  wire logic [Queues-1:0]                 cut_i,
  /// its low bits
  input  wire logic [Queues-1:0][WordW-1:0]      payload_i,

  /// port p may write; changes only at the edge of a cycle in which the host writes it
  input  wire logic [Ports-1:0]                  permit_i,
  /// the host has the way of reads in this cycle; it writes; a packet's write may depend on that
  input  wire logic                              host_read_i,
  input  wire logic                              host_write_i,
  input  wire logic                              host_touches_i,
  /// the access unit reads the word at address_o, in no cycle with host_read_i; or it writes data_o
  /// there, to a barrier register, in no cycle with host_write_i
  output logic                                   read_o,
  output logic                                   write_o,
  output logic [11:0]                            address_o,
  output logic [31:0]                            data_o,
  /// the word read, in the same cycle
  input  wire logic [31:0]                       word_i,

  /// read the routing table for the answer; its output, one-hot, is there from the next cycle on
  output logic                                   route_read_o,
  output logic [muster_pkg::DestW-1:0]           route_dest_o,
  input  wire logic [Ports-1:0]                  route_mask_i,

  /// a flit of the answer for this port waits, one-hot or zero
  output logic [Ports-1:0]                       want_o,
  /// on this virtual channel, one-hot while answering
  output logic [Vcs-1:0]                         vc_o,
  output logic [muster_pkg::KindW-1:0]           kind_o,
  output logic [WordW-1:0]                       payload_o,
  /// it leaves in this cycle; only while one waits
  input  wire logic                              leaves_i,

  /// with Guard: the write at address_o and data_o would do harm, or is of a group that is not of
  /// port_o; looked at while the host does not write. The time that is waited: 2 to this
  /// power, 0 for ever
  input  wire logic                              harmful_i,
  input  wire logic                              foreign_i,
  input  wire logic [3:0]                        patience_i,
  /// the port of the request, one-hot; its write is refused for one of these two, in the cycle in
  /// which it would be done; its answer ends in the middle, on channel vc_o of cut_o, one-hot
  output logic [Ports-1:0]                       port_o,
  output logic                                   guarded_o,
  output logic [Ports-1:0]                       cut_o,

  /// for the counters of port p, docs/reference/registers.md: busy, malformed, refused, stranded
  output logic [3:0][Ports-1:0]                  event_o,
  /// those of the cycle before
  output logic [3:0][Ports-1:0]                  late_o,

  /// nothing happens unless a flit comes
  output logic                                   quiescent_o
);
  `MUSTER_RANGE(Ports, 3, 32)
  `MUSTER_RANGE(Vcs, 1, 4)
  `MUSTER_RANGE(Regs, 0, 16)
  `MUSTER_RANGE(Guard, 0, 1)

  localparam int unsigned Words = muster_pkg::RequestFlits - 1;
  localparam logic [2:0] LastRequest = 3'(muster_pkg::RequestFlits - 1);
  localparam int unsigned Answer = muster_pkg::AnswerFlits;

  typedef enum logic [2:0] {Idle, Receiving, Reading, Deciding, Writing, Answering} state_e;
  state_e state_q, state_d;
  logic [2:0] count_q;           // flits received, saturating; then cycles kept off, from 7 on
  logic [Answer-1:0] flit_q;     // the flit of the answer that is next, one-hot
  logic [Queues-1:0] queue_q;    // the accepted queue, one-hot
  logic [muster_pkg::OpcodeW-1:0] opcode_q;
  logic [muster_pkg::DestW-1:0] self_q;   // the switch's own number
  logic [Words-1:0][WordW-1:0] words_q;   // word 0 came first
  logic [31:0] before_q;
  logic [2:0] status_q;
  logic writes_q;  // the request is executed by a write, in this cycle
  logic gives_up, aged;  // the time is over, with Guard; some of it is

  // ---- The flit of this cycle ---------------------------------------------------------------
  logic [Queues-1:0] above_first, accepted, pick;
  logic [WordW-1:0] word;
  logic accept, receives, take, tail, well_formed, endless;

  muster_above_lowest #(.N(Queues)) lowest_first (
    .bits_i(first_i),
    .above_o(above_first)
  );
  assign accepted = (state_q == Idle) ? first_i & ~above_first : '0;
  assign accept = state_q == Idle && first_i != '0;
  assign receives = state_q == Receiving && (queue_q & taken_i) != '0;
  assign pick = (state_q == Idle) ? accepted : queue_q;  // its flit, if there is one to take
  assign take = accept || receives;
  assign tail = (pick & tail_i) != '0;  // with take
  assign well_formed = opcode_q == muster_pkg::OpcodeW'(muster_pkg::OpcodeRequest) &&
                       count_q == LastRequest && (pick & cut_i) == '0;
  assign endless = (Guard == 1) && receives && count_q == '1;

  // Simulation-speed guard, functionally redundant: few cycles have such a flit.
  always_comb begin
    word = '0;
    if (take) begin
      for (int unsigned q = 0; q < Queues; q++) begin
        if (pick[q]) word = word | payload_i[q];
      end
    end
  end

  // ---- The request --------------------------------------------------------------------------
  localparam logic [15:0] Written = 16'((32'd1 << Regs) - 1);  // of the registers
  logic write, permitted, writable, differs, stranded, executes, busy, host_writes;
  logic [2:0] status;
  logic [Ports-1:0] port;
  for (genvar i = 0; i < Ports; i++) begin : gen_port
    assign port[i] = |queue_q[i*Vcs+:Vcs];
  end
  assign route_dest_o = words_q[0][muster_pkg::DestW-1:0];
  assign write = words_q[1][WordW-1];
  assign address_o = words_q[1][11:0];
  assign data_o = {words_q[5], words_q[4]};
  assign writable = (address_o[11:8] == muster_pkg::RegBarrier[11:8]) &&
                    Written[address_o[7:4]] &&
                    (address_o[3:0] == muster_pkg::RegBarrierControl[3:0] ||
                     address_o[3:0] == muster_pkg::RegBarrierChildren[3:0]);
  assign permitted = (port & permit_i) != '0;
  assign differs = before_q != {words_q[3], words_q[2]};
  assign busy = status_q == muster_pkg::StatusBusy;
  assign host_writes = host_write_i && write;
  assign read_o = (state_q == Reading) && !host_read_i;
  assign route_read_o = state_q == Reading;
  assign executes = (state_q == Writing) && (busy || !host_writes);
  assign stranded = executes && (route_mask_i == '0);

  always_comb begin
    status = muster_pkg::StatusDone;
    if (write) begin
      if (!permitted) status = muster_pkg::StatusNoPermit;
      else if (!writable) status = muster_pkg::StatusNotWritable;
      else if (Guard == 1 && foreign_i) status = muster_pkg::StatusNoPermit;
      else if (Guard == 1 && harmful_i) status = muster_pkg::StatusNotWritable;
      else if (differs) status = muster_pkg::StatusDiffers;
    end
  end
  assign write_o = writes_q && !host_write_i;

  // ---- The host -----------------------------------------------------------------------------
  localparam logic [2:0] LastKept = LastRequest;  // 7 and then 0 to 6: eight cycles
  logic kept_off, gives_in;
  always_comb begin
    unique case (state_q)
      Reading: kept_off = host_read_i || (host_writes && host_touches_i);
      Deciding: kept_off = host_writes;
      Writing: kept_off = host_writes && !busy;
      default: kept_off = 1'b0;
    endcase
  end
  assign gives_in = kept_off && count_q == LastKept;

  // ---- The answer ---------------------------------------------------------------------------
  logic [Ports-1:0] want_q;
  assign want_o = want_q;
  for (genvar v = 0; v < Vcs; v++) begin : gen_vc
    logic [Ports-1:0] of_port;
    for (genvar i = 0; i < Ports; i++) begin : gen_of_port
      assign of_port[i] = queue_q[i*Vcs+v];
    end
    assign vc_o[v] = of_port != '0;
  end

  always_comb begin
    kind_o = '0;
    payload_o = '0;
    if (state_q == Answering) begin
      kind_o[muster_pkg::KindHead] = flit_q[0];
      kind_o[muster_pkg::KindTail] = flit_q[Answer-1];
      if (flit_q[0]) payload_o = {5'(muster_pkg::OpcodeAnswer), words_q[0][10:0]};
      if (flit_q[1]) payload_o = payload_o | {words_q[0][15:11], self_q};
      if (flit_q[2]) payload_o = payload_o | {1'b0, status_q, words_q[1][11:0]};
      if (flit_q[3] && !busy) payload_o = payload_o | before_q[15:0];
      if (flit_q[4] && !busy) payload_o = payload_o | before_q[31:16];
    end
  end

  // ---- Time ---------------------------------------------------------------------------------
  if (Guard == 1) begin : gen_guard
    logic guarded_q, waits;
    assign waits = (state_q == Receiving && !take) || (state_q == Answering && !leaves_i);
    muster_patience timer (
      .clk_i, .rst_ni,
      .waits_i(waits),
      .patience_i,
      .over_o(gives_up),
      .aged_o(aged)
    );
    always_ff @(posedge clk_i) begin
      if (state_q == Deciding) begin
        guarded_q <= write && permitted && writable && (foreign_i || harmful_i);
      end
    end
    assign guarded_o = executes && guarded_q && !busy;
    assign cut_o = (gives_up && !flit_q[0]) ? want_q : '0;
    `MUSTER_ASSERT(GivesUpWaiting_A, !gives_up || waits)
  end else begin : gen_no_guard
    assign gives_up = 1'b0;
    assign aged = 1'b0;
    assign guarded_o = 1'b0;
    assign cut_o = '0;

    logic unused;
    assign unused = &{1'b0, harmful_i, foreign_i, patience_i};
  end
  assign port_o = port;

  // ---- Events -------------------------------------------------------------------------------
  // Of the port whose packet is served, and of those whose packets are not accepted.
  logic [3:0] what, what_q;
  logic [Ports-1:0] at, at_q, lost, lost_q;
  logic malformed;
  assign malformed = take && (tail || endless) && !(state_q == Receiving && well_formed);
  assign what = {stranded || (gives_up && state_q == Answering),
                 executes && status_q[1],
                 malformed || (gives_up && state_q == Receiving),
                 executes && busy};
  always_comb begin
    for (int unsigned i = 0; i < Ports; i++) begin
      lost[i] = |(first_i[i*Vcs+:Vcs] & ~accepted[i*Vcs+:Vcs]);
      at[i] = |pick[i*Vcs+:Vcs];
    end
    for (int unsigned k = 0; k < 4; k++) begin
      event_o[k] = what[k] ? at : '0;
      late_o[k] = what_q[k] ? at_q : '0;
    end
    event_o[0] = event_o[0] | lost;
    late_o[0] = late_o[0] | lost_q;
  end
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      what_q <= '0;
      lost_q <= '0;
    end else begin
      what_q <= what;
      lost_q <= lost;
    end
    if (take || state_q == Writing || gives_up) at_q <= at;
  end

  // ---- State --------------------------------------------------------------------------------
  always_comb begin
    state_d = state_q;
    unique case (state_q)
      Idle: if (accept && !tail) state_d = Receiving;
      Receiving: begin
        if (receives && tail) begin
          if (well_formed) state_d = Reading;
          else state_d = Idle;
        end
        if (endless) state_d = Idle;
      end
      Reading: begin
        if (gives_in) state_d = Writing;
        else if (!kept_off) state_d = Deciding;
      end
      Deciding: begin
        if (gives_in || !kept_off) state_d = Writing;
        else if (host_touches_i) state_d = Reading;
      end
      Writing: begin
        if (stranded) state_d = Idle;
        else if (executes) state_d = Answering;
        else if (host_touches_i && !gives_in) state_d = Reading;
      end
      Answering: if (leaves_i && flit_q[Answer-1]) state_d = Idle;
      default: state_d = Idle;
    endcase
    if (Guard == 1 && gives_up) state_d = Idle;
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      state_q <= Idle;
      queue_q <= '0;
    end else begin
      state_q <= state_d;
      if (accept) queue_q <= accepted;
    end
  end

  always_ff @(posedge clk_i) begin
    if (accept) count_q <= 3'd1;
    else if (kept_off || (take && count_q != '1)) count_q <= count_q + 1'b1;
  end

  // Which flit leaves is timing-critical: only this depends on it.
  always_ff @(posedge clk_i) begin
    if (executes) flit_q <= Answer'(1);
    else if (leaves_i) flit_q <= flit_q << 1;
  end

  // Wanted from the first cycle of Answering on, until the last flit has left.
  always_ff @(posedge clk_i) begin
    if (!rst_ni) want_q <= '0;
    else if (executes) want_q <= route_mask_i;
    else if ((leaves_i && flit_q[Answer-1]) || (Guard == 1 && gives_up)) want_q <= '0;
  end

  always_ff @(posedge clk_i) begin
    if (accept) begin
      opcode_q <= word[WordW-1-:muster_pkg::OpcodeW];
      self_q <= word[muster_pkg::DestW-1:0];
    end
    if (receives) words_q <= {word, words_q[Words-1:1]};
    if (read_o) before_q <= word_i;
    if (gives_in) status_q <= muster_pkg::StatusBusy;
    else if (state_q == Deciding) status_q <= status;
  end

  // A flip-flop of its own: the write is a clear of the barrier registers, which have far to go.
  always_ff @(posedge clk_i) begin
    if (!rst_ni) writes_q <= 1'b0;
    else if (gives_in || (host_writes && host_touches_i)) writes_q <= 1'b0;
    else if (host_writes) writes_q <= writes_q;
    else writes_q <= state_q == Deciding && write && status == muster_pkg::StatusDone;
  end

  logic timed;
  assign timed = (Guard == 1) && patience_i != '0;
  assign quiescent_o = (state_q == Idle || (state_q == Receiving && !timed)) && want_q == '0 &&
                       !writes_q && !aged && what_q == '0;

  `MUSTER_ASSERT(AcceptedOneHot_A, (queue_q & (queue_q - 1'b1)) == '0)
  `MUSTER_ASSERT(FirstIsTaken_A, (first_i & ~taken_i) == '0)
  `MUSTER_ASSERT(NoBeginInMiddle_A, state_q != Receiving || (queue_q & first_i) == '0)
  `MUSTER_ASSERT(LeavesOnWant_A, !leaves_i || want_o != '0)
  `MUSTER_ASSERT(WriteHasPermit_A, !write_o || (port & permit_i) != '0)
  `MUSTER_ASSERT(WritesInItsState_A, !writes_q || state_q == Writing)
  `MUSTER_ASSERT(HostGoesFirst_A, !(host_read_i && read_o) && !(host_write_i && write_o))
  `MUSTER_ASSERT(BusyWritesNothing_A, !writes_q || !busy)

endmodule

`default_nettype wire
