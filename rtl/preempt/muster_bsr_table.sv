// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "muster_assert.svh"

// The status table of a switch: its entries, found by group, and the round robin among those that
// have a message to send. docs/systems/bsr-tree.md, "The status table".
//
// In every cycle the table decides the message at msg_i, on the state at the beginning of the
// cycle; with apply_i the decision takes effect at the edge. The message is a first message or for
// this switch. A first message on its way, of a group without an entry, gets the lowest free entry,
// or is refused. If two entries have the same group, which software must prevent, the lower is the
// group's.
//
// origin_o: there is a message to send, origin_message_o: of the entries that have one, that of the
// first at or after a pointer, which is 0 after reset and then behind the last that has sent.
// send_i: it is sent.
module muster_bsr_table #(
  /// ports of the switch, 3 to 16
  parameter int unsigned Ports = 8,
  /// entries, 1 to 16
  parameter int unsigned Regs = 4,
  /// barrier buffers of a port beyond the first, 0 to 7; with 0 nothing counts beside
  parameter int unsigned Spares = 0,
  localparam int unsigned DestW = muster_pkg::DestW
) (
  input  wire logic                   clk_i,
  input  wire logic                   rst_ni,

  /// address of this switch
  input  wire logic [DestW-1:0]       address_i,
  /// host: write; address without its highest bit, of a word of an entry or, with bit 10, of the
  /// address of a child; word; the word read
  input  wire logic                   write_i,
  input  wire logic [10:0]            addr_i,
  input  wire logic [31:0]            wdata_i,
  output logic [31:0]                 word_o,

  /// the message, its port, one-hot, whether it is for this switch
  input  wire muster_pkg::bsr_message_t msg_i,
  input  wire logic [Ports-1:0]       port_i,
  input  wire logic                   here_i,
  input  wire logic                   apply_i,
  /// nothing of it goes on; else it does, with these fields
  output logic                        consume_o,
  output logic [1:0]                  bnt_o,
  output logic                        refused_o,
  output logic [DestW-1:0]            new_node_o,
  /// why it changes nothing: unknown group, wrong source, out of phase
  output logic [2:0]                  drop_o,

  /// by port: a first message of this group for this switch, which tells nothing new; it only
  /// counts, and counts at the edge beside the message above
  input  wire logic [Ports-1:0]       count_i,
  input  wire logic [Ports-1:0][muster_pkg::BsrGidW-1:0] count_gid_i,
  output logic [Ports-1:0]            count_o,

  output logic                        origin_o,
  output muster_pkg::bsr_message_t    origin_message_o,
  /// the node that it is for, one-hot; 0: by its destination
  output logic [Ports-1:0]            origin_port_o,
  input  wire logic                   send_i
);
  `MUSTER_RANGE(Spares, 0, 7)
  `MUSTER_RANGE(Ports, 3, 16)
  `MUSTER_RANGE(Regs, 1, 16)

  localparam int unsigned GidW = muster_pkg::BsrGidW;

  logic [Regs-1:0] valid, match, found, consume, wrong, late, owes, turn, claim, apply;
  logic [Regs-1:0] above_match, above_free;
  logic [Regs-1:0][1:0] bnt, origin_kind, origin_bnt;
  logic [Regs-1:0] origin_refused;
  logic [Regs-1:0][DestW-1:0] new_node, origin_dest;
  logic [Regs-1:0][Ports-1:0] origin_port;
  logic [Regs-1:0][GidW-1:0] gid;
  logic [Regs-1:0][Ports-1:0] counting, counted;  // ports whose messages may count, and do
  logic [Regs-1:0][31:0] word;
  logic is_free, known, makes, refuses;

  logic of_child;
  logic [3:0] host_entry;
  assign of_child = addr_i[10];
  assign host_entry = of_child ? addr_i[9:6] : addr_i[7:4];

  for (genvar e = 0; e < Regs; e++) begin : gen_entry
    logic here_written;
    assign here_written = write_i && !of_child && host_entry == 4'(e);

    muster_bsr_entry #(
      .Ports(Ports),
      .Spares(Spares)
    ) entry (
      .clk_i,
      .rst_ni,
      .address_i,
      .control_write_i(here_written && addr_i[3:0] == muster_pkg::RegEntriesControl[3:0]),
      .locals_write_i(here_written && addr_i[3:0] == muster_pkg::RegEntriesLocals[3:0]),
      .wdata_i,
      .of_child_i(of_child),
      .raddr_i(addr_i[5:0]),
      .word_o(word[e]),
      .valid_o(valid[e]),
      .msg_i,
      .port_i,
      .here_i,
      .match_o(match[e]),
      .apply_i(apply[e]),
      .claim_i(claim[e]),
      .consume_o(consume[e]),
      .bnt_o(bnt[e]),
      .new_node_o(new_node[e]),
      .wrong_o(wrong[e]),
      .late_o(late[e]),
      .owes_o(owes[e]),
      .origin_kind_o(origin_kind[e]),
      .origin_bnt_o(origin_bnt[e]),
      .origin_refused_o(origin_refused[e]),
      .origin_dest_o(origin_dest[e]),
      .origin_port_o(origin_port[e]),
      .gid_o(gid[e]),
      .counting_o(counting[e]),
      .count_i(counted[e]),
      .send_i(send_i && turn[e])
    );
  end

  // ---- The message --------------------------------------------------------------------------
  assign is_free = msg_i.kind == muster_pkg::BsrFirst && msg_i.bnt == muster_pkg::BntFree;
  assign known = match != '0;
  // A first message on its way makes an entry, or is refused. One refused before passes.
  assign makes = !known && !here_i && !is_free && !msg_i.refused;
  assign refuses = makes && (&valid);

  muster_above_lowest #(
    .N(Regs)
  ) lowest_match (
    .bits_i(match),
    .above_o(above_match)
  );
  muster_above_lowest #(
    .N(Regs)
  ) lowest_free (
    .bits_i(~valid),
    .above_o(above_free)
  );
  assign found = match & ~above_match;
  assign apply = apply_i ? found : '0;
  assign claim = (apply_i && makes) ? ~valid & ~above_free : '0;

  always_comb begin
    consume_o = here_i;
    bnt_o = refuses ? muster_pkg::BntNothing : msg_i.bnt;
    refused_o = msg_i.refused || refuses;
    new_node_o = msg_i.new_node;
    drop_o = {2'b00, !known && here_i};
    for (int unsigned e = 0; e < Regs; e++) begin
      if (found[e]) begin
        consume_o = consume[e];
        bnt_o = bnt[e];
        new_node_o = new_node[e];
        drop_o = {late[e], wrong[e], 1'b0};
      end
    end
  end

  // ---- First messages that only count -------------------------------------------------------
  for (genvar p = 0; p < Ports; p++) begin : gen_count
    logic [Regs-1:0] same, above, counts;
    for (genvar e = 0; e < Regs; e++) begin : gen_same
      assign same[e] = Spares != 0 && count_i[p] && valid[e] && gid[e] == count_gid_i[p];
      assign counts[e] = same[e] && !above[e] && counting[e][p];
      assign counted[e][p] = counts[e];
    end
    muster_above_lowest #(
      .N(Regs)
    ) lowest (
      .bits_i(same),
      .above_o(above)
    );
    assign count_o[p] = counts != '0;
  end

  // ---- What the switch itself sends ---------------------------------------------------------
  muster_rr_arbiter #(
    .N(Regs)
  ) turns (
    .clk_i,
    .rst_ni,
    .req_i(owes),
    .take_i(send_i),
    .grant_o(turn)
  );
  assign origin_o = owes != '0;

  always_comb begin
    origin_message_o = '0;
    origin_port_o = '0;
    for (int unsigned e = 0; e < Regs; e++) begin
      if (turn[e]) begin
        origin_message_o.bnt = origin_bnt[e];
        origin_message_o.refused = origin_refused[e];
        origin_message_o.gid = gid[e];
        {origin_message_o.source_high, origin_message_o.source_low} = address_i;
        origin_message_o.kind = origin_kind[e];
        origin_message_o.dest = origin_dest[e];
        origin_port_o = origin_port[e];
      end
    end
  end

  always_comb begin
    word_o = '0;
    for (int unsigned e = 0; e < Regs; e++) begin
      if (host_entry == 4'(e)) word_o = word[e];
    end
  end

  `MUSTER_ASSERT(OneClaimed_A, (claim & (claim - 1'b1)) == '0)
  `MUSTER_ASSERT(AppliedOnce_A, apply == '0 || claim == '0)
  `MUSTER_ASSERT(SendsOfOne_A, !send_i || turn != '0)

endmodule

`default_nettype wire
