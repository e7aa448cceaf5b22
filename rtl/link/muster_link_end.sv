// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "muster_assert.svh"

// One end of a link whose wires may lose, duplicate or corrupt frames; docs/systems/retry-link.md
// is its specification, cycle by cycle. It is between a port of a block and the wires. Flits and
// credits that go in at one end come out at the other once and in order; or the link is down, which
// irq_o and a register report.
//
//   rx        --> muster_link_sender   --> frame_o
//   rx_credit <-- muster_link_credits
//   tx        <-- muster_link_receiver <-- frame_i
//   muster_link_session: handshake, timer, down; muster_link_registers: the host
//
// A flit takes 2 cycles more than on bare wires, a credit 3.
//
// With Lossy the block may send barrier messages at any time. One that comes when the replay buffer
// has no more places free than all data with a credit may need is lost and counted; the link stays
// up. Healthy wires lose none if Slots is at least 2 x Vcs x Depth + 2 for each group of the link.
module muster_link_end #(
  /// virtual channels, 1 to 4
  parameter int unsigned Vcs = 2,
  /// places in each queue of a block, 1 to 15
  parameter int unsigned Depth = 4,
  /// payload bits, 16 to 512
  parameter int unsigned FlitW = 16,
  /// barrier messages take a credit of their own: 0 to 1
  parameter int unsigned Pocket = 0,
  /// places of the replay buffer, 4 to 32, a power of two
  parameter int unsigned Slots = 16,
  /// cycles without progress before all is sent again, 4 to 255; at least 2 L + 5
  parameter int unsigned Timeout = 16,
  /// times in a row that this may bring nothing, 1 to 15
  parameter int unsigned Retries = 8,
  /// senders of barrier messages repeat them, so the link may lose them; 0 to 1. Excludes Pocket.
  /// Requires Lossy == 0 || Vcs * Depth < Slots
  parameter int unsigned Lossy = 0,
  localparam int unsigned VcW = (Vcs > 1) ? $clog2(Vcs) : 1,
  localparam int unsigned Backs = Vcs + Pocket,
  localparam int unsigned SeqW = $clog2(Slots) + 1,
  localparam int unsigned CountW = $clog2(Depth + 1),
  localparam int unsigned WordW = VcW + muster_pkg::KindW + FlitW,
  localparam int unsigned BodyW = 6 + 2 * SeqW + Backs * CountW + WordW,
  localparam int unsigned CrcW = 16 * ((BodyW + 134) / 135),
  localparam int unsigned FrameW = BodyW + CrcW
) (
  input  wire logic                          clk_i,
  input  wire logic                          rst_ni,

  /// flits from the block, credits to it
  input  wire logic                          rx_valid_i,
  input  wire logic [VcW-1:0]                rx_vc_i,
  input  wire logic [muster_pkg::KindW-1:0]  rx_kind_i,
  input  wire logic [FlitW-1:0]              rx_payload_i,
  output logic [Backs-1:0]                   rx_credit_o,
  /// flits to the block, credits from it
  output logic                               tx_valid_o,
  output logic [VcW-1:0]                     tx_vc_o,
  output logic [muster_pkg::KindW-1:0]       tx_kind_o,
  output logic [FlitW-1:0]                   tx_payload_o,
  input  wire logic [Backs-1:0]              tx_credit_i,

  /// the wires
  input  wire logic                          frame_valid_i,
  input  wire logic [FrameW-1:0]             frame_i,
  output logic                               frame_valid_o,
  output logic [FrameW-1:0]                  frame_o,

  /// register port: a write at the edge, a read answered in the same cycle
  input  wire logic                          reg_valid_i,
  input  wire logic                          reg_write_i,
  input  wire logic [11:0]                   reg_addr_i,
  input  wire logic [31:0]                   reg_wdata_i,
  output logic [31:0]                        reg_rdata_o,

  /// the link is down and no restart has been asked for
  output logic                               irq_o,
  /// nothing changes without an input
  output logic                               quiescent_o
);
  `MUSTER_RANGE(Vcs, 1, 4)
  `MUSTER_RANGE(Pocket, 0, 1)
  `MUSTER_RANGE(FlitW, 16, 512)
  `MUSTER_RANGE(Lossy, 0, 1)
  `MUSTER_REFUSE(lossy_pocket, Lossy != 0 && Pocket != 0,
                 "Lossy excludes Pocket: a lost message takes its credit with it")

  logic up, rises, down, waiting, clear, restarts;
  logic init, other, heard, ask, news, echo, nack, again, waits, progress, rewinds, rejected;
  logic greets, greet_ask, greet_echo, lost, overflow, kill, restart, drained, drained_state;
  logic [1:0] state;
  logic [2:0] reason;
  logic [SeqW-1:0] comes, ack, expected;
  logic missing, told, unfinished, ends, settled, kept_quiet, paid, returned, consumed;
  logic [Backs-1:0] rx_class, take, deliver;
  logic [Backs-1:0][CountW-1:0] seen, count;
  /* verilator lint_off UNUSEDSIGNAL */
  logic [Backs-1:0] room;  // unused for a pocket: no tail goes there
  /* verilator lint_on UNUSEDSIGNAL */
  assign heard = other && up;

  muster_link_session #(.Timeout(Timeout), .Retries(Retries)) session (
    .clk_i, .rst_ni,
    .init_i(init),
    .other_i(other),
    .ask_i(ask),
    .echo_i(echo),
    .waits_i(waits),
    .progress_i(progress),
    .nack_i(heard && nack),
    .again_o(again),
    .overflow_i(overflow),
    .kill_i(kill),
    .restart_i(restart),
    .drained_i(drained),
    .clear_o(clear),
    .greets_o(greets),
    .ask_o(greet_ask),
    .echo_o(greet_echo),
    .waiting_o(waiting),
    .up_o(up),
    .rises_o(rises),
    .down_o(down),
    .restarts_o(restarts),
    .state_o(state),
    .reason_o(reason)
  );

  muster_link_sender #(
    .Slots(Slots), .WordW(WordW), .CountsW(Backs * CountW), .Reserve((Lossy != 0) ? Vcs * Depth : 0)
  ) sender (
    .clk_i, .rst_ni,
    .clear_i(clear),
    .up_i(up),
    .down_i(down),
    .greets_i(greets),
    .greet_ask_i(greet_ask),
    .greet_echo_i(greet_echo),
    .again_i(again),
    .flit_valid_i(rx_valid_i),
    .flit_i({rx_vc_i, rx_kind_i, rx_payload_i}),
    .credit_i(tx_credit_i != '0),
    .counts_i(count),
    .loose_i(rx_kind_i[muster_pkg::KindSync]),
    .lost_o(lost),
    .overflow_o(overflow),
    .comes_valid_i(frame_valid_i),
    .comes_i(comes),
    .heard_i(heard),
    .ask_i(ask),
    .news_i(news),
    .echo_i(echo),
    .nack_i(nack),
    .ack_i(ack),
    .expected_i(expected),
    .missing_i(missing),
    .told_o(told),
    .waits_o(waits),
    .progress_o(progress),
    .rewinds_o(rewinds),
    .settled_o(settled),
    .kept_quiet_o(kept_quiet),
    .frame_valid_o,
    .frame_o
  );

  muster_link_receiver #(
    .Vcs(Vcs), .FlitW(FlitW), .Pocket(Pocket), .SeqW(SeqW), .CountW(CountW)
  ) receiver (
    .clk_i, .rst_ni,
    .clear_i(clear),
    .waiting_i(waiting),
    .open_i(up || rises),
    .down_i(down),
    .frame_valid_i,
    .frame_i,
    .rejected_o(rejected),
    .comes_o(comes),
    .init_o(init),
    .other_o(other),
    .ask_o(ask),
    .news_o(news),
    .echo_o(echo),
    .nack_o(nack),
    .ack_o(ack),
    .count_o(seen),
    .expected_o(expected),
    .missing_o(missing),
    .told_i(told),
    .room_i(room[Vcs-1:0]),
    .deliver_o(deliver),
    .unfinished_o(unfinished),
    .ends_o(ends),
    .tx_valid_o,
    .tx_vc_o,
    .tx_kind_o,
    .tx_payload_o
  );

  muster_link_class #(.Vcs(Vcs), .Pocket(Pocket)) class_of (
    .vc_i(rx_vc_i),
    .kind_i(rx_kind_i),
    .class_o(rx_class)
  );
  assign take = rx_valid_i ? rx_class : '0;
  muster_link_credits #(.Backs(Backs), .Depth(Depth)) credits (
    .clk_i, .rst_ni,
    .clear_i(clear),
    .down_i(down),
    .take_i(take),
    .deliver_i(deliver),
    .credit_i(tx_credit_i),
    .credit_o(rx_credit_o),
    .seen_valid_i(heard),
    .seen_i(seen),
    .count_o(count),
    .room_o(room),
    .paid_o(paid),
    .returned_o(returned),
    .consumed_o(consumed)
  );

  assign drained_state = down && returned && consumed && !unfinished;
  assign drained = drained_state && !rx_valid_i;
  muster_pkg::link_widths_t widths;
  always_comb begin
    widths = '0;
    widths.retries = 4'(Retries);
    widths.timeout = 8'(Timeout);
    widths.slots = 8'(Slots);
    widths.pocket = 1'(Pocket);
    widths.depth = 5'(Depth);
    widths.vcs = 3'(Vcs);
    widths.lossy = 1'(Lossy);
  end
  muster_link_registers #(.Lossy(Lossy)) registers (
    .clk_i, .rst_ni,
    .reg_valid_i,
    .reg_write_i,
    .reg_addr_i,
    .reg_wdata_i,
    .reg_rdata_o,
    .widths_i(widths),
    .state_i(state),
    .reason_i(reason),
    .drained_i(drained),
    .restarts_i(restarts),
    .rewinds_i(rewinds),
    .rejected_i(rejected),
    .lost_i(lost),
    .restart_o(restart),
    .kill_o(kill)
  );

  // ---- Quiet -----------------------------------------------------------------------------------
  logic still;
  assign irq_o = down && !restarts;
  assign still = up ? settled && paid : drained_state ? !restarts : returned && !ends;
  assign quiescent_o = !frame_valid_o && !tx_valid_o && (rx_credit_o == '0) && !init && !other &&
                       !greets && (up || down) && kept_quiet && still;

  logic still_q;  // was quiescent in the cycle before, and nothing came
  always_ff @(posedge clk_i) begin
    still_q <= rst_ni && quiescent_o && !rx_valid_i && (tx_credit_i == '0) && !frame_valid_i &&
               !(reg_valid_i && reg_write_i);
  end
  `MUSTER_ASSERT(QuiescentStays_A, !still_q || quiescent_o)

endmodule

`default_nettype wire
