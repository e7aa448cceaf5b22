// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "muster_assert.svh"

// A node of the board-level system: takes part in the barriers of one group and sends packets at
// random, on a link of one virtual channel.
//
// Barriers: after a rest of 32 to 63 cycles it arrives (arrives_o, one cycle), sends a reduction
// message in that cycle, which needs no credit, and waits. The distribution
// message on the wires in cycle t releases it in t (released_o); the next rest begins.
// As rests are longer than a release takes to reach all nodes, barriers do not overlap.
//
// Packets: of 4 flits, to another node, begun in one of 16 cycles on average while traffic_i is
// set and a credit is there. A barrier message goes first, between the flits of a packet if need
// be. What comes in is taken at once, the credit of a packet's flit is on the wires in the next
// cycle.
module muster_board_node #(
  /// nodes of the system, 2 to 16
  parameter int unsigned Nodes = 5,
  /// number of this one, 0 to 15. Requires Self < Nodes
  parameter int unsigned Self = 0,
  /// its group, 0 to 15
  parameter int unsigned Group = 1,
  /// places in each queue of its switch, 1 to 16
  parameter int unsigned Depth = 2,
  /// bits of a group identifier, 4 to 12
  parameter int unsigned GidW = 11,
  localparam int unsigned FlitW = 16,
  localparam int unsigned KindW = muster_pkg::KindW
) (
  input  wire logic              clk_i,
  input  wire logic              rst_ni,

  /// the switches are set up; send packets
  input  wire logic              go_i,
  input  wire logic              traffic_i,

  /// to the switch, see muster_link_tx
  output logic                   tx_valid_o,
  output logic [KindW-1:0]       tx_kind_o,
  output logic [FlitW-1:0]       tx_payload_o,
  input  wire logic              tx_credit_i,

  /// from the switch; of a flit, barrier messages matter
  input  wire logic              rx_valid_i,
  /* verilator lint_off UNUSEDSIGNAL */
  input  wire logic [KindW-1:0]  rx_kind_i,
  input  wire logic [FlitW-1:0]  rx_payload_i,
  /* verilator lint_on UNUSEDSIGNAL */
  output logic                   rx_credit_o,

  output logic                   arrives_o,
  output logic                   released_o
);
  localparam int unsigned TypeW = muster_pkg::MsgTypeW;
  localparam int unsigned DataW = FlitW - TypeW - GidW;
  localparam logic [KindW-1:0] SyncKind = KindW'(1 << muster_pkg::KindSync);

  if (Nodes < 2 || Nodes > 16 || Self >= Nodes) begin : gen_bad_nodes
    $error("muster_board_node: Nodes must be 2 to 16, Self below Nodes");
  end
  if (Group > 15) begin : gen_bad_group
    $error("muster_board_node: Group must be 0 to 15");
  end
  if (GidW < 4 || GidW > 12) begin : gen_bad_gid
    $error("muster_board_node: GidW must be 4 to 12");
  end

  logic waits_q, waits_d;  // it has arrived and is not released yet
  logic [5:0] rest_q, rest_d;
  logic [1:0] left_q, left_d;  // flits of the packet that has begun
  logic [15:0] random;
  logic can_send, begins, sends_data, is_release;
  logic [3:0] dest;

  muster_lfsr #(
    .Width(16)
  ) numbers (
    .clk_i,
    .rst_ni,
    .seed_i(16'(Self + 1) * 16'h1357),
    .step_i(go_i),
    .value_o(random)
  );

  // ---- Barriers -----------------------------------------------------------------------------
  assign arrives_o = go_i && !waits_q && (rest_q == '0);
  assign is_release = rx_valid_i && rx_kind_i[muster_pkg::KindSync] &&
                      (rx_payload_i[FlitW-1-:TypeW] == muster_pkg::MsgDistribution) &&
                      (rx_payload_i[DataW+:GidW] == GidW'(Group));
  assign released_o = is_release && waits_q;

  always_comb begin
    waits_d = waits_q || arrives_o;
    rest_d = (rest_q != '0) ? rest_q - 1'b1 : '0;
    if (released_o) begin
      waits_d = 1'b0;
      rest_d = {1'b1, random[4:0]};
    end
  end

  // ---- Packets ------------------------------------------------------------------------------
  assign dest = random[11:8];
  assign begins = traffic_i && (left_q == '0) && (random[15:12] == '0) && (32'(dest) < Nodes) &&
                  (dest != 4'(Self));
  assign sends_data = can_send && !arrives_o && (begins || (left_q != '0));
  assign left_d = sends_data ? ((left_q != '0) ? left_q - 1'b1 : 2'd3) : left_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      waits_q <= 1'b0;
      rest_q <= '1;
      left_q <= '0;
      rx_credit_o <= 1'b0;
    end else begin
      waits_q <= waits_d;
      rest_q <= go_i ? rest_d : rest_q;
      left_q <= left_d;
      rx_credit_o <= rx_valid_i && !rx_kind_i[muster_pkg::KindSync];
    end
  end

  // ---- Link ---------------------------------------------------------------------------------
  logic [KindW-1:0] kind;
  logic [FlitW-1:0] payload;
  // One virtual channel, and no flit that is reserved before it is sent.
  /* verilator lint_off UNUSEDSIGNAL */
  logic has_two, vc;
  /* verilator lint_on UNUSEDSIGNAL */

  always_comb begin
    kind = '0;
    if (arrives_o) begin
      kind = SyncKind;
      payload = {muster_pkg::MsgReduction, GidW'(Group), DataW'(0)};
    end else if (left_q == '0) begin
      kind[muster_pkg::KindHead] = 1'b1;
      payload = {muster_pkg::OpcodeW'(muster_pkg::OpcodeData), muster_pkg::DestW'(dest)};
    end else begin
      kind[muster_pkg::KindTail] = left_q == 2'd1;
      payload = random;
    end
  end

  muster_link_tx #(
    .Vcs(1),
    .Depth(Depth),
    .FlitW(FlitW)
  ) link (
    .clk_i,
    .rst_ni,
    .send_i(arrives_o || sends_data),
    .vc_i(1'b0),
    .kind_i(kind),
    .payload_i(payload),
    .reserve_i(1'b0),
    .express_i(arrives_o || sends_data),
    .express_vc_i(sends_data),
    .has_one_o(can_send),
    .has_many_o(has_two),
    .tx_valid_o,
    .tx_vc_o(vc),
    .tx_kind_o,
    .tx_payload_o,
    .tx_credit_i
  );

  // Rests outlast a release, so no release comes to a node that has not arrived.
  `MUSTER_ASSERT(ReleaseFindsWaiting_A, !(is_release && !waits_q))

endmodule

`default_nettype wire
