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
// Discarded: a packet whose first beat has a destination of at least Dests, a channel of at least
// Vcs, or opcode 31, the cut mark's. packet_illegal_o is set in the cycle t in which that beat
// first waits between packets, whatever credits there are; from t + 1 on a beat is taken in each
// cycle, with or without credits and messages, up to that with s_axis_tlast_i: n + 1 cycles too.
//
// A sender that stops: if s_axis_tvalid_i is low for Timeout cycles in a row while a packet has
// begun and not ended, it is aborted. From the next cycle on no beat is taken, and as soon as a
// flit could go it ends with a cut mark; packet_aborted_o is set in that cycle, two cycles before
// the mark is on the wires. From the cycle after on what still comes of the packet is discarded, a
// beat in each cycle, up to s_axis_tlast_i. A wait for a credit is not the sender's and is not
// counted.
//
// A barrier message that waits in t, sync_valid_i, is taken in t, sync_taken_o, and on the wires in
// t + 1, unless the flit of a packet was decided on in t - 1; then nothing else is decided on in t,
// and the message goes a cycle later. So messages wait for one flit of data at most.
module muster_endpoint_sender #(
  /// virtual channels, 1 to 4
  parameter int unsigned Vcs = 2,
  /// places in each queue of the receiver, 1 to 16
  parameter int unsigned Depth = 4,
  /// payload bits, 16 to 512
  parameter int unsigned FlitW = 16,
  /// a barrier message takes the credit of a pocket, bit Vcs; 0 to 1
  parameter int unsigned Pocket = 0,
  /// destinations, 16 to 65536; a packet for an address of at least this is discarded
  parameter int unsigned Dests = 2048,
  /// cycles without a beat after which a packet is ended, 0 to 65535; 0: never
  parameter int unsigned Timeout = 65535,
  localparam int unsigned VcW = (Vcs > 1) ? $clog2(Vcs) : 1,
  localparam int unsigned KindW = muster_pkg::KindW,
  localparam int unsigned OpcodeW = muster_pkg::OpcodeW,
  localparam int unsigned BackW = Vcs + Pocket
) (
  input  wire logic                              clk_i,
  input  wire logic                              rst_ni,

  /// beats of packets; destination, opcode and virtual channel count in the first
  input  wire logic                              s_axis_tvalid_i,
  output logic                                   s_axis_tready_o,
  input  wire logic [FlitW-1:0]                  s_axis_tdata_i,
  input  wire logic                              s_axis_tlast_i,
  input  wire logic [VcW-1:0]                    s_axis_tid_i,
  input  wire logic [15:0]                       s_axis_tdest_i,
  input  wire logic [OpcodeW-1:0]                s_axis_tuser_i,

  /// a packet is discarded; is ended for its sender
  output logic                                   packet_illegal_o,
  output logic                                   packet_aborted_o,

  /// a barrier message that waits to be sent; until it is taken it may be withdrawn or give way to
  /// another
  input  wire logic                              sync_valid_i,
  input  wire logic [FlitW-1:0]                  sync_payload_i,
  output logic                                   sync_taken_o,

  /// link out
  output logic                                   tx_valid_o,
  output logic [VcW-1:0]                         tx_vc_o,
  output logic [KindW-1:0]                       tx_kind_o,
  output logic [FlitW-1:0]                       tx_payload_o,
  input  wire logic [BackW-1:0]                  tx_credit_i,

  /// nothing is on its way to the wires or on them, and no sender is being timed
  output logic                                   quiescent_o
);
  localparam logic [KindW-1:0] SyncKind = KindW'(1 << muster_pkg::KindSync);
  localparam logic [KindW-1:0] HeadKind = KindW'(1 << muster_pkg::KindHead);
  localparam int unsigned LowW = muster_pkg::DestW;

  `MUSTER_RANGE(Pocket, 0, 1)
  `MUSTER_RANGE(Dests, 16, 65536)
  `MUSTER_RANGE(Timeout, 0, 65535)

  // Between packets; in one; it is to be ended for its sender; its rest is discarded.
  typedef enum logic [1:0] {Idle, Body, Ends, Discard} state_e;
  state_e state_q, state_d;
  // Of the packet that has begun; the flit that has been decided on in the cycle before.
  logic staged_q;
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
  logic illegal, can_begin, can_go, open, decides, late;
  logic [VcW-1:0] vc;
  // What is not needed of the link.
  /* verilator lint_off UNUSEDSIGNAL */
  logic [Vcs-1:0] has_many;
  /* verilator lint_on UNUSEDSIGNAL */
  assign illegal = 32'(s_axis_tdest_i) >= Dests || 32'(s_axis_tid_i) >= Vcs ||
                   s_axis_tuser_i == OpcodeW'(muster_pkg::OpcodeCut);
  assign open = !(sync_waits && staged_q);
  always_comb begin
    can_begin = 1'b0;
    can_go = 1'b0;
    for (int unsigned v = 0; v < Vcs; v++) begin
      if (s_axis_tid_i == VcW'(v)) can_begin = has_one[v];
      if (vc_q == VcW'(v)) can_go = has_one[v];
    end
  end

  /* verilator lint_off UNUSEDSIGNAL */
  logic [muster_pkg::DestHighAt+4:0] head;  // as far as FlitW reaches
  /* verilator lint_on UNUSEDSIGNAL */
  logic [KindW-1:0] kind;
  logic [FlitW-1:0] payload;
  assign head = {s_axis_tdest_i[15:LowW], s_axis_tuser_i, s_axis_tdest_i[LowW-1:0]};
  always_comb begin
    state_d = state_q;
    decides = 1'b0;
    kind = HeadKind;
    payload = FlitW'(head);
    s_axis_tready_o = 1'b0;
    packet_illegal_o = 1'b0;
    packet_aborted_o = 1'b0;
    unique case (state_q)
      Idle: begin
        packet_illegal_o = s_axis_tvalid_i && illegal;
        decides = s_axis_tvalid_i && !illegal && can_begin && open;
        if (packet_illegal_o) state_d = Discard;
        if (decides) state_d = Body;
      end
      Body: begin
        s_axis_tready_o = can_go && open;
        decides = s_axis_tvalid_i && s_axis_tready_o;
        kind = KindW'(s_axis_tlast_i) << muster_pkg::KindTail;
        payload = s_axis_tdata_i;
        if (decides && s_axis_tlast_i) state_d = Idle;
        if (late) state_d = Ends;
      end
      Ends: begin
        decides = can_go && open;
        kind = muster_pkg::KindCut;
        payload = FlitW'(muster_pkg::CutWord);
        packet_aborted_o = decides;
        if (decides) state_d = Discard;
      end
      default: begin
        s_axis_tready_o = 1'b1;
        if (s_axis_tvalid_i && s_axis_tlast_i) state_d = Idle;
      end
    endcase
  end
  assign vc = (state_q == Idle) ? s_axis_tid_i : vc_q;
  assign reserve = decides ? Vcs'(1'b1) << vc : '0;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      state_q <= Idle;
      staged_q <= 1'b0;
    end else begin
      state_q <= state_d;
      staged_q <= decides;
    end
  end
  always_ff @(posedge clk_i) begin
    if (decides) begin
      vc_q <= vc;
      staged_vc_q <= vc;
      staged_kind_q <= kind;
      staged_payload_q <= payload;
    end
  end

  // ---- Cycles without a beat ----------------------------------------------------------------
  logic timing;
  if (Timeout > 0) begin : gen_timeout
    localparam int unsigned CountW = $clog2(Timeout + 1);
    logic [CountW-1:0] count_q;
    assign timing = state_q == Body;
    assign late = timing && !s_axis_tvalid_i && 32'(count_q) == Timeout - 1;
    always_ff @(posedge clk_i) begin
      if (!rst_ni || late || s_axis_tvalid_i) count_q <= '0;
      else if (timing) count_q <= count_q + 1'b1;
    end
    `MUSTER_ASSERT(TimedInAPacket_A, timing || count_q == '0)
  end else begin : gen_patient
    assign timing = 1'b0;
    assign late = 1'b0;
  end

  muster_link_tx #(.Vcs(Vcs), .Depth(Depth), .FlitW(FlitW)) link (
    .clk_i, .rst_ni,
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

  assign quiescent_o = !staged_q && !sync_valid_i && !tx_valid_o && !timing && state_q != Ends;

  `MUSTER_ASSERT(OneFlit_A, !(staged_q && sync_taken_o))

endmodule

`default_nettype wire
