// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "muster_assert.svh"

// A node of a network of barrier switches: packets are beats of two AXI-Streams, barriers are words
// of a register port. docs/systems/wrappers.md is the specification, with the map of the registers;
// muster_axi_lite_registers and muster_apb_registers go in front of the port.
//
//   s_axis   --> muster_endpoint_sender   --> tx       rx_credit back
//   m_axis   <-- muster_endpoint_receiver <-- rx       tx_credit back
//   register port --> muster_endpoint_registers --> muster_endpoint_group, one a group
//
// To arrive is one store, into word 1 of the group. The reduction message of a store in t is on the
// wires in t + 2, behind one flit of data at most and the messages of groups with lower numbers.
// From the cycle after that in which the distribution message is on the wires the status says
// released, and irq_o is set if the group wants it.
//
// Worked example, group 0 as a member of group 5 with its interrupt: 0x040 := 3 << 30 | 5. Store
// the operand to 0x041: the endpoint arrives. On irq_o load 0x043, the result, and store 2 to
// 0x042; or leave that out: the next arrival clears it as well. Until it is released no store makes
// it forget the arrival but `abandon`.
//
// An endpoint is never the node at the root of a tree: the root switch has `turn`. Its links are
// lossless, its switches without Retry.
module muster_axis_endpoint #(
  /// virtual channels, 1 to 4
  parameter int unsigned Vcs = 2,
  /// places in each queue, of its own and of its switch, 1 to 16
  parameter int unsigned Depth = 4,
  /// payload bits of a flit and bits of a beat, 16 to 512
  parameter int unsigned FlitW = 16,
  /// bits of a group identifier, 4 to 12
  parameter int unsigned GidW = 8,
  /// groups that it can be a member of at once, 1 to 8
  parameter int unsigned Groups = 2,
  /// its switch has pockets (Spill, Serial or Groups); 0 to 1
  parameter int unsigned Pocket = 0,
  /// destinations, as those of its switch, 16 to 65536. Requires FlitW >= $clog2(Dests) + 5; a
  /// packet to send for an address of at least this is discarded
  parameter int unsigned Dests = 2048,
  /// own address after reset, 0 to 65536: packets for others are dropped; 65536: the check is off
  /// until software writes word 0x008; set Address, as exported networks do. Requires
  /// Address == 65536 || Address < Dests
  parameter int unsigned Address = 65536,
  /// cycles without a beat after which a packet to send is ended, 0 to 65535; 0: never
  parameter int unsigned Timeout = 65535,
  localparam int unsigned VcW = (Vcs > 1) ? $clog2(Vcs) : 1,
  localparam int unsigned KindW = muster_pkg::KindW,
  localparam int unsigned OpcodeW = muster_pkg::OpcodeW,
  localparam int unsigned BackW = Vcs + Pocket
) (
  input  wire logic                clk_i,
  input  wire logic                rst_ni,

  /// beats to send: destination, opcode and virtual channel count with the first of a packet. A
  /// sender that has begun a packet must go on with it; it is ended after Timeout
  input  wire logic                s_axis_tvalid_i,
  output logic                     s_axis_tready_o,
  input  wire logic [FlitW-1:0]    s_axis_tdata_i,
  input  wire logic                s_axis_tlast_i,
  input  wire logic [VcW-1:0]      s_axis_tid_i,
  input  wire logic [15:0]         s_axis_tdest_i,
  input  wire logic [OpcodeW-1:0]  s_axis_tuser_i,

  /// beats received; the receiver must take them without waiting for a beat to be sent
  output logic                     m_axis_tvalid_o,
  input  wire logic                m_axis_tready_i,
  output logic [FlitW-1:0]         m_axis_tdata_o,
  output logic                     m_axis_tlast_o,
  output logic [VcW-1:0]           m_axis_tid_o,
  output logic [15:0]              m_axis_tdest_o,
  output logic [OpcodeW-1:0]       m_axis_tuser_o,

  /// register port: a write at the edge, a read answered in the same cycle
  input  wire logic                reg_valid_i,
  input  wire logic                reg_write_i,
  input  wire logic [11:0]         reg_addr_i,
  input  wire logic [31:0]         reg_wdata_i,
  output logic [31:0]              reg_rdata_o,

  /// link to and from a port of a switch
  output logic                     tx_valid_o,
  output logic [VcW-1:0]           tx_vc_o,
  output logic [KindW-1:0]         tx_kind_o,
  output logic [FlitW-1:0]         tx_payload_o,
  input  wire logic [BackW-1:0]    tx_credit_i,
  input  wire logic                rx_valid_i,
  input  wire logic [VcW-1:0]      rx_vc_i,
  input  wire logic [KindW-1:0]    rx_kind_i,
  input  wire logic [FlitW-1:0]    rx_payload_i,
  output logic [BackW-1:0]         rx_credit_o,

  /// a group whose interrupt is wanted has been released
  output logic                     irq_o,
  /// a clock with idle inputs would change nothing
  output logic                     quiescent_o
);
  localparam int unsigned TypeW = muster_pkg::MsgTypeW;
  // A message is in the low bits of a flit.
  localparam int unsigned MessageW =
      (FlitW < muster_pkg::MsgMostW) ? FlitW : muster_pkg::MsgMostW;
  localparam int unsigned DataW = MessageW - TypeW - GidW;
  // Address bits that a head flit has.
  localparam int unsigned AddressW = (FlitW < 21) ? FlitW - 5 : 16;

  `MUSTER_REFUSE(dests, Dests > 2 ** AddressW, "Dests must be no more than FlitW has addresses for")
  `MUSTER_REFUSE(address, Address < 65536 && Address >= Dests,
                 "Address must be below Dests, or 65536")

  logic [Groups-1:0] group_write, refused, control_refused, has_gid;
  logic [Groups-1:0] wants, goes, taken, waiting, released, irq;
  logic [Groups-1:0][31:0] group_rdata;
  logic [Groups-1:0][GidW-1:0] gid;
  logic [Groups-1:0][DataW-1:0] data;
  logic [2:0] group_word;

  logic check, packet_dropped, flit_dropped, packet_cut, packet_aborted, packet_illegal;
  logic sync_valid, release_valid, sync_goes;
  logic sender_quiescent, receiver_quiescent;
  logic [15:0] address;
  logic [MessageW-1:0] send_payload;
  /* verilator lint_off UNUSEDSIGNAL */
  logic [FlitW-1:0] sync_payload;  // a message has no more than its low bits
  /* verilator lint_on UNUSEDSIGNAL */

  // ---- Groups: of those that have something to send the lowest goes first -------------------
  assign release_valid = sync_valid &&
                         sync_payload[MessageW-1-:TypeW] == muster_pkg::MsgDistribution;
  assign goes = sync_goes ? wants & ~(wants - 1'b1) : '0;
  always_comb begin
    send_payload = '0;
    for (int unsigned g = Groups; g > 0; g--) begin
      if (wants[g-1]) send_payload = {muster_pkg::MsgReduction, gid[g-1], data[g-1]};
    end
  end

  for (genvar g = 0; g < Groups; g++) begin : gen_group
    muster_endpoint_group #(.GidW(GidW), .DataW(DataW)) group (
      .clk_i, .rst_ni,
      .write_i(group_write[g]),
      .word_i(group_word),
      .wdata_i(reg_wdata_i),
      .rdata_o(group_rdata[g]),
      .refused_o(refused[g]),
      .has_gid_o(has_gid[g]),
      .in_use_i((has_gid & ~(Groups'(1'b1) << g)) != '0),
      .control_refused_o(control_refused[g]),
      .send_valid_o(wants[g]),
      .send_taken_i(goes[g]),
      .send_gid_o(gid[g]),
      .send_data_o(data[g]),
      .release_i(release_valid),
      .release_gid_i(sync_payload[DataW+:GidW]),
      .release_data_i(sync_payload[DataW-1:0]),
      .taken_o(taken[g]),
      .waiting_o(waiting[g]),
      .released_o(released[g]),
      .irq_o(irq[g])
    );
  end

  muster_endpoint_registers #(.Groups(Groups), .Address(Address)) registers (
    .clk_i, .rst_ni,
    .reg_valid_i,
    .reg_write_i,
    .reg_addr_i,
    .reg_wdata_i,
    .reg_rdata_o,
    .sizes_i({8'(Groups), 8'(Depth), 8'(Vcs), 8'd1}),
    .widths_i({16'(DataW), 6'(GidW), 10'(FlitW)}),
    .group_write_o(group_write),
    .group_word_o(group_word),
    .group_rdata_i(group_rdata),
    .waiting_i(waiting),
    .released_i(released),
    .check_o(check),
    .address_o(address),
    .message_dropped_i(sync_valid && taken == '0),
    .arrival_refused_i(refused != '0),
    .packet_dropped_i(packet_dropped),
    .flit_dropped_i(flit_dropped),
    .control_refused_i(control_refused != '0),
    .packet_cut_i(packet_cut),
    .packet_aborted_i(packet_aborted),
    .packet_illegal_i(packet_illegal)
  );

  muster_endpoint_sender #(
    .Vcs(Vcs), .Depth(Depth), .FlitW(FlitW), .Pocket(Pocket), .Dests(Dests), .Timeout(Timeout)
  ) sender (
    .packet_illegal_o(packet_illegal),
    .packet_aborted_o(packet_aborted),
    .sync_valid_i(wants != '0),
    .sync_payload_i(FlitW'(send_payload)),
    .sync_taken_o(sync_goes),
    .quiescent_o(sender_quiescent),
    .*
  );

  muster_endpoint_receiver #(.Vcs(Vcs), .Depth(Depth), .FlitW(FlitW), .Pocket(Pocket)) receiver (
    .check_i(check),
    .address_i(address),
    .packet_dropped_o(packet_dropped),
    .flit_dropped_o(flit_dropped),
    .packet_cut_o(packet_cut),
    .sync_valid_o(sync_valid),
    .sync_payload_o(sync_payload),
    .quiescent_o(receiver_quiescent),
    .*
  );

  assign irq_o = irq != '0;
  assign quiescent_o = sender_quiescent && receiver_quiescent;

  `MUSTER_ASSERT(OneGroupTakes_A, (taken & (taken - 1'b1)) == '0)

endmodule

`default_nettype wire
