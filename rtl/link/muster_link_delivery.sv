// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "muster_assert.svh"

// The flits that a link end delivers to its block (docs/systems/retry-link.md): those that it
// accepts and, when the link is down, a cut mark for each packet whose rest will not come.
//
// accept_i in cycle t: the flit is on tx in t + 1. While down_i, the lowest of the virtual channels
// whose packet is open and that have room gets one.
module muster_link_delivery #(
  /// virtual channels, 1 to 4
  parameter int unsigned Vcs = 2,
  /// payload bits, 16 to 512
  parameter int unsigned FlitW = 16,
  localparam int unsigned VcW = (Vcs > 1) ? $clog2(Vcs) : 1
) (
  input  wire logic                          clk_i,
  input  wire logic                          rst_ni,
  /// a session ends
  input  wire logic                          clear_i,
  input  wire logic                          down_i,

  input  wire logic                          accept_i,
  input  wire logic [VcW-1:0]                vc_i,
  input  wire logic [muster_pkg::KindW-1:0]  kind_i,
  input  wire logic [FlitW-1:0]              payload_i,
  /// the queue of the virtual channel has a place
  input  wire logic [Vcs-1:0]                room_i,
  /// a cut mark is made for it
  output logic [Vcs-1:0]                     tail_o,
  /// a packet is open
  output logic                               open_o,

  output logic                               tx_valid_o,
  output logic [VcW-1:0]                     tx_vc_o,
  output logic [muster_pkg::KindW-1:0]       tx_kind_o,
  output logic [FlitW-1:0]                   tx_payload_o
);
  `MUSTER_RANGE(Vcs, 1, 4)
  `MUSTER_RANGE(FlitW, 16, 512)

  logic [Vcs-1:0] open_q, ends, channel;
  logic [VcW-1:0] tail_vc;
  logic data;

  assign open_o = open_q != '0;
  assign data = accept_i && !kind_i[muster_pkg::KindSync];
  assign channel = data ? Vcs'(1'b1) << vc_i : '0;

  assign ends = down_i ? open_q & room_i : '0;
  assign tail_o = ends & (~ends + 1'b1);
  always_comb begin
    tail_vc = '0;
    for (int unsigned v = 0; v < Vcs; v++) begin
      if (tail_o[v]) tail_vc = VcW'(v);
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni || clear_i) open_q <= '0;
    else begin
      open_q <= (open_q & ~tail_o & ~channel) |
                (channel & {Vcs{!kind_i[muster_pkg::KindTail]}});
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) tx_valid_o <= 1'b0;
    else tx_valid_o <= accept_i || (ends != '0);
  end

  always_ff @(posedge clk_i) begin
    if (accept_i || ends != '0) begin
      tx_vc_o <= down_i ? tail_vc : vc_i;
      tx_kind_o <= down_i ? muster_pkg::KindCut : kind_i;
      tx_payload_o <= down_i ? FlitW'(muster_pkg::CutWord) : payload_i;
    end
  end

  `MUSTER_ASSERT(AcceptsOnlyUp_A, !(accept_i && down_i))

endmodule

`default_nettype wire
