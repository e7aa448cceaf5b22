// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "muster_assert.svh"

// Crossbar II of the three switches (Figures 7, 9, 10), (Ports + 2) x Ports, between the input
// buffers and the outputs. docs/systems/preempting-switches.md, "Output p".
//
// Rows 0 to Ports - 1 are the input buffers, with the allocator that connects them to columns and a
// register each: see muster_switch_fabric. Row Ports is the padding generator, with its stored
// messages; row Ports + 1 is the barrier unit, with the flit of each column. A column takes from
// one row in a cycle: row Ports where generator_i is set, row Ports + 1 where unit_i is. Neither
// may be set where a register holds a flit for the column, busy_o. The flit is at flit_o in the
// same cycle.
module muster_crossbar_2 #(
  /// ports, 3 to 16
  parameter int unsigned Ports = 8,
  /// virtual channels, 1 to 3
  parameter int unsigned Vcs = 2,
  /// payload bits of a flit, 16 to 80
  parameter int unsigned FlitW = 16,
  localparam int unsigned Queues = Ports * Vcs,
  localparam int unsigned VcW = (Vcs > 1) ? $clog2(Vcs) : 1,
  localparam int unsigned KindW = muster_pkg::KindW,
  localparam int unsigned WordW = muster_pkg::bsr_word_w(FlitW),
  localparam int unsigned LinkW = muster_pkg::BsrFlitW,
  localparam int unsigned Width = FlitW + KindW + VcW
) (
  input  wire logic                         clk_i,
  input  wire logic                         rst_ni,

  /// rows of the input buffers: see muster_switch_fabric
  input  wire logic [Queues-1:0]            tail_i,
  input  wire logic [Queues-1:0][KindW-1:0] kind_i,
  input  wire logic [Queues-1:0][FlitW-1:0] payload_i,
  input  wire logic [Queues-1:0]            request_i,
  input  wire logic [Queues-1:0][Ports-1:0] want_i,
  input  wire logic [Queues-1:0]            owner_i,
  output logic [Queues-1:0]                 taken_o,
  input  wire logic [Vcs-1:0][Ports-1:0]    open_i,
  input  wire logic [Ports-1:0]              hold_i,
  input  wire logic [Vcs-1:0][Ports-1:0]    closed_i,
  output logic [Vcs-1:0][Ports-1:0]         allocated_o,
  output logic [Vcs-1:0][Ports-1:0]         owned_o,

  /// row of the padding generator: its messages; columns that take one, the end or the request
  input  wire logic [Vcs-1:0][LinkW-1:0]    request_word_i,
  input  wire logic [Vcs-1:0][LinkW-1:0]    end_word_i,
  input  wire logic [Ports-1:0]             generator_i,
  input  wire logic [Ports-1:0]             end_i,
  /// row of the barrier unit: the flit of each column, the first of its message; columns that take
  input  wire logic [Ports-1:0][WordW-1:0]  unit_word_i,
  input  wire logic [Ports-1:0]             first_i,
  input  wire logic [Ports-1:0]             unit_i,
  /// the virtual channel that what these two rows send goes in
  input  wire logic [Ports-1:0][1:0]        channel_i,

  /// a register holds a flit for the column; a flit goes by it: channel, kind, payload
  output logic [Ports-1:0]                  busy_o,
  output logic [Ports-1:0]                  send_o,
  output logic [Ports-1:0][Width-1:0]       flit_o
);
  `MUSTER_RANGE(Vcs, 1, 3)

  logic [Ports-1:0][Width-1:0] crossing;

  muster_switch_fabric #(
    .Ports(Ports),
    .Vcs(Vcs),
    .FlitW(FlitW)
  ) buffers (
    .flit_o(crossing),
    .*
  );

  for (genvar p = 0; p < Ports; p++) begin : gen_column
    logic [LinkW-1:0] padding;
    logic [WordW-1:0] word;
    logic [KindW-1:0] kind;
    logic [VcW-1:0] channel;
    logic express;  // by one of the other two rows
    always_comb begin
      padding = '0;
      for (int unsigned v = 0; v < Vcs; v++) begin
        if (channel_i[p] == 2'(v)) padding = end_i[p] ? end_word_i[v] : request_word_i[v];
      end
    end
    assign word = (unit_i[p] ? unit_word_i[p] : '0) | (generator_i[p] ? WordW'(padding) : '0);
    assign kind = (!unit_i[p] ? '0 : first_i[p] ? muster_pkg::KindFirst : muster_pkg::KindMessage) |
                  (generator_i[p] ? muster_pkg::KindControl : '0);
    assign express = generator_i[p] || unit_i[p];
    assign channel = express ? channel_i[p][VcW-1:0] : '0;
    assign send_o[p] = busy_o[p] || express;
    assign flit_o[p] = crossing[p] | {channel, kind, FlitW'(word)};  // of the one that is not 0
  end

  `MUSTER_ASSERT(OneRow_A, ((busy_o & (generator_i | unit_i)) | (generator_i & unit_i)) == '0)

endmodule

`default_nettype wire
