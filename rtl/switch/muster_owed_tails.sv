// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "muster_assert.svh"

// Selects the access unit's answers and owed tails for the outputs, in a switch that gives up an
// answer that does not advance: docs/systems/guard.md, "Owed tails".
//
// With cut_i[p] channel (p, v) of vc_i owes a tail, which is a cut mark, from the next cycle on
// until it goes. A channel that owes one, and that of an answer, is given to no packet (closed_o).
// At an output the answer comes first unless its channel owes a tail; then the lowest channel that
// owes one. The flit offered at offer_o[p] goes with go_i[p] in the same cycle.
module muster_owed_tails #(
  /// ports of the switch, 3 to 32
  parameter int unsigned Ports = 8,
  /// virtual channels, 1 to 4
  parameter int unsigned Vcs = 2,
  localparam int unsigned KindW = muster_pkg::KindW,
  localparam int unsigned WordW = muster_pkg::AgentWordW
) (
  input  wire logic                         clk_i,
  input  wire logic                         rst_ni,

  /// a flit of the answer for this port, one-hot or zero, and its channel, one-hot; its kind and
  /// payload; it leaves
  input  wire logic [Ports-1:0]             want_i,
  input  wire logic [Vcs-1:0]               vc_i,
  input  wire logic [KindW-1:0]             kind_i,
  input  wire logic [WordW-1:0]             word_i,
  output logic                              leaves_o,
  /// the answer is given up, and its channel owes a tail
  input  wire logic [Ports-1:0]             cut_i,

  /// channel (p, v) has an owner; is given to no packet: [v][p]
  input  wire logic [Vcs-1:0][Ports-1:0]    owned_i,
  output logic [Vcs-1:0][Ports-1:0]         closed_o,

  /// output p: a flit of an answer whose channel has no owner; it goes
  output logic [Ports-1:0]                  offer_o,
  output logic [Ports-1:0][Vcs-1:0]         vc_o,
  output logic [Ports-1:0][KindW-1:0]       kind_o,
  output logic [Ports-1:0][WordW-1:0]       word_o,
  input  wire logic [Ports-1:0]             go_i,

  /// no channel owes a tail
  output logic                              idle_o
);
  `MUSTER_RANGE(Ports, 3, 32)
  `MUSTER_RANGE(Vcs, 1, 4)

  logic [Ports-1:0] answers, owes, owned_owed;

  for (genvar p = 0; p < Ports; p++) begin : gen_output
    logic [Vcs-1:0] owed_q, above, owned, gone;
    muster_above_lowest #(.N(Vcs)) lowest (
      .bits_i(owed_q),
      .above_o(above)
    );
    for (genvar v = 0; v < Vcs; v++) begin : gen_vc
      assign owned[v] = owned_i[v][p];
      assign closed_o[v][p] = owed_q[v] || (want_i[p] && vc_i[v]);
    end

    assign answers[p] = want_i[p] && (owed_q & vc_i) == '0;
    assign vc_o[p] = answers[p] ? vc_i : owed_q & ~above;
    assign kind_o[p] = answers[p] ? kind_i : muster_pkg::KindCut;
    assign word_o[p] = answers[p] ? word_i : muster_pkg::CutWord;
    assign offer_o[p] = answers[p] ? (owned & vc_i) == '0 : owed_q != '0;
    assign owes[p] = owed_q != '0;
    assign owned_owed[p] = (owned & owed_q) != '0;
    assign gone = (go_i[p] && !answers[p]) ? vc_o[p] : '0;

    always_ff @(posedge clk_i) begin
      if (!rst_ni) owed_q <= '0;
      else owed_q <= (owed_q & ~gone) | (cut_i[p] ? vc_i : '0);
    end
  end

  assign leaves_o = (go_i & answers) != '0;
  assign idle_o = owes == '0;

  `MUSTER_ASSERT(OwedHasNoOwner_A, owned_owed == '0)
  `MUSTER_ASSERT(GoesOnOffer_A, (go_i & ~offer_o) == '0)
  `MUSTER_ASSERT(CutWants_A, (cut_i & ~want_i) == '0)

endmodule

`default_nettype wire
