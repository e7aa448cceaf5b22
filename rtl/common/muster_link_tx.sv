// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "muster_assert.svh"

// Sending end of a link: the output register and a credit counter for each virtual channel.
//
// A flit given with send_i in cycle t is on the wires in t + 1. Its credit is spent apart from
// that, because a data flit reserves its buffer when it is allocated, one cycle before it is sent:
//   - reserve_i[v]: a data flit of virtual channel v was allocated and will be sent in the next
//     cycle;
//   - express_i: the flit sent in this very cycle takes a credit of express_vc_i now (a barrier
//     message, which is sent without allocation), or none of the queues' credits if that is zero.
//     It never meets a reserved flit: the user sends that one and has no express flit in such a
//     cycle.
// Each counter starts at Depth, the places in the receiver's queue; it counts in unary, so that
// there is no carry after the allocation, which comes late. At an edge it falls by one for
// reserve_i[v] and by one for an express flit on v, and rises by one for tx_credit_i[v]; all three
// may come together. has_one_o and has_many_o show the counters of the present cycle.
module muster_link_tx #(
  /// virtual channels, 1 to 4
  parameter int unsigned Vcs = 2,
  /// places in each queue of the receiver, 1 to 16
  parameter int unsigned Depth = 4,
  /// payload bits, 16 to 512
  parameter int unsigned FlitW = 16,
  /// credits that has_many_o asks for, 2 to 3
  parameter int unsigned Many = 2,
  localparam int unsigned VcW = (Vcs > 1) ? $clog2(Vcs) : 1
) (
  input  wire logic                          clk_i,
  input  wire logic                          rst_ni,

  /// send this flit; its credit has been reserved in the cycle before, or express_i is set
  input  wire logic                          send_i,
  input  wire logic [VcW-1:0]                vc_i,
  input  wire logic [muster_pkg::KindW-1:0]  kind_i,
  input  wire logic [FlitW-1:0]              payload_i,
  /// spend a credit of virtual channel v for a flit that follows in the next cycle; one-hot or zero
  input  wire logic [Vcs-1:0]                reserve_i,
  /// the flit of this cycle spends its credit now; only with send_i and a credit
  input  wire logic                          express_i,
  /// the credit it spends, one-hot: the virtual channel of the express flit; or zero
  input  wire logic [Vcs-1:0]                express_vc_i,
  /// the counter of v is at least 1, at least Many
  output logic [Vcs-1:0]                     has_one_o,
  output logic [Vcs-1:0]                     has_many_o,

  output logic                               tx_valid_o,
  output logic [VcW-1:0]                     tx_vc_o,
  output logic [muster_pkg::KindW-1:0]       tx_kind_o,
  output logic [FlitW-1:0]                   tx_payload_o,
  /// one pulse for each place that has become free at the receiver
  input  wire logic [Vcs-1:0]                tx_credit_i
);
  `MUSTER_RANGE(Vcs, 1, 4)
  `MUSTER_RANGE(Depth, 1, 16)
  `MUSTER_RANGE(FlitW, 16, 512)
  `MUSTER_RANGE(Many, 2, 3)

  function automatic logic [Depth-1:0] counted(input logic [Depth-1:0] credits,
                                               input logic returned, input logic spent);
    counted = (returned == spent) ? credits
              : returned ? Depth'({credits, 1'b1}) : Depth'({1'b0, credits} >> 1);
  endfunction

  logic [Vcs-1:0] express, returned_too_much, spent_too_much, not_unary;
  assign express = express_i ? express_vc_i : '0;

  for (genvar v = 0; v < Vcs; v++) begin : gen_vc
    // Bit c: more than c credits.
    logic [Depth-1:0] credits_q;

    // First what comes early in the cycle, then the allocation.
    always_ff @(posedge clk_i) begin
      if (!rst_ni) credits_q <= '1;
      else if (tx_credit_i[v] || express[v] || reserve_i[v]) begin
        credits_q <= counted(counted(credits_q, tx_credit_i[v], express[v]), 1'b0, reserve_i[v]);
      end
    end

    assign has_one_o[v] = credits_q[0];
    if (Depth >= Many) begin : gen_many
      assign has_many_o[v] = credits_q[Many-1];
    end else begin : gen_few
      assign has_many_o[v] = 1'b0;
    end
    assign returned_too_much[v] = tx_credit_i[v] && credits_q[Depth-1];
    assign not_unary[v] = (credits_q & (credits_q + 1'b1)) != '0;
    // A credit on the wires may be spent in its cycle.
    logic one, two;
    assign one = tx_credit_i[v] || credits_q[0];
    assign two = tx_credit_i[v] ? credits_q[0] : ({1'b0, credits_q} >> 1) != '0;
    assign spent_too_much[v] = (reserve_i[v] && express[v]) ? !two
                               : (reserve_i[v] || express[v]) && !one;
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) tx_valid_o <= 1'b0;
    else tx_valid_o <= send_i;
  end

  always_ff @(posedge clk_i) begin
    if (send_i) begin
      tx_vc_o <= vc_i;
      tx_kind_o <= kind_i;
      tx_payload_o <= payload_i;
    end
  end

  // What was reserved in the cycle before, one-hot, and the channel of the flit sent now.
  logic [Vcs-1:0] reserved_q, sent_vc;
  assign sent_vc = Vcs'(1'b1) << vc_i;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) reserved_q <= '0;
    else reserved_q <= reserve_i;
  end

  `MUSTER_ASSERT(NoCreditOverspent_A, spent_too_much == '0)
  `MUSTER_ASSERT(NoCreditInvented_A, returned_too_much == '0)
  `MUSTER_ASSERT(CreditsAreUnary_A, not_unary == '0)
  `MUSTER_ASSERT(ReserveOneHot_A, (reserve_i & (reserve_i - 1'b1)) == '0)
  `MUSTER_ASSERT(ReservedIsSent_A, reserved_q == '0 || (send_i && reserved_q == sent_vc))
  `MUSTER_ASSERT(ExpressIsSent_A, !express_i || (send_i && (express_vc_i & ~sent_vc) == '0))
  `MUSTER_ASSERT(SentWasPaid_A, !send_i || express_i || reserved_q != '0)
  `MUSTER_ASSERT(PaidOnce_A, !express_i || reserved_q == '0)

endmodule

`default_nettype wire
