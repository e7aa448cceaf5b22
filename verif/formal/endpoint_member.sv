// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "muster_assert.svh"

// Barriers of an endpoint with one group, in our own words, seen from its link and the writes of
// its register port: each arrival that is accepted sends one message with the operand, at once or
// behind one flit, and no other is sent; the release after it, and nothing else, ends the barrier.
//
// The host writes what it likes. A control word with another member or identifier is obeyed only
// while nothing is under way, and if messages can have the identifier; an arrival that it gives up
// is not sent if it could still be kept back, and drains until its release has come, or the host
// states that none will.
module endpoint_member #(
  parameter int unsigned FlitW = 16,
  parameter int unsigned GidW = 8
) (
  input  wire logic                          clk_i,
  input  wire logic                          rst_ni,

  /// a write of the register port
  input  wire logic                          write_i,
  input  wire logic [11:0]                   addr_i,
  input  wire logic [31:0]                   wdata_i,

  /// link
  input  wire logic                          tx_valid_i,
  input  wire logic [muster_pkg::KindW-1:0]  tx_kind_i,
  input  wire logic [FlitW-1:0]              tx_payload_i,
  input  wire logic                          rx_valid_i,
  input  wire logic [muster_pkg::KindW-1:0]  rx_kind_i,
  input  wire logic [FlitW-1:0]              rx_payload_i,
  /// there is a credit for a message
  input  wire logic                          room_i,
  input  wire logic                          irq_i,

  output logic                               waits_o,
  output logic                               drains_o,
  output logic                               released_o
);
  localparam int unsigned DataW = FlitW - muster_pkg::MsgTypeW - GidW;

  logic tx_sync, rx_sync, control, same, sets, arrives, clears, abandons, states, releases;
  logic tx_mine, drains, wide;
  logic member_q, enable_q, waits_q, owed_q, kept_q, drains_q, released_q;
  logic [GidW-1:0] gid_q;
  logic [DataW-1:0] data_q;
  logic [1:0] owed_for_q;  // cycles in which the message could have been sent
  assign tx_sync = tx_valid_i && tx_kind_i[muster_pkg::KindSync];
  assign rx_sync = rx_valid_i && rx_kind_i[muster_pkg::KindSync];
  assign control = write_i && addr_i == 12'h040;
  assign wide = (32'(wdata_i[11:0]) >> GidW) != '0;
  assign same = {wdata_i[31], wdata_i[GidW-1:0]} == {member_q, gid_q} && !wide;
  assign sets = control && (same || !(waits_q || drains || wide));
  assign arrives = write_i && addr_i == 12'h041 && member_q && !waits_q && !drains;
  assign clears = write_i && addr_i == 12'h042 && wdata_i[1];
  assign abandons = write_i && addr_i == 12'h042 && wdata_i[8] && waits_q;
  assign states = write_i && addr_i == 12'h042 && wdata_i[9];
  assign releases = rx_sync && (waits_q || drains) && !owed_q &&
                    rx_payload_i[FlitW-1-:muster_pkg::MsgTypeW] == muster_pkg::MsgDistribution &&
                    rx_payload_i[DataW+:GidW] == gid_q;
  // kept_q: given up in the cycle before. Its message was taken by then if it is on the wires now.
  assign tx_mine = tx_sync && (owed_q || kept_q);
  assign drains = drains_q || (kept_q && tx_sync);
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      {member_q, enable_q, waits_q, owed_q, kept_q, drains_q, released_q, owed_for_q} <= '0;
      gid_q <= '0;
    end else begin
      if (sets) {member_q, enable_q, gid_q} <= {wdata_i[31:30], wdata_i[GidW-1:0]};
      waits_q <= arrives || (waits_q && !releases && !abandons);
      owed_q <= arrives || (owed_q && !tx_sync && !abandons);
      kept_q <= abandons && owed_q && !tx_sync;
      drains_q <= !releases && ((drains && !states) || (abandons && (!owed_q || tx_sync)));
      owed_for_q <= (owed_q && room_i) ? owed_for_q + 1'b1 : '0;
      released_q <= (releases && waits_q) ||
                    (released_q && !arrives && !clears && !(sets && !same));
    end
    if (arrives) data_q <= wdata_i[DataW-1:0];
  end
  assign waits_o = waits_q;
  assign drains_o = drains;
  assign released_o = released_q;

  // No message can come before that of this member is on the wires.
  `MUSTER_ASSUME(ReleaseFollows_M, !(rx_sync && (owed_q || kept_q)))
  `MUSTER_ASSERT(OneMessageEach_A,
                 !tx_sync || (tx_mine && tx_kind_i == 3'b100 &&
                              tx_payload_i == {muster_pkg::MsgReduction, gid_q, data_q}))
  `MUSTER_ASSERT(MessagesAreFast_A, !owed_q || owed_for_q <= 2'd2)
  `MUSTER_ASSERT(InterruptOnRelease_A, irq_i == (released_q && enable_q))

endmodule

`default_nettype wire
