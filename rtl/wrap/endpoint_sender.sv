// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "muster_assert.svh"

// What an endpoint sends: a stream as packets, barrier messages between their flits.
//
// A packet is a head flit, made of s_axis_tdest_i, s_axis_tuser_i and s_axis_tid_i as they stand
// with its first beat, and a flit for each beat; that of the beat with s_axis_tlast_i is the tail.
// The virtual channel, s_axis_tid_i, is that of the first beat for the whole packet. A beat is
// taken where valid and ready are set; s_axis_tready_o depends on registers only.
//
// Cycles: a first beat that waits in t, with a credit of its channel, has its head flit on the
// wires in t + 2, without being taken. From t + 1 on a beat is taken in each cycle with a credit,
// and is on the wires two cycles later: n beats take n + 1 cycles.
//
// A barrier message that waits in t, sync_valid_i, is taken in t, sync_taken_o, and on the wires in
// t + 1, unless the flit of a packet was decided on in t - 1; then nothing else is decided on in t,
// and the message goes a cycle later. So messages wait for one flit of data at most.
module endpoint_sender #(
  /// virtual channels, 1 to 4
  parameter int unsigned Vcs = 2,
  /// places in each queue of the receiver, 1 to 16
  parameter int unsigned Depth = 4,
  /// payload bits, 16 to 80
  parameter int unsigned FlitW = 16,
  /// a barrier message takes the credit of a pocket, bit Vcs; 0 to 1
  parameter int unsigned Pocket = 0,
  localparam int unsigned VcW = (Vcs > 1) ? $clog2(Vcs) : 1,
  localparam int unsigned KindW = muster_pkg::KindW,
  localparam int unsigned BackW = Vcs + Pocket
) (
  input  wire logic                              clk_i,
  input  wire logic                              rst_ni,

  /// beats of packets; destination, opcode and virtual channel, below Vcs, count in the first
  input  wire logic                              s_axis_tvalid_i,
  output logic                                   s_axis_tready_o,
  input  wire logic [FlitW-1:0]                  s_axis_tdata_i,
  input  wire logic                              s_axis_tlast_i,
  input  wire logic [VcW-1:0]                    s_axis_tid_i,
  input  wire logic [15:0]                       s_axis_tdest_i,
  input  wire logic [muster_pkg::OpcodeW-1:0]    s_axis_tuser_i,

  /// a barrier message that waits to be sent; it stands until it is taken
  input  wire logic                              sync_valid_i,
  input  wire logic [FlitW-1:0]                  sync_payload_i,
  output logic                                   sync_taken_o,

  /// link out
  output logic                                   tx_valid_o,
  output logic [VcW-1:0]                         tx_vc_o,
  output logic [KindW-1:0]                       tx_kind_o,
  output logic [FlitW-1:0]                       tx_payload_o,
  input  wire logic [BackW-1:0]                  tx_credit_i,

  /// nothing is on its way to the wires or on them
  output logic                                   quiescent_o
);
  localparam logic [KindW-1:0] SyncKind = KindW'(1 << muster_pkg::KindSync);
  localparam logic [KindW-1:0] HeadKind = KindW'(1 << muster_pkg::KindHead);
  localparam int unsigned LowW = muster_pkg::DestW;

  if (Pocket > 1) begin : gen_bad_pocket
    $error("endpoint_sender: Pocket must be 0 or 1");
  end

  // Of the packet that has begun; the flit that has been decided on in the cycle before.
  logic body_q, staged_q;
  logic [VcW-1:0] vc_q, staged_vc_q;
  logic [KindW-1:0] staged_kind_q;
  logic [FlitW-1:0] staged_payload_q;

  // ---- Barrier messages ---------------------------------------------------------------------
  logic sync_waits, room;
  if (Pocket == 1) begin : gen_pocket
    logic room_q;
    always_ff @(posedge clk_i) begin
      if (!rst_ni) room_q <= 1'b1;
      else room_q <= tx_credit_i[Vcs] || (room_q && !sync_taken_o);
    end
    assign room = room_q;
  end else begin : gen_no_pocket
    assign room = 1'b1;
  end
  assign sync_waits = sync_valid_i && room;
  assign sync_taken_o = sync_waits && !staged_q;

  // ---- Packets ------------------------------------------------------------------------------
  logic [Vcs-1:0] has_one, reserve;
  logic can_begin, can_go, open, decides;
  logic [VcW-1:0] vc;
  // What is not needed of the link.
  /* verilator lint_off UNUSEDSIGNAL */
  logic [Vcs-1:0] has_many;
  /* verilator lint_on UNUSEDSIGNAL */
  assign open = !(sync_waits && staged_q);
  always_comb begin
    can_begin = 1'b0;
    can_go = 1'b0;
    for (int unsigned v = 0; v < Vcs; v++) begin
      if (s_axis_tid_i == VcW'(v)) can_begin = has_one[v];
      if (vc_q == VcW'(v)) can_go = has_one[v];
    end
  end
  assign s_axis_tready_o = body_q && can_go && open;
  assign decides = s_axis_tvalid_i && open && (body_q ? can_go : can_begin);
  assign vc = body_q ? vc_q : s_axis_tid_i;
  assign reserve = decides ? Vcs'(1'b1) << vc : '0;

  /* verilator lint_off UNUSEDSIGNAL */
  logic [muster_pkg::DestHighAt+4:0] head;  // as far as FlitW reaches
  /* verilator lint_on UNUSEDSIGNAL */
  assign head = {s_axis_tdest_i[15:LowW], s_axis_tuser_i, s_axis_tdest_i[LowW-1:0]};

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      body_q <= 1'b0;
      staged_q <= 1'b0;
    end else begin
      staged_q <= decides;
      if (decides) body_q <= !(body_q && s_axis_tlast_i);
    end
  end
  always_ff @(posedge clk_i) begin
    if (decides) begin
      vc_q <= vc;
      staged_vc_q <= vc;
      staged_kind_q <= body_q ? KindW'(s_axis_tlast_i) << muster_pkg::KindTail : HeadKind;
      staged_payload_q <= body_q ? s_axis_tdata_i : FlitW'(head);
    end
  end

  link_tx #(
    .Vcs(Vcs),
    .Depth(Depth),
    .FlitW(FlitW)
  ) link (
    .clk_i,
    .rst_ni,
    .send_i(staged_q || sync_taken_o),
    .vc_i(staged_q ? staged_vc_q : '0),
    .kind_i(staged_q ? staged_kind_q : SyncKind),
    .payload_i(staged_q ? staged_payload_q : sync_payload_i),
    .reserve_i(reserve),
    .express_i(sync_taken_o),
    .express_vc_i('0),
    .has_one_o(has_one),
    .has_many_o(has_many),
    .tx_valid_o,
    .tx_vc_o,
    .tx_kind_o,
    .tx_payload_o,
    .tx_credit_i(tx_credit_i[Vcs-1:0])
  );

  assign quiescent_o = !staged_q && !sync_valid_i && !tx_valid_o;

  `MUSTER_ASSERT(ChannelExists_A, !s_axis_tvalid_i || body_q || 32'(s_axis_tid_i) < Vcs)
  `MUSTER_ASSERT(OneFlit_A, !(staged_q && sync_taken_o))

endmodule

`default_nettype wire
