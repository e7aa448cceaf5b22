// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "muster_assert.svh"

// The input queues of a switch, one for each port and virtual channel, and the flits at their
// heads.
//
// Queue q = i * Vcs + v belongs to input port i and virtual channel v. A flit on the wires in cycle
// t can be at its head in t + 1, and stays there until pop_i.
module muster_input_queues #(
  /// ports, 3 to 16
  parameter int unsigned Ports = 8,
  /// virtual channels, 1 to 4
  parameter int unsigned Vcs = 2,
  /// flits in an input queue, 1 to 16
  parameter int unsigned Depth = 4,
  /// payload bits of a flit, 16 to 512
  parameter int unsigned FlitW = 16,
  localparam int unsigned Queues = Ports * Vcs,
  localparam int unsigned VcW = (Vcs > 1) ? $clog2(Vcs) : 1,
  localparam int unsigned KindW = muster_pkg::KindW
) (
  input  wire logic                          clk_i,
  input  wire logic                          rst_ni,

  /// links in; see muster_link_rx
  input  wire logic [Ports-1:0]              rx_valid_i,
  input  wire logic [Ports-1:0][VcW-1:0]     rx_vc_i,
  input  wire logic [Ports-1:0][KindW-1:0]   rx_kind_i,
  input  wire logic [Ports-1:0][FlitW-1:0]   rx_payload_i,
  output logic [Ports-1:0][Vcs-1:0]          rx_credit_o,

  /// a flit is at the head; its tail bit, its kind and payload
  output logic [Queues-1:0]                  valid_o,
  output logic [Queues-1:0]                  tail_o,
  output logic [Queues-1:0][KindW-1:0]       kind_o,
  output logic [Queues-1:0][FlitW-1:0]       payload_o,
  /// it leaves in this cycle; only with one there
  input  wire logic [Queues-1:0]             pop_i,

  /// all queues are empty
  output logic                               empty_o
);
  `MUSTER_RANGE(Ports, 3, 16)

  for (genvar i = 0; i < Ports; i++) begin : gen_rx
    muster_link_rx #(.Vcs(Vcs), .Depth(Depth), .FlitW(FlitW)) rx (
      .clk_i, .rst_ni,
      .rx_valid_i(rx_valid_i[i]),
      .rx_vc_i(rx_vc_i[i]),
      .rx_kind_i(rx_kind_i[i]),
      .rx_payload_i(rx_payload_i[i]),
      .rx_credit_o(rx_credit_o[i]),
      .head_valid_o(valid_o[i*Vcs+:Vcs]),
      .head_kind_o(kind_o[i*Vcs+:Vcs]),
      .head_payload_o(payload_o[i*Vcs+:Vcs]),
      .pop_i(pop_i[i*Vcs+:Vcs])
    );
  end

  for (genvar q = 0; q < Queues; q++) begin : gen_head
    assign tail_o[q] = kind_o[q][muster_pkg::KindTail];
  end

  assign empty_o = valid_o == '0;

  `MUSTER_ASSERT(PopIsThere_A, (pop_i & ~valid_o) == '0)

endmodule

`default_nettype wire
