// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "muster_assert.svh"

// Receiving end of a NIC: flits to messages (docs/systems/nic-engine.md, Receiving).
//
// Every flit is taken in the cycle in which it is on the wires; its credit goes back in the next.
// What is looked at are the flits of channel_i that are not sync, in packets of opcode 16. Such a
// packet is a message if it has 5 flits, self_i for its destination, the right CRC and a type of at
// most 4. With its tail on the wires in t, arrives_o is 1 in t and message_valid_o in t + 1 only;
// message_o is the message, in t already. Any other such packet with a tail is malformed:
// malformed_o is 1 in the cycle of the tail, and so is one that a cut mark ends. A head begins a
// packet wherever it stands; one that it cuts short is forgotten.
//
// Example: the five words of muster_nic_crc.sv, from t - 4 to t, are in t + 1 the message STEP,
// source 3, slot 2, group 7, barrier 1, at the node with self_i = 5, and nothing at any other
// (malformed).
module muster_nic_receive #(
  /// bits of sequence numbers, 2 to 8; those above are ignored
  parameter int unsigned SeqW = 8,
  /// virtual channels, 1 to 4
  parameter int unsigned Vcs = 1,
  /// payload bits, 16 to 80
  parameter int unsigned FlitW = 16,
  localparam int unsigned VcW = (Vcs > 1) ? $clog2(Vcs) : 1
) (
  input  wire logic                              clk_i,
  input  wire logic                              rst_ni,

  input  wire logic                              rx_valid_i,
  input  wire logic [VcW-1:0]                    rx_vc_i,
  input  wire logic [muster_pkg::KindW-1:0]      rx_kind_i,
  /// bits above 15 are ignored
  /* verilator lint_off UNUSEDSIGNAL */
  input  wire logic [FlitW-1:0]                  rx_payload_i,
  /* verilator lint_on UNUSEDSIGNAL */
  /// one pulse for each flit of the cycle before
  output logic [Vcs-1:0]                         rx_credit_o,

  /// own channel and address; do not change while packets come
  input  wire logic [1:0]                        channel_i,
  input  wire logic [muster_pkg::DestW-1:0]      self_i,

  /// in the next cycle there is a message
  output logic                                   arrives_o,
  /// a message, for this cycle
  output logic                                   message_valid_o,
  output muster_pkg::nic_message_t               message_o,
  output logic                                   malformed_o
);
  `MUSTER_RANGE(SeqW, 2, 8)
  `MUSTER_RANGE(Vcs, 1, 4)
  `MUSTER_RANGE(FlitW, 16, 80)

  localparam logic [2:0] Flits = 3'(muster_pkg::NicFlits);

  logic [15:0] word;
  logic comes, cut, begins, follows, tail, ours, whole;
  logic open_q;         // in a packet of opcode 16
  logic [2:0] count_q;  // its flits so far, saturating
  logic for_us_q, valid_q;
  logic [15:0] crc_q, crc;
  logic [muster_pkg::DestW-1:0] source_q;
  logic [15:0] what_q;  // flit 2
  logic [SeqW-1:0] packet_q, barrier_q;

  assign word = rx_payload_i[15:0];
  assign comes = rx_valid_i && !rx_kind_i[muster_pkg::KindSync] && (2'(rx_vc_i) == channel_i);
  assign cut = muster_pkg::is_cut(rx_kind_i, word[muster_pkg::DestW+:muster_pkg::OpcodeW]);
  assign begins = comes && rx_kind_i[muster_pkg::KindHead] && !cut;
  assign follows = comes && !begins && open_q;
  assign tail = rx_kind_i[muster_pkg::KindTail];
  assign ours = word[15-:muster_pkg::OpcodeW] == 5'(muster_pkg::OpcodeNic);
  assign whole = follows && tail && !cut && (count_q == Flits - 1'b1) && for_us_q &&
                 (word == crc_q) && (what_q[15:13] <= muster_pkg::NicData);
  assign arrives_o = whole;
  assign malformed_o = tail && ((begins && ours) || follows) && !whole;

  muster_nic_crc sum (
    .crc_i(begins ? '1 : crc_q),
    .word_i(word),
    .crc_o(crc)
  );

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      rx_credit_o <= '0;
      open_q <= 1'b0;
      count_q <= '0;
      valid_q <= 1'b0;
    end else begin
      rx_credit_o <= rx_valid_i ? Vcs'(1'b1) << rx_vc_i : '0;
      valid_q <= whole;
      if (begins) begin
        open_q <= ours && !tail;
        count_q <= 3'd1;
      end else if (follows) begin
        open_q <= !tail;
        if (count_q != Flits) count_q <= count_q + 1'b1;
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (begins || follows) crc_q <= crc;
    if (begins) for_us_q <= word[muster_pkg::DestW-1:0] == self_i;
    if (follows && count_q == 3'd1) source_q <= word[muster_pkg::DestW-1:0];
    if (follows && count_q == 3'd2) what_q <= word;
    if (follows && count_q == 3'd3) packet_q <= word[8+:SeqW];
    if (follows && count_q == 3'd3) barrier_q <= word[0+:SeqW];
  end

  // They are there when the tail comes; the next packet changes them in t + 2 at the earliest.
  assign message_valid_o = valid_q;
  assign message_o = {what_q[15:13], source_q, what_q[12:0], 8'(packet_q), 8'(barrier_q)};

  `MUSTER_ASSERT(CountInRange_A, count_q <= Flits)
  `MUSTER_ASSERT(OpenHasHead_A, !open_q || count_q != '0)
  `MUSTER_ASSERT(MessageIsWhole_A, !valid_q || (!open_q && count_q == Flits))
  muster_pkg::nic_message_t before_q;
  always_ff @(posedge clk_i) before_q <= message_o;
  `MUSTER_ASSERT(ThereWithItsTail_A, !valid_q || message_o == before_q)
  `MUSTER_ASSERT(VcExists_A, !rx_valid_i || 32'(rx_vc_i) < Vcs)

endmodule

`default_nettype wire
