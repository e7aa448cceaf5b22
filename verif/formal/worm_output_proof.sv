// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "formal.svh"

// muster_worm_output under any requests, credits and data, against an owner kept here, and its
// fairness: a worm that keeps asking and may begin sees at most Ports - 1 others end. `chosen` is
// any one input, fixed in the cycle of reset.
module worm_output_proof #(
  parameter int unsigned Ports = 3,
  localparam int unsigned FlitW = 16,
  localparam int unsigned KindW = muster_pkg::KindW,
  localparam int unsigned IndexW = $clog2(Ports)
) (
  input  wire logic                         clk_i,
  input  wire logic [Ports-1:0]             at_i,
  input  wire logic [Ports-1:0]             tail_i,
  input  wire logic [Ports-1:0]             cut_i,
  input  wire logic [Ports-1:0][FlitW-1:0]  payload_i,
  input  wire logic [Ports-1:0]             begin_i,
  input  wire logic                         credit_i,
  input  wire logic                         busy_i,
  input  wire logic [IndexW-1:0]            chosen_i
);
  `MUSTER_FORMAL_RESET

  logic able, go;
  logic [Ports-1:0] sent;
  logic [KindW-1:0] kind;
  logic [FlitW-1:0] payload;

  muster_worm_output #(.Ports(Ports), .FlitW(FlitW)) dut (
    .clk_i, .rst_ni,
    .at_i,
    .tail_i,
    .cut_i,
    .payload_i,
    .begin_i,
    .credit_i,
    .busy_i,
    .able_o(able),
    .go_o(go),
    .sent_o(sent),
    .kind_o(kind),
    .payload_o(payload)
  );

  logic owned_q;  // a worm has begun and not ended
  logic [IndexW-1:0] owner_q, sender;
  logic [Ports-1:0] may_go, others;
  logic ends, waits;
  logic [IndexW-1:0] chosen_q;
  logic [IndexW:0] ended_q;  // worms of others, while the chosen input asks

  logic [FlitW-1:0] sent_payload;
  always_comb begin
    sender = '0;
    sent_payload = '0;
    for (int unsigned i = 0; i < Ports; i++) begin
      if (sent[i]) begin
        sender = IndexW'(i);
        sent_payload = payload_i[i];
      end
    end
    may_go = owned_q ? (at_i & (Ports'(1) << owner_q)) : (at_i & begin_i);
    others = ~(Ports'(1) << chosen_q);
  end
  assign ends = (sent & tail_i) != '0;
  assign waits = (at_i & begin_i & ~others) != '0 && (sent & ~others) == '0 &&
                 !(owned_q && owner_q == chosen_q);
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      owned_q <= 1'b0;
      chosen_q <= chosen_i;
    end else if (go) begin
      owned_q <= !ends;
      owner_q <= sender;
    end
    if (!rst_ni || !waits) ended_q <= '0;
    else if (ends && ended_q != '1) ended_q <= ended_q + 1'b1;
  end

  `MUSTER_ASSUME(ChosenExists_M, 32'(chosen_q) < Ports)

  `MUSTER_ASSERT(OneGoes_A, $onehot0(sent) && go == (sent != '0))
  `MUSTER_ASSERT(GoesOnRequest_A, (sent & ~at_i) == '0)
  `MUSTER_ASSERT(OwnerAlone_A, !go || !owned_q || sender == owner_q)
  `MUSTER_ASSERT(BeginsIfItMay_A, !go || owned_q || (sent & begin_i) != '0)
  `MUSTER_ASSERT(AbleIfAnyMay_A, able == (credit_i && may_go != '0))
  `MUSTER_ASSERT(GoesIfAble_A, go == (able && !busy_i))
  // A cut mark has the head bit too.
  `MUSTER_ASSERT(HeadIsFirst_A, !go || kind[muster_pkg::KindHead] ==
                                       (!owned_q || (sent & cut_i) != '0))
  `MUSTER_ASSERT(TailAndNoSync_A, !go || (kind[muster_pkg::KindTail] == ends &&
                                          !kind[muster_pkg::KindSync]))
  `MUSTER_ASSERT(PayloadOfSender_A, !go || payload == sent_payload)
  `MUSTER_ASSERT(FairWithinPorts_A, 32'(ended_q) <= Ports - 1)

  `MUSTER_COVER(OvertakenByAll_C, 32'(ended_q) == Ports - 1 && (sent & ~others) != '0)
  `MUSTER_COVER(MarkEnds_C, owned_q && ends && kind == 3'b011)
  `MUSTER_COVER(OwnerWaits_C, owned_q && !able && (at_i & begin_i) != '0 && credit_i)

endmodule

`default_nettype wire
