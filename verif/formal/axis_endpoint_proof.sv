// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "formal.svh"

// muster_axis_endpoint with one group between any users of its streams, host and switch that keep
// their rules: it keeps those of a node (endpoint_rules), its queues never overflow, its member is
// in barriers as its host and the wires have it (endpoint_member), and what it gives on is for the
// address that the host has written.
module axis_endpoint_proof #(
  parameter int unsigned Vcs = 1,
  parameter int unsigned Depth = 2,
  parameter int unsigned Pocket = 0,
  parameter int unsigned Timeout = 2,
  localparam int unsigned FlitW = 16,
  localparam int unsigned GidW = 8,
  localparam int unsigned VcW = (Vcs > 1) ? $clog2(Vcs) : 1,
  localparam int unsigned BackW = Vcs + Pocket
) (
  input  wire logic              clk_i,
  input  wire logic              s_valid_i,
  input  wire logic [FlitW-1:0]  s_data_i,
  input  wire logic              s_last_i,
  input  wire logic [VcW-1:0]    s_id_i,
  input  wire logic [15:0]       s_dest_i,
  input  wire logic [4:0]        s_user_i,
  input  wire logic              m_ready_i,
  input  wire logic              write_i,
  input  wire logic [11:0]       addr_i,
  input  wire logic [31:0]       wdata_i,
  input  wire logic              rx_valid_i,
  input  wire logic [VcW-1:0]    rx_vc_i,
  input  wire logic [2:0]        rx_kind_i,
  input  wire logic [FlitW-1:0]  rx_payload_i,
  input  wire logic              watch_i,
  input  wire logic [BackW-1:0]  tx_credit_i
);
  localparam int unsigned Dests = 20;

  `MUSTER_FORMAL_RESET

  logic s_ready, m_valid, m_last, tx_valid, irq;
  logic [FlitW-1:0] m_data, tx_payload;
  logic [VcW-1:0] m_id, tx_vc;
  logic [2:0] tx_kind;
  logic [BackW-1:0] rx_credit;
  logic [15:0] m_dest;
  logic [4:0] m_user;
  muster_axis_endpoint #(
    .Vcs(Vcs), .Depth(Depth), .FlitW(FlitW), .GidW(GidW), .Groups(1), .Pocket(Pocket),
    .Dests(Dests), .Timeout(Timeout)
  ) dut (
    .clk_i, .rst_ni,
    .s_axis_tvalid_i(s_valid_i), .s_axis_tready_o(s_ready), .s_axis_tdata_i(s_data_i),
    .s_axis_tlast_i(s_last_i), .s_axis_tid_i(s_id_i), .s_axis_tdest_i(s_dest_i),
    .s_axis_tuser_i(s_user_i),
    .m_axis_tvalid_o(m_valid), .m_axis_tready_i(m_ready_i), .m_axis_tdata_o(m_data),
    .m_axis_tlast_o(m_last), .m_axis_tid_o(m_id), .m_axis_tdest_o(m_dest),
    .m_axis_tuser_o(m_user),
    .reg_valid_i(write_i), .reg_write_i(1'b1), .reg_addr_i(addr_i), .reg_wdata_i(wdata_i),
    .tx_valid_o(tx_valid), .tx_vc_o(tx_vc), .tx_kind_o(tx_kind), .tx_payload_o(tx_payload),
    .tx_credit_i, .rx_valid_i, .rx_vc_i, .rx_kind_i, .rx_payload_i, .rx_credit_o(rx_credit),
    .irq_o(irq)
  );

  logic s_held, m_held, open, room;
  endpoint_rules #(
    .Vcs(Vcs), .Depth(Depth), .FlitW(FlitW), .Pocket(Pocket), .Dests(Dests),
    .Timeout(Timeout)
  ) rules (
    .clk_i, .rst_ni,
    .s_valid_i, .s_ready_i(s_ready), .s_beat_i({s_last_i, s_id_i, s_dest_i, s_user_i, s_data_i}),
    .m_valid_i(m_valid), .m_ready_i, .m_beat_i({m_last, m_id, m_dest, m_user, m_data}),
    .tx_valid_i(tx_valid), .tx_vc_i(tx_vc), .tx_kind_i(tx_kind),
    .tx_payload_i(tx_payload), .tx_credit_i,
    .rx_valid_i, .rx_vc_i, .rx_kind_i, .rx_payload_i, .rx_credit_i(rx_credit), .watch_i,
    .s_held_o(s_held), .m_held_o(m_held), .open_o(open), .room_o(room)
  );

  logic drains;
  endpoint_member #(.FlitW(FlitW), .GidW(GidW)) member (
    .clk_i, .rst_ni,
    .write_i, .addr_i, .wdata_i,
    .tx_valid_i(tx_valid), .tx_kind_i(tx_kind), .tx_payload_i(tx_payload),
    .rx_valid_i, .rx_kind_i, .rx_payload_i, .room_i(room), .irq_i(irq),
    .drains_o(drains)
  );

  // An address that is written before anything has come, and stays, is that of all that comes on.
  `MUSTER_SEEN(came_q, rx_valid_i)
  logic checks_q;
  logic [15:0] node_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) checks_q <= 1'b0;
    else if (write_i && addr_i == 12'h008) checks_q <= wdata_i[31] && !came_q && !rx_valid_i;
    if (write_i && addr_i == 12'h008) node_q <= wdata_i[15:0];
  end
  `MUSTER_ASSERT(OnlyOwnPackets_A, !checks_q || !m_valid || m_dest == node_q)

  `MUSTER_SEEN(was_released_q, irq)
  `MUSTER_SEEN(was_out_q, s_held && open)
  `MUSTER_COVER(SecondBarrier_C, was_released_q && tx_valid && tx_kind[2] && open)
  `MUSTER_COVER(GoesOnAfterAWait_C, was_out_q && tx_valid && tx_kind == 3'b001)
  `MUSTER_COVER(Receives_C, m_valid && m_last && m_held)
  `MUSTER_COVER(EndsForASender_C, was_out_q && tx_valid && tx_kind == 3'b011)
  `MUSTER_COVER(Drains_C, drains)

endmodule

`default_nettype wire
