// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "formal.svh"

// A status table of two entries under messages of four groups, in any order: an entry is its
// group's alone. `ours` is one group, of an entry that the host has written (Claimed=0) or that
// messages make, whenever there is room (Claimed=1); the other entry is written or made for others,
// freed and made again; with Claimed=0 the host also takes it away at any time.
//
//   - a twin, a table of one entry that sees only the messages of our group, gives them the same
//     verdict and sends the same: messages and the entry of others change nothing
//   - what our entry has to send is offered while it waits, and at most Passed, one, message of
//     another entry goes first
//   - no local or child of our group is released before it has come again, and each comes once a
//     release; the parent is told when all have come, once
//   - a first message of our group is refused only if our group has no entry
//
// Set-up: the host writes control word and locals of both entries in four cycles. What a message is
// and how children call themselves is as in bsr_entry_proof.
module bsr_table_proof #(
  parameter int unsigned Ports = 3,
  parameter int unsigned Claimed = 0,
  /// the entry that the host has written for our group
  parameter int unsigned Place = 0,
  /// messages of the other entry that may go before ours; 1 for the proof
  parameter int unsigned Passed = 1,
  localparam int unsigned DestW = muster_pkg::DestW,
  localparam int unsigned GidW = muster_pkg::BsrGidW,
  localparam int unsigned IndexW = $clog2(Ports)
) (
  input  wire logic                      clk_i,
  input  wire logic [1:0]                ours_i,
  input  wire logic [1:0]                written_i,
  input  wire logic [1:0][1:0]           groups_i,
  input  wire logic [1:0]                centers_i,
  input  wire logic [1:0][1:0]           counts_i,
  input  wire logic [1:0][Ports-1:0]     locals_i,
  input  wire logic                      remove_i,
  input  wire logic [1:0]                group_i,
  input  wire logic [1:0]                kind_i,
  input  wire logic [1:0]                bnt_i,
  input  wire logic [IndexW-1:0]         port_i,
  input  wire logic [IndexW-1:0]         child_i,
  input  wire logic                      renamed_i,
  input  wire logic                      of_child_i,
  input  wire logic                      here_i,
  input  wire logic                      refused_i,
  input  wire logic                      apply_i,
  input  wire logic                      send_i,
  input  wire logic [IndexW-1:0]         chosen_i,
  input  wire logic [6:0]                raddr_i,
  input  wire logic                      other_i
);
  localparam logic [DestW-1:0] Address = DestW'(20);
  localparam logic [DestW-1:0] Above = DestW'(21);

  `MUSTER_FORMAL_RESET

  // ---- The host -------------------------------------------------------------------------------
  logic [2:0] step_q;  // which of the four words is written; then 4
  logic running, entry, of_ours;
  logic [1:0] ours_q, written_q, centers_q;
  logic [1:0][1:0] groups_q, counts_q;
  logic [1:0][Ports-1:0] locals_q;
  logic [IndexW-1:0] chosen_q;
  logic [Ports-1:0] locals;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      step_q <= '0;
      ours_q <= ours_i;
      written_q <= written_i;
      centers_q <= centers_i;
      groups_q <= groups_i;
      counts_q <= counts_i;
      locals_q <= locals_i;
      chosen_q <= chosen_i;
    end else if (!running) step_q <= step_q + 1'b1;
  end
  assign running = rst_ni && step_q == 3'd4;
  assign entry = step_q[1];
  assign locals = (Claimed != 0) ? '0 : locals_q[Place];

  logic sets_up, removes;
  logic [31:0] wdata, word, twin_word;
  logic [10:0] addr, twin_addr;
  logic [6:0] raddr;  // the word that is read, or with bit 6 the child
  assign raddr = (Claimed != 0) ? '0 : raddr_i;
  assign sets_up = rst_ni && !running && (entry ? written_q[1] : written_q[0]);
  assign removes = Claimed == 0 && running && remove_i;
  always_comb begin
    wdata = '0;
    if (sets_up && !step_q[0]) begin
      wdata = {1'b1, entry ? centers_q[1] : centers_q[0], 20'd0,
               entry ? counts_q[1] : counts_q[0], 6'd0, entry ? groups_q[1] : groups_q[0]};
    end
    if (sets_up && step_q[0]) wdata = 32'(entry ? locals_q[1] : locals_q[0]);
    addr = raddr[6] ? {4'b1000, 1'(Place) ^ other_i, raddr[5:0]}
                    : {6'b001000, 1'(Place) ^ other_i, raddr[3:0]};
    twin_addr = raddr[6] ? {5'b10000, raddr[5:0]} : {7'b0010000, raddr[3:0]};
    if (removes) addr = {6'b001000, 1'(Place == 0), 4'd0};
    if (sets_up) begin
      addr = {6'b001000, entry, step_q[0], 3'd0};
      twin_addr = {7'b0010000, step_q[0], 3'd0};
    end
  end

  // ---- A message ------------------------------------------------------------------------------
  muster_pkg::bsr_message_t message, sent, twin_sent;
  logic [Ports-1:0] port, sent_port, twin_port;
  logic [DestW-1:0] below, source;
  logic first, here, apply, owes, twin_owes, send;
  assign port = Ports'(1) << port_i;
  assign first = kind_i == muster_pkg::BsrFirst && bnt_i != muster_pkg::BntFree;
  assign below = (renamed_i ? DestW'(64) : DestW'(32)) + DestW'(first ? port_i : child_i);
  assign source = of_child_i ? below : Above;
  assign here = here_i || kind_i != muster_pkg::BsrFirst;
  always_comb begin
    message = '0;
    message.kind = kind_i;
    message.bnt = bnt_i;
    message.refused = refused_i;
    message.gid = GidW'(group_i);
    {message.source_high, message.source_low} = source;
    message.new_node = below;
    message.dest = here ? Address : Above;
  end
  assign of_ours = group_i == ours_q;
  assign apply = running && apply_i && !removes;
  assign send = running && send_i && owes;

  // ---- The table and its twin -----------------------------------------------------------------
  logic consume, refused, twin_consume, twin_refused, no_room, send_ours;
  logic [1:0] bnt, twin_bnt;
  logic [DestW-1:0] node, twin_node;
  logic [2:0] drop, twin_drop;
  assign no_room = refused && !refused_i;
  assign send_ours = send && sent.gid == GidW'(ours_q);

  muster_bsr_table #(.Ports(Ports), .Regs(2)) dut (
    .clk_i, .rst_ni,
    .address_i(Address),
    .write_i(sets_up || removes),
    .addr_i(addr),
    .wdata_i(wdata),
    .word_o(word),
    .msg_i(message),
    .port_i(port),
    .here_i(here),
    .apply_i(apply),
    .consume_o(consume),
    .bnt_o(bnt),
    .refused_o(refused),
    .new_node_o(node),
    .drop_o(drop),
    .count_i('0),
    .count_gid_i('0),
    .origin_o(owes),
    .origin_message_o(sent),
    .origin_port_o(sent_port),
    .send_i(send)
  );

  muster_bsr_table #(.Ports(Ports), .Regs(1)) twin (
    .clk_i, .rst_ni,
    .address_i(Address),
    .write_i(sets_up && Claimed == 0 && entry == 1'(Place)),
    .addr_i(twin_addr),
    .wdata_i(wdata),
    .word_o(twin_word),
    .msg_i(message),
    .port_i(port),
    .here_i(here),
    .apply_i(apply && of_ours && !no_room),
    .consume_o(twin_consume),
    .bnt_o(twin_bnt),
    .refused_o(twin_refused),
    .new_node_o(twin_node),
    .drop_o(twin_drop),
    .count_i('0),
    .count_gid_i('0),
    .origin_o(twin_owes),
    .origin_message_o(twin_sent),
    .origin_port_o(twin_port),
    .send_i(send_ours)
  );

  // Our group has an entry, or a message makes it.
  logic exists, claim;
  assign exists = Claimed == 0 || twin_word[31];
  assign claim = apply && of_ours && first && !here && !refused_i && !no_room && !exists;

  // ---- What is known of one port of our group ---------------------------------------------------
  logic is_child, known, comes, came, releases, released, tree, told_up, taken;
  assign taken = apply && of_ours && !no_room && drop == '0;
  bsr_watch #(.Ports(Ports)) watch (
    .clk_i, .rst_ni,
    .chosen_i(chosen_q),
    .locals_i(locals),
    .taken_i(taken),
    .claim_i(claim),
    .kind_i,
    .bnt_i,
    .renamed_i,
    .port_i,
    .source_i(source),
    .send_i(send_ours),
    .sent_kind_i(sent.kind),
    .sent_dest_i(sent.dest),
    .sent_port_i(sent_port),
    .known_o(known),
    .child_o(is_child),
    .comes_o(comes),
    .came_o(came),
    .releases_o(releases),
    .released_o(released),
    .tree_o(tree),
    .told_up_o(told_up)
  );

  // ---- Other groups ---------------------------------------------------------------------------
  // Messages of others sent while ours has one; others were served between two releases of ours.
  logic [1:0] passed_q;
  logic others_q, made_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni || !twin_owes || send_ours) passed_q <= '0;
    else if (send && passed_q != '1) passed_q <= passed_q + 1'b1;
    made_q <= rst_ni && (made_q || claim);
    if (!rst_ni || (releases && !released)) others_q <= 1'b0;
    else if (send && !send_ours && sent.kind == muster_pkg::BsrDistribution) others_q <= 1'b1;
  end

  // The host writes no two entries of one group, and of our group that at Place, or none.
  `MUSTER_ASSUME(EntriesDiffer_M, groups_q[0] != groups_q[1])
  `MUSTER_ASSUME(OursIsWritten_M, (Claimed != 0) ?
                 groups_q[0] != ours_q && groups_q[1] != ours_q :
                 groups_q[Place] == ours_q && written_q[Place])
  // It is written where members are: without one it would be ended by a free.
  `MUSTER_ASSUME(OursHasMember_M, Claimed != 0 || locals != '0)
  `MUSTER_ASSUME(CountAtCenter_M, (centers_q[0] || counts_q[0] == '0) &&
                                  (centers_q[1] || counts_q[1] == '0))
  `MUSTER_ASSUME(CenterHasMember_M, (!centers_q[0] || locals_q[0] != '0) &&
                                    (!centers_q[1] || locals_q[1] != '0))
  // As in bsr_entry_proof.
  `MUSTER_ASSUME(NameIsOfTag_M, !first || renamed_i == (bnt_i == muster_pkg::BntNewNode))
  `MUSTER_ASSUME(PortsExist_M, 32'(port_i) < Ports && 32'(child_i) < Ports &&
                               32'(chosen_q) < Ports)
  `MUSTER_ASSUME(ChildIsItself_M, !first || of_child_i)
  `MUSTER_ASSUME(KindIsKnown_M, kind_i != 2'd3)

  logic verdict_differs, sends_another;
  assign verdict_differs = {consume, bnt, refused, node, drop} !=
                           {twin_consume, twin_bnt, twin_refused, twin_node, twin_drop};
  assign sends_another = !twin_owes || {sent, sent_port} != {twin_sent, twin_port};
  `MUSTER_ASSERT(SameVerdict_A, !(apply && of_ours && !no_room) || !verdict_differs)
  `MUSTER_ASSERT(SameMessages_A, !send_ours || !sends_another)
  `MUSTER_ASSERT(OwedIsOffered_A, !running || !twin_owes || owes)
  `MUSTER_ASSERT(OthersPassOnce_A, 32'(passed_q) <= Passed)
  `MUSTER_ASSERT(RefusedHasNone_A, !(apply && of_ours && no_room) || !exists)
  `MUSTER_ASSERT(ReleasedOnceACome_A, !(releases && released) || came)
  `MUSTER_ASSERT(ComesOnceARelease_A, !(comes && came))
  `MUSTER_ASSERT(ToldWhenAllCame_A, !(send_ours && sent.kind == muster_pkg::BsrReduction &&
                                      released && known) || came)
  `MUSTER_ASSERT(ParentIsToldOnce_A, !(send_ours && sent.kind == muster_pkg::BsrReduction &&
                                       told_up))

  `MUSTER_COVER(SecondRelease_C, releases && released && is_child && others_q)
  if (Claimed == 0) begin : gen_written
    `MUSTER_ASSERT(ReleasedByParent_A, !(releases && !centers_q[Place]) || tree)
    `MUSTER_ASSERT(EntryIsTheSame_A, !running || removes || other_i || word == twin_word)
    `MUSTER_ASSERT(OursIsThere_A, !running || raddr != '0 ||
                                  (twin_word[31] && twin_word[GidW-1:0] == GidW'(ours_q)))
    `MUSTER_ASSERT(OtherIsNotOurs_A, !running || removes || !other_i || raddr != '0 ||
                                     !word[31] || word[GidW-1:0] != GidW'(ours_q))
    `MUSTER_COVER(OtherIsRemoved_C, removes && others_q && passed_q != '0)
  end else begin : gen_claimed
    `MUSTER_COVER(NoRoom_C, apply && of_ours && no_room)
    `MUSTER_COVER(MadeAgain_C, claim && made_q)
  end

endmodule

`default_nettype wire
