// SPDX-License-Identifier: Apache-2.0
`default_nettype none

// What has come from the local or child behind one port, and gone to it, of one group of a status
// table, told from the messages only: for proofs. The child by port p calls itself 32 + p, or
// 64 + p if a first message with BNT 1 has named a new node.
module bsr_watch #(
  parameter int unsigned Ports = 3,
  localparam int unsigned DestW = muster_pkg::DestW,
  localparam int unsigned IndexW = $clog2(Ports)
) (
  input  wire logic               clk_i,
  input  wire logic               rst_ni,

  /// the port; those with locals
  input  wire logic [IndexW-1:0]  chosen_i,
  input  wire logic [Ports-1:0]   locals_i,
  /// a message of the group is applied and not dropped, or makes the entry; its source
  input  wire logic               taken_i,
  input  wire logic               claim_i,
  input  wire logic [1:0]         kind_i,
  input  wire logic [1:0]         bnt_i,
  input  wire logic               renamed_i,
  input  wire logic [IndexW-1:0]  port_i,
  input  wire logic [DestW-1:0]   source_i,
  /// the switch sends a message of the group
  input  wire logic               send_i,
  input  wire logic [1:0]         sent_kind_i,
  input  wire logic [DestW-1:0]   sent_dest_i,
  input  wire logic [Ports-1:0]   sent_port_i,

  /// a local or child is there
  output logic                    known_o,
  output logic                    child_o,
  output logic                    local_o,
  /// its reduction is taken; one was, since the last distribution to it
  output logic                    comes_o,
  output logic                    came_o,
  /// a distribution goes to it; one has gone
  output logic                    releases_o,
  output logic                    released_o,
  /// a distribution has come to the switch; a reduction has gone up since
  output logic                    tree_o,
  output logic                    told_up_o
);
  logic renamed_q, first;
  logic [Ports-1:0] mine;
  logic [DestW-1:0] name;
  assign mine = Ports'(1) << chosen_i;
  assign name = (renamed_q ? DestW'(64) : DestW'(32)) + DestW'(chosen_i);
  assign local_o = (locals_i & mine) != '0;
  assign known_o = local_o || child_o;
  assign first = kind_i == muster_pkg::BsrFirst && bnt_i != muster_pkg::BntFree;
  assign comes_o = taken_i && kind_i == muster_pkg::BsrReduction &&
                   (local_o ? port_i == chosen_i
                            : (child_o && (locals_i & (Ports'(1) << port_i)) == '0 &&
                               source_i == name));
  assign releases_o = send_i && sent_kind_i == muster_pkg::BsrDistribution &&
                      (local_o ? sent_port_i == mine
                               : (sent_port_i == '0 && child_o && sent_dest_i == name));

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      {child_o, renamed_q, tree_o, came_o, told_up_o, released_o} <= '0;
    end else begin
      if (claim_i) {child_o, tree_o, came_o, told_up_o, released_o} <= '0;
      if ((claim_i || (taken_i && first && !local_o)) && port_i == chosen_i &&
          bnt_i != muster_pkg::BntNothing) begin
        child_o <= 1'b1;
        renamed_q <= renamed_i;
      end
      if (taken_i && kind_i == muster_pkg::BsrDistribution) tree_o <= 1'b1;
      if (comes_o) came_o <= 1'b1;
      else if (releases_o) came_o <= 1'b0;
      if (releases_o) released_o <= 1'b1;
      // A reduction has gone up, whose distribution has not come.
      if (send_i && sent_kind_i == muster_pkg::BsrReduction) told_up_o <= 1'b1;
      else if (taken_i && kind_i == muster_pkg::BsrDistribution) told_up_o <= 1'b0;
    end
  end

endmodule

`default_nettype wire
