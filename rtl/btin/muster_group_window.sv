// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "muster_assert.svh"

// The host's access to groups in block RAM: the host selects one group, and the words of a barrier
// register are its words (docs/systems/many-groups.md, "The host").
//
// A write in cycle t uses the memory's read of that cycle (op_o, group_o) and in t + 1, apply_o,
// its write: word_i, the word read, modified by the host's write becomes word_o, which is written
// back. A write of control or children clears the arrivals. From t + 1 on the words show the group
// as it is in t + 1, with the write done. Later effects of messages show only with the next write,
// including a write of the selection. While clearing_i writes are ignored.
module muster_group_window #(
  /// ports of the switch, 3 to 32
  parameter int unsigned Ports = 8,
  /// groups, a power of two, 2 to 4096
  parameter int unsigned Groups = 256,
  localparam int unsigned AddrW = $clog2(Groups),
  localparam int unsigned ParentW = $clog2(Ports + 1),
  localparam int unsigned ControlW = 6 + ParentW,
  localparam int unsigned WordW = ControlW + 2 * Ports
) (
  input  wire logic                clk_i,
  input  wire logic                rst_ni,

  /// the host writes: bit 0 control, bit 1 children, bit 2 the selection
  input  wire logic [2:0]          write_i,
  // Spare bits of the words are ignored.
  /* verilator lint_off UNUSEDSIGNAL */
  input  wire logic [31:0]         wdata_i,
  /* verilator lint_on UNUSEDSIGNAL */
  input  wire logic                clearing_i,

  /// the group of a write of this cycle
  output logic                     op_o,
  output logic [AddrW-1:0]         group_o,
  /// the group of the write of the cycle before: {valid, turn, claimed, op, parent}, children,
  /// arrived, as it was and as it becomes
  output logic                     apply_o,
  input  wire logic [WordW-1:0]    word_i,
  output logic [WordW-1:0]         word_o,
  /// of its effect: to be served, reduction message sent, a message waits
  input  wire logic [Ports-1:0]    serve_i,
  input  wire logic                sent_i,
  input  wire logic                waits_i,

  /// the host reads a word
  input  wire logic                read_i,
  input  wire logic [3:0]          read_register_i,
  input  wire logic [3:0]          read_word_i,
  output logic [31:0]              read_o
);
  `MUSTER_RANGE(Ports, 3, 32)
  `MUSTER_POWER_OF_TWO(Groups, 2, 4096)

  // ---- A write --------------------------------------------------------------------------------
  logic [AddrW-1:0] select_q;
  logic [2:0] op_q;
  logic [ControlW-1:0] control_q;
  logic [Ports-1:0] children_q;
  /* verilator lint_off UNUSEDSIGNAL */
  muster_pkg::window_control_t written;
  muster_pkg::window_select_t selection;
  /* verilator lint_on UNUSEDSIGNAL */
  assign written = wdata_i;
  assign selection = wdata_i;

  assign op_o = (write_i != '0) && !clearing_i;
  assign group_o = write_i[2] ? selection.gid[AddrW-1:0] : select_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      select_q <= '0;
      op_q <= '0;
    end else begin
      op_q <= op_o ? write_i : '0;
      if (op_o) select_q <= group_o;
    end
  end
  always_ff @(posedge clk_i) begin
    if (op_o) begin
      control_q <= {written.valid, written.turn, written.claimed, written.op,
                    written.parent[ParentW-1:0]};
      children_q <= wdata_i[Ports-1:0];
    end
  end

  // ---- Effect on the group --------------------------------------------------------------------
  logic [ControlW-1:0] control;
  logic [Ports-1:0] children, arrived;
  assign {control, children, arrived} = word_i;
  assign apply_o = op_q != '0;
  assign word_o = {op_q[0] ? control_q : control, op_q[1] ? children_q : children,
                   (op_q[1:0] != '0) ? '0 : arrived};

  // ---- What the host reads --------------------------------------------------------------------
  localparam int unsigned SeenW = WordW + Ports + 2;
  logic [SeenW-1:0] seen_q, seen;
  assign seen = apply_o ? {word_o, serve_i, sent_i, waits_i} : seen_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) seen_q <= '0;
    else seen_q <= seen;
  end

  muster_pkg::window_control_t shown;
  muster_pkg::window_state_t state;
  muster_pkg::window_select_t selected;
  logic [Ports-1:0] shown_children, shown_arrived, shown_serve;
  logic [ParentW-1:0] shown_parent;
  always_comb begin
    shown = '0;
    state = '0;
    selected = '0;
    shown.gid = 12'(select_q);
    {shown.valid, shown.turn, shown.claimed, shown.op, shown_parent, shown_children, shown_arrived,
     shown_serve, state.sent, state.waits} = seen;
    shown.parent = 6'(shown_parent);
    selected.clearing = clearing_i;
    selected.gid = 12'(select_q);
    read_o = '0;
    if (read_i) begin
      unique case ({read_register_i, read_word_i})
        muster_pkg::RegWindowControl[7:0]: read_o = shown;
        muster_pkg::RegWindowState[7:0]: read_o = state;
        muster_pkg::RegWindowChildren[7:0]: read_o = 32'(shown_children);
        muster_pkg::RegWindowArrived[7:0]: read_o = 32'(shown_arrived);
        muster_pkg::RegWindowServe[7:0]: read_o = 32'(shown_serve);
        muster_pkg::RegWindowSelect[7:0]: read_o = selected;
        muster_pkg::RegWindowGroups[7:0]: read_o = Groups;
        default: read_o = '0;
      endcase
    end
  end

endmodule

`default_nettype wire
