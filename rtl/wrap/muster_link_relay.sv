// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "muster_assert.svh"

// Register stages of one channel of a link: what makes a link of latency L = Stages + 1, for wires
// that are too long for one cycle. Two of them, one for each channel, make a link in both
// directions.
//
// A flit on the wires at rx in t is on the wires at tx in t + Stages; so is a credit at tx_credit_i
// in t at rx_credit_o. Nothing is stopped, dropped or reordered. Reset empties all stages; what was
// in them is lost, so both ends of the link are reset with it.
//
// A sender with Depth credits sends at full rate while Depth is at least the credit loop of the
// link, which grows by 2 x Stages.
module muster_link_relay #(
  /// register stages in each direction, 1 to 254
  parameter int unsigned Stages = 1,
  /// virtual channels, 1 to 4
  parameter int unsigned Vcs = 2,
  /// credits that go back: Vcs, and one more for a link with pockets; 1 to 5. Requires
  /// Backs == Vcs || Backs == Vcs + 1
  parameter int unsigned Backs = 2,
  /// payload bits, 16 to 512
  parameter int unsigned FlitW = 16,
  localparam int unsigned VcW = (Vcs > 1) ? $clog2(Vcs) : 1,
  localparam int unsigned KindW = muster_pkg::KindW
) (
  input  wire logic              clk_i,
  input  wire logic              rst_ni,

  /// from the sender; a credit back to it
  input  wire logic              rx_valid_i,
  input  wire logic [VcW-1:0]    rx_vc_i,
  input  wire logic [KindW-1:0]  rx_kind_i,
  input  wire logic [FlitW-1:0]  rx_payload_i,
  output logic [Backs-1:0]       rx_credit_o,

  /// to the receiver; a credit from it
  output logic                   tx_valid_o,
  output logic [VcW-1:0]         tx_vc_o,
  output logic [KindW-1:0]       tx_kind_o,
  output logic [FlitW-1:0]       tx_payload_o,
  input  wire logic [Backs-1:0]  tx_credit_i,

  /// nothing is in the stages: a clock without a flit or credit would change nothing
  output logic                   quiescent_o
);
  localparam int unsigned WordW = VcW + KindW + FlitW;

  `MUSTER_RANGE(Stages, 1, 254)
  `MUSTER_RANGE(Vcs, 1, 4)
  `MUSTER_RANGE(Backs, 1, 5)
  `MUSTER_REFUSE(classes, Backs != Vcs && Backs != Vcs + 1, "Backs must be Vcs or Vcs + 1")
  `MUSTER_RANGE(FlitW, 16, 512)

  // Stage 0 is the first after the sender, and the last before it.
  logic [Stages-1:0] valid_q;
  logic [Stages-1:0][WordW-1:0] word_q;
  logic [Stages-1:0][Backs-1:0] credit_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      valid_q <= '0;
      credit_q <= '0;
    end else begin
      valid_q <= Stages'({valid_q, rx_valid_i});
      credit_q <= (Stages * Backs)'({tx_credit_i, credit_q} >> Backs);
    end
  end

  // The payload moves only with a flit, which saves power and gives a clock gate its enable.
  always_ff @(posedge clk_i) begin
    if (rx_valid_i) word_q[0] <= {rx_vc_i, rx_kind_i, rx_payload_i};
    for (int unsigned s = 1; s < Stages; s++) begin
      if (valid_q[s-1]) word_q[s] <= word_q[s-1];
    end
  end

  assign tx_valid_o = valid_q[Stages-1];
  assign {tx_vc_o, tx_kind_o, tx_payload_o} = word_q[Stages-1];
  assign rx_credit_o = credit_q[0];
  assign quiescent_o = valid_q == '0 && credit_q == '0;

endmodule

`default_nettype wire
