// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "muster_assert.svh"

// Whether a write is harmful, or concerns a group that is not of the port where it came in:
// docs/systems/guard.md, "Refused writes" and "Permits by group". Combinational, for the write at
// addr_i and wdata_i, whether or not it is done, and the state of this cycle.
//
// Example: register 1 is valid with group 5. A control word of group 5 for register 0 is harmful,
// reason 0, if it is valid. With group_mask_i 0xF0 and group_value_i 0x10 it is foreign if it is
// valid or claimed, because 5 & 0xF0 is not 0x10.
module muster_write_rules #(
  /// ports of the switch, 3 to 32
  parameter int unsigned Ports = 8,
  /// barrier registers, 1 to 16
  parameter int unsigned Regs = 4,
  /// bits of a group identifier, 4 to 12
  parameter int unsigned GidW = 8,
  /// the switch has a spill port; 0 to 1
  parameter int unsigned Spill = 0,
  localparam int unsigned KeptW = muster_pkg::RegisterFlagsW + GidW + Ports,
  localparam int unsigned ParentW = $clog2(Ports + 1)
) (
  input  wire logic [11:0]                 addr_i,
  // Spare bits of a word are ignored.
  /* verilator lint_off UNUSEDSIGNAL */
  input  wire logic [31:0]                 wdata_i,
  /* verilator lint_on UNUSEDSIGNAL */
  /// what the registers hold, see muster_barrier_unit
  input  wire logic [Regs-1:0][KeptW-1:0]  kept_i,
  /// groups of the port where the packet came in
  input  wire logic [GidW-1:0]             group_mask_i,
  input  wire logic [GidW-1:0]             group_value_i,

  output logic                             harmful_o,
  output logic                             foreign_o,
  /// why; muster_pkg::RefusalGroupInUse and others
  output logic [1:0]                       reason_o
);
  `MUSTER_RANGE(Ports, 3, 32)
  `MUSTER_RANGE(Regs, 1, 16)
  `MUSTER_RANGE(GidW, 4, 12)
  `MUSTER_RANGE(Spill, 0, 1)

  // ---- The write ------------------------------------------------------------------------------
  /* verilator lint_off UNUSEDSIGNAL */
  muster_pkg::barrier_control_t word;
  /* verilator lint_on UNUSEDSIGNAL */
  logic [GidW-1:0] word_gid;
  logic [Ports-1:0] mask;
  logic is_register, is_control, is_children, is_spill;
  assign word = wdata_i;
  assign word_gid = word.gid[GidW-1:0];
  assign mask = wdata_i[Ports-1:0];
  assign is_register = (addr_i[11:8] == muster_pkg::RegBarrier[11:8]) &&
                       ({1'b0, addr_i[7:4]} < 5'(Regs));
  assign is_control = is_register && addr_i[3:0] == muster_pkg::RegBarrierControl[3:0];
  assign is_children = is_register && addr_i[3:0] == muster_pkg::RegBarrierChildren[3:0];
  assign is_spill = (Spill == 1) && addr_i == muster_pkg::RegSpill;

  // ---- The register as it is; another one has the group ---------------------------------------
  // A number of 6 bits for a parent of fewer.
  /* verilator lint_off UNUSEDSIGNAL */
  muster_pkg::register_flags_t flags, found;
  /* verilator lint_on UNUSEDSIGNAL */
  logic [GidW-1:0] gid, found_gid;
  logic [Ports-1:0] children, found_children;
  logic in_use;
  always_comb begin
    flags = '0;
    gid = '0;
    children = '0;
    found = '0;
    found_gid = '0;
    found_children = '0;
    in_use = 1'b0;
    for (int unsigned r = 0; r < Regs; r++) begin
      {found, found_gid, found_children} = kept_i[r];
      if (addr_i[7:4] == 4'(r)) begin
        flags = found;
        gid = found_gid;
        children = found_children;
      end else if (found.valid && found_gid == word_gid) begin
        in_use = 1'b1;
      end
    end
  end

  // ---- What would be --------------------------------------------------------------------------
  logic valid, turn, parent_is_child, many_spill;
  logic [ParentW-1:0] parent;
  logic [Ports-1:0] next_children;
  assign valid = is_control ? word.valid : flags.valid;
  assign turn = is_control ? word.turn : flags.turn;
  assign parent = is_control ? word.parent[ParentW-1:0] : flags.parent[ParentW-1:0];
  assign next_children = is_children ? mask : children;
  assign parent_is_child = (next_children & Ports'(64'd1 << parent)) != '0;
  assign many_spill = (mask & (mask - 1'b1)) != '0;

  logic group, child, spill;
  assign group = is_control && valid && in_use;
  assign child = (is_control || is_children) && valid && !turn && parent_is_child;
  assign spill = is_spill && many_spill;
  assign harmful_o = group || child || spill;

  // ---- Whose group it is ----------------------------------------------------------------------
  logic names, will_name;
  assign names = is_register && (flags.valid || flags.claimed);
  assign will_name = is_control && (word.valid || word.claimed);
  assign foreign_o = (names && (gid & group_mask_i) != group_value_i) ||
                     (will_name && (word_gid & group_mask_i) != group_value_i);

  always_comb begin
    if (group) reason_o = muster_pkg::RefusalGroupInUse;
    else if (child) reason_o = muster_pkg::RefusalParentIsChild;
    else reason_o = muster_pkg::RefusalSpillPorts;
  end

endmodule

`default_nettype wire
