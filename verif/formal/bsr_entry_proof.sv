// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "muster_assert.svh"

// bsr_entry under any messages, as its table and its switch give them: nobody is released before
// all below have come, and each once. The entry is written by the host, at a center with its count,
// or (Claimed) made by first messages, whenever it is not valid. A center closes the first round at
// its count, no sooner, and tells of a refusal its members alone; a made entry passes messages as
// they are and sends nothing before it branches, which it does at the second child, and is gone
// after a free.
//
// Below the switch are its locals, written by the host, and children; the child by port p calls
// itself 32 + p, or 64 + p if a first message with BNT 1 has named a new node. `chosen` is any one
// port, fixed in the cycle of reset. What has come by it, a first message of a local or of a child
// on its way to the center's switch apart, is kept here: an accepted reduction, since the last
// distribution sent to it.
module bsr_entry_proof #(
  parameter int unsigned Ports = 3,
  parameter int unsigned Claimed = 0,
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
  input  wire logic                refused_i,
  input  wire logic                claim_i,
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
  logic [1:0] written_q, count_q;
  logic [Ports-1:0] locals_q;
  logic center_q;
  logic [IndexW-1:0] chosen_q;
  logic running;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      written_q <= (Claimed != 0) ? 2'd2 : '0;
      locals_q <= (Claimed != 0) ? '0 : locals_i;
      center_q <= center_i && Claimed == 0;
      chosen_q <= chosen_i;
      count_q <= '0;
    end else if (written_q != 2'd2) begin
      written_q <= written_q + 1'b1;
      if (written_q == '0) count_q <= count_i;
    end
  end
  assign running = rst_ni && written_q == 2'd2;

  // ---- A message ------------------------------------------------------------------------------
  muster_pkg::bsr_message_t message;
  logic [Ports-1:0] port;
  logic [DestW-1:0] below;  // what a child calls itself
  logic first, is_free, here, apply, claim, match, consume, wrong, late, owes, send;
  assign port = Ports'(1) << port_i;
  assign first = kind_i == muster_pkg::BsrFirst && bnt_i != muster_pkg::BntFree;
  assign is_free = kind_i == muster_pkg::BsrFirst && !first;
  // A first message comes by its child's port; later ones and those of the parent by any.
  assign below = (renamed_i ? DestW'(64) : DestW'(32)) + DestW'(first ? port_i : child_i);
  assign here = here_i || kind_i != muster_pkg::BsrFirst;
  always_comb begin
    message = '0;
    message.kind = kind_i;
    message.bnt = bnt_i;
    message.refused = refused_i;
    message.gid = Group;
    {message.source_high, message.source_low} = of_child_i ? below : Above;
    message.new_node = below;
    message.dest = here ? Address : Above;
  end
  logic valid;
  assign apply = running && apply_i && match;
  assign claim = Claimed != 0 && running && claim_i && !valid && first && !here && !refused_i;
  assign send = running && send_i && owes;

  // What goes on is for the switch to send; what the host reads is not part of it.
  /* verilator lint_off UNUSEDSIGNAL */
  logic [31:0] word;
  logic [1:0] sent_bnt;
  logic [DestW-1:0] sent_dest;
  logic [GidW-1:0] gid;
  /* verilator lint_on UNUSEDSIGNAL */
  logic refused_out;
  logic [1:0] bnt;
  logic [DestW-1:0] new_node;
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
    .claim_i(claim),
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
                                     {message.source_high, message.source_low} == chosen_name));
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
      if (claim) {is_child_q, tree_q, came_q, told_up_q, first_release_q} <= '0;
      if ((claim || (taken && first && !is_local)) && port_i == chosen_q &&
          bnt_i != muster_pkg::BntNothing) begin
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

  // ---- The first round at a center -------------------------------------------------------------
  logic counted, closed, refused_q, told_q;
  logic [1:0] firsts_q;  // members that have come
  assign counted = taken && first && here;
  assign closed = count_q != '0 && firsts_q == count_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      {refused_q, told_q} <= '0;
      firsts_q <= '0;
    end else begin
      if (counted) firsts_q <= firsts_q + 1'b1;
      if (counted && refused_i) refused_q <= 1'b1;
      if (send && refused_out && sent_port == (Ports'(1) << chosen_q)) told_q <= 1'b1;
    end
  end

  // ---- An entry that messages have made --------------------------------------------------------
  logic branches, branched_q, freed_q;
  logic [Ports-1:0] seen_q;  // ports by which a child was named
  assign branches = taken && first && bnt_i == muster_pkg::BntSource && !branched_q &&
                    (seen_q & ~port) != '0;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      {branched_q, freed_q} <= '0;
      seen_q <= '0;
    end else begin
      if (claim) branched_q <= 1'b0;
      else if (branches) branched_q <= 1'b1;
      if (claim) seen_q <= (bnt_i == muster_pkg::BntNothing) ? '0 : port;
      else if (taken && first && bnt_i != muster_pkg::BntNothing) seen_q <= seen_q | port;
      freed_q <= taken && is_free && !branched_q;
    end
  end

  // A child's name is its own: by a first message with BNT 0 it is 32 + p, with BNT 1 64 + p.
  `MUSTER_ASSUME(NameIsOfTag_M, !first || renamed_i == (bnt_i == muster_pkg::BntNewNode))
  `MUSTER_ASSUME(CountAtCenter_M, center_q || count_i == '0)
  `MUSTER_ASSUME(CenterHasMember_M, !center_q || locals_q != '0)
  `MUSTER_ASSUME(PortsExist_M, 32'(port_i) < Ports && 32'(child_i) < Ports &&
                               32'(chosen_q) < Ports)
  `MUSTER_ASSUME(ChildIsItself_M, !first || of_child_i)
  `MUSTER_ASSUME(KindIsKnown_M, kind_i != 2'd3)

  `MUSTER_ASSERT(ReleasedOnceACome_A, !(releases && first_release_q) || came_q)
  `MUSTER_ASSERT(ComesOnceARelease_A, !(chosen_comes && came_q))
  `MUSTER_ASSERT(ToldWhenAllCame_A, !(send && sent_kind == muster_pkg::BsrReduction &&
                                      first_release_q && (is_local || is_child_q)) || came_q)
  `MUSTER_ASSERT(ParentIsToldOnce_A, !(send && sent_kind == muster_pkg::BsrReduction && told_up_q))
  `MUSTER_ASSERT(CenterTellsNobody_A, !(send && sent_kind == muster_pkg::BsrReduction && center_q))
  `MUSTER_ASSERT(ReleasedByParent_A, !(releases && !center_q) || tree_q)
  `MUSTER_ASSERT(DroppedGoesNowhere_A, !(wrong || late) || consume)

  if (Claimed == 0) begin : gen_written
    `MUSTER_ASSERT(CountIsNotPassed_A, !counted || firsts_q != count_q)
    `MUSTER_ASSERT(NothingBeforeCount_A, !(send && center_q) || closed)
    `MUSTER_ASSERT(NoLaterOneBeforeCount_A, !(taken && center_q && !first && !is_free) || closed)
    `MUSTER_ASSERT(ServedOnceClosed_A, !(center_q && closed && !refused_q && !first_release_q &&
                                         (is_local || is_child_q)) || owes)
    `MUSTER_ASSERT(RefusedIsTold_A, !(center_q && closed && refused_q && is_local && !told_q) ||
                                    owes)
    `MUSTER_ASSERT(RefusedTellsMembers_A, !(send && center_q && refused_q) ||
                                          (refused_out && sent_kind == muster_pkg::BsrFirst &&
                                           $onehot0(sent_port) && (sent_port & locals_q) != '0))
    `MUSTER_ASSERT(RefusedTellsOnce_A, !(send && told_q && sent_port == (Ports'(1) << chosen_q)))
    `MUSTER_ASSERT(RefusedTakesNone_A, !(taken && kind_i == muster_pkg::BsrReduction && refused_q))
    `MUSTER_ASSERT(OthersAreNotRefused_A, !(send && !refused_q) || !refused_out)

    `MUSTER_COVER(SecondRelease_C, releases && first_release_q && is_child_q && center_q)
    `MUSTER_COVER(SecondReduction_C, send && sent_kind == muster_pkg::BsrReduction &&
                                     first_release_q && is_local)
    `MUSTER_COVER(Refused_C, told_q && firsts_q == 2'd3)
  end else begin : gen_claimed
    `MUSTER_ASSERT(SendsAsBsrNodeAlone_A, !send || branched_q)
    `MUSTER_ASSERT(PassesUnchanged_A, !(taken && first && !branched_q && !branches) ||
                                      (bnt == bnt_i && new_node == message.new_node))
    `MUSTER_ASSERT(BranchNamesItself_A, !branches ||
                                        (bnt == muster_pkg::BntNewNode && new_node == Address))
    `MUSTER_ASSERT(BranchTellsNothingNew_A, !(taken && first && branched_q) ||
                                            bnt == muster_pkg::BntNothing)
    `MUSTER_ASSERT(FreeStopsAtBranch_A, !(apply && is_free) || consume == (here || branched_q))
    `MUSTER_ASSERT(FreedIsGone_A, !freed_q || (!valid && !owes))

    `MUSTER_COVER(SecondRelease_C, releases && first_release_q && is_child_q)
    `MUSTER_COVER(FreedAndMadeAgain_C, claim && seen_q != '0)
  end

endmodule

`default_nettype wire
