// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "muster_assert.svh"

// bsr_entry under any messages, as its table and its switch give them: nobody is released before
// all below have come, and each once.
//
// Below the switch are its locals, written by the host, and children; the child by port p calls
// itself 32 + p, or 64 + p if a first message with BNT 1 has named a new node. `chosen` is any one
// port, fixed in the cycle of reset. What has come by it, a first message of a local or of a child
// on its way to the center's switch apart, is kept here: an accepted reduction, since the last
// distribution sent to it.
module bsr_entry_proof #(
  parameter int unsigned Ports = 3,
  localparam int unsigned DestW = muster_pkg::DestW,
  localparam int unsigned GidW = muster_pkg::BsrGidW,
  localparam int unsigned IndexW = $clog2(Ports)
) (
  input  wire logic                clk_i,
  input  wire logic [Ports-1:0]    locals_i,
  input  wire logic                center_i,
  input  wire logic [1:0]          kind_i,
  input  wire logic [1:0]          bnt_i,
  input  wire logic [IndexW-1:0]   port_i,
  input  wire logic [IndexW-1:0]   child_i,
  input  wire logic                renamed_i,
  input  wire logic                of_child_i,
  input  wire logic                here_i,
  input  wire logic                apply_i,
  input  wire logic                send_i,
  input  wire logic [IndexW-1:0]   chosen_i,
  input  wire logic [1:0]          count_i,
  input  wire logic [4:0]          raddr_i
);
  localparam logic [DestW-1:0] Address = DestW'(20);
  localparam logic [DestW-1:0] Above = DestW'(21);
  localparam logic [GidW-1:0] Group = 8'd5;

  logic rst_ni = 1'b0;
  always_ff @(posedge clk_i) rst_ni <= 1'b1;

  // ---- The host writes the control word, then the locals -------------------------------------
  logic [1:0] written_q;
  logic [Ports-1:0] locals_q;
  logic center_q;
  logic [IndexW-1:0] chosen_q;
  logic running;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      written_q <= '0;
      locals_q <= locals_i;
      center_q <= center_i;
      chosen_q <= chosen_i;
    end else if (written_q != 2'd2) begin
      written_q <= written_q + 1'b1;
    end
  end
  assign running = rst_ni && written_q == 2'd2;

  // ---- A message ------------------------------------------------------------------------------
  muster_pkg::bsr_message_t message;
  logic [Ports-1:0] port;
  logic [DestW-1:0] below;  // what a child calls itself
  logic first, here, apply, match, consume, wrong, late, owes, send;
  assign port = Ports'(1) << port_i;
  assign first = kind_i == muster_pkg::BsrFirst && bnt_i != muster_pkg::BntFree;
  // A first message comes by its child's port; later ones and those of the parent by any.
  assign below = (renamed_i ? DestW'(64) : DestW'(32)) + DestW'(first ? port_i : child_i);
  assign here = here_i || kind_i != muster_pkg::BsrFirst;
  always_comb begin
    message = '0;
    message.kind = kind_i;
    message.bnt = bnt_i;
    message.gid_low = Group[4:0];
    message.gid_high = Group[7:5];
    message.source = of_child_i ? below : Above;
    message.new_node = below;
    message.dest = here ? Address : Above;
  end
  assign apply = running && apply_i && match;
  assign send = running && send_i && owes;

  // What goes on is for the switch to send; what the host reads is not part of it.
  /* verilator lint_off UNUSEDSIGNAL */
  logic [31:0] word;
  logic valid, refused_out;
  logic [1:0] bnt, sent_bnt;
  logic [DestW-1:0] new_node, sent_dest;
  logic [GidW-1:0] gid;
  /* verilator lint_on UNUSEDSIGNAL */
  logic [1:0] sent_kind;
  logic [Ports-1:0] sent_port;

  bsr_entry #(
    .Ports(Ports)
  ) dut (
    .clk_i,
    .rst_ni,
    .address_i(Address),
    .control_write_i(rst_ni && written_q == 2'd0),
    .locals_write_i(rst_ni && written_q == 2'd1),
    .wdata_i((written_q == 2'd0) ? {1'b1, center_q, 11'd0, 9'd0, count_i, Group}
                                 : 32'(locals_q)),
    .raddr_i,
    .word_o(word),
    .valid_o(valid),
    .msg_i(message),
    .port_i(port),
    .here_i(here),
    .match_o(match),
    .apply_i(apply),
    .claim_i(1'b0),
    .consume_o(consume),
    .bnt_o(bnt),
    .new_node_o(new_node),
    .wrong_o(wrong),
    .late_o(late),
    .owes_o(owes),
    .origin_kind_o(sent_kind),
    .origin_bnt_o(sent_bnt),
    .origin_refused_o(refused_out),
    .origin_dest_o(sent_dest),
    .origin_port_o(sent_port),
    .gid_o(gid),
    .send_i(send)
  );

  // ---- What is known of the chosen port --------------------------------------------------------
  logic is_local, is_child_q, renamed_q, tree_q, came_q, told_up_q, taken, releases, chosen_comes;
  logic [DestW-1:0] chosen_name;
  assign taken = apply && !wrong && !late;
  assign is_local = (locals_q & (Ports'(1) << chosen_q)) != '0;
  assign chosen_name = (renamed_q ? DestW'(64) : DestW'(32)) + DestW'(chosen_q);
  // A reduction of the local behind the chosen port, or of the child that came by it.
  assign chosen_comes = taken && kind_i == muster_pkg::BsrReduction &&
                        (is_local ? port_i == chosen_q
                                  : (is_child_q && (locals_q & port) == '0 &&
                                     message.source == chosen_name));
  // A distribution to it.
  assign releases = send && sent_kind == muster_pkg::BsrDistribution &&
                    (is_local ? sent_port == (Ports'(1) << chosen_q)
                              : (sent_port == '0 && is_child_q && sent_dest == chosen_name));
  // Members of the first round are counted at the center; afterwards everybody is known.
  logic first_release_q;  // the chosen port has been released once
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      {is_child_q, renamed_q, tree_q, came_q, told_up_q, first_release_q} <= '0;
    end else begin
      if (taken && first && !is_local && port_i == chosen_q && bnt_i != muster_pkg::BntNothing)
      begin
        is_child_q <= 1'b1;
        renamed_q <= renamed_i;
      end
      if (taken && kind_i == muster_pkg::BsrDistribution) tree_q <= 1'b1;
      if (chosen_comes) came_q <= 1'b1;
      else if (releases) came_q <= 1'b0;
      if (releases) first_release_q <= 1'b1;
      // A reduction has gone up, whose distribution has not come.
      if (send && sent_kind == muster_pkg::BsrReduction) told_up_q <= 1'b1;
      else if (taken && kind_i == muster_pkg::BsrDistribution) told_up_q <= 1'b0;
    end
  end

  // A child's name is its own: by a first message with BNT 0 it is 32 + p, with BNT 1 64 + p.
  `MUSTER_ASSUME(NameIsOfTag_M, !first || renamed_i == (bnt_i == muster_pkg::BntNewNode))
  `MUSTER_ASSUME(CountAtCenter_M, center_q || count_i == '0)
  `MUSTER_ASSUME(PortsExist_M, 32'(port_i) < Ports && 32'(child_i) < Ports &&
                               32'(chosen_q) < Ports)
  `MUSTER_ASSUME(ChildIsItself_M, !first || of_child_i)
  `MUSTER_ASSUME(NoLinkControl_M, kind_i != muster_pkg::BsrControl)

  `MUSTER_ASSERT(ReleasedOnceACome_A, !(releases && first_release_q) || came_q)
  `MUSTER_ASSERT(ComesOnceARelease_A, !(chosen_comes && came_q))
  `MUSTER_ASSERT(ToldWhenAllCame_A, !(send && sent_kind == muster_pkg::BsrReduction &&
                                      first_release_q && (is_local || is_child_q)) || came_q)
  `MUSTER_ASSERT(ParentIsToldOnce_A, !(send && sent_kind == muster_pkg::BsrReduction && told_up_q))
  `MUSTER_ASSERT(CenterTellsNobody_A, !(send && sent_kind == muster_pkg::BsrReduction && center_q))
  `MUSTER_ASSERT(ReleasedByParent_A, !(releases && !center_q) || tree_q)
  `MUSTER_ASSERT(DroppedGoesNowhere_A, !(wrong || late) || consume)

  `MUSTER_COVER(SecondRelease_C, releases && first_release_q && is_child_q && center_q)
  `MUSTER_COVER(SecondReduction_C, send && sent_kind == muster_pkg::BsrReduction &&
                                   first_release_q && is_local)

endmodule

`default_nettype wire
