// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "muster_assert.svh"

// What an endpoint receives: packets as a stream, one after the other, and barrier messages.
//
// A packet's head flit is taken off; its address, opcode and virtual channel stand at
// m_axis_tdest_o, m_axis_tuser_o and m_axis_tid_o with each beat. A beat is a flit after the head,
// the tail with m_axis_tlast_o. Of packets that have begun on several virtual channels one is
// chosen round robin and stays until its tail.
//
// Cycles: a flit on the wires in t is in its queue from t + 1 on. In t + 1 a head flit is taken, if
// no other packet is under way, and the first beat is valid from t + 2 on. A beat that is taken in
// t gives its credit back in t + 1. What is behind must take beats without waiting for something to
// be sent: the network waits for it.
//
// Dropped, each with its event in the cycle in which it is taken: a packet for another address, if
// check_i is set, and one without a beat (packet_dropped_o, with its head), and a flit that no head
// has come before (flit_dropped_o).
//
// A cut mark ends a packet that is not whole: it is a beat without data, with m_axis_tlast_o and
// opcode 31 at m_axis_tuser_o; packet_cut_o is set in the cycle in which it is taken. Of a packet
// that is dropped it is dropped.
//
// A sync flit enters no queue: sync_valid_o and sync_payload_o show it while it is on the wires.
// With Pocket its credit is given back in the next cycle.
module muster_endpoint_receiver #(
  /// virtual channels, 1 to 4
  parameter int unsigned Vcs = 2,
  /// flits in a queue, 1 to 16
  parameter int unsigned Depth = 4,
  /// payload bits, 16 to 512
  parameter int unsigned FlitW = 16,
  /// a barrier message gives the credit of a pocket back, bit Vcs; 0 to 1
  parameter int unsigned Pocket = 0,
  localparam int unsigned VcW = (Vcs > 1) ? $clog2(Vcs) : 1,
  localparam int unsigned KindW = muster_pkg::KindW,
  localparam int unsigned OpcodeW = muster_pkg::OpcodeW,
  localparam int unsigned BackW = Vcs + Pocket
) (
  input  wire logic                clk_i,
  input  wire logic                rst_ni,

  /// link in; never a flit of a packet without a credit
  input  wire logic                rx_valid_i,
  input  wire logic [VcW-1:0]      rx_vc_i,
  input  wire logic [KindW-1:0]    rx_kind_i,
  input  wire logic [FlitW-1:0]    rx_payload_i,
  output logic [BackW-1:0]         rx_credit_o,

  /// beats of packets; they stay until they are taken
  output logic                     m_axis_tvalid_o,
  input  wire logic                m_axis_tready_i,
  output logic [FlitW-1:0]         m_axis_tdata_o,
  output logic                     m_axis_tlast_o,
  output logic [VcW-1:0]           m_axis_tid_o,
  output logic [15:0]              m_axis_tdest_o,
  output logic [OpcodeW-1:0]       m_axis_tuser_o,

  /// packets must be for this address, in all its bits: those that a head flit does not have are 0
  input  wire logic                check_i,
  input  wire logic [15:0]         address_i,
  output logic                     packet_dropped_o,
  output logic                     flit_dropped_o,
  output logic                     packet_cut_o,

  /// a barrier message is on the wires
  output logic                     sync_valid_o,
  output logic [FlitW-1:0]         sync_payload_o,

  /// no flit waits and no credit is on its way
  output logic                     quiescent_o
);
  localparam int unsigned LowW = muster_pkg::DestW;
  localparam int unsigned HeadW = muster_pkg::DestHighAt + 5;

  `MUSTER_RANGE(Pocket, 0, 1)

  typedef enum logic [1:0] {Idle, Body, Skip} state_e;
  state_e state_q, state_d;
  logic [VcW-1:0] vc_q, vc, first_vc;
  logic [15:0] dest_q, dest;
  logic [OpcodeW-1:0] opcode_q;

  // ---- Queues -------------------------------------------------------------------------------
  logic [Vcs-1:0] head_valid, grant, pop;
  logic [Vcs-1:0][KindW-1:0] head_kind;
  logic [Vcs-1:0][FlitW-1:0] head_payload;
  muster_link_rx #(.Vcs(Vcs), .Depth(Depth), .FlitW(FlitW)) link (
    .clk_i, .rst_ni,
    .rx_valid_i(rx_valid_i && !rx_kind_i[muster_pkg::KindSync]),
    .rx_vc_i,
    .rx_kind_i,
    .rx_payload_i,
    .rx_credit_o(rx_credit_o[Vcs-1:0]),
    .head_valid_o(head_valid),
    .head_kind_o(head_kind),
    .head_payload_o(head_payload),
    .pop_i(pop)
  );

  muster_rr_select #(.N(Vcs)) turn (
    .clk_i, .rst_ni,
    .req_i(head_valid),
    .take_i(state_q == Idle),
    .grant_o(grant),
    .number_o(first_vc)
  );

  // ---- The flit looked at -------------------------------------------------------------------
  logic valid, takes, is_head, is_tail, cut, foreign;
  /* verilator lint_off UNUSEDSIGNAL */
  logic [KindW-1:0] kind;  // no sync flit is in a queue
  logic [HeadW-1:0] word;
  /* verilator lint_on UNUSEDSIGNAL */
  logic [FlitW-1:0] payload;
  assign vc = (state_q == Idle) ? first_vc : vc_q;
  always_comb begin
    valid = 1'b0;
    kind = '0;
    payload = '0;
    for (int unsigned v = 0; v < Vcs; v++) begin
      if (vc == VcW'(v)) begin
        valid = head_valid[v];
        kind = head_kind[v];
        payload = head_payload[v];
      end
    end
  end
  assign cut = muster_pkg::is_cut(kind, payload[muster_pkg::DestW+:muster_pkg::OpcodeW]);
  assign is_head = kind[muster_pkg::KindHead] && !cut;
  assign is_tail = kind[muster_pkg::KindTail];
  assign word = HeadW'(payload);
  assign dest = {word[muster_pkg::DestHighAt+:5], word[LowW-1:0]};
  assign foreign = check_i && dest != address_i;

  always_comb begin
    state_d = state_q;
    takes = valid;
    packet_dropped_o = 1'b0;
    flit_dropped_o = 1'b0;
    packet_cut_o = 1'b0;
    unique case (state_q)
      Idle: begin
        if (valid) begin
          flit_dropped_o = !is_head;
          packet_dropped_o = is_head && (is_tail || foreign);
          if (is_head && !is_tail) state_d = foreign ? Skip : Body;
        end
      end
      Body: begin
        takes = valid && m_axis_tready_i;
        if (takes && is_tail) state_d = Idle;
        packet_cut_o = takes && cut;
      end
      default: begin
        if (valid && is_tail) state_d = Idle;
      end
    endcase
  end
  assign pop = takes ? ((state_q == Idle) ? grant : Vcs'(1'b1) << vc_q) : '0;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) state_q <= Idle;
    else state_q <= state_d;
  end
  always_ff @(posedge clk_i) begin
    if (state_q == Idle && valid) begin
      vc_q <= first_vc;
      dest_q <= dest;
      opcode_q <= word[LowW+:OpcodeW];
    end
  end

  assign m_axis_tvalid_o = state_q == Body && valid;
  assign m_axis_tdata_o = payload;
  assign m_axis_tlast_o = is_tail;
  assign m_axis_tid_o = vc_q;
  assign m_axis_tdest_o = dest_q;
  assign m_axis_tuser_o = cut ? OpcodeW'(muster_pkg::OpcodeCut) : opcode_q;

  // ---- Barrier messages ---------------------------------------------------------------------
  assign sync_valid_o = rx_valid_i && rx_kind_i[muster_pkg::KindSync];
  assign sync_payload_o = rx_payload_i;
  if (Pocket == 1) begin : gen_pocket
    logic taken_q;
    always_ff @(posedge clk_i) begin
      if (!rst_ni) taken_q <= 1'b0;
      else taken_q <= sync_valid_o;
    end
    assign rx_credit_o[Vcs] = taken_q;
  end

  assign quiescent_o = head_valid == '0 && rx_credit_o == '0;

  `MUSTER_ASSERT(PacketsAreWhole_A, !m_axis_tvalid_o || !is_head)

endmodule

`default_nettype wire
