// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "muster_assert.svh"

// Sending end of a NIC: one message to 5 flits (docs/systems/nic-engine.md, Packets and Sending).
//
// It has one message or none. Having none, or in the cycle in which the last flit of its message
// goes, it grants one of the requesters want_i in round robin, and has its message from the next
// cycle on. The first Asks requesters show theirs at message_i while they ask; it is kept here. The
// other two have memories: late_i is their message from the cycle after its grant on, until the
// next grant to the same. With a credit of channel_i a flit goes in each cycle and is on the wires
// in the next.
//
// The limiter of NACKs, which only the first Asks send: once a NACK is granted, gap_over_o is 0 for
// the next gap_i cycles. A requester does not ask for a NACK in them.
//
// Example: granted in t, with credits: flits on the wires in t + 2 to t + 6; another client is
// granted in t + 5, and his flits follow without a gap.
module muster_nic_transmit #(
  /// requesters that show their message while they ask, 1 to 62
  parameter int unsigned Asks = 4,
  /// virtual channels, 1 to 4
  parameter int unsigned Vcs = 1,
  /// places in each queue of the receiver, 1 to 16
  parameter int unsigned Depth = 4,
  /// payload bits, 16 to 512
  parameter int unsigned FlitW = 16,
  localparam int unsigned VcW = (Vcs > 1) ? $clog2(Vcs) : 1
) (
  input  wire logic                              clk_i,
  input  wire logic                              rst_ni,

  /// own channel, below Vcs, and address; do not change while packets go
  input  wire logic [1:0]                        channel_i,
  input  wire logic [muster_pkg::DestW-1:0]      self_i,
  input  wire logic [11:0]                       gap_i,

  input  wire logic [Asks+1:0]                   want_i,
  input  wire logic [Asks-1:0][muster_pkg::NicMessageW-1:0]  message_i,
  input  wire logic [1:0][muster_pkg::NicMessageW-1:0]  late_i,
  output logic [Asks+1:0]                        grant_o,
  output logic                                   gap_over_o,

  output logic                                   tx_valid_o,
  output logic [VcW-1:0]                         tx_vc_o,
  output logic [muster_pkg::KindW-1:0]           tx_kind_o,
  output logic [FlitW-1:0]                       tx_payload_o,
  input  wire logic [Vcs-1:0]                    tx_credit_i,
  /// holds no message, sends no flit, the gap is over
  output logic                                   quiet_o
);
  `MUSTER_RANGE(Asks, 1, 62)

  localparam logic [2:0] Last = 3'(muster_pkg::NicFlits - 1);

  logic hold_q;
  logic [2:0] count_q;  // flits that have gone
  logic [1:0] late_q;   // whose message it is, if it is not kept here
  muster_pkg::nic_message_t message_q, chosen, message;
  logic [15:0] crc_q, crc, word;
  logic [11:0] gap_q;
  logic gap_over_q;     // it is 0
  logic [Asks+1:0] turn;
  logic [Vcs-1:0] has_credit, channel;
  logic goes, free, take, nack;

  assign channel = Vcs'(1'b1) << channel_i;
  assign goes = hold_q && ((has_credit & channel) != '0);
  assign free = !hold_q || (goes && count_q == Last);
  assign take = free && (want_i != '0);
  assign grant_o = free ? turn : '0;

  muster_rr_arbiter #(.N(Asks + 2)) arbiter (
    .clk_i, .rst_ni,
    .req_i(want_i),
    .take_i(free),
    .grant_o(turn)
  );
  always_comb begin
    chosen = message_i[0];
    for (int unsigned i = 1; i < Asks; i++) begin
      if (turn[i]) chosen = message_i[i];
    end
  end
  assign nack = grant_o[Asks-1:0] != '0 && chosen.kind == muster_pkg::NicNack;
  assign message = late_q[1] ? late_i[1] : late_q[0] ? late_i[0] : message_q;

  always_comb begin
    unique case (count_q)
      3'd0: word = {5'(muster_pkg::OpcodeNic), message.peer};
      3'd1: word = {3'd0, channel_i, self_i};
      3'd2: word = {message.kind, message.slot, message.group};
      3'd3: word = {message.packet, message.barrier};
      default: word = crc_q;
    endcase
  end
  muster_nic_crc sum (
    .crc_i((count_q == '0) ? '1 : crc_q),
    .word_i(word),
    .crc_o(crc)
  );

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      hold_q <= 1'b0;
      count_q <= '0;
      gap_q <= '0;
      gap_over_q <= 1'b1;
    end else begin
      if (free) hold_q <= take;
      if (goes) count_q <= (count_q == Last) ? '0 : count_q + 1'b1;
      if (nack) gap_q <= gap_i;
      else if (!gap_over_q) gap_q <= gap_q - 1'b1;
      gap_over_q <= nack ? gap_i == '0 : gap_over_q || gap_q[11:1] == '0;
    end
  end
  always_ff @(posedge clk_i) begin
    if (take) message_q <= chosen;
    if (take) late_q <= turn[Asks+:2];
    if (goes) crc_q <= crc;
  end
  assign gap_over_o = gap_over_q;

  /* verilator lint_off UNUSEDSIGNAL */
  logic [Vcs-1:0] has_two;  // one flit a cycle asks for one credit
  /* verilator lint_on UNUSEDSIGNAL */
  muster_link_tx #(.Vcs(Vcs), .Depth(Depth), .FlitW(FlitW)) link (
    .clk_i, .rst_ni,
    .send_i(goes),
    .vc_i(channel_i[VcW-1:0]),
    .kind_i({1'b0, count_q == '0, count_q == Last}),
    .payload_i(FlitW'(word)),
    .reserve_i('0),
    .express_i(goes),
    .express_vc_i(channel),
    .has_one_o(has_credit),
    .has_many_o(has_two),
    .tx_valid_o,
    .tx_vc_o,
    .tx_kind_o,
    .tx_payload_o,
    .tx_credit_i
  );

  assign quiet_o = !hold_q && !tx_valid_o && gap_over_o;

  `MUSTER_ASSERT(GrantOnWant_A, (grant_o & ~want_i) == '0)
  `MUSTER_ASSERT(GapIsOver_A, gap_over_q == (gap_q == '0))
  `MUSTER_ASSERT(IdleBeginsAtHead_A, hold_q || count_q == '0)
  `MUSTER_ASSERT(CountInRange_A, count_q <= Last)
  `MUSTER_ASSERT(NackAfterGap_A, !nack || gap_over_o)

endmodule

`default_nettype wire
