// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "muster_assert.svh"

// The outputs of a preempting switch: for each port a preempt_output, which decides when a barrier
// message goes, and the sending end of the link. What goes is a flit that traverses the crossbar,
// since its credit has been reserved; else, with a credit of the barrier channel, what
// preempt_output wants to send: the next flit of the message served, a padding request or an end.
module preempt_outputs #(
  /// ports of the switch, 3 to 16
  parameter int unsigned Ports = 8,
  /// virtual channels, 2 to 4
  parameter int unsigned Vcs = 2,
  /// places in each queue of the receivers, 1 to 16
  parameter int unsigned Depth = 4,
  /// payload bits of a flit, 16 to 80
  parameter int unsigned FlitW = 16,
  localparam int unsigned Channels = Vcs - 1,
  localparam int unsigned Buffers = Ports + 1,
  localparam int unsigned VcW = $clog2(Vcs),
  localparam int unsigned KindW = muster_pkg::KindW,
  localparam int unsigned WordW = muster_pkg::BsrFlitW,
  localparam int unsigned Width = FlitW + KindW + VcW
) (
  input  wire logic                             clk_i,
  input  wire logic                             rst_ni,

  /// the host's: see preempt_output; and outputs on hold, whose data channels have no credit
  input  wire logic [7:0]                       idle_i,
  input  wire logic [7:0]                       gap_i,
  input  wire logic [15:0]                      longest_i,
  input  wire logic                             random_i,
  input  wire logic [3:0]                       draw_i,
  input  wire logic [Ports-1:0]                 hold_i,

  /// data, see switch_fabric
  input  wire logic [Ports-1:0]                 busy_i,
  input  wire logic [Ports-1:0][Width-1:0]      crossing_i,
  input  wire logic [Vcs-1:0][Ports-1:0]        allocated_i,
  input  wire logic [Vcs-1:0][Ports-1:0]        owned_i,
  output logic [Vcs-1:0][Ports-1:0]             open_o,
  output logic [Vcs-1:0][Ports-1:0]             closed_o,
  /// data channels with a credit; those that may be taken or cut
  output logic [Ports-1:0][Channels-1:0]        credited_o,
  input  wire logic [Ports-1:0][Channels-1:0]   usable_i,

  /// messages, see bsr_unit
  output logic [Ports-1:0]                      may_open_o,
  output logic [Ports-1:0]                      may_cut_o,
  input  wire logic [Ports-1:0][Buffers-1:0]    ask_i,
  output logic [Ports-1:0][Buffers-1:0]         served_o,
  input  wire logic [Ports-1:0][WordW-1:0]      next_i,
  input  wire logic [Ports-1:0]                 last_i,
  output logic [Ports-1:0]                      sent_o,

  /// padding requests go; the longest wait so far
  output logic [Ports-1:0]                      request_o,
  output logic [15:0]                           longest_wait_o,

  /// links out; see link_tx
  output logic [Ports-1:0]                      tx_valid_o,
  output logic [Ports-1:0][VcW-1:0]             tx_vc_o,
  output logic [Ports-1:0][KindW-1:0]           tx_kind_o,
  output logic [Ports-1:0][FlitW-1:0]           tx_payload_o,
  input  wire logic [Ports-1:0][Vcs-1:0]        tx_credit_i,

  /// nothing is on the way out, served, cut or guarded, and no gap runs
  output logic                                  idle_o
);
  if (Ports < 3 || Ports > 16) begin : gen_bad_ports
    $error("preempt_outputs: Ports must be 3 to 16");
  end
  if (Vcs < 2 || Vcs > 4) begin : gen_bad_vcs
    $error("preempt_outputs: Vcs must be 2 to 4");
  end

  localparam logic [KindW-1:0] SyncKind = KindW'(1 << muster_pkg::KindSync);
  localparam logic [Vcs-1:0] BarrierVc = Vcs'(1) << Channels;

  logic [Ports-1:0] quiet, serves, waits;

  for (genvar p = 0; p < Ports; p++) begin : gen_output
    // What is not data leaves one by one: no counter of 2 is asked for.
    /* verilator lint_off UNUSEDSIGNAL */
    logic [Vcs-1:0] has_two;
    /* verilator lint_on UNUSEDSIGNAL */
    logic [Vcs-1:0] has_one, reserve;
    logic [Channels-1:0] owned, cut, place;
    logic ends, held, goes;
    logic [1:0] channel;
    logic [WordW-1:0] word;
    logic [Width-1:0] flit;

    for (genvar v = 0; v < Channels; v++) begin : gen_channel
      assign owned[v] = owned_i[v][p];
      assign reserve[v] = allocated_i[v][p];
      assign credited_o[p][v] = has_one[v] && !hold_i[p];
      assign open_o[v][p] = credited_o[p][v] && !held && !cut[v];
      assign closed_o[v][p] = place[v];
    end
    assign serves[p] = served_o[p] != '0;
    assign reserve[Channels] = 1'b0;
    assign open_o[Channels][p] = 1'b0;
    assign closed_o[Channels][p] = 1'b0;

    preempt_output #(
      .Buffers(Buffers),
      .Channels(Channels)
    ) control (
      .clk_i,
      .rst_ni,
      .idle_i,
      .gap_i,
      .longest_i,
      .random_i,
      .draw_i,
      .busy_i(busy_i[p]),
      .credit_i(has_one[Channels]),
      .usable_i(usable_i[p]),
      .owned_i(owned),
      .allocated_i(reserve[Channels-1:0]),
      .ask_i(ask_i[p]),
      .served_o(served_o[p]),
      .last_i(last_i[p]),
      .open_o(may_open_o[p]),
      .cuttable_o(may_cut_o[p]),
      .flit_o(sent_o[p]),
      .request_o(request_o[p]),
      .end_o(ends),
      .channel_o(channel),
      .hold_o(held),
      .cut_o(cut),
      .place_o(place),
      .waits_o(waits[p]),
      .quiet_o(quiet[p])
    );

    // Link control: {3, end in the second of two bits, channel}.
    assign goes = sent_o[p] || request_o[p] || ends;
    assign word = sent_o[p] ? next_i[p]
                  : {muster_pkg::BsrControl, 1'b0, ends, 10'd0, channel};
    assign flit = busy_i[p] ? crossing_i[p] : {VcW'(Channels), SyncKind, FlitW'(word)};

    link_tx #(
      .Vcs(Vcs),
      .Depth(Depth),
      .FlitW(FlitW)
    ) tx (
      .clk_i,
      .rst_ni,
      .send_i(busy_i[p] || goes),
      .vc_i(flit[Width-1-:VcW]),
      .kind_i(flit[FlitW+:KindW]),
      .payload_i(flit[FlitW-1:0]),
      .reserve_i(reserve),
      .express_i(goes),
      .express_vc_i(BarrierVc),
      .has_one_o(has_one),
      .has_two_o(has_two),
      .tx_valid_o(tx_valid_o[p]),
      .tx_vc_o(tx_vc_o[p]),
      .tx_kind_o(tx_kind_o[p]),
      .tx_payload_o(tx_payload_o[p]),
      .tx_credit_i(tx_credit_i[p])
    );
  end

  longest_wait #(
    .Ports(Ports)
  ) wait_count (
    .clk_i,
    .rst_ni,
    .serves_i(serves),
    .waits_i(waits),
    .longest_o(longest_wait_o)
  );

  assign idle_o = busy_i == '0 && tx_valid_o == '0 && (&quiet);

  `MUSTER_ASSERT(MessagesAreNotAllocated_A, allocated_i[Channels] == '0 && owned_i[Channels] == '0)

endmodule

`default_nettype wire
