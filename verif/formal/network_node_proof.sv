// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "formal.svh"

// muster_network_node with one group between any users of its streams, any manager that keeps the
// rules of AXI4-Lite and any switch that keeps those of its link:
//   - it keeps them too (axi_lite_rules, endpoint_rules); its queues never overflow
//   - before ready_i it takes neither request nor beat and sends nothing
//   - an access is done, once, in the cycle before its response begins, and that as soon as both
//     may be; of a read and a write in one cycle that goes first whose kind did not go last
//   - its member is in barriers as these writes and the wires have it (endpoint_member)
module network_node_proof #(
  parameter int unsigned Vcs = 1,
  parameter int unsigned Depth = 1,
  parameter int unsigned Pocket = 0,
  parameter int unsigned Timeout = 2,
  localparam int unsigned Dests = 20,
  localparam int unsigned FlitW = 16,
  localparam int unsigned GidW = 8,
  localparam int unsigned AddrW = 14,
  localparam int unsigned VcW = (Vcs > 1) ? $clog2(Vcs) : 1,
  localparam int unsigned BackW = Vcs + Pocket
) (
  input  wire logic              clk_i,
  input  wire logic              ready_i,
  input  wire logic              awvalid_i,
  input  wire logic [AddrW-1:0]  awaddr_i,
  input  wire logic              wvalid_i,
  input  wire logic [31:0]       wdata_i,
  input  wire logic [3:0]        wstrb_i,
  input  wire logic              bready_i,
  input  wire logic              arvalid_i,
  input  wire logic [AddrW-1:0]  araddr_i,
  input  wire logic              rready_i,
  input  wire logic              s_valid_i,
  input  wire logic [FlitW-1:0]  s_data_i,
  input  wire logic              s_last_i,
  input  wire logic [VcW-1:0]    s_id_i,
  input  wire logic [15:0]       s_dest_i,
  input  wire logic [4:0]        s_user_i,
  input  wire logic              m_ready_i,
  input  wire logic              rx_valid_i,
  input  wire logic [VcW-1:0]    rx_vc_i,
  input  wire logic [2:0]        rx_kind_i,
  input  wire logic [FlitW-1:0]  rx_payload_i,
  input  wire logic              watch_i,
  input  wire logic [BackW-1:0]  tx_credit_i
);
  localparam logic [1:0] Okay = 2'b00;
  localparam logic [1:0] SubordinateError = 2'b10;

  `MUSTER_FORMAL_RESET

  logic awready, wready, bvalid, arready, rvalid, s_ready, m_valid, m_last, tx_valid, irq;
  logic [1:0] bresp, rresp;
  logic [31:0] rdata;
  logic [FlitW-1:0] m_data, tx_payload;
  logic [VcW-1:0] m_id, tx_vc;
  logic [2:0] tx_kind;
  logic [BackW-1:0] rx_credit;
  logic [15:0] m_dest;
  logic [4:0] m_user;
  muster_network_node #(
    .Vcs(Vcs), .Depth(Depth), .FlitW(FlitW), .GidW(GidW), .Groups(1), .Pocket(Pocket),
    .Dests(Dests), .Timeout(Timeout)
  ) dut (
    .clk_i, .rst_ni, .ready_i,
    .awvalid_i, .awaddr_i, .awready_o(awready),
    .wvalid_i, .wdata_i, .wstrb_i, .wready_o(wready),
    .bvalid_o(bvalid), .bresp_o(bresp), .bready_i,
    .arvalid_i, .araddr_i, .arready_o(arready),
    .rvalid_o(rvalid), .rdata_o(rdata), .rresp_o(rresp), .rready_i,
    .s_axis_tvalid_i(s_valid_i), .s_axis_tready_o(s_ready), .s_axis_tdata_i(s_data_i),
    .s_axis_tlast_i(s_last_i), .s_axis_tid_i(s_id_i), .s_axis_tdest_i(s_dest_i),
    .s_axis_tuser_i(s_user_i),
    .m_axis_tvalid_o(m_valid), .m_axis_tready_i(m_ready_i), .m_axis_tdata_o(m_data),
    .m_axis_tlast_o(m_last), .m_axis_tid_o(m_id), .m_axis_tdest_o(m_dest),
    .m_axis_tuser_o(m_user), .irq_o(irq),
    .tx_valid_o(tx_valid), .tx_vc_o(tx_vc), .tx_kind_o(tx_kind), .tx_payload_o(tx_payload),
    .tx_credit_i, .rx_valid_i, .rx_vc_i, .rx_kind_i, .rx_payload_i, .rx_credit_o(rx_credit)
  );

  // ---- The network is set up ----------------------------------------------------------------
  logic ready_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) ready_q <= 1'b0;
    else ready_q <= ready_i;
  end
  `MUSTER_ASSUME(ReadyStays_M, !ready_q || ready_i)
  `MUSTER_ASSERT(NothingBeforeReady_A, ready_i || !(s_ready || tx_valid || bvalid || rvalid))

  // ---- AXI4-Lite ----------------------------------------------------------------------------
  logic answers_write, answers_read;
  logic [AddrW-1:0] awaddr, araddr;
  logic [31:0] wdata;
  logic [3:0] wstrb;
  logic write_due, read_due;
  axi_lite_rules #(.AddrW(AddrW)) bus (
    .clk_i, .rst_ni, .open_i(ready_i),
    .awvalid_i, .awaddr_i, .awready_i(awready),
    .wvalid_i, .wdata_i, .wstrb_i, .wready_i(wready),
    .bvalid_i(bvalid), .bresp_i(bresp), .bready_i,
    .arvalid_i, .araddr_i, .arready_i(arready),
    .rvalid_i(rvalid), .rdata_i(rdata), .rresp_i(rresp), .rready_i,
    .answers_write_o(answers_write), .answers_read_o(answers_read),
    .write_due_o(write_due), .awaddr_o(awaddr), .wdata_o(wdata), .wstrb_o(wstrb),
    .read_due_o(read_due), .araddr_o(araddr)
  );

  function automatic logic [1:0] wanted(input logic [AddrW-1:0] addr, input logic [3:0] strobes);
    wanted = (addr[1:0] != 2'b00 || (strobes != 4'b0000 && strobes != 4'b1111)) ? SubordinateError
                                                                                : Okay;
  endfunction
  logic could_write, could_read, write_done, read_done, write_done_q, read_done_q, read_last_q;
  assign could_write = write_due && !bvalid;
  assign could_read = read_due && !rvalid;
  assign write_done = could_write && (!could_read || read_last_q);
  assign read_done = could_read && !write_done;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) {write_done_q, read_done_q, read_last_q} <= '0;
    else begin
      {write_done_q, read_done_q} <= {write_done, read_done};
      if (write_done || read_done) read_last_q <= read_done;
    end
  end
  `MUSTER_ASSERT(EachInItsTurn_A, {answers_write, answers_read} == {write_done_q, read_done_q})
  `MUSTER_ASSERT(ResponsesAreRight_A,
                 (!answers_write || bresp == wanted(awaddr, wstrb)) &&
                 (!answers_read || rresp == wanted(araddr, 4'b1111)))

  // ---- Streams, link, barriers --------------------------------------------------------------
  logic s_held, m_held, open, room;
  endpoint_rules #(
    .Vcs(Vcs), .Depth(Depth), .FlitW(FlitW), .Pocket(Pocket), .Dests(Dests),
    .Timeout(Timeout)
  ) rules (
    .clk_i, .rst_ni,
    .s_valid_i(s_valid_i && ready_i), .s_ready_i(s_ready),
    .s_beat_i({s_last_i, s_id_i, s_dest_i, s_user_i, s_data_i}),
    .m_valid_i(m_valid), .m_ready_i, .m_beat_i({m_last, m_id, m_dest, m_user, m_data}),
    .tx_valid_i(tx_valid), .tx_vc_i(tx_vc), .tx_kind_i(tx_kind),
    .tx_payload_i(tx_payload), .tx_credit_i,
    .rx_valid_i, .rx_vc_i, .rx_kind_i, .rx_payload_i, .rx_credit_i(rx_credit), .watch_i,
    .s_held_o(s_held), .m_held_o(m_held), .open_o(open), .room_o(room)
  );

  logic waits, drains, released, writes;
  assign writes = write_done && wanted(awaddr, wstrb) == Okay && wstrb == 4'b1111;
  endpoint_member #(.FlitW(FlitW), .GidW(GidW)) member (
    .clk_i, .rst_ni,
    .write_i(writes), .addr_i(awaddr[AddrW-1:2]), .wdata_i(wdata),
    .tx_valid_i(tx_valid), .tx_kind_i(tx_kind), .tx_payload_i(tx_payload),
    .rx_valid_i, .rx_kind_i, .rx_payload_i, .room_i(room), .irq_i(irq),
    .waits_o(waits), .drains_o(drains), .released_o(released)
  );
  logic [2:0] status_q;
  always_ff @(posedge clk_i) status_q <= {drains, released, waits};
  `MUSTER_ASSERT(StatusIsRead_A, !answers_read || araddr != AddrW'(4 * 12'h042) ||
                                     {rdata[4], rdata[1:0]} == status_q)

  `MUSTER_SEEN(held_up_q, !ready_i && awvalid_i && arvalid_i && s_valid_i)
  `MUSTER_SEEN(was_released_q, irq)
  `MUSTER_SEEN(was_out_q, s_held && open)
  `MUSTER_COVER(SecondBarrier_C, held_up_q && was_released_q && tx_valid && tx_kind[2] && open)
  `MUSTER_COVER(GoesOnAfterAWait_C, was_out_q && tx_valid && tx_kind == 3'b001)
  `MUSTER_COVER(Receives_C, m_valid && m_last && m_held)
  `MUSTER_COVER(StatusSaysReleased_C, rvalid && rready_i && rresp == Okay && rdata[1])

endmodule

`default_nettype wire
