// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "formal.svh"

// muster_bsr_entry under any messages, as its table and its switch give them: none is released
// before all below have come, and each once. The entry is written by the host, at a center with its
// count, or (Claimed) made by first messages, whenever it is not valid. A center closes the first
// round at its count, no sooner, and tells only its members of a refusal; a made entry passes
// messages as they are and sends nothing before it branches, which it does at the second child, and
// is gone after a free.
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
  input  wire logic [6:0]          raddr_i
);
  localparam logic [DestW-1:0] Address = DestW'(20);
  localparam logic [DestW-1:0] Above = DestW'(21);
  localparam logic [GidW-1:0] Group = 8'd5;

  `MUSTER_FORMAL_RESET

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

  logic [DestW-1:0] sent_dest, new_node;
  logic refused_out;
  logic [1:0] bnt, sent_kind;
  logic [Ports-1:0] sent_port;

  muster_bsr_entry #(.Ports(Ports)) dut (
    .clk_i, .rst_ni,
    .address_i(Address),
    .control_write_i(rst_ni && written_q == 2'd0),
    .locals_write_i(rst_ni && written_q == 2'd1),
    .wdata_i((written_q == 2'd0) ? {1'b1, center_q, 11'd0, 9'd0, count_i, Group}
                                 : 32'(locals_q)),
    .of_child_i(raddr_i[6]),
    .raddr_i(raddr_i[5:0]),
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
    .count_i('0),
    .owes_o(owes),
    .origin_kind_o(sent_kind),
    .origin_refused_o(refused_out),
    .origin_dest_o(sent_dest),
    .origin_port_o(sent_port),
    .send_i(send)
  );

  // ---- What is known of the chosen port --------------------------------------------------------
  logic taken, is_local, is_child, tree, came, told_up, releases, chosen_comes;
  logic first_release;  // the chosen port has been released once
  assign taken = apply && !wrong && !late;
  bsr_watch #(.Ports(Ports)) watch (
    .clk_i, .rst_ni,
    .chosen_i(chosen_q),
    .locals_i(locals_q),
    .taken_i(taken),
    .claim_i(claim),
    .kind_i,
    .bnt_i,
    .renamed_i,
    .port_i,
    .source_i({message.source_high, message.source_low}),
    .send_i(send),
    .sent_kind_i(sent_kind),
    .sent_dest_i(sent_dest),
    .sent_port_i(sent_port),
    .child_o(is_child),
    .local_o(is_local),
    .comes_o(chosen_comes),
    .came_o(came),
    .releases_o(releases),
    .released_o(first_release),
    .tree_o(tree),
    .told_up_o(told_up)
  );

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

  `MUSTER_ASSERT(ReleasedOnceACome_A, !(releases && first_release) || came)
  `MUSTER_ASSERT(ComesOnceARelease_A, !(chosen_comes && came))
  `MUSTER_ASSERT(ToldWhenAllCame_A, !(send && sent_kind == muster_pkg::BsrReduction &&
                                      first_release && (is_local || is_child)) || came)
  `MUSTER_ASSERT(ParentIsToldOnce_A, !(send && sent_kind == muster_pkg::BsrReduction && told_up))
  `MUSTER_ASSERT(CenterTellsNobody_A, !(send && sent_kind == muster_pkg::BsrReduction && center_q))
  `MUSTER_ASSERT(ReleasedByParent_A, !(releases && !center_q) || tree)
  `MUSTER_ASSERT(DroppedGoesNowhere_A, !(wrong || late) || consume)

  if (Claimed == 0) begin : gen_written
    `MUSTER_ASSERT(CountIsNotPassed_A, !counted || firsts_q != count_q)
    `MUSTER_ASSERT(NothingBeforeCount_A, !(send && center_q) || closed)
    `MUSTER_ASSERT(NoLaterOneBeforeCount_A, !(taken && center_q && !first && !is_free) || closed)
    `MUSTER_ASSERT(ServedOnceClosed_A, !(center_q && closed && !refused_q && !first_release &&
                                         (is_local || is_child)) || owes)
    `MUSTER_ASSERT(RefusedIsTold_A, !(center_q && closed && refused_q && is_local && !told_q) ||
                                    owes)
    `MUSTER_ASSERT(RefusedTellsMembers_A, !(send && center_q && refused_q) ||
                                          (refused_out && sent_kind == muster_pkg::BsrFirst &&
                                           $onehot0(sent_port) && (sent_port & locals_q) != '0))
    `MUSTER_ASSERT(RefusedTellsOnce_A, !(send && told_q && sent_port == (Ports'(1) << chosen_q)))
    `MUSTER_ASSERT(RefusedTakesNone_A, !(taken && kind_i == muster_pkg::BsrReduction && refused_q))
    `MUSTER_ASSERT(OthersAreNotRefused_A, !(send && !refused_q) || !refused_out)

    `MUSTER_COVER(SecondRelease_C, releases && first_release && is_child && center_q)
    `MUSTER_COVER(SecondReduction_C, send && sent_kind == muster_pkg::BsrReduction &&
                                     first_release && is_local)
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

    `MUSTER_COVER(SecondRelease_C, releases && first_release && is_child)
    `MUSTER_COVER(FreedAndMadeAgain_C, claim && seen_q != '0)
  end

endmodule

`default_nettype wire
