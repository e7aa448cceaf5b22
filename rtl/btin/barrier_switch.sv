// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "muster_assert.svh"

// A wormhole switch with barrier registers: the switch of the BTIN paper (sections 2.1, 3.1, 3.2).
//
// Data packets go through wormhole_path, three stages, L + 3 cycles a hop. Barrier messages leave
// their queue in the cycle in which they come to its head, are combined or replicated in
// barrier_unit, and go out again L + 2 cycles after they came on the wires, on the same links and
// buffers as data. docs/systems/barrier-switch.md is the full specification,
// docs/reference/registers.md the map of the register port. With Serial the unit is one that takes
// one message a cycle, to compare it with: docs/systems/serial-unit.md.
//
// Worked example, the leaf switch of a group: nodes on ports 0 and 1, parent on port 3, registers
// written 0x041 := 0b0011, 0x040 := 1 << 31 | 3 << 16 | gid. Node 0's reduction message is on the
// wires in cycle 10, node 1's in 25. In 26 it is consumed, in 27 the combined message is written to
// the output register, in 28 it is on the wires to the parent. The distribution message comes back
// in 40 and is on the wires to both nodes in 43.
module barrier_switch #(
  /// ports, 3 to 16
  parameter int unsigned Ports = 8,
  /// virtual channels, 1 to 4
  parameter int unsigned Vcs = 2,
  /// flits in an input queue, 1 to 16
  parameter int unsigned Depth = 4,
  /// barrier registers: groups served at once, 1 to 16
  parameter int unsigned Regs = 4,
  /// payload bits of a flit, 16 to 80
  parameter int unsigned FlitW = 16,
  /// bits of a group identifier, 4 to 12
  parameter int unsigned GidW = 8,
  /// entries of the routing table: nodes and switches of the network, 16 to 2048
  parameter int unsigned Dests = 2048,
  /// barrier messages of all ports are taken in one cycle, or one of them; 0 to 1
  parameter int unsigned Serial = 0,
  /// groups without register here may live in the memory of a node (BTIN section 2.2); 0 to 1, and
  /// with 1 a flit holds a place: FlitW of at least GidW + 7
  parameter int unsigned Spill = 0,
  localparam int unsigned VcW = (Vcs > 1) ? $clog2(Vcs) : 1,
  localparam int unsigned KindW = muster_pkg::KindW
) (
  input  wire logic                         clk_i,
  input  wire logic                         rst_ni,

  /// links in: a flit of port p on virtual channel rx_vc_i[p]; never without a credit
  input  wire logic [Ports-1:0]             rx_valid_i,
  input  wire logic [Ports-1:0][VcW-1:0]    rx_vc_i,
  input  wire logic [Ports-1:0][KindW-1:0]  rx_kind_i,
  input  wire logic [Ports-1:0][FlitW-1:0]  rx_payload_i,
  output logic [Ports-1:0][Vcs-1:0]         rx_credit_o,

  /// links out; tie tx_credit_i of an open port to 0
  output logic [Ports-1:0]                  tx_valid_o,
  output logic [Ports-1:0][VcW-1:0]         tx_vc_o,
  output logic [Ports-1:0][KindW-1:0]       tx_kind_o,
  output logic [Ports-1:0][FlitW-1:0]       tx_payload_o,
  input  wire logic [Ports-1:0][Vcs-1:0]    tx_credit_i,

  /// register port; a read is answered in the same cycle
  input  wire logic                         reg_valid_i,
  input  wire logic                         reg_write_i,
  input  wire logic [11:0]                  reg_addr_i,
  input  wire logic [31:0]                  reg_wdata_i,
  output logic [31:0]                       reg_rdata_o,

  /// a clock with idle inputs would change nothing: the condition of a clock gate
  output logic                              quiescent_o
);
  localparam int unsigned PortW = $clog2(Ports);
  localparam int unsigned RouteW = $clog2(Dests);

  logic own, path_quiescent, route_write;
  logic [RouteW-1:0] route_addr;
  logic [Ports:0] route_entry;
  logic [Ports*Vcs-1:0] unroutable;

  logic [Ports-1:0] sync, stray, send, more, go, held_outputs;
  logic [Ports-1:0] unit_hold, spill_hold;
  logic [Ports-1:0] unit_send, unit_more, unit_leaves, spill_port;
  logic [Ports-1:0][FlitW-1:0] sync_payload, unit_payload, send_payload;
  logic [Ports-1:0] unit_malformed, unit_unknown;
  logic [Ports-1:0] malformed, unknown, wrong_port, out_of_phase;

  logic [Regs-1:0][1:0] barrier_write;
  logic barrier_read;
  logic [3:0] barrier_slot;
  logic [1:0] barrier_index;
  logic [31:0] barrier_word;
  logic [Regs-1:0] control_write, children_write;
  logic folding;
  logic [PortW-1:0] drop_port;
  logic [31:0] drop_counts, agent_counts;

  logic [Ports-1:0] permit;
  logic [3:0][Ports-1:0] agent_event;
  logic agent_read, agent_write;
  logic [11:0] agent_address;
  logic [31:0] agent_data, wdata, rdata;

  wormhole_path #(
    .Ports(Ports),
    .Vcs(Vcs),
    .Depth(Depth),
    .FlitW(FlitW),
    .Dests(Dests),
    .Regs(Regs)
  ) path (
    .clk_i,
    .rst_ni,
    .rx_valid_i,
    .rx_vc_i,
    .rx_kind_i,
    .rx_payload_i,
    .rx_credit_o,
    .tx_valid_o,
    .tx_vc_o,
    .tx_kind_o,
    .tx_payload_o,
    .tx_credit_i,
    .own_i(own),
    .hold_i(held_outputs),
    .sync_o(sync),
    .sync_payload_o(sync_payload),
    .stray_o(stray),
    .sync_hold_i(unit_hold | spill_hold),
    .barrier_i(send),
    .barrier_payload_i(send_payload),
    .barrier_more_i(more),
    .barrier_go_o(go),
    .route_write_i(route_write),
    .route_addr_i(route_addr),
    .route_entry_i(route_entry),
    .unroutable_o(unroutable),
    .permit_i(permit),
    .host_i(reg_valid_i),
    .agent_read_o(agent_read),
    .agent_write_o(agent_write),
    .agent_address_o(agent_address),
    .agent_data_o(agent_data),
    .agent_word_i(rdata),
    .agent_event_o(agent_event),
    .quiescent_o(path_quiescent)
  );

  // What a write to word 0 of a barrier register says; spare bits mean nothing.
  /* verilator lint_off UNUSEDSIGNAL */
  muster_pkg::barrier_control_t control;
  /* verilator lint_on UNUSEDSIGNAL */
  assign control = wdata;

  if (Serial > 1) begin : gen_bad_serial
    $error("barrier_switch: Serial must be 0 or 1");
  end

  if (Serial == 1) begin : gen_serial
    serial_unit #(
      .Ports(Ports),
      .Regs(Regs),
      .FlitW(FlitW),
      .GidW(GidW)
    ) unit (
      .clk_i,
      .rst_ni,
      .control_write_i(control_write),
      .children_write_i(children_write),
      .valid_i(control.valid),
      .turn_i(control.turn),
      .claimed_i(control.claimed),
      .op_i(control.op),
      .parent_i(control.parent),
      .gid_i(control.gid[GidW-1:0]),
      .children_i(wdata[Ports-1:0]),
      .msg_i(sync),
      .msg_payload_i(sync_payload),
      .hold_o(unit_hold),
      .malformed_o(unit_malformed),
      .unknown_o(unit_unknown),
      .wrong_port_o(wrong_port),
      .out_of_phase_o(out_of_phase),
      .wait_i(spill_hold),
      .send_o(unit_send),
      .send_payload_o(unit_payload),
      .more_o(unit_more),
      .leaves_i(unit_leaves),
      .read_i(barrier_read),
      .read_register_i(barrier_slot),
      .read_word_i(barrier_index),
      .word_o(barrier_word)
    );
    assign folding = 1'b0;
  end else begin : gen_parallel
    barrier_unit #(
      .Ports(Ports),
      .Regs(Regs),
      .FlitW(FlitW),
      .GidW(GidW)
    ) unit (
      .clk_i,
      .rst_ni,
      .control_write_i(control_write),
      .children_write_i(children_write),
      .valid_i(control.valid),
      .turn_i(control.turn),
      .claimed_i(control.claimed),
      .op_i(control.op),
      .parent_i(control.parent),
      .gid_i(control.gid[GidW-1:0]),
      .children_i(wdata[Ports-1:0]),
      .msg_i(sync),
      .msg_payload_i(sync_payload),
      .malformed_o(unit_malformed),
      .unknown_o(unit_unknown),
      .wrong_port_o(wrong_port),
      .out_of_phase_o(out_of_phase),
      .send_o(unit_send),
      .send_payload_o(unit_payload),
      .more_o(unit_more),
      .leaves_i(unit_leaves),
      .read_i(barrier_read),
      .read_register_i(barrier_slot),
      .read_word_i(barrier_index),
      .word_o(barrier_word),
      .folding_o(folding)
    );
    assign unit_hold = '0;
  end

  if (Spill > 1) begin : gen_bad_spill
    $error("barrier_switch: Spill must be 0 or 1");
  end

  if (Spill == 1) begin : gen_spill
    barrier_spill #(
      .Ports(Ports),
      .FlitW(FlitW),
      .GidW(GidW)
    ) spill (
      .clk_i,
      .rst_ni,
      .spill_port_i(spill_port),
      .msg_payload_i(sync_payload),
      .unknown_i(unit_unknown),
      .malformed_i(unit_malformed),
      .hold_o(spill_hold),
      .unknown_o(unknown),
      .malformed_o(malformed),
      .unit_send_i(unit_send),
      .unit_payload_i(unit_payload),
      .unit_more_i(unit_more),
      .unit_leaves_o(unit_leaves),
      .send_o(send),
      .send_payload_o(send_payload),
      .more_o(more),
      .leaves_i(go)
    );
  end else begin : gen_no_spill
    assign spill_hold = '0;
    assign unknown = unit_unknown;
    assign malformed = unit_malformed;
    assign unit_leaves = go;
    assign send = unit_send;
    assign send_payload = unit_payload;
    assign more = unit_more;

    /* verilator lint_off UNUSEDSIGNAL */
    logic unused;
    assign unused = &{1'b0, spill_port};
    /* verilator lint_on UNUSEDSIGNAL */
  end

  drop_counters #(
    .Ports(Ports)
  ) drops (
    .clk_i,
    .rst_ni,
    .event_i({out_of_phase, wrong_port, unknown, malformed | stray}),
    .read_port_i(drop_port),
    .counts_o(drop_counts)
  );

  drop_counters #(
    .Ports(Ports)
  ) agent_drops (
    .clk_i,
    .rst_ni,
    .event_i(agent_event),
    .read_port_i(drop_port),
    .counts_o(agent_counts)
  );

  // The host comes first on the register port; the agent waits for a cycle without it.
  logic [11:0] address;
  assign address = reg_valid_i ? reg_addr_i : agent_address;
  assign wdata = reg_valid_i ? reg_wdata_i : agent_data;
  assign reg_rdata_o = reg_valid_i ? rdata : '0;

  register_port #(
    .Ports(Ports),
    .Vcs(Vcs),
    .Depth(Depth),
    .Regs(Regs),
    .FlitW(FlitW),
    .GidW(GidW),
    .Dests(Dests),
    .Spill(Spill)
  ) registers (
    .clk_i,
    .rst_ni,
    .reg_valid_i(reg_valid_i || agent_read || agent_write),
    .reg_write_i(reg_valid_i ? reg_write_i : agent_write),
    .reg_addr_i(address),
    .reg_wdata_i(wdata),
    .reg_rdata_o(rdata),
    .own_o(own),
    .permit_o(permit),
    .spill_o(spill_port),
    .hold_o(held_outputs),
    .unroutable_i(unroutable),
    .route_write_o(route_write),
    .route_addr_o(route_addr),
    .route_entry_o(route_entry),
    .barrier_write_o(barrier_write),
    .barrier_read_o(barrier_read),
    .barrier_slot_o(barrier_slot),
    .barrier_index_o(barrier_index),
    .barrier_word_i(barrier_word),
    .drop_port_o(drop_port),
    .drop_counts_i(drop_counts),
    .agent_counts_i(agent_counts)
  );

  for (genvar r = 0; r < Regs; r++) begin : gen_strobe
    assign control_write[r] = barrier_write[r][0];
    assign children_write[r] = barrier_write[r][1];
  end

  assign quiescent_o = path_quiescent && (send == '0) && !folding;

  logic still_q;  // was quiescent in the cycle before, and nothing came
  always_ff @(posedge clk_i) begin
    still_q <= rst_ni && quiescent_o && (rx_valid_i == '0) && (tx_credit_i == '0) &&
               !(reg_valid_i && reg_write_i);
  end
  `MUSTER_ASSERT(QuiescentStays_A, !still_q || quiescent_o)
  `MUSTER_ASSERT(DroppedHasCome_A,
                 ((malformed | unknown | wrong_port | out_of_phase) & ~sync) == '0)

endmodule

`default_nettype wire
