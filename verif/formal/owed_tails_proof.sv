// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "formal.svh"

// muster_owed_tails under any answers of the access unit, given up in any cycle in which their
// channel is not a packet's, and outputs that let flits go when they like. Seen at one channel
// (port, vc), any one.
//
//   - what an output is offered is the flit of the answer, unchanged, or the cut mark, the word
//     0xf800, of a channel that owes a tail, and this only
//   - an answer that is given up gets one mark, and its channel nothing before it
//   - while a channel owes a tail it is closed for packets
module owed_tails_proof #(
  parameter int unsigned Ports = 3,
  parameter int unsigned Vcs = 2,
  localparam int unsigned KindW = muster_pkg::KindW,
  localparam int unsigned WordW = muster_pkg::AgentWordW,
  localparam int unsigned VcW = (Vcs > 1) ? $clog2(Vcs) : 1
) (
  input  wire logic                         clk_i,
  input  wire logic [Ports-1:0]             want_i,
  input  wire logic [Vcs-1:0]               vc_i,
  input  wire logic [KindW-1:0]             kind_i,
  input  wire logic [WordW-1:0]             word_i,
  input  wire logic [Ports-1:0]             cut_i,
  /// packets that want a channel, and leave one
  input  wire logic [Vcs-1:0][Ports-1:0]    take_i,
  input  wire logic [Vcs-1:0][Ports-1:0]    free_i,
  input  wire logic [Ports-1:0]             go_i,
  input  wire logic [VcW-1:0]               chosen_i
);
  `MUSTER_FORMAL_RESET

  logic [Vcs-1:0][Ports-1:0] owned_q, closed;
  logic [Ports-1:0] offer, go;
  logic [Ports-1:0][Vcs-1:0] vc;
  logic [Ports-1:0][KindW-1:0] kind;
  logic [Ports-1:0][WordW-1:0] word;
  logic leaves, idle;
  assign go = go_i & offer;

  muster_owed_tails #(.Ports(Ports), .Vcs(Vcs)) dut (
    .clk_i, .rst_ni,
    .want_i,
    .vc_i,
    .kind_i,
    .word_i,
    .leaves_o(leaves),
    .cut_i,
    .owned_i(owned_q),
    .closed_o(closed),
    .offer_o(offer),
    .vc_o(vc),
    .kind_o(kind),
    .word_o(word),
    .go_i(go),
    .idle_o(idle)
  );

  // A packet takes a channel that is not closed.
  always_ff @(posedge clk_i) begin
    for (int unsigned v = 0; v < Vcs; v++) begin
      owned_q[v] <= rst_ni ? (owned_q[v] & ~free_i[v]) | (take_i[v] & ~closed[v]) : '0;
    end
  end

  // ---- The chosen channel: an answer was given up there, and its mark has not gone --------------
  logic [VcW-1:0] chosen_q;
  logic owes_q, marked_q, cut, here, goes, marks;
  logic [Ports-1:0] cut_owned;
  assign here = vc[0][chosen_q];
  assign goes = go[0] && here;
  assign marks = goes && kind[0] == 3'b011 && word[0] == 16'hf800;
  assign cut = cut_i[0] && vc_i[chosen_q];
  for (genvar p = 0; p < Ports; p++) begin : gen_cut
    logic [Vcs-1:0] owned;
    for (genvar v = 0; v < Vcs; v++) begin : gen_vc
      assign owned[v] = owned_q[v][p];
    end
    assign cut_owned[p] = cut_i[p] && (owned & vc_i) != '0;
  end
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      {owes_q, marked_q} <= '0;
      chosen_q <= chosen_i;
    end else begin
      owes_q <= (owes_q && !goes) || cut;
      marked_q <= marked_q || (owes_q && marks);
    end
  end

  logic other;  // an answer, or none, for another channel
  assign other = !(want_i[0] && vc_i[chosen_q]);

  `MUSTER_ASSUME(ChosenExists_M, 32'(chosen_q) < Vcs)
  `MUSTER_ASSUME(OneAnswer_M, $onehot0(want_i) && $onehot(vc_i) && (cut_i & ~want_i) == '0)
  `MUSTER_ASSUME(CutHasBegun_M, cut_owned == '0)
  // The access unit gives up an answer of which a flit has left, so not one that waits for a mark.
  `MUSTER_ASSUME(NotCutTwice_M, !(cut && owes_q))

  `MUSTER_ASSERT(OwedGoesFirst_A, !(owes_q && goes) || marks)
  `MUSTER_ASSERT(OnlyOwedGoes_A, !goes || owes_q || (!other && kind[0] == kind_i &&
                                                     word[0] == word_i))
  `MUSTER_ASSERT(OwedIsClosed_A, !owes_q || (closed[chosen_q][0] &&
                                             !owned_q[chosen_q][0]))
  `MUSTER_ASSERT(OwedIsTold_A, !owes_q || !idle)
  `MUSTER_ASSERT(OwedIsOffered_A, !owes_q || offer[0] || want_i[0])
  `MUSTER_ASSERT(LeavesIfItGoes_A, !leaves || (want_i & go) != '0)

  `MUSTER_COVER(AnotherMark_C, marked_q && owes_q && marks)
  `MUSTER_COVER(AnswerWaits_C, owes_q && goes && !other)
  `MUSTER_COVER(TwoAreOwed_C, Vcs == 1 || (owes_q && offer[0] && !here))

endmodule

`default_nettype wire
