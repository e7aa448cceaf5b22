// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "formal.svh"

// muster_link_tx, a wire of one cycle each way and muster_link_rx: the queue never overflows, no
// flit is lost, invented or reordered in its virtual channel, and credits are conserved, for any
// sender that keeps the rules of muster_link_tx and any receiver that pops only what is there.
//
// Each flit carries its number in its virtual channel. Of the Depth credits of a channel each is,
// in every cycle, in one of these places: the counter of muster_link_tx, a flit reserved and not
// yet sent, a flit between sender and pop, a credit on the wire back.
module link_proof #(
  parameter int unsigned Vcs = 2,
  parameter int unsigned Depth = 2,
  localparam int unsigned FlitW = 16,
  localparam int unsigned VcW = (Vcs > 1) ? $clog2(Vcs) : 1,
  localparam int unsigned NumberW = 3
) (
  input  wire logic            clk_i,
  input  wire logic [Vcs-1:0]  reserve_i,
  input  wire logic            express_i,
  input  wire logic [Vcs-1:0]  express_vc_i,
  input  wire logic [Vcs-1:0]  pop_i
);
  localparam int unsigned KindW = muster_pkg::KindW;

  `MUSTER_FORMAL_RESET

  // ---- Sender: what is reserved now is sent in the next cycle -------------------------------
  logic [Vcs-1:0] reserved_q, sends, express;
  logic [Vcs-1:0][NumberW-1:0] sent_q, popped_q;
  logic [NumberW-1:0] number;
  logic [VcW-1:0] vc;
  assign express = express_i ? express_vc_i : '0;
  assign sends = reserved_q | express;
  always_comb begin
    vc = '0;
    number = '0;
    for (int unsigned v = 0; v < Vcs; v++) begin
      if (sends[v]) begin
        vc = VcW'(v);
        number = sent_q[v];
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      reserved_q <= '0;
      sent_q <= '0;
      popped_q <= '0;
    end else begin
      reserved_q <= reserve_i;
      for (int unsigned v = 0; v < Vcs; v++) begin
        sent_q[v] <= sent_q[v] + NumberW'(sends[v]);
        popped_q[v] <= popped_q[v] + NumberW'(pop_i[v]);
      end
    end
  end

  // ---- The pair -----------------------------------------------------------------------------
  logic [Vcs-1:0] has_one, has_two, credit, head_valid;
  logic wire_valid;
  logic [VcW-1:0] wire_vc;
  logic [KindW-1:0] wire_kind;
  logic [FlitW-1:0] wire_payload;
  logic [Vcs-1:0][KindW-1:0] head_kind;
  logic [Vcs-1:0][FlitW-1:0] head_payload;

  muster_link_tx #(.Vcs(Vcs), .Depth(Depth), .FlitW(FlitW)) tx (
    .clk_i, .rst_ni,
    .send_i(sends != '0),
    .vc_i(vc),
    .kind_i(number),
    .payload_i(FlitW'(number)),
    .reserve_i,
    .express_i,
    .express_vc_i,
    .has_one_o(has_one),
    .has_many_o(has_two),
    .tx_valid_o(wire_valid),
    .tx_vc_o(wire_vc),
    .tx_kind_o(wire_kind),
    .tx_payload_o(wire_payload),
    .tx_credit_i(credit)
  );

  muster_link_rx #(.Vcs(Vcs), .Depth(Depth), .FlitW(FlitW)) rx (
    .clk_i, .rst_ni,
    .rx_valid_i(wire_valid),
    .rx_vc_i(wire_vc),
    .rx_kind_i(wire_kind),
    .rx_payload_i(wire_payload),
    .rx_credit_o(credit),
    .head_valid_o(head_valid),
    .head_kind_o(head_kind),
    .head_payload_o(head_payload),
    .pop_i
  );

  // ---- Accounts -----------------------------------------------------------------------------
  logic [Vcs-1:0] overspends, too_few, in_order, credits_agree, queue_agrees;
  for (genvar v = 0; v < Vcs; v++) begin : gen_vc
    logic [NumberW-1:0] on_way, queued;
    logic [NumberW:0] spent;
    logic on_wire;
    assign on_wire = wire_valid && (wire_vc == VcW'(v));
    assign on_way = sent_q[v] - popped_q[v];
    assign queued = on_way - NumberW'(on_wire);
    assign spent = (NumberW + 1)'(reserved_q[v]) + (NumberW + 1)'(on_way) +
                   (NumberW + 1)'(credit[v]);

    assign overspends[v] = (reserve_i[v] && express[v]) ? !has_two[v]
                           : (reserve_i[v] || express[v]) && !has_one[v];
    assign too_few[v] = pop_i[v] && !head_valid[v];
    assign in_order[v] = !head_valid[v] || ((head_payload[v] == FlitW'(popped_q[v])) &&
                                            (head_kind[v] == popped_q[v]));
    assign credits_agree[v] = (spent <= (NumberW + 1)'(Depth)) &&
                              (has_one[v] == (spent + 1 <= (NumberW + 1)'(Depth))) &&
                              (has_two[v] == (spent + 2 <= (NumberW + 1)'(Depth)));
    assign queue_agrees[v] = head_valid[v] == (queued != '0);
  end

  `MUSTER_SEEN(was_out_q, !has_one[0])

  `MUSTER_ASSUME(SpendsWhatItHas_M, overspends == '0)
  `MUSTER_ASSUME(ReservesOne_M, (reserve_i & (reserve_i - 1'b1)) == '0)
  `MUSTER_ASSUME(ExpressIsOne_M, (express_vc_i != '0) &&
                                 ((express_vc_i & (express_vc_i - 1'b1)) == '0))
  `MUSTER_ASSUME(ExpressWaits_M, !express_i || (reserved_q == '0))
  `MUSTER_ASSUME(PopsWhatIsThere_M, too_few == '0)

  `MUSTER_ASSERT(InOrder_A, &in_order)
  `MUSTER_ASSERT(NothingLost_A, &queue_agrees)
  `MUSTER_ASSERT(CreditsConserved_A, &credits_agree)

  `MUSTER_COVER(AllCreditsComeBack_C, was_out_q && has_one[0] && (sent_q == popped_q) &&
                                      (reserved_q == '0) && (credit == '0))
  // Both kinds of flit of one channel at once, which needs two credits.
  `MUSTER_COVER(ReservesBesideExpress_C, (reserve_i[0] && express[0]) || (Depth == 1))

endmodule

`default_nettype wire
