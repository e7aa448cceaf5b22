// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "muster_assert.svh"

// An entry of the status table: the state of one group in a switch. docs/systems/bsr-tree.md, "The
// status table", "The first barrier", "Later barriers".
//
// In every cycle the entry decides the message at msg_i, on the state at the beginning of the
// cycle. The decision counts where the table gives the message to this entry: with apply_i, which
// needs match_o, it takes effect at the edge. claim_i assigns the entry to the message's group, as
// if it had been empty: a first message is then forwarded unchanged.
//
// The message that the entry has to send is at owes_o and origin_*; send_i: it is sent. A write of
// the host wins over both: control_write_i clears all except the locals, locals_write_i all except
// valid, center, count and group.
module muster_bsr_entry #(
  /// ports of the switch, 3 to 16
  parameter int unsigned Ports = 8,
  /// barrier buffers of a port beyond the first, 0 to 7; with 0 nothing counts beside
  parameter int unsigned Spares = 0,
  localparam int unsigned DestW = muster_pkg::DestW,
  localparam int unsigned GidW = muster_pkg::BsrGidW
) (
  input  wire logic              clk_i,
  input  wire logic              rst_ni,

  /// address of this switch
  input  wire logic [DestW-1:0]  address_i,

  /// host: write a word; valid, center, count and group, or locals
  input  wire logic              control_write_i,
  input  wire logic              locals_write_i,
  // Not all bits can be written.
  /* verilator lint_off UNUSEDSIGNAL */
  input  wire logic [31:0]       wdata_i,
  /* verilator lint_on UNUSEDSIGNAL */
  /// host: the address of the child behind this port, or the word of the entry at the low 4 bits
  input  wire logic              of_child_i,
  input  wire logic [5:0]        raddr_i,
  output logic [31:0]            word_o,

  output logic                   valid_o,
  /// the message, and the port by which it came, one-hot; it is for this switch
  // The spare bits are ignored.
  /* verilator lint_off UNUSEDSIGNAL */
  input  wire muster_pkg::bsr_message_t msg_i,
  /* verilator lint_on UNUSEDSIGNAL */
  input  wire logic [Ports-1:0]  port_i,
  input  wire logic              here_i,
  /// it is of this entry's group
  output logic                   match_o,
  input  wire logic              apply_i,
  input  wire logic              claim_i,
  /// nothing of it goes on; else it does, with this tag and new node
  output logic                   consume_o,
  output logic [1:0]             bnt_o,
  output logic [DestW-1:0]       new_node_o,
  /// it changes nothing, since it comes from the wrong source or out of phase
  output logic                   wrong_o,
  output logic                   late_o,
  /// ports from which a first message for this switch does no more than count, and others remain;
  /// those from which one counts at the edge, beside the message above
  output logic [Ports-1:0]       counting_o,
  input  wire logic [Ports-1:0]  count_i,

  /// the entry has this to send; to the node at origin_port_o, or if that is 0 to origin_dest_o
  output logic                   owes_o,
  output logic [1:0]             origin_kind_o,
  output logic [1:0]             origin_bnt_o,
  output logic                   origin_refused_o,
  output logic [DestW-1:0]       origin_dest_o,
  output logic [Ports-1:0]       origin_port_o,
  output logic [GidW-1:0]        gid_o,
  input  wire logic              send_i
);
  `MUSTER_RANGE(Spares, 0, 7)
  `MUSTER_RANGE(Ports, 3, 16)

  logic valid_q, center_q, branch_q, tree_q, sent_q, tidy_q, refused_q;
  logic [GidW-1:0] gid_q;
  logic [DestW-1:0] count_q, parent_q, root_q;  // root: the center's switch
  logic [Ports-1:0] locals_q, children_q, arrived_q, serve_q;
  logic [Ports-1:0][DestW-1:0] child_q;

  /* verilator lint_off UNUSEDSIGNAL */
  muster_pkg::bsr_entries_control_t written;
  /* verilator lint_on UNUSEDSIGNAL */
  assign written = wdata_i;
  logic bsr_node;
  logic [Ports-1:0] below;
  assign bsr_node = locals_q != '0 || branch_q;
  assign below = locals_q | children_q;
  // ---- The message --------------------------------------------------------------------------
  // Each kind is decided apart, without what only others need: sources are compared late.
  logic is_first, is_free, is_reduction, is_distribution, of_local, of_parent;
  logic [DestW-1:0] source;
  logic [Ports-1:0] who;      // the child or local that a reduction is from
  logic [Ports-1:0] missing;  // those that the reduction waits for
  logic branches, known, late_first, late_reduction, wrong_distribution, late_distribution;

  assign source = {msg_i.source_high, msg_i.source_low};
  assign match_o = valid_q && gid_q == msg_i.gid;
  assign is_free = msg_i.kind == muster_pkg::BsrFirst && msg_i.bnt == muster_pkg::BntFree;
  assign is_first = msg_i.kind == muster_pkg::BsrFirst && !is_free;
  assign is_reduction = msg_i.kind == muster_pkg::BsrReduction;
  assign is_distribution = msg_i.kind == muster_pkg::BsrDistribution;
  assign of_local = (locals_q & port_i) != '0;
  assign of_parent = source == parent_q;

  // A later message of a child is known by its source, wherever it comes in. Of two children with
  // one address, which no tree has, it is the one by the higher port.
  always_comb begin
    who = '0;
    for (int unsigned p = 0; p < Ports; p++) begin
      if (children_q[p] && child_q[p] == source) who = Ports'(1'b1) << p;
    end
    if (of_local) who = port_i;
  end

  assign known = who != '0;
  assign missing = below & ~arrived_q;
  assign late_first = tree_q || (arrived_q & locals_q & port_i) != '0 ||
                      (here_i && count_q == '0);
  assign late_reduction = !tree_q || refused_q || ((arrived_q | serve_q) & who) != '0;
  assign wrong_distribution = center_q || !bsr_node || (tree_q && !of_parent);
  assign late_distribution = tree_q && !sent_q;
  assign wrong_o = is_reduction ? !known : is_distribution && wrong_distribution;
  assign late_o = (is_first && late_first) || (is_reduction && known && late_reduction) ||
                  (is_distribution && !wrong_distribution && late_distribution);

  // The tag that a first message goes on with: rules 0 to 3.
  always_comb begin
    bnt_o = muster_pkg::BntNothing;
    branches = 1'b0;
    if (is_free) begin
      bnt_o = muster_pkg::BntFree;
    end else if (of_local) begin
      if (arrived_q == '0) bnt_o = msg_i.bnt;
    end else if (!bsr_node) begin
      branches = msg_i.bnt == muster_pkg::BntSource && (children_q & ~port_i) != '0;
      bnt_o = branches ? muster_pkg::BntNewNode : msg_i.bnt;
    end
  end
  assign new_node_o = branches ? address_i : msg_i.new_node;
  // Only first messages are for other switches.
  assign consume_o = here_i || (is_first && late_first) || (is_free && bsr_node);

  // ---- State --------------------------------------------------------------------------------
  // What follows from the message: the tree is complete; the center's switch reflects the barrier;
  // it comes back from there.
  logic counted, arrives, closes, turns, told, first, learns, release_all, clear;
  logic [Ports-1:0] above, served;  // the port of `serve` that a message is sent for
  logic serves, frees;       // what is sent next; neither: a reduction
  assign counted = apply_i && is_first && !late_first;
  assign arrives = apply_i && is_reduction && known && !late_reduction;
  assign told = apply_i && is_distribution && !wrong_distribution && !late_distribution;
  assign closes = counted && here_i && count_q == DestW'(1);
  assign turns = arrives && center_q && (missing & ~who) == '0;
  assign first = counted || claim_i;
  assign learns = first && (claim_i || !of_local) && msg_i.bnt != muster_pkg::BntNothing;
  assign release_all = closes || turns || told;
  assign clear = control_write_i || locals_write_i;

  // More remain than can count in a cycle.
  localparam logic [DestW-1:0] ManyLeft = 32;
  logic [4:0] beside;
  assign counting_o = (!tree_q && count_q >= ManyLeft) ? ~locals_q : '0;
  always_comb begin
    beside = '0;
    for (int unsigned p = 0; p < Ports; p++) begin
      if (Spares != 0 && count_i[p]) beside = beside + 1'b1;
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      {valid_q, center_q, branch_q, tree_q, sent_q, tidy_q, refused_q} <= '0;
      gid_q <= '0;
      {count_q, parent_q, root_q} <= '0;
      {locals_q, children_q, arrived_q, serve_q} <= '0;
    end else begin
      if (claim_i) begin
        valid_q <= 1'b1;
        {center_q, branch_q, tree_q, sent_q, tidy_q, refused_q} <= '0;
        gid_q <= msg_i.gid;
        {count_q, parent_q} <= '0;
        {locals_q, children_q, arrived_q, serve_q} <= '0;
      end
      if (send_i) begin
        if (serves) serve_q <= serve_q & ~served;
        else if (frees) tidy_q <= 1'b0;
        else sent_q <= 1'b1;
      end
      if (first) begin
        root_q <= msg_i.dest;
        if (learns) children_q <= claim_i ? port_i : (children_q | port_i);
      end
      if (counted) begin
        if (of_local) arrived_q <= arrived_q | port_i;
        if (branches) branch_q <= 1'b1;
        if (here_i) refused_q <= refused_q || msg_i.refused;
      end
      if ((counted && here_i) || (Spares != 0 && count_i != '0)) begin
        count_q <= count_q - (DestW'(counted && here_i) + DestW'(beside));
      end
      if (arrives) arrived_q <= arrived_q | who;
      if (told && !tree_q) begin
        parent_q <= source;
        tidy_q <= 1'b1;
      end
      if (release_all) begin
        tree_q <= 1'b1;
        sent_q <= 1'b0;
        arrived_q <= '0;
        // The tree is refused: its members alone are told.
        serve_q <= (closes && (refused_q || msg_i.refused)) ? locals_q
                   : learns ? (below | port_i) : below;
      end
      if (apply_i && is_free && !bsr_node) valid_q <= 1'b0;
      if (clear) begin
        {branch_q, tree_q, sent_q, tidy_q, refused_q} <= '0;
        {parent_q, root_q} <= '0;
        {children_q, arrived_q, serve_q} <= '0;
        if (control_write_i) begin
          valid_q <= written.valid;
          center_q <= written.center;
          count_q <= written.count;
          gid_q <= written.gid;
        end
        if (locals_write_i) locals_q <= wdata_i[Ports-1:0];
      end
    end
  end

  // Addresses of children are looked at where `children` has their bit.
  always_ff @(posedge clk_i) begin
    if (learns) begin
      for (int unsigned p = 0; p < Ports; p++) begin
        if (port_i[p]) begin
          child_q[p] <= (msg_i.bnt == muster_pkg::BntSource) ? source : msg_i.new_node;
        end
      end
    end
  end

  // ---- What it has to send ------------------------------------------------------------------
  logic [DestW-1:0] served_child;
  logic owes_reduction;
  assign serves = serve_q != '0;
  assign frees = !serves && tidy_q;
  assign owes_reduction = tree_q && !center_q && !sent_q && arrived_q == below;
  assign owes_o = valid_q && (serves || tidy_q || owes_reduction);
  muster_above_lowest #(
    .N(Ports)
  ) lowest (
    .bits_i(serve_q),
    .above_o(above)
  );
  assign served = serve_q & ~above;
  assign gid_o = gid_q;

  always_comb begin
    served_child = '0;
    for (int unsigned p = 0; p < Ports; p++) begin
      if (served[p]) served_child = served_child | child_q[p];
    end
  end

  always_comb begin
    origin_kind_o = muster_pkg::BsrReduction;
    origin_dest_o = parent_q;
    origin_port_o = '0;
    if (serves) begin
      origin_kind_o = refused_q ? muster_pkg::BsrFirst : muster_pkg::BsrDistribution;
      origin_port_o = served & locals_q;
      origin_dest_o = (origin_port_o != '0) ? address_i : served_child;
    end else if (frees) begin
      origin_kind_o = muster_pkg::BsrFirst;
      origin_dest_o = root_q;
    end
  end
  assign origin_refused_o = serves && refused_q;
  assign origin_bnt_o = frees ? muster_pkg::BntFree
                        : origin_refused_o ? muster_pkg::BntNothing : muster_pkg::BntSource;

  // ---- The host reads -----------------------------------------------------------------------
  logic [DestW-1:0] child_read;
  muster_pkg::bsr_entries_control_t control;
  muster_pkg::bsr_entries_ways_t ways;
  always_comb begin
    child_read = '0;
    for (int unsigned p = 0; p < Ports; p++) begin
      if (children_q[p] && raddr_i == 6'(p)) child_read = child_read | child_q[p];
    end
    control = '0;
    control.valid = valid_q;
    control.center = center_q;
    control.tree = tree_q;
    control.branch = branch_q;
    control.sent = sent_q;
    control.tidy = tidy_q;
    control.refused = refused_q;
    control.count = count_q;
    control.gid = gid_q;
    ways.center = 16'(root_q);
    ways.parent = 16'(parent_q);
    if (of_child_i) begin
      word_o = 32'(child_read);
    end else begin
      unique case (raddr_i[3:0])
        muster_pkg::RegEntriesControl[3:0]: word_o = control;
        muster_pkg::RegEntriesWays[3:0]: word_o = ways;
        muster_pkg::RegEntriesChildren[3:0]: word_o = 32'(children_q);
        muster_pkg::RegEntriesArrived[3:0]: word_o = 32'(arrived_q);
        muster_pkg::RegEntriesServe[3:0]: word_o = 32'(serve_q);
        muster_pkg::RegEntriesLocals[3:0]: word_o = 32'(locals_q);
        default: word_o = '0;
      endcase
    end
  end
  assign valid_o = valid_q;

  `MUSTER_ASSERT(ManyMoreCount_A, count_i == '0 || (!tree_q && count_q >= ManyLeft))
  `MUSTER_ASSERT(OneEffect_A, !(apply_i && claim_i))
  `MUSTER_ASSERT(AppliedIsOfGroup_A, !apply_i || match_o)
  `MUSTER_ASSERT(SentIfOwed_A, !send_i || owes_o)
  // No member is released before all have arrived, and each is released once:
  // docs/systems/bsr-tree.md.
  `MUSTER_ASSERT(ReleasedAllCame_A, !turns || (serve_q == '0 && !sent_q))
  `MUSTER_ASSERT(ToldBeforeReleased_A, !(told && tree_q) ||
                                       (arrived_q == below && serve_q == '0))

endmodule

`default_nettype wire
