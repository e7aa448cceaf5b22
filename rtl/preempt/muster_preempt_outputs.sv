// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "muster_assert.svh"

// The outputs of a preempting switch: for each port a muster_preempt_output, which decides when a
// barrier message goes and in which channel, and the sending end of the link. What goes comes from
// muster_crossbar_2: a flit of data, whose credit has been reserved, or what muster_preempt_output
// lets in from the rows of the padding generator and the barrier unit, which takes a credit of its
// channel if spends_i says so.
module muster_preempt_outputs #(
  /// ports of the switch, 3 to 16
  parameter int unsigned Ports = 8,
  /// virtual channels, 1 to 3
  parameter int unsigned Vcs = 2,
  /// places in each queue of the receivers, 1 to 16
  parameter int unsigned Depth = 4,
  /// payload bits of a flit, 16 to 512
  parameter int unsigned FlitW = 16,
  /// bits of the longest wait, 1 to 16
  parameter int unsigned WaitW = 16,
  /// barrier buffers of a port, and of the origin, beyond the first, 0 to 7
  parameter int unsigned Spares = 0,
  localparam int unsigned Buffers = Ports + Spares + 1,
  localparam int unsigned VcW = (Vcs > 1) ? $clog2(Vcs) : 1,
  localparam int unsigned KindW = muster_pkg::KindW,
  localparam int unsigned Width = FlitW + KindW + VcW
) (
  input  wire logic                             clk_i,
  input  wire logic                             rst_ni,

  /// the host's: see muster_preempt_output; outputs on hold, each channel of which is as if it had
  /// an owner without credit; outputs that no message goes by
  input  wire logic [7:0]                       idle_i,
  input  wire logic [7:0]                       gap_i,
  input  wire logic [15:0]                      longest_i,
  input  wire logic                             random_i,
  input  wire logic [3:0]                       draw_i,
  input  wire logic [Ports-1:0]                 hold_i,
  input  wire logic [Ports-1:0]                 shut_i,

  /// crossbar II: what goes and who has asked for it
  input  wire logic [Ports-1:0]                 busy_i,
  input  wire logic [Ports-1:0]                 send_i,
  input  wire logic [Ports-1:0][Width-1:0]      flit_i,
  input  wire logic [Vcs-1:0][Ports-1:0]        allocated_i,
  input  wire logic [Vcs-1:0][Ports-1:0]        owned_i,
  output logic [Vcs-1:0][Ports-1:0]             open_o,
  output logic [Ports-1:0]                      hold_o,
  output logic [Vcs-1:0][Ports-1:0]             closed_o,
  output logic [Ports-1:0]                      generator_o,
  output logic [Ports-1:0]                      end_o,
  output logic [Ports-1:0]                      unit_o,
  output logic [Ports-1:0]                      first_o,
  output logic [Ports-1:0][1:0]                 channel_o,

  /// channels with a credit, with three; those that may be taken or cut, in which a message may
  /// begin, a padding end may go; what is not data takes a credit of its channel
  output logic [Ports-1:0][Vcs-1:0]             credited_o,
  output logic [Ports-1:0][Vcs-1:0]             ample_o,
  input  wire logic [Ports-1:0][Vcs-1:0]        usable_i,
  input  wire logic [Ports-1:0][Vcs-1:0]        ample_i,
  input  wire logic [Ports-1:0][Vcs-1:0]        payable_i,
  input  wire logic                             spends_i,

  /// messages, see muster_bsr_unit
  output logic [Ports-1:0]                      may_open_o,
  output logic [Ports-1:0]                      may_cut_o,
  input  wire logic [Ports-1:0][Buffers-1:0]    ask_i,
  output logic [Ports-1:0][Buffers-1:0]         served_o,
  input  wire logic [Ports-1:0]                 long_i,
  input  wire logic [Ports-1:0]                 single_i,

  /// padding requests go; the longest wait so far
  output logic [Ports-1:0]                      request_o,
  output logic [15:0]                           longest_wait_o,

  /// links out; see muster_link_tx. Bit Vcs of the credits is that of the neighbour's barrier
  /// buffer
  output logic [Ports-1:0]                      tx_valid_o,
  output logic [Ports-1:0][VcW-1:0]             tx_vc_o,
  output logic [Ports-1:0][KindW-1:0]           tx_kind_o,
  output logic [Ports-1:0][FlitW-1:0]           tx_payload_o,
  input  wire logic [Ports-1:0][Vcs:0]          tx_credit_i,

  /// nothing is on the way out, served, cut or guarded, and no gap runs
  output logic                                  idle_o
);
  `MUSTER_RANGE(Spares, 0, 7)
  `MUSTER_RANGE(Ports, 3, 16)
  `MUSTER_RANGE(Vcs, 1, 3)
  `MUSTER_RANGE(WaitW, 1, 16)

  logic [Ports-1:0] quiet, serves, waits;

  for (genvar p = 0; p < Ports; p++) begin : gen_output
    logic [Vcs-1:0] has_one, has_three, reserve, owned, cut, place;
    logic express;

    for (genvar v = 0; v < Vcs; v++) begin : gen_channel
      assign owned[v] = owned_i[v][p];
      assign reserve[v] = allocated_i[v][p];
      assign credited_o[p][v] = has_one[v] && !hold_i[p];
      assign ample_o[p][v] = has_three[v] && !hold_i[p];
      assign open_o[v][p] = credited_o[p][v] && !cut[v];
      assign closed_o[v][p] = place[v];
    end
    assign serves[p] = served_o[p] != '0;

    muster_preempt_output #(
      .Buffers(Buffers),
      .Channels(Vcs),
      .Spares(Spares)
    ) control (
      .clk_i,
      .rst_ni,
      .idle_i,
      .gap_i,
      .longest_i,
      .random_i,
      .draw_i,
      .busy_i(busy_i[p]),
      .room_i(tx_credit_i[p][Vcs]),
      .closed_i(shut_i[p]),
      .usable_i(usable_i[p]),
      .ample_i(ample_i[p]),
      .payable_i(payable_i[p]),
      .owned_i(owned),
      .allocated_i(reserve),
      .held_i(hold_i[p]),
      .ask_i(ask_i[p]),
      .served_o(served_o[p]),
      .long_i(long_i[p]),
      .single_i(single_i[p]),
      .open_o(may_open_o[p]),
      .cuttable_o(may_cut_o[p]),
      .flit_o(unit_o[p]),
      .first_o(first_o[p]),
      .request_o(request_o[p]),
      .end_o(end_o[p]),
      .channel_o(channel_o[p]),
      .hold_o(hold_o[p]),
      .cut_o(cut),
      .place_o(place),
      .waits_o(waits[p]),
      .quiet_o(quiet[p])
    );
    assign generator_o[p] = request_o[p] || end_o[p];
    assign express = generator_o[p] || unit_o[p];

    muster_link_tx #(
      .Vcs(Vcs),
      .Depth(Depth),
      .FlitW(FlitW),
      .Many(3)
    ) tx (
      .clk_i,
      .rst_ni,
      .send_i(send_i[p]),
      .vc_i(flit_i[p][Width-1-:VcW]),
      .kind_i(flit_i[p][FlitW+:KindW]),
      .payload_i(flit_i[p][FlitW-1:0]),
      .reserve_i(reserve),
      .express_i(express),
      .express_vc_i(spends_i ? Vcs'(1'b1) << channel_o[p] : '0),
      .has_one_o(has_one),
      .has_many_o(has_three),
      .tx_valid_o(tx_valid_o[p]),
      .tx_vc_o(tx_vc_o[p]),
      .tx_kind_o(tx_kind_o[p]),
      .tx_payload_o(tx_payload_o[p]),
      .tx_credit_i(tx_credit_i[p][Vcs-1:0])
    );
  end

  muster_longest_wait #(
    .Ports(Ports),
    .CountW(WaitW)
  ) wait_count (
    .clk_i,
    .rst_ni,
    .serves_i(serves),
    .waits_i(waits),
    .longest_o(longest_wait_o)
  );

  assign idle_o = busy_i == '0 && tx_valid_o == '0 && (&quiet);

endmodule

`default_nettype wire
