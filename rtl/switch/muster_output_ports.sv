// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "muster_assert.svh"

// The outputs of a switch: the arbitration between data, barrier messages and answers, and the
// sending end of each link, its output register and a credit counter for each virtual channel.
// docs/systems/barrier-switch.md, "Output: barrier against data" and "Credits", and
// docs/systems/groups.md for answers. Channel v of output p is bit v * Ports + p; each sentence
// here is of one output p.
//
// A data flit that traverses the crossbar (`busy`) always goes out, because its credit has been
// reserved. Otherwise a barrier message goes, which takes no credit; otherwise a flit of an answer
// with a credit on a channel without owner. Each goes in the cycle with barrier_go_o or
// answer_go_o, and is on the wires in the next. If a traversing flit delays one of these, a
// flip-flop closes the port in the next cycle: open_o is 0, so that no flit is allocated, and the
// delayed one goes at the latest in the cycle after that. So a message waits for at most two data
// flits, and is on no path to the allocation.
//
// Each counter starts at Depth, the places in the receiver's queue. At an edge it falls by one for
// reserve_i, a data flit that is allocated and goes in the next cycle, or for an answer's flit that
// goes, and rises by one for tx_credit_i. It counts in unary, so that there is no carry after the
// allocation, which comes late. With hold_i no virtual channel has a credit; barrier messages still
// go.
module muster_output_ports #(
  /// ports, 1 to 32
  parameter int unsigned Ports = 8,
  /// virtual channels, 1 to 4
  parameter int unsigned Vcs = 2,
  /// places in each queue of the receiver, 1 to 16
  parameter int unsigned Depth = 4,
  /// payload bits of a flit, 16 to 512
  parameter int unsigned FlitW = 16,
  localparam int unsigned Channels = Ports * Vcs,
  localparam int unsigned VcW = (Vcs > 1) ? $clog2(Vcs) : 1,
  localparam int unsigned KindW = muster_pkg::KindW
) (
  input  wire logic                               clk_i,
  input  wire logic                               rst_ni,

  /// a data flit is allocated to this channel in this cycle, one at most for each output
  input  wire logic [Channels-1:0]                reserve_i,
  /// one was in the cycle before: {cut, head, tail, payload}, from the crossbar; the payload of a
  /// cut mark is anything
  input  wire logic [Ports-1:0][FlitW+2:0]        crossing_i,
  /// data of this channel may be allocated
  output logic [Channels-1:0]                     open_o,

  /// the link is held by data without credit (register 0x006)
  input  wire logic [Ports-1:0]                   hold_i,
  /// a barrier message that may leave through output p
  input  wire logic [Ports-1:0]                   barrier_i,
  input  wire logic [Ports-1:0][FlitW-1:0]        barrier_payload_i,
  output logic [Ports-1:0]                        barrier_go_o,

  /// a flit of an answer for output p, whose channel has no owner; its channel, kind, payload
  input  wire logic [Ports-1:0]                   answer_i,
  input  wire logic [Channels-1:0]                answer_vc_i,
  input  wire logic [Ports-1:0][KindW-1:0]        answer_kind_i,
  input  wire logic [Ports-1:0][FlitW-1:0]        answer_payload_i,
  output logic [Ports-1:0]                        answer_go_o,
  /// nothing traverses, no port is closed to data
  output logic                                    idle_o,

  /// links out; see muster_link_tx
  output logic [Ports-1:0]                        tx_valid_o,
  output logic [Ports-1:0][VcW-1:0]               tx_vc_o,
  output logic [Ports-1:0][KindW-1:0]             tx_kind_o,
  output logic [Ports-1:0][FlitW-1:0]             tx_payload_o,
  input  wire logic [Channels-1:0]                tx_credit_i
);
  `MUSTER_RANGE(Ports, 1, 32)
  `MUSTER_RANGE(Vcs, 1, 4)
  `MUSTER_RANGE(Depth, 1, 16)
  `MUSTER_RANGE(FlitW, 16, 512)

  localparam int unsigned FlightW = FlitW + 3;
  localparam logic [KindW-1:0] SyncKind = KindW'(1 << muster_pkg::KindSync);

  // ---- Credits: bit c * Channels + v * Ports + p for more than c of them ------------------------
  localparam int unsigned AllW = Depth * Channels;
  logic [AllW-1:0] credits_q, with_returned, spends;
  logic [Channels-1:0] usable, answers, spent;
  assign with_returned = credits_q |
                         (AllW'({credits_q, {Channels{1'b1}}}) & {Depth{tx_credit_i}});
  assign answers = answer_vc_i & {Vcs{answer_go_o}};
  assign spent = reserve_i | answers;
  assign spends = {Depth{spent}};
  always_ff @(posedge clk_i) begin
    if (!rst_ni) credits_q <= '1;
    else credits_q <= (spends & (with_returned >> Channels)) | (~spends & with_returned);
  end

  // ---- Arbitration ----------------------------------------------------------------------------
  logic [Channels-1:0] crossing_q;  // the channel of the flit that traverses
  logic [Ports-1:0] busy_q, busy_d, answer_able, waiting_q, send;
  assign usable = with_returned[Channels-1:0] & ~{Vcs{hold_i}};
  assign open_o = usable & ~{Vcs{waiting_q}};
  assign idle_o = crossing_q == '0 && (busy_q | waiting_q) == '0;
  always_comb begin
    answer_able = '0;
    busy_d = '0;
    for (int unsigned v = 0; v < Vcs; v++) begin
      answer_able = answer_able | (answer_i & usable[v*Ports+:Ports] & answer_vc_i[v*Ports+:Ports]);
      busy_d = busy_d | reserve_i[v*Ports+:Ports];
    end
  end
  assign barrier_go_o = barrier_i & ~busy_q;
  assign answer_go_o = answer_able & ~busy_q & ~barrier_i;
  assign send = busy_q | barrier_i | answer_able;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      crossing_q <= '0;
      busy_q <= '0;
      waiting_q <= '0;
      tx_valid_o <= '0;
    end else begin
      crossing_q <= reserve_i;
      busy_q <= busy_d;
      waiting_q <= busy_q & (barrier_i | answer_able) & ~waiting_q;
      tx_valid_o <= send;
    end
  end

  // ---- Output registers -------------------------------------------------------------------------
  // A barrier message goes before an answer, on virtual channel 0.
  logic [Channels-1:0] vc;
  logic [Ports*FlightW-1:0] crossing;
  logic [Ports-1:0][VcW-1:0] number;
  assign crossing = crossing_i;
  assign vc = ({Vcs{busy_q}} & crossing_q) | ({Vcs{~busy_q & ~barrier_i}} & answer_vc_i);
  always_comb begin
    number = '0;
    for (int unsigned v = 1; v < Vcs; v++) begin
      for (int unsigned p = 0; p < Ports; p++) begin
        if (vc[v*Ports+p]) number[p] = number[p] | VcW'(v);
      end
    end
  end
  always_ff @(posedge clk_i) begin
    for (int unsigned p = 0; p < Ports; p++) begin
      if (send[p]) begin
        tx_vc_o[p] <= number[p];
        if (busy_q[p]) begin
          tx_kind_o[p] <= {1'b0, crossing[p*FlightW+FlitW+:2]};
          tx_payload_o[p] <= crossing[p*FlightW+FlitW+2] ? FlitW'(muster_pkg::CutWord)
                                                         : crossing[p*FlightW+:FlitW];
        end else begin
          tx_kind_o[p] <= barrier_i[p] ? SyncKind : answer_kind_i[p];
          tx_payload_o[p] <= barrier_i[p] ? barrier_payload_i[p] : answer_payload_i[p];
        end
      end
    end
  end

  logic [Ports-1:0] paid, twice;
  always_comb begin
    paid = '0;
    twice = '0;
    for (int unsigned v = 0; v < Vcs; v++) begin
      twice = twice | (paid & reserve_i[v*Ports+:Ports]);
      paid = paid | reserve_i[v*Ports+:Ports];
    end
  end
  `MUSTER_ASSERT(NoCreditOverspent_A, (spent & ~with_returned[Channels-1:0]) == '0)
  `MUSTER_ASSERT(NoCreditInvented_A, (tx_credit_i & credits_q[AllW-1-:Channels]) == '0)
  `MUSTER_ASSERT(CreditsAreUnary_A, ((credits_q >> Channels) & ~credits_q) == '0)
  `MUSTER_ASSERT(ReserveOneHot_A, twice == '0)
  `MUSTER_ASSERT(ReservedWasOpen_A, (reserve_i & ~open_o) == '0)
  `MUSTER_ASSERT(PaidOnce_A, (reserve_i & answers) == '0)

endmodule

`default_nettype wire
