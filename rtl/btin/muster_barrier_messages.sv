// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "muster_assert.svh"

// The barrier side of a barrier switch, between the input wires and the outputs
// (docs/systems/barrier-switch.md). It contains the barrier registers, or with Groups that many
// groups in block RAM (docs/systems/many-groups.md); with Spill the path to the node that holds
// further groups; with Spill, Serial or Groups the pockets, because only there can a message have
// to wait; and the record of dropped messages.
//
// A sync flit on the wires in t is consumed in t, or goes to its pocket. The messages of the
// registers are at send_o from t + 1 on, until they leave.
module muster_barrier_messages #(
  /// ports of the switch, 3 to 32
  parameter int unsigned Ports = 8,
  /// barrier registers, 1 to 16
  parameter int unsigned Regs = 4,
  /// groups in block RAM instead, a power of two, or none; 0 to 4096. Regs is 2 then, of the map:
  /// Requires Groups == 0 || Regs == 2 and Groups != 1 and Groups <= 2 ** GidW
  parameter int unsigned Groups = 0,
  /// payload bits of a flit, 16 to 80
  parameter int unsigned FlitW = 16,
  /// bits of a group identifier, 4 to 12
  parameter int unsigned GidW = 8,
  /// one message is taken a cycle, not one of every port; 0 to 1. With Groups it always is
  parameter int unsigned Serial = 0,
  /// there is a spill port; 0 to 1. With Groups there is none. Requires
  /// Spill == 0 || Groups != 0 || FlitW >= GidW + 7 and Spill == 0 || Groups != 0 || Ports <= 16
  parameter int unsigned Spill = 0,
  /// the registers repeat, messages may be lost; 0 to 1. Excludes Serial, Spill and Groups.
  /// Requires Retry == 0 || FlitW >= GidW + 8
  parameter int unsigned Retry = 0,
  /// registers know who arrived last; 0 to 1. Excludes Serial, Retry and Groups
  parameter int unsigned Straggler = 0,
  /// operations of the registers on data: 0 all, 1 OR and AND, 2 none, which are groups without
  /// data; 0 to 2. Excludes Serial, Groups and Retry
  parameter int unsigned Ops = 0,
  /// messages carry the index of a register; 0 to 1. Excludes Serial, Spill, Retry and Groups.
  /// Requires Labels == 0 || Ports <= 16
  parameter int unsigned Labels = 0,
  /// a sync flit that comes to a full pocket is lost, not an error of the sender, and the spill
  /// does not wait for ever; 0 to 1
  parameter int unsigned Guard = 0,
  /// with Groups: their words have a parity bit; 0 to 1
  parameter int unsigned Parity = 0,
  localparam int unsigned KeptW = muster_pkg::RegisterFlagsW + GidW + Ports,
  localparam int unsigned GivenUpW = 2 + GidW
) (
  input  wire logic                         clk_i,
  input  wire logic                         rst_ni,

  /// a sync flit is on the wires of port p; without pockets at any time
  input  wire logic [Ports-1:0]             rx_sync_i,
  input  wire logic [Ports-1:0][FlitW-1:0]  rx_payload_i,
  /// of pockets, 0 without: the one of port p has become free; that behind output p has
  output logic [Ports-1:0]                  credit_o,
  input  wire logic [Ports-1:0]             credit_i,

  /// a message that may leave through port p; it does, only where send_o[p]
  output logic [Ports-1:0]                  send_o,
  output logic [Ports-1:0][FlitW-1:0]       send_payload_o,
  input  wire logic [Ports-1:0]             leaves_i,

  /// the spill port, one-hot or zero
  input  wire logic [Ports-1:0]             spill_port_i,
  /// with Guard and Spill, see muster_barrier_spill: how long its latches wait; what they give up
  input  wire logic [3:0]                   spill_patience_i,
  output logic [Ports-1:0]                  given_up_o,
  output logic [Ports-1:0][GivenUpW-1:0]    given_up_info_o,
  /// the host writes word 0 or 1 of register r, with this
  input  wire logic [Regs-1:0]              control_write_i,
  input  wire logic [Regs-1:0]              children_write_i,
  input  wire logic [31:0]                  wdata_i,
  /// with Labels: it writes those of register labels_register_i, with this too
  /* verilator lint_off UNUSEDSIGNAL */
  input  wire logic [1:0]                   labels_write_i,
  input  wire logic [3:0]                   labels_register_i,
  /* verilator lint_on UNUSEDSIGNAL */
  /// with Retry: it aborts the barrier of register r; it writes the word of periods, which is
  /// periods_o; a barrier has been under way for long
  /* verilator lint_off UNUSEDSIGNAL */
  input  wire logic [Regs-1:0]              abort_i,
  input  wire logic                         periods_write_i,
  /* verilator lint_on UNUSEDSIGNAL */
  output logic [31:0]                       periods_o,
  output logic                              suspect_o,
  /// with Groups and Parity: a group has come to an end, its word is damaged
  output logic                              wrong_o,
  /// it reads a word of a register in this cycle
  input  wire logic                         read_i,
  input  wire logic [3:0]                   read_register_i,
  input  wire logic [3:0]                   read_word_i,
  output logic [31:0]                       word_o,
  /// what registers hold, see muster_barrier_unit; 0 with Groups
  output logic [Regs-1:0][KeptW-1:0]        kept_o,
  /// with Guard: the sync flit on the wires of port p is lost
  output logic [Ports-1:0]                  lost_o,
  /// a message is dropped at port p; the word about them, which the host clears
  output logic [Ports-1:0]                  dropped_o,
  output logic [31:0]                       drop_word_o,
  input  wire logic                         drop_clear_i,

  /// nothing is left to do: no message waits, to be taken or to be sent, and no data to be folded
  output logic                              idle_o
);
  `MUSTER_RANGE(Serial, 0, 1)
  `MUSTER_RANGE(Spill, 0, 1)
  `MUSTER_RANGE(Retry, 0, 1)
  `MUSTER_RANGE(Parity, 0, 1)
  `MUSTER_REFUSE(groups, Groups != 0 && Regs != 2, "Regs must be 2 with Groups")
  `MUSTER_REFUSE(retry_with, Retry == 1 && (Serial == 1 || Spill == 1 || Groups != 0),
                 "Retry excludes Serial, Spill and Groups")
  `MUSTER_REFUSE(ops, Ops > 2 || (Ops != 0 && (Serial == 1 || Groups != 0 || Retry == 1)),
                 "Ops must be 0 to 2, and 0 with Serial, Groups and Retry")
  `MUSTER_REFUSE(straggler, Straggler > 1 ||
                 (Straggler == 1 && (Serial == 1 || Retry == 1 || Groups != 0)),
                 "Straggler must be 0 or 1, without Serial, Retry, Groups")
  `MUSTER_REFUSE(labels, Labels > 1 ||
                 (Labels == 1 && (Serial == 1 || Spill == 1 || Retry == 1 || Groups != 0)),
                 "Labels must be 0 or 1, without Serial, Spill, Retry, Groups")
  `MUSTER_RANGE(Guard, 0, 1)

  logic [Ports-1:0] msg, stored, unit_hold, spill_hold, room, send;
  logic [Ports-1:0][FlitW-1:0] msg_payload, unit_payload;
  logic [Ports-1:0] unit_send, unit_leaves, unit_malformed, unit_unknown;
  logic [Ports-1:0] malformed, unknown, refused;
  logic unit_busy, spill_busy, pockets_idle;

  // What a write to word 0 of a barrier register says; spare bits are ignored.
  /* verilator lint_off UNUSEDSIGNAL */
  muster_pkg::barrier_control_t control;
  /* verilator lint_on UNUSEDSIGNAL */
  assign control = wdata_i;

  // ---- In -------------------------------------------------------------------------------------
  logic [Ports-1:0] rx_sync;
  if (Guard == 1) begin : gen_guard
    assign rx_sync = rx_sync_i & ~stored;
    assign lost_o = rx_sync_i & stored;
  end else begin : gen_no_guard
    assign rx_sync = rx_sync_i;
    assign lost_o = '0;
  end
  if (Serial == 1 || Spill == 1 || Groups != 0) begin : gen_pockets
    muster_sync_pockets #(.Ports(Ports), .FlitW(FlitW)) pockets (
      .clk_i, .rst_ni,
      .rx_sync_i(rx_sync),
      .rx_payload_i,
      .credit_o,
      .msg_o(msg),
      .msg_payload_o(msg_payload),
      .stored_o(stored),
      .hold_i(unit_hold | spill_hold),
      .room_o(room),
      .leaves_i,
      .credit_i,
      .idle_o(pockets_idle)
    );
  end else begin : gen_no_pockets
    assign msg = rx_sync;
    assign msg_payload = rx_payload_i;
    assign stored = '0;
    assign credit_o = '0;
    assign room = '1;
    assign pockets_idle = 1'b1;

    logic unused;
    assign unused = &{1'b0, credit_i, stored, unit_hold, spill_hold};
  end

  /* verilator lint_off UNUSEDSIGNAL */
  // With Groups: of the message that is decided in this cycle.
  logic [muster_pkg::MsgTypeW+GidW-1:0] decided;
  /* verilator lint_on UNUSEDSIGNAL */
  logic [Ports-1:0] late;  // dropped, in a cycle after that of the message

  // ---- The barrier registers ------------------------------------------------------------------
  // No `else if`: front ends differ in the names of what is in it.
  if (Groups != 0) begin : gen_many
    muster_many_unit #(
      .Ports(Ports), .Groups(Groups), .FlitW(FlitW), .GidW(GidW), .Parity(Parity)
    ) unit (
      .clk_i, .rst_ni,
      .host_write_i({control_write_i[1], children_write_i[0], control_write_i[0]}),
      .wdata_i,
      .msg_i(msg),
      .msg_payload_i(msg_payload),
      .hold_o(unit_hold),
      .malformed_o(unit_malformed),
      .unknown_o(unit_unknown),
      .refused_o(refused),
      .decided_o(decided),
      .send_o(unit_send),
      .send_payload_o(unit_payload),
      .leaves_i(unit_leaves),
      .read_i,
      .read_register_i,
      .read_word_i,
      .word_o,
      .wrong_o,
      .busy_o(unit_busy)
    );

    logic unused;
    assign unused = &{1'b0, control, control_write_i, children_write_i};
    assign late = unit_unknown | refused;
    assign kept_o = '0;
  end
  if (Groups == 0 && Serial == 1) begin : gen_serial
    muster_serial_unit #(.Ports(Ports), .Regs(Regs), .FlitW(FlitW), .GidW(GidW)) unit (
      .clk_i, .rst_ni,
      .control_write_i,
      .children_write_i,
      .valid_i(control.valid),
      .turn_i(control.turn),
      .claimed_i(control.claimed),
      .op_i(control.op),
      .parent_i(control.parent[$clog2(Ports+1)-1:0]),
      .gid_i(control.gid[GidW-1:0]),
      .children_i(wdata_i[Ports-1:0]),
      .msg_i(msg),
      .msg_payload_i(msg_payload),
      .hold_o(unit_hold),
      .malformed_o(unit_malformed),
      .unknown_o(unit_unknown),
      .refused_o(refused),
      .wait_i(spill_hold),
      .send_o(unit_send),
      .send_payload_o(unit_payload),
      .leaves_i(unit_leaves),
      .read_i,
      .read_register_i,
      .read_word_i,
      .word_o,
      .kept_o
    );
    assign unit_busy = 1'b0;
    assign decided = '0;
    assign late = '0;
  end
  if (Groups == 0 && Serial == 0) begin : gen_parallel
    muster_barrier_unit #(
      .Ports(Ports), .Regs(Regs), .FlitW(FlitW), .GidW(GidW), .Retry(Retry), .Straggler(Straggler),
      .Ops(Ops), .Labels(Labels)
    ) unit (
      .clk_i, .rst_ni,
      .control_write_i,
      .children_write_i,
      .valid_i(control.valid),
      .turn_i(control.turn),
      .claimed_i(control.claimed),
      .op_i(control.op),
      .parent_i(control.parent[$clog2(Ports+1)-1:0]),
      .gid_i(control.gid[GidW-1:0]),
      .children_i(wdata_i[Ports-1:0]),
      .labels_write_i,
      .labels_register_i,
      .labels_i(wdata_i),
      .epoch_i(control.epoch),
      .abort_i,
      .periods_write_i,
      .periods_i(wdata_i[23:0]),
      .periods_o,
      .suspect_o,
      .msg_i(msg),
      .msg_payload_i(msg_payload),
      .malformed_o(unit_malformed),
      .unknown_o(unit_unknown),
      .refused_o(refused),
      .send_o(unit_send),
      .send_payload_o(unit_payload),
      .leaves_i(unit_leaves),
      .read_i,
      .read_register_i,
      .read_word_i,
      .word_o,
      .kept_o,
      .busy_o(unit_busy)
    );
    assign unit_hold = '0;
    assign decided = '0;
    assign late = '0;
  end

  if (Groups == 0) begin : gen_no_memory
    assign wrong_o = 1'b0;
  end

  if (Groups != 0 || Serial == 1) begin : gen_no_periods
    assign periods_o = '0;
    assign suspect_o = 1'b0;
  end

  // ---- Groups in the memory of a node ---------------------------------------------------------
  if (Spill == 1 && Groups == 0) begin : gen_spill
    muster_barrier_spill #(.Ports(Ports), .FlitW(FlitW), .GidW(GidW), .Guard(Guard)) spill (
      .clk_i, .rst_ni,
      .spill_port_i,
      .msg_payload_i(msg_payload),
      .stored_i(stored),
      .unknown_i(unit_unknown),
      .malformed_i(unit_malformed),
      .hold_o(spill_hold),
      .unknown_o(unknown),
      .malformed_o(malformed),
      .unit_send_i(unit_send),
      .unit_payload_i(unit_payload),
      .unit_leaves_o(unit_leaves),
      .send_o(send),
      .send_payload_o,
      .leaves_i,
      .patience_i(spill_patience_i),
      .room_i(room),
      .given_up_o,
      .given_up_info_o,
      .busy_o(spill_busy)
    );
  end else begin : gen_no_spill
    assign spill_hold = '0;
    assign unknown = unit_unknown;
    assign malformed = unit_malformed;
    assign unit_leaves = leaves_i;
    assign send = unit_send;
    assign send_payload_o = unit_payload;
    assign given_up_o = '0;
    assign given_up_info_o = '0;
    assign spill_busy = 1'b0;

    logic unused;
    assign unused = &{1'b0, spill_port_i, stored, spill_patience_i};
  end

  // ---- What is dropped ------------------------------------------------------------------------
  // Kept of the first: whether a register has the group, type, group. Malformed is what the type
  // says.
  localparam int unsigned InfoW = 1 + muster_pkg::MsgTypeW + GidW;
  logic [Ports*InfoW-1:0] drop_info;
  logic [Ports*FlitW-1:0] payloads;
  assign payloads = msg_payload;
  logic [InfoW-1:0] dropped;
  logic [7:0] drop_count;
  logic [5:0] drop_port;
  logic drops_pending;
  always_comb begin
    for (int unsigned p = 0; p < Ports; p++) begin
      drop_info[p*InfoW+:InfoW] = {refused[p], payloads[(p+1)*FlitW-1-:InfoW-1]};
      if (Groups != 0 && (refused[p] || !malformed[p])) begin
        drop_info[p*InfoW+:InfoW-1] = decided;
      end
    end
  end
  assign dropped_o = malformed | unknown | refused;
  muster_drop_record #(.Ports(Ports), .InfoW(InfoW)) drops (
    .clk_i, .rst_ni,
    .event_i(dropped_o),
    .come_i(msg | late),
    .info_i(drop_info),
    .clear_i(drop_clear_i),
    .count_o(drop_count),
    .port_o(drop_port),
    .info_o(dropped),
    .pending_o(drops_pending)
  );
  muster_pkg::drops_t drops_word;
  always_comb begin
    drops_word = '0;
    drops_word.count = drop_count;
    {drops_word.known, drops_word.what} = dropped[InfoW-1-:1+muster_pkg::MsgTypeW];
    drops_word.port = drop_port;
    drops_word.gid = 12'(dropped[GidW-1:0]);
  end
  assign drop_word_o = drops_word;

  assign send_o = send & room;
  assign idle_o = pockets_idle && (send == '0) && !unit_busy && !spill_busy &&
                  !drops_pending;

endmodule

`default_nettype wire
