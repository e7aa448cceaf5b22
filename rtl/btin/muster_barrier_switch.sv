// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "muster_assert.svh"

// A wormhole switch with barrier registers: the switch of the BTIN paper (sections 2.1, 3.1, 3.2).
//
// Data packets pass muster_wormhole_path, three stages, L + 3 cycles a hop. Barrier messages go
// from the wires to muster_barrier_messages in the cycle in which they come, past all data, are
// combined or replicated there, and leave L + 1 cycles after they came on the wires, on the same
// links. docs/systems/barrier-switch.md is the full specification, docs/reference/registers.md the
// map of the register port.
//
// Options: with Serial the unit takes one message a cycle, for comparison; with Groups it has that
// many groups, in block RAM, and a hop of a message takes a cycle more (for both:
// docs/systems/many-groups.md). With Retry its barrier messages may be lost or duplicated on the
// links (docs/systems/retry-registers.md). With Straggler its registers know who arrived last. With
// Guard it enforces the rules that software and neighbours must keep (docs/systems/guard.md). With
// Labels its messages name registers instead of groups. With Queued messages wait in the queues of
// data, as in the paper, and a hop takes L + 4 cycles.
//
// Worked example, the leaf switch of a group: nodes on ports 0 and 1, parent on port 3, registers
// written 0x102 := 0b0011, 0x100 := 1 << 31 | 3 << 16 | gid. Node 0's reduction message is on the
// wires in cycle 10, node 1's in 25, and consumed there. In 26 the combined message is written to
// the output register, in 27 it is on the wires to the parent. The distribution message comes back
// in 40 and is on the wires to both nodes in 42.
module muster_barrier_switch #(
  /// ports, 3 to 32
  parameter int unsigned Ports = 8,
  /// virtual channels, 1 to 4
  parameter int unsigned Vcs = 2,
  /// flits in an input queue, 1 to 16
  parameter int unsigned Depth = 4,
  /// barrier registers: groups served at once, 1 to 16
  parameter int unsigned Regs = 4,
  /// payload bits of a flit, 16 to 512
  parameter int unsigned FlitW = 16,
  /// bits of a group identifier, 4 to 12
  parameter int unsigned GidW = 8,
  /// entries of the routing table: nodes and switches of the network, 16 to 65536. Requires
  /// FlitW >= $clog2(Dests) + 5
  parameter int unsigned Dests = 2048,
  /// groups in block RAM instead of Regs registers, a power of two, or none; 0 to 4096. Requires
  /// Groups != 1 and Groups <= 2 ** GidW
  parameter int unsigned Groups = 0,
  /// barrier messages of all ports are taken in one cycle, or one of them; 0 to 1. With Groups it
  /// is always one
  parameter int unsigned Serial = 0,
  /// groups without register here may live in the memory of a node (BTIN section 2.2); 0 to 1.
  /// With Groups there is no spill port, else a flit holds a place. Requires
  /// Spill == 0 || Groups != 0 || FlitW >= GidW + 7 and Spill == 0 || Groups != 0 || Ports <= 16
  parameter int unsigned Spill = 0,
  /// barrier messages are repeated, as they may be lost; 0 to 1. Excludes Serial, Spill
  /// and Groups. Requires Retry == 0 || FlitW >= GidW + 8
  parameter int unsigned Retry = 0,
  /// registers know who arrived last, and how long the first had waited; 0 to 1. Excludes Serial,
  /// Retry and Groups
  parameter int unsigned Straggler = 0,
  /// what hosts, packets and neighbours do wrong is refused, dropped or given up,
  /// docs/systems/guard.md; 0 to 1. Requires Guard == 0 || Depth >= 2. With Groups it is not
  parameter int unsigned Guard = 0,
  /// counts of each port, and an interrupt for what is dropped, refused or lost; 0 to 1
  parameter int unsigned Counters = 0,
  /// the routing table has parity bits, with Groups their memory too; 0 to 1. Requires
  /// Counters >= Parity
  parameter int unsigned Parity = 0,
  /// operations on the data of barriers (docs/systems/barrier-switch.md, Operation): 0 all, 1 OR
  /// and AND, 2 none: data are 0 in all that leaves; 0 to 2. Excludes Serial, Groups and Retry
  parameter int unsigned Ops = 0,
  /// barrier messages carry the index of a register in the switch that they enter instead of the
  /// group, docs/systems/barrier-switch.md, Labels; 0 to 1. Excludes Serial, Groups, Spill
  /// and Retry. Requires Labels == 0 || Ports <= 16
  parameter int unsigned Labels = 0,
  /// barrier messages come and go with the packets of virtual channel 0,
  /// docs/systems/barrier-switch.md, Queued; 0 to 1. Excludes Serial, Groups, Spill, Retry, Guard
  /// and Labels
  parameter int unsigned Queued = 0,
  localparam int unsigned VcW = (Vcs > 1) ? $clog2(Vcs) : 1,
  localparam int unsigned KindW = muster_pkg::KindW,
  localparam int unsigned BackW = Vcs + ((Serial == 1 || Spill == 1 || Groups != 0) ? 1 : 0),
  localparam int unsigned RegAddrW =
      (Dests > 2048) ? muster_pkg::RegWideAddrW : muster_pkg::RegAddrW
) (
  input  wire logic                         clk_i,
  input  wire logic                         rst_ni,

  /// links in: a flit of port p on virtual channel rx_vc_i[p]; never without a credit, unless with
  /// Guard. A sync flit takes none of a channel, but with Queued that of channel 0; bit Vcs, if it
  /// is there, is that of its pocket
  input  wire logic [Ports-1:0]             rx_valid_i,
  input  wire logic [Ports-1:0][VcW-1:0]    rx_vc_i,
  input  wire logic [Ports-1:0][KindW-1:0]  rx_kind_i,
  input  wire logic [Ports-1:0][FlitW-1:0]  rx_payload_i,
  output logic [Ports-1:0][BackW-1:0]       rx_credit_o,

  /// links out; tie tx_credit_i of an open port to 0
  output logic [Ports-1:0]                  tx_valid_o,
  output logic [Ports-1:0][VcW-1:0]         tx_vc_o,
  output logic [Ports-1:0][KindW-1:0]       tx_kind_o,
  output logic [Ports-1:0][FlitW-1:0]       tx_payload_o,
  input  wire logic [Ports-1:0][BackW-1:0]  tx_credit_i,

  /// register port; a read is answered in the same cycle, a write is done in the next
  input  wire logic                         reg_valid_i,
  input  wire logic                         reg_write_i,
  input  wire logic [RegAddrW-1:0]          reg_addr_i,
  input  wire logic [31:0]                  reg_wdata_i,
  output logic [31:0]                       reg_rdata_o,

  /// with Retry: a barrier has been under way for 14 to 15 age periods or more; with Counters also
  /// what the host has not masked
  output logic                              irq_o,
  /// a clock with idle inputs would change nothing: the condition of a clock gate
  output logic                              quiescent_o
);
  localparam int unsigned RouteW = $clog2(Dests);
  // Of the register map: with Groups the window on one of them takes the place of two registers.
  localparam int unsigned Slots = (Groups == 0) ? Regs : 2;
  // Registers that are one group's each; packets write no other word. Who writes through the window
  // needs the selection between his writes, which he would share with the host.
  localparam int unsigned Named = (Groups == 0) ? Regs : 0;

  localparam int unsigned KeptW = muster_pkg::RegisterFlagsW + GidW + Ports;
  localparam int unsigned GivenUpW = 2 + GidW;

  localparam int unsigned Guarded = (Groups == 0) ? Guard : 0;
  localparam int unsigned MessageW =
      (FlitW < muster_pkg::MsgMostW) ? FlitW : muster_pkg::MsgMostW;

  `MUSTER_REFUSE(ops, Ops > 2 || (Ops != 0 && (Serial == 1 || Groups != 0 || Retry == 1)),
                 "Ops must be 0 to 2, and 0 with Serial, Groups and Retry")
  `MUSTER_REFUSE(labels, Labels > 1 ||
                 (Labels == 1 && (Serial == 1 || Groups != 0 || Spill == 1 || Retry == 1)),
                 "Labels must be 0 or 1, without Serial, Groups, Spill, Retry")
  `MUSTER_REFUSE(guard, Guard > 1 || (Guard == 1 && Depth < 2),
                 "Guard must be 0 or 1, and with it Depth at least 2")
  `MUSTER_REFUSE(queued, Queued > 1 ||
                 (Queued == 1 && (Serial == 1 || Groups != 0 || Spill == 1 || Retry == 1 ||
                                  Guard == 1 || Labels == 1)),
                 "Queued must be 0 or 1, without variants of messages or Guard")

  `MUSTER_RANGE(Counters, 0, 1)
  `MUSTER_REFUSE(parity, Parity > Counters, "Parity must be 0, or 1 with Counters")

  logic path_quiescent, route_write;
  logic [RouteW-1:0] route_addr;
  logic [Ports:0] route_entry;
  logic [Ports*Vcs-1:0] unroutable;
  logic [Ports-1:0] headless, stalled, dropped;

  /* verilator lint_off UNUSEDSIGNAL */
  logic [Ports-1:0] queued;  // with Queued: a message leaves its queue
  logic [Ports-1:0][FlitW-1:0] queued_payload;
  /* verilator lint_on UNUSEDSIGNAL */
  logic [Ports-1:0] rx_sync, send, go, held_outputs, spill_port;
  logic [Ports-1:0][FlitW-1:0] send_payload;
  logic [Ports-1:0][MessageW-1:0] rx_message, message;  // in the low bits of a flit
  logic messages_idle;

  logic [Slots-1:0][1:0] barrier_write;
  logic barrier_read;
  logic [3:0] barrier_slot;
  logic [3:0] barrier_index;
  logic [31:0] barrier_word;
  logic [Slots-1:0] control_write, children_write;
  logic [1:0] labels_write;
  logic [Slots-1:0] abort;
  logic periods_write;
  logic [31:0] periods;
  logic [31:0] drop_word, agent_drop_word;
  logic drop_clear, agent_drop_clear, agent_drops_pending;

  logic [Ports-1:0] permit;
  /* verilator lint_off UNUSEDSIGNAL */
  logic [3:0][Ports-1:0] agent_event;  // for Counters
  /* verilator lint_on UNUSEDSIGNAL */
  logic [3:0][Ports-1:0] agent_late;
  logic agent_read, agent_write;
  logic [11:0] agent_address;
  logic [31:0] agent_data, wdata, rdata, port_word;

  logic [Slots-1:0][KeptW-1:0] kept;
  logic [Ports-1:0] agent_port, lost_data, lost_sync;
  logic [31:0] guard_word;
  logic [3:0] patience, spill_patience;
  logic [Ports-1:0] given_up;
  logic [Ports-1:0][GivenUpW-1:0] given_up_info;
  logic harmful, foreign, guarded, refused_write, guard_pending, sweeping, wrong_route;
  logic write, touches;
  /* verilator lint_off UNUSEDSIGNAL */
  logic read;  // for Guard and Counters, as the addresses
  logic [11:0] read_addr, write_addr;
  /* verilator lint_on UNUSEDSIGNAL */

  // ---- Credits: of the virtual channels, and behind them of the pockets ----------------------
  logic [Ports-1:0][Vcs-1:0] path_rx_credit, path_tx_credit;
  /* verilator lint_off UNUSEDSIGNAL */
  logic [Ports-1:0] pocket_rx_credit;  // 0 without pockets
  /* verilator lint_on UNUSEDSIGNAL */
  logic [Ports-1:0] pocket_tx_credit;
  for (genvar p = 0; p < Ports; p++) begin : gen_credit
    assign rx_message[p] = (Queued == 1) ? queued_payload[p][MessageW-1:0]
                                         : rx_payload_i[p][MessageW-1:0];
    assign send_payload[p] = FlitW'(message[p]);
    assign rx_sync[p] = (Queued == 1) ? queued[p]
                                      : rx_valid_i[p] && rx_kind_i[p][muster_pkg::KindSync];
    assign path_tx_credit[p] = tx_credit_i[p][Vcs-1:0];
    if (BackW > Vcs) begin : gen_pocket
      assign rx_credit_o[p] = {pocket_rx_credit[p], path_rx_credit[p]};
      assign pocket_tx_credit[p] = tx_credit_i[p][Vcs];
    end else begin : gen_none
      assign rx_credit_o[p] = path_rx_credit[p];
      assign pocket_tx_credit[p] = 1'b0;
    end
  end

  muster_wormhole_path #(
    .Ports(Ports), .Vcs(Vcs), .Depth(Depth), .FlitW(FlitW), .Dests(Dests), .Regs(Named),
    .Guard(Guarded), .Parity(Parity), .Queued(Queued)
  ) path (
    .clk_i, .rst_ni,
    .rx_valid_i,
    .rx_vc_i,
    .rx_kind_i,
    .rx_payload_i,
    .rx_credit_o(path_rx_credit),
    .tx_valid_o,
    .tx_vc_o,
    .tx_kind_o,
    .tx_payload_o,
    .tx_credit_i(path_tx_credit),
    .hold_i(held_outputs),
    .barrier_i(send),
    .barrier_payload_i(send_payload),
    .barrier_go_o(go),
    .message_o(queued),
    .message_payload_o(queued_payload),
    .route_write_i(route_write),
    .route_addr_i(route_addr),
    .route_entry_i(route_entry),
    .unroutable_o(unroutable),
    .headless_o(headless),
    .stalled_o(stalled),
    .permit_i(permit),
    .host_read_i(reg_valid_i),
    .host_write_i(write),
    .host_touches_i(touches),
    .agent_read_o(agent_read),
    .agent_write_o(agent_write),
    .agent_address_o(agent_address),
    .agent_data_o(agent_data),
    .agent_word_i(rdata),
    .agent_event_o(agent_event),
    .agent_late_o(agent_late),
    .harmful_i(harmful),
    .foreign_i(foreign),
    .patience_i(patience),
    .agent_port_o(agent_port),
    .guarded_o(guarded),
    .lost_o(lost_data),
    .sweeping_o(sweeping),
    .wrong_o(wrong_route),
    .quiescent_o(path_quiescent)
  );

  logic suspect, wrong_group;
  muster_barrier_messages #(
    .Ports(Ports), .Regs(Slots), .Groups(Groups), .FlitW(MessageW), .GidW(GidW), .Serial(Serial),
    .Spill(Spill), .Retry(Retry), .Straggler(Straggler), .Guard(Guarded), .Ops(Ops),
    .Labels(Labels), .Parity(Parity)
  ) messages (
    .clk_i, .rst_ni,
    .rx_sync_i(rx_sync),
    .rx_payload_i(rx_message),
    .credit_o(pocket_rx_credit),
    .credit_i(pocket_tx_credit),
    .send_o(send),
    .send_payload_o(message),
    .leaves_i(go),
    .spill_port_i(spill_port),
    .spill_patience_i(spill_patience),
    .given_up_o(given_up),
    .given_up_info_o(given_up_info),
    .control_write_i(control_write),
    .children_write_i(children_write),
    .wdata_i(wdata),
    .labels_write_i(labels_write),
    .labels_register_i(write_addr[7:4]),
    .abort_i(abort),
    .periods_write_i(periods_write),
    .periods_o(periods),
    .suspect_o(suspect),
    .wrong_o(wrong_group),
    .read_i(barrier_read),
    .read_register_i(barrier_slot),
    .read_word_i(barrier_index),
    .word_o(barrier_word),
    .kept_o(kept),
    .lost_o(lost_sync),
    .dropped_o(dropped),
    .drop_word_o(drop_word),
    .drop_clear_i(drop_clear),
    .idle_o(messages_idle)
  );

  // ---- Packets for this switch that are dropped, or whose answer is ---------------------------
  logic [Ports-1:0] agent_drop;
  logic [Ports-1:0][1:0] agent_reason;
  logic [1:0] agent_dropped;
  logic [7:0] agent_drop_count;
  logic [5:0] agent_drop_port;
  logic [4*Ports-1:0] agent_events;  // reason * Ports + port, of the cycle before
  assign agent_events = agent_late;
  logic [Ports*Vcs-1:0] unroutable_q;
  logic [Ports-1:0] headless_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      unroutable_q <= '0;
      headless_q <= '0;
    end else begin
      unroutable_q <= unroutable;
      headless_q <= headless;
    end
  end
  always_comb begin
    agent_drop = '0;
    agent_reason = '0;
    for (int unsigned r = 0; r < 4; r++) begin
      agent_drop = agent_drop | agent_events[r*Ports+:Ports];
      for (int unsigned p = 0; p < Ports; p++) begin
        if (agent_events[r*Ports+p]) agent_reason[p] = agent_reason[p] | 2'(r);
      end
    end
  end
  muster_drop_record #(.Ports(Ports), .InfoW(2), .Late(1)) agent_drops (
    .clk_i, .rst_ni,
    .event_i(agent_drop),
    .come_i(agent_drop),
    .info_i(agent_reason),
    .clear_i(agent_drop_clear),
    .count_o(agent_drop_count),
    .port_o(agent_drop_port),
    .info_o(agent_dropped),
    .pending_o(agent_drops_pending)
  );
  muster_pkg::agent_drops_t agent_drops_word;
  always_comb begin
    agent_drops_word = '0;
    agent_drops_word.count = agent_drop_count;
    agent_drops_word.what = agent_dropped;
    agent_drops_word.port = agent_drop_port;
  end
  assign agent_drop_word = agent_drops_word;

  // ---- Register port --------------------------------------------------------------------------
  assign reg_rdata_o = (reg_valid_i && !reg_write_i) ? rdata : '0;

  muster_register_port #(
    .Ports(Ports), .Vcs(Vcs), .Depth(Depth), .Regs(Slots), .Named(Named), .FlitW(FlitW),
    .GidW(GidW), .Dests(Dests), .Spill((Groups == 0) ? Spill : 0), .Retry(Retry), .Guard(Guarded),
    .Labels(Labels)
  ) registers (
    .clk_i, .rst_ni,
    .reg_valid_i,
    .reg_write_i,
    .reg_addr_i,
    .reg_wdata_i,
    .agent_read_i(agent_read),
    .agent_write_i(agent_write),
    .agent_addr_i(agent_address),
    .agent_data_i(agent_data),
    .read_o(read),
    .read_addr_o(read_addr),
    .rdata_o(port_word),
    .write_o(write),
    .touches_o(touches),
    .write_addr_o(write_addr),
    .wdata_o(wdata),
    .refused_i(refused_write),
    .permit_o(permit),
    .spill_o(spill_port),
    .hold_o(held_outputs),
    .unroutable_i(unroutable_q),
    .headless_i(headless_q),
    .sweeping_i(sweeping),
    .route_write_o(route_write),
    .route_addr_o(route_addr),
    .route_entry_o(route_entry),
    .barrier_write_o(barrier_write),
    .labels_write_o(labels_write),
    .abort_o(abort),
    .periods_write_o(periods_write),
    .periods_i(periods),
    .barrier_read_o(barrier_read),
    .barrier_slot_o(barrier_slot),
    .barrier_index_o(barrier_index),
    .barrier_word_i(barrier_word),
    .drop_word_i(drop_word),
    .drop_clear_o(drop_clear),
    .agent_drop_word_i(agent_drop_word),
    .agent_drop_clear_o(agent_drop_clear)
  );

  // ---- Guard ----------------------------------------------------------------------------------
  logic [Ports-1:0][1:0] rx_vc;
  for (genvar p = 0; p < Ports; p++) begin : gen_rx_vc
    assign rx_vc[p] = 2'(rx_vc_i[p]);
  end
  if (Guarded == 1) begin : gen_guard
    muster_switch_guard #(.Ports(Ports), .Regs(Slots), .GidW(GidW), .Spill(Spill)) guards (
      .clk_i, .rst_ni,
      .read_i(read),
      .read_addr_i(read_addr),
      .write_i(write),
      .addr_i(write ? write_addr : agent_address),
      .wdata_i(wdata),
      .word_o(guard_word),
      .refuse_o(refused_write),
      .kept_i(kept),
      .port_i(agent_port),
      .harmful_o(harmful),
      .foreign_o(foreign),
      .guarded_i(guarded),
      .lost_data_i(lost_data),
      .lost_sync_i(lost_sync),
      .vc_i(rx_vc),
      .given_up_i(given_up),
      .given_up_info_i(given_up_info),
      .patience_o(patience),
      .spill_patience_o(spill_patience),
      .pending_o(guard_pending)
    );
  end else begin : gen_no_guard
    assign guard_word = '0;
    assign refused_write = 1'b0;
    assign harmful = 1'b0;
    assign foreign = 1'b0;
    assign patience = '0;
    assign spill_patience = '0;
    assign guard_pending = 1'b0;

    logic unused;
    assign unused = &{1'b0, kept, agent_port, guarded, lost_data, lost_sync, rx_vc, given_up,
                      given_up_info};
  end

  // ---- Counters -------------------------------------------------------------------------------
  logic [31:0] counter_word;
  logic counters_pending;
  if (Counters == 1) begin : gen_counters
    logic [Ports-1:0] drop;
    always_comb begin
      drop = headless | dropped | lost_data | lost_sync | given_up;
      for (int unsigned r = 0; r < 4; r++) drop = drop | agent_event[r];
      for (int unsigned q = 0; q < Ports * Vcs; q++) begin
        if (unroutable[q]) drop[q%Ports] = 1'b1;
      end
    end
    muster_switch_counters #(.Ports(Ports)) counters (
      .clk_i, .rst_ni,
      .flit_i(tx_valid_o),
      .stall_i(stalled),
      .drop_i(drop),
      .refused_i(refused_write || guarded),
      .overflow_i((lost_data | lost_sync | given_up) != '0),
      .suspect_i(suspect),
      .damage_i(wrong_route || wrong_group),
      .read_i(read),
      .read_addr_i(read_addr),
      .write_i(write && !refused_write),
      .addr_i(write_addr),
      .wdata_i(wdata),
      .word_o(counter_word),
      .irq_o,
      .pending_o(counters_pending)
    );
  end else begin : gen_no_counters
    assign counter_word = '0;
    assign counters_pending = 1'b0;
    assign irq_o = suspect;

    logic unused;
    assign unused = &{1'b0, stalled, dropped, wrong_route, wrong_group};
  end

  assign rdata = port_word | guard_word | counter_word;

  for (genvar r = 0; r < Slots; r++) begin : gen_strobe
    assign control_write[r] = barrier_write[r][0];
    assign children_write[r] = barrier_write[r][1];
  end

  assign quiescent_o = path_quiescent && messages_idle && !agent_drops_pending &&
                       !guard_pending && !counters_pending && !write &&
                       (unroutable_q == '0) && (headless_q == '0);

  logic still_q;  // was quiescent in the cycle before, and nothing came
  always_ff @(posedge clk_i) begin
    still_q <= rst_ni && quiescent_o && (rx_valid_i == '0) && (tx_credit_i == '0) &&
               !(reg_valid_i && reg_write_i);
  end
  `MUSTER_ASSERT(QuiescentStays_A, !still_q || quiescent_o)

endmodule

`default_nettype wire
