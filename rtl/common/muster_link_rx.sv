// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "muster_assert.svh"

// Receiving end of a link: one input queue for each virtual channel, and the credits that go back.
//
// A flit on the wires in cycle t is in the queue of its virtual channel from t + 1 on.
// head_valid_o[v] says that queue v is not empty; head_kind_o and head_payload_o then show its
// oldest flit. The user takes it with pop_i[v]; any number of queues may be popped in one cycle. A
// pop in cycle t sets rx_credit_o[v] for cycle t + 1 only. The sender keeps a credit for each free
// place, so a queue never overflows: see muster_link_tx.sv for the other half of the contract.
module muster_link_rx #(
  /// virtual channels, 1 to 4
  parameter int unsigned Vcs = 2,
  /// flits a queue holds, 1 to 16
  parameter int unsigned Depth = 4,
  /// payload bits, 16 to 512
  parameter int unsigned FlitW = 16,
  localparam int unsigned VcW = (Vcs > 1) ? $clog2(Vcs) : 1
) (
  input  wire logic                                     clk_i,
  input  wire logic                                     rst_ni,

  /// a flit is on the wires; needs a free place in the queue of rx_vc_i
  input  wire logic                                     rx_valid_i,
  /// its virtual channel, below Vcs
  input  wire logic [VcW-1:0]                           rx_vc_i,
  input  wire logic [muster_pkg::KindW-1:0]             rx_kind_i,
  input  wire logic [FlitW-1:0]                         rx_payload_i,
  /// one pulse for each flit popped in the cycle before
  output logic [Vcs-1:0]                                rx_credit_o,

  output logic [Vcs-1:0]                                head_valid_o,
  output logic [Vcs-1:0][muster_pkg::KindW-1:0]         head_kind_o,
  output logic [Vcs-1:0][FlitW-1:0]                     head_payload_o,
  /// take the head of queue v; only where head_valid_o[v]
  input  wire logic [Vcs-1:0]                           pop_i
);
  localparam int unsigned Width = FlitW + muster_pkg::KindW;

  `MUSTER_RANGE(Vcs, 1, 4)
  `MUSTER_RANGE(Depth, 1, 16)
  `MUSTER_RANGE(FlitW, 16, 512)

  logic [Vcs-1:0] push, empty, full;

  for (genvar v = 0; v < Vcs; v++) begin : gen_vc
    assign push[v] = rx_valid_i && (rx_vc_i == VcW'(v));

    muster_fifo #(.Width(Width), .Depth(Depth)) queue (
      .clk_i, .rst_ni,
      .push_i(push[v]),
      .data_i({rx_kind_i, rx_payload_i}),
      .pop_i(pop_i[v]),
      .data_o({head_kind_o[v], head_payload_o[v]}),
      .empty_o(empty[v]),
      .full_o(full[v])
    );
  end

  assign head_valid_o = ~empty;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) rx_credit_o <= '0;
    else rx_credit_o <= pop_i;
  end

  `MUSTER_ASSERT(PushHasRoom_A, (push & full) == '0)
  `MUSTER_ASSERT(PopHasFlit_A, (pop_i & empty) == '0)
  `MUSTER_ASSERT(VcExists_A, !rx_valid_i || (|push))

endmodule

`default_nettype wire
