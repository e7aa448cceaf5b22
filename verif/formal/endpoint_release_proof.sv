// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "formal.svh"

// muster_axis_endpoint with two groups, a host that writes and reads what it likes, a stream with
// packets of any length, legal and illegal, with any pauses, and the rest of the tree of one group,
// MarkGid, as its member sees it: the reduction message is under way to the switch, then in its
// register, then the distribution message is under way back, each for any time. A reduction message
// that comes while the register waits for none is dropped, as a switch does.
//   - a message of the group is sent only when nothing of an earlier barrier is left in the tree
//   - a distribution message never ends another barrier than that of its reduction message
//   - an arrival that is accepted waits for its distribution message, whatever is written, unless
//     the host gives it up by `abandon`; status and control read so
// With `rewritten` a host states that the tree has been written anew: then nothing is left in it.
// With Lies the statement is false.
module endpoint_release_proof #(
  parameter int unsigned Lies = 0,
  parameter int unsigned Pocket = 0,
  localparam int unsigned BackW = 1 + Pocket,
  localparam int unsigned FlitW = 16,
  localparam int unsigned GidW = 4,
  localparam int unsigned DataW = FlitW - muster_pkg::MsgTypeW - GidW,
  localparam logic [GidW-1:0] MarkGid = 4'd5
) (
  input  wire logic              clk_i,
  input  wire logic              valid_i,
  input  wire logic              write_i,
  input  wire logic [11:0]       addr_i,
  input  wire logic [31:0]       wdata_i,
  /// the credit of the pocket, at any time
  input  wire logic              credit_i,
  /// a beat of the stream: it is there until it is taken; the credit of its channel, at any time
  input  wire logic              s_valid_i,
  input  wire logic              s_last_i,
  input  wire logic [15:0]       s_dest_i,
  input  wire logic              data_credit_i,
  /// the message of the tree goes on; another message, of any kind but this
  input  wire logic              goes_i,
  input  wire logic              other_i,
  input  wire logic [FlitW-1:0]  payload_i
);
  `MUSTER_FORMAL_RESET

  logic tx_valid, rx_valid, irq, s_ready;
  logic [2:0] tx_kind;
  logic [FlitW-1:0] tx_payload, rx_payload;
  logic [31:0] rdata;
  // What the streams bring is in other wrappers.
  muster_axis_endpoint #(
    .Vcs(1), .Depth(1), .FlitW(FlitW), .GidW(GidW), .Groups(2), .Pocket(Pocket), .Timeout(2)
  ) dut (
    .clk_i, .rst_ni,
    .s_axis_tvalid_i(s_valid_i), .s_axis_tready_o(s_ready), .s_axis_tdata_i('1),
    .s_axis_tlast_i(s_last_i), .s_axis_tid_i('0), .s_axis_tdest_i(s_dest_i), .s_axis_tuser_i('0),
    .m_axis_tready_i(1'b1), .reg_valid_i(valid_i), .reg_write_i(write_i), .reg_addr_i(addr_i),
    .reg_wdata_i(wdata_i), .reg_rdata_o(rdata),
    .tx_valid_o(tx_valid), .tx_kind_o(tx_kind), .tx_payload_o(tx_payload),
    .tx_credit_i(BackW'({credit_i, data_credit_i})), .rx_valid_i(rx_valid), .rx_vc_i('0),
    .rx_kind_i(3'b100), .rx_payload_i(rx_payload), .irq_o(irq)
  );

  // ---- The tree of the marked group ---------------------------------------------------------
  typedef enum logic [1:0] {None, Up, Register, Down} tree_e;
  tree_e tree_q;
  logic [FlitW-DataW-1:0] marked;  // type and group of its distribution message
  logic tx_sync, sends, comes, rewritten, old_q, was_old_q, irq_q;
  assign marked = {muster_pkg::MsgDistribution, MarkGid};
  assign tx_sync = tx_valid && tx_kind[muster_pkg::KindSync];
  assign sends = tx_sync && tx_payload[FlitW-1:DataW] == {muster_pkg::MsgReduction, MarkGid};
  assign comes = tree_q == Down && goes_i;
  assign rx_valid = comes || other_i;
  assign rx_payload = comes ? {marked, payload_i[DataW-1:0]} : payload_i;
  // ---- The stream and its credits -----------------------------------------------------------
  logic s_held_q, s_last_q, away_q, data_out, between_q;
  logic [15:0] s_dest_q;
  assign data_out = tx_valid && !tx_kind[muster_pkg::KindSync];
  always_ff @(posedge clk_i) begin
    if (!rst_ni) {s_held_q, away_q, between_q} <= '0;
    else begin
      s_held_q <= s_valid_i && !s_ready;
      away_q <= (away_q || data_out) && !data_credit_i;
      if (data_out) between_q <= !tx_kind[muster_pkg::KindTail];
    end
    {s_last_q, s_dest_q} <= {s_last_i, s_dest_i};
  end
  `MUSTER_ASSUME(BeatsStay_M, !s_held_q || {s_valid_i, s_last_i, s_dest_i} ==
                                           {1'b1, s_last_q, s_dest_q})
  `MUSTER_ASSUME(CreditIsForAFlit_M, !data_credit_i || away_q || data_out)

  `MUSTER_ASSUME(OthersAreOthers_M, payload_i[FlitW-1:DataW] != marked)

  // old_q: the message in the tree is not that of the reduction message that was sent last.
  always_ff @(posedge clk_i) begin
    if (!rst_ni || (rewritten && Lies == 0)) tree_q <= None;
    else if (tree_q == None) tree_q <= sends ? Up : None;
    else if (goes_i) tree_q <= tree_e'(tree_q + 2'd1);
    if (!rst_ni) {old_q, was_old_q, irq_q} <= '0;
    else begin
      old_q <= tree_q != None && !comes && !(rewritten && Lies == 0) && (old_q || sends);
      was_old_q <= comes && old_q;
      irq_q <= irq;
    end
  end
  `MUSTER_ASSERT(NothingIsLeft_A, !sends || tree_q == None)
  `MUSTER_ASSERT(NotByAnOldOne_A, !was_old_q || !(irq && !irq_q))

  // ---- The two groups as a host knows them --------------------------------------------------
  logic [1:0] member_q, waits_q, sent_q, given_up_q, draining_q;
  logic [1:0] waits, drains, control, arrives, abandons, states, sent, released;
  logic [1:0][GidW-1:0] gid_q;
  logic [1:0] status_bad, control_bad, known;
  assign rewritten = states[0] && drains[0] && gid_q[0] == MarkGid ||
                     states[1] && drains[1] && gid_q[1] == MarkGid;
  for (genvar p = 0; p < 2; p++) begin : gen_place
    logic [11:0] base;
    logic writes, same, clashes, wide, mine, my_release;
    assign base = 12'h040 + 12'(8 * p);
    assign writes = valid_i && write_i;
    assign control[p] = writes && addr_i == base;
    assign arrives[p] = writes && addr_i == base + 12'd1 && member_q[p] && !waits[p] && !drains[p];
    assign abandons[p] = writes && addr_i == base + 12'd2 && wdata_i[8] && waits[p];
    assign states[p] = writes && addr_i == base + 12'd2 && wdata_i[9];
    // Its message on the wires; a message that was taken as it was given up is on them now.
    assign mine = tx_sync && tx_payload[FlitW-1:DataW] == {muster_pkg::MsgReduction, gid_q[p]};
    assign sent[p] = sent_q[p] || mine;
    assign waits[p] = waits_q[p];
    assign drains[p] = draining_q[p] || (given_up_q[p] && mine);
    assign my_release = rx_valid && (waits[p] || drains[p]) && sent[p] &&
                        rx_payload[FlitW-1:DataW] == {muster_pkg::MsgDistribution, gid_q[p]};
    assign released[p] = my_release && waits[p];
    assign same = {member_q[p], gid_q[p]} == {wdata_i[31], wdata_i[GidW-1:0]};
    assign wide = wdata_i[11:GidW] != '0;
    assign clashes = wdata_i[31] && member_q[1-p] && gid_q[1-p] == wdata_i[GidW-1:0];
    always_ff @(posedge clk_i) begin
      if (!rst_ni) begin
        {member_q[p], waits_q[p], sent_q[p], given_up_q[p], draining_q[p]} <= '0;
        gid_q[p] <= '0;
      end else begin
        if (control[p] && !same && !waits[p] && !drains[p] && !clashes && !wide)
          {member_q[p], gid_q[p]} <= {wdata_i[31], wdata_i[GidW-1:0]};
        waits_q[p] <= arrives[p] || (waits[p] && !my_release && !abandons[p]);
        sent_q[p] <= !arrives[p] && sent[p];
        given_up_q[p] <= abandons[p] && !sent[p];
        draining_q[p] <= !my_release &&
                         ((drains[p] && !states[p]) || (abandons[p] && sent[p]));
      end
    end
    assign status_bad[p] = addr_i == base + 12'd2 && {rdata[4], rdata[0]} != {drains[p], waits[p]};
    assign control_bad[p] = addr_i == base &&
                            {rdata[31], rdata[11:0]} != {member_q[p], 12'(gid_q[p])};
    assign known[p] = waits[p] && sent[p] && gid_q[p] == MarkGid;
  end
  `MUSTER_ASSERT(StatusReads_A, !valid_i || write_i || status_bad == '0)
  `MUSTER_ASSERT(ControlReads_A, !valid_i || write_i || control_bad == '0)
  `MUSTER_ASSERT(NoReleaseIsLost_A, !(comes && !old_q) || known != '0 || drains != '0)

  `MUSTER_SEEN(gave_up_q, comes && drains != '0)
  `MUSTER_SEEN(rewritten_q, rewritten)
  `MUSTER_SEEN(was_refused_q, (control & waits) != '0)
  `MUSTER_COVER(ReleasedAfterADrain_C, gave_up_q && released != '0 && comes)
  `MUSTER_COVER(ReleasedAfterRefusal_C, was_refused_q && released != '0 && comes && irq_q)
  `MUSTER_COVER(ReleasedInAPacket_C, between_q && released != '0 && comes)
  `MUSTER_COVER(RewrittenThenReleased_C, rewritten_q && released != '0 && comes)

endmodule

`default_nettype wire
