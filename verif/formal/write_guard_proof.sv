// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "formal.svh"

// Access unit, register port, guard and a barrier unit together, as in a barrier switch with Guard:
// any packets from any port with any permits, any accesses of the host to any address, any barrier
// messages, any delay.
//
//   - valid registers have different groups, and the parent port of a valid register without turn
//     is not in its child mask, for any writes: the assertions of muster_barrier_unit, which are
//     assumed of software without a guard, hold for every software, and so do these facts of all
//     cycles
//   - a write by a packet is never one that the guard would refuse in the cycle in which it is done
//   - the groups of a port: what a packet writes names no group that is not of the port where it
//     came in, and the register named none
module write_guard_proof #(
  parameter int unsigned Ports = 3,
  parameter int unsigned Regs = 2,
  parameter int unsigned GidW = 4,
  localparam int unsigned WordW = muster_pkg::AgentWordW,
  localparam int unsigned FlitW = 16,
  localparam int unsigned KeptW = muster_pkg::RegisterFlagsW + GidW + Ports,
  localparam int unsigned ParentW = $clog2(Ports + 1)
) (
  input  wire logic                         clk_i,
  input  wire logic [Ports-1:0]             taken_i,
  input  wire logic [Ports-1:0]             tail_i,
  input  wire logic [Ports-1:0]             mark_i,
  input  wire logic [Ports-1:0][WordW-1:0]  payload_i,
  input  wire logic [Ports-1:0]             route_mask_i,
  input  wire logic                         leaves_i,
  input  wire logic                         host_i,
  input  wire logic                         host_write_i,
  input  wire logic [11:0]                  host_addr_i,
  input  wire logic [31:0]                  host_data_i,
  input  wire logic [Ports-1:0]             msg_i,
  input  wire logic [Ports-1:0][FlitW-1:0]  msg_payload_i,
  input  wire logic [Ports-1:0]             goes_i
);
  `MUSTER_FORMAL_RESET

  // ---- Access unit, guard, port, unit -------------------------------------------------------
  logic agent_read, agent_write, route_read, harmful, foreign, guarded, refused;
  logic reads, host_writes, host_touches;
  logic [11:0] agent_address, read_address, host_address;
  logic [31:0] agent_data, wdata, rdata, word, guard_word;
  logic [Ports-1:0] want, permit, mask_q, agent_port, open_q, send;
  logic [3:0] slot, patience;
  logic [3:0] index;
  logic [Regs-1:0][1:0] write;
  logic [Regs-1:0] control_write, children_write;
  logic [Regs-1:0][KeptW-1:0] kept;

  always_ff @(posedge clk_i) begin
    if (route_read) mask_q <= route_mask_i;
    open_q <= rst_ni ? (open_q & ~taken_i) | (taken_i & ~tail_i) : '0;
  end

  muster_register_agent #(.Ports(Ports), .Vcs(1), .Regs(Regs), .Guard(1)) agent (
    .clk_i, .rst_ni,
    .taken_i,
    .first_i(taken_i & ~open_q),
    .tail_i,
    .cut_i(tail_i & mark_i),  // a mark is a tail
    .payload_i,
    .permit_i(permit),
    .host_read_i(host_i),
    .host_write_i(host_writes),
    .host_touches_i(host_touches),
    .read_o(agent_read),
    .write_o(agent_write),
    .address_o(agent_address),
    .data_o(agent_data),
    .word_i(rdata | guard_word),
    .route_read_o(route_read),
    .route_mask_i(mask_q),
    .want_o(want),
    .leaves_i,
    .harmful_i(harmful),
    .foreign_i(foreign),
    .patience_i(patience),
    .port_o(agent_port),
    .guarded_o(guarded)
  );

  muster_switch_guard #(.Ports(Ports), .Regs(Regs), .GidW(GidW)) guards (
    .clk_i, .rst_ni,
    .read_i(reads),
    .read_addr_i(read_address),
    .write_i(host_writes),
    .addr_i(host_writes ? host_address : agent_address),
    .wdata_i(wdata),
    .word_o(guard_word),
    .refuse_o(refused),
    .kept_i(kept),
    .port_i(agent_port),
    .harmful_o(harmful),
    .foreign_o(foreign),
    .guarded_i(guarded),
    .lost_data_i('0),
    .lost_sync_i('0),
    .vc_i('0),
    .given_up_i('0),
    .given_up_info_i('0),
    .patience_o(patience)
  );

  muster_register_port #(
    .Ports(Ports),
    .Vcs(1),
    .Depth(2),
    .Regs(Regs),
    .FlitW(FlitW),
    .GidW(GidW),
    .Dests(16),
    .Guard(1)
  ) port (
    .clk_i, .rst_ni,
    .reg_valid_i(host_i),
    .reg_write_i(host_write_i),
    .reg_addr_i(host_addr_i),
    .reg_wdata_i(host_data_i),
    .agent_read_i(agent_read),
    .agent_write_i(agent_write),
    .agent_addr_i(agent_address),
    .agent_data_i(agent_data),
    .read_o(reads),
    .read_addr_o(read_address),
    .rdata_o(rdata),
    .write_o(host_writes),
    .touches_o(host_touches),
    .write_addr_o(host_address),
    .wdata_o(wdata),
    .refused_i(refused),
    .permit_o(permit),
    .unroutable_i('0),
    .headless_i('0),
    .sweeping_i(1'b0),
    .barrier_write_o(write),
    .barrier_slot_o(slot),
    .barrier_index_o(index),
    .barrier_word_i(word),
    .drop_word_i('0),
    .agent_drop_word_i('0)
  );
  for (genvar r = 0; r < Regs; r++) begin : gen_strobe
    assign control_write[r] = write[r][0];
    assign children_write[r] = write[r][1];
  end

  muster_barrier_unit #(.Ports(Ports), .Regs(Regs), .FlitW(FlitW), .GidW(GidW)) unit (
    .clk_i, .rst_ni,
    .control_write_i(control_write),
    .children_write_i(children_write),
    .valid_i(wdata[31]),
    .turn_i(wdata[30]),
    .claimed_i(wdata[29]),
    .op_i(wdata[28:26]),
    .parent_i(wdata[16+:ParentW]),
    .gid_i(wdata[GidW-1:0]),
    .children_i(wdata[Ports-1:0]),
    .msg_i,
    .msg_payload_i,
    .send_o(send),
    .leaves_i(goes_i & send),
    .read_i(1'b1),
    .read_register_i(slot),
    .read_word_i(index),
    .word_o(word),
    .kept_o(kept)
  );

  // ---- What the registers hold, by the formats of docs/reference/registers.md ----------------
  localparam int unsigned Pairs = Regs * Regs;
  logic [Regs-1:0] parent_is_child;
  logic [Pairs-1:0] same_group;
  for (genvar r = 0; r < Regs; r++) begin : gen_kept
    muster_pkg::register_flags_t flags;
    logic [GidW-1:0] gid;
    logic [Ports-1:0] children;
    assign {flags, gid, children} = kept[r];
    assign parent_is_child[r] = flags.valid && !flags.turn &&
                                (children & Ports'(64'd1 << flags.parent)) != '0;
    for (genvar s = 0; s < Regs; s++) begin : gen_other
      assign same_group[r*Regs+s] = s < r && flags.valid && kept[s][KeptW-1] &&
                                    gid == kept[s][Ports+:GidW];
    end
  end

  // ---- Facts --------------------------------------------------------------------------------
  `MUSTER_ASSUME(LeavesOnWant_M, !leaves_i || want != '0)

  `MUSTER_ASSERT(GroupsAlwaysDiffer_A, same_group == '0)
  `MUSTER_ASSERT(ParentIsNeverChild_A, parent_is_child == '0)
  `MUSTER_ASSERT(PacketDoesNoHarm_A, !agent_write || !(harmful || foreign))

  `MUSTER_COVER(RefusesHost_C, refused)
  `MUSTER_COVER(RefusesPacket_C, guarded)
  `MUSTER_COVER(TwoGroups_C, kept[0][KeptW-1] && kept[1][KeptW-1])

endmodule

`default_nettype wire
