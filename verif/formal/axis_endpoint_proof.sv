// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "muster_assert.svh"

// axis_endpoint with one group between any users of its streams, host and switch that keep their
// rules: it never sends a flit of a packet without a credit, its queues never overflow, it gives no
// credit twice; packets leave whole and streams stay until they are taken; each arrival that is
// accepted sends one message with the operand, at once or behind one flit, and no other is sent;
// the release after it, and nothing else, ends the barrier.
//
// The host writes the control word only while nothing is under way.
module axis_endpoint_proof #(
  parameter int unsigned Vcs = 1,
  parameter int unsigned Depth = 2,
  localparam int unsigned FlitW = 16,
  localparam int unsigned GidW = 8,
  localparam int unsigned DataW = FlitW - 2 - GidW,
  localparam int unsigned VcW = (Vcs > 1) ? $clog2(Vcs) : 1,
  localparam int unsigned CountW = $clog2(Depth + 1) + 1
) (
  input  wire logic              clk_i,
  input  wire logic              s_valid_i,
  input  wire logic [FlitW-1:0]  s_data_i,
  input  wire logic              s_last_i,
  input  wire logic [VcW-1:0]    s_id_i,
  input  wire logic              m_ready_i,
  input  wire logic              write_i,
  input  wire logic [11:0]       addr_i,
  input  wire logic [31:0]       wdata_i,
  input  wire logic              rx_valid_i,
  input  wire logic [VcW-1:0]    rx_vc_i,
  input  wire logic [2:0]        rx_kind_i,
  input  wire logic [FlitW-1:0]  rx_payload_i,
  input  wire logic [Vcs-1:0]    tx_credit_i
);
  logic rst_ni = 1'b0;
  always_ff @(posedge clk_i) rst_ni <= 1'b1;

  logic s_ready, m_valid, m_last, tx_valid, irq;
  logic [FlitW-1:0] m_data, tx_payload;
  logic [VcW-1:0] m_id, tx_vc;
  logic [2:0] tx_kind;
  logic [Vcs-1:0] rx_credit;
  /* verilator lint_off UNUSEDSIGNAL */
  logic [15:0] m_dest;
  logic [4:0] m_user;
  logic [31:0] rdata;
  logic quiescent;
  /* verilator lint_on UNUSEDSIGNAL */
  axis_endpoint #(
    .Vcs(Vcs), .Depth(Depth), .FlitW(FlitW), .GidW(GidW), .Groups(1)
  ) dut (
    .clk_i, .rst_ni,
    .s_axis_tvalid_i(s_valid_i), .s_axis_tready_o(s_ready), .s_axis_tdata_i(s_data_i),
    .s_axis_tlast_i(s_last_i), .s_axis_tid_i(s_id_i), .s_axis_tdest_i(16'd3),
    .s_axis_tuser_i(5'd0),
    .m_axis_tvalid_o(m_valid), .m_axis_tready_i(m_ready_i), .m_axis_tdata_o(m_data),
    .m_axis_tlast_o(m_last), .m_axis_tid_o(m_id), .m_axis_tdest_o(m_dest),
    .m_axis_tuser_o(m_user),
    .reg_valid_i(write_i), .reg_write_i(1'b1), .reg_addr_i(addr_i), .reg_wdata_i(wdata_i),
    .reg_rdata_o(rdata),
    .tx_valid_o(tx_valid), .tx_vc_o(tx_vc), .tx_kind_o(tx_kind), .tx_payload_o(tx_payload),
    .tx_credit_i, .rx_valid_i, .rx_vc_i, .rx_kind_i, .rx_payload_i, .rx_credit_o(rx_credit),
    .irq_o(irq), .quiescent_o(quiescent)
  );

  // ---- Streams: what is not taken stays -----------------------------------------------------
  logic s_held_q, m_held_q;
  logic [FlitW+VcW:0] s_q, m_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) {s_held_q, m_held_q} <= '0;
    else {s_held_q, m_held_q} <= {s_valid_i && !s_ready, m_valid && !m_ready_i};
    s_q <= {s_data_i, s_last_i, s_id_i};
    m_q <= {m_data, m_last, m_id};
  end
  `MUSTER_ASSUME(SendStays_M, !s_held_q || (s_valid_i && {s_data_i, s_last_i, s_id_i} == s_q))
  `MUSTER_ASSUME(ChannelsExist_M, 32'(s_id_i) < Vcs && 32'(rx_vc_i) < Vcs)
  `MUSTER_ASSERT(ReceivedStays_A, !m_held_q || (m_valid && {m_data, m_last, m_id} == m_q))

  // ---- Credits of both directions, packets of each channel ----------------------------------
  logic tx_data, rx_data, tx_sync, rx_sync;
  logic [Vcs-1:0] tx_bad, rx_bad, tx_gains, rx_gains, rx_open_bad;
  assign tx_data = tx_valid && !tx_kind[2];
  assign rx_data = rx_valid_i && !rx_kind_i[2];
  assign tx_sync = tx_valid && tx_kind[2];
  assign rx_sync = rx_valid_i && rx_kind_i[2];
  for (genvar v = 0; v < Vcs; v++) begin : gen_vc
    logic [CountW-1:0] tx_credits_q, rx_credits_q;
    logic tx, rx, rx_open_q;
    assign tx = tx_data && 32'(tx_vc) == v;
    assign rx = rx_data && 32'(rx_vc_i) == v;
    always_ff @(posedge clk_i) begin
      if (!rst_ni) begin
        tx_credits_q <= CountW'(Depth);
        rx_credits_q <= CountW'(Depth);
        rx_open_q <= 1'b0;
      end else begin
        tx_credits_q <= tx_credits_q - CountW'(tx) + CountW'(tx_credit_i[v]);
        rx_credits_q <= rx_credits_q - CountW'(rx) + CountW'(rx_credit[v]);
        if (rx) rx_open_q <= !rx_kind_i[0];
      end
    end
    assign tx_bad[v] = tx && tx_credits_q == '0;
    assign tx_gains[v] = tx_credit_i[v] && 32'(tx_credits_q) == Depth;
    assign rx_bad[v] = rx && rx_credits_q == '0;
    assign rx_gains[v] = rx_credit[v] && 32'(rx_credits_q) == Depth;
    assign rx_open_bad[v] = rx && rx_kind_i[1] == rx_open_q;
  end
  logic open_q;
  logic [VcW-1:0] vc_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) open_q <= 1'b0;
    else if (tx_data) open_q <= !tx_kind[0];
    if (tx_data) vc_q <= tx_vc;
  end
  `MUSTER_ASSUME(SwitchKeepsCredits_M, rx_bad == '0 && tx_gains == '0)
  `MUSTER_ASSUME(SwitchKeepsPackets_M, rx_open_bad == '0)
  `MUSTER_ASSERT(SendsWithCredit_A, tx_bad == '0)
  `MUSTER_ASSERT(CreditsOnce_A, rx_gains == '0)
  `MUSTER_ASSERT(PacketsWhole_A, !tx_data || (tx_kind[1] != open_q && (!open_q || tx_vc == vc_q)))

  // ---- Barriers -----------------------------------------------------------------------------
  logic member_q, enable_q, waits_q, owed_q, released_q, control, arrives, releases, clears;
  logic [GidW-1:0] gid_q;
  logic [DataW-1:0] data_q;
  logic [1:0] owed_for_q;
  assign control = write_i && addr_i == 12'h040;
  assign arrives = write_i && addr_i == 12'h041 && member_q && !waits_q;
  assign clears = write_i && addr_i == 12'h042 && wdata_i[1];
  assign releases = rx_sync && waits_q && !owed_q && rx_payload_i[15:14] == 2'd1 &&
                    rx_payload_i[DataW+:GidW] == gid_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) {member_q, enable_q, waits_q, owed_q, released_q, owed_for_q} <= '0;
    else begin
      if (control) {member_q, enable_q} <= wdata_i[31:30];
      waits_q <= arrives || (waits_q && !releases);
      owed_q <= arrives || (owed_q && !tx_sync);
      owed_for_q <= owed_q ? owed_for_q + 1'b1 : '0;
      released_q <= releases || (released_q && !arrives && !clears && !control);
    end
    if (control) gid_q <= wdata_i[GidW-1:0];
    if (arrives) data_q <= wdata_i[DataW-1:0];
  end
  // No message can come before that of this member is on the wires.
  `MUSTER_ASSUME(ReleaseFollows_M, !(rx_sync && owed_q))
  `MUSTER_ASSUME(ControlWhenIdle_M, !control || !waits_q)
  `MUSTER_ASSERT(OneMessageEach_A, !tx_sync || (owed_q && tx_kind == 3'b100 &&
                                                tx_payload == {2'd0, gid_q, data_q}))
  `MUSTER_ASSERT(MessagesAreFast_A, !owed_q || owed_for_q <= 2'd2)
  `MUSTER_ASSERT(InterruptOnRelease_A, irq == (released_q && enable_q))

  logic was_released_q, was_out_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) {was_released_q, was_out_q} <= '0;
    else {was_released_q, was_out_q} <= {was_released_q || irq, was_out_q || (s_held_q && open_q)};
  end
  `MUSTER_COVER(SecondBarrier_C, was_released_q && tx_sync && open_q)
  `MUSTER_COVER(GoesOnAfterAWait_C, was_out_q && tx_data && tx_kind[0])
  `MUSTER_COVER(Receives_C, m_valid && m_last && m_held_q)

endmodule

`default_nettype wire
