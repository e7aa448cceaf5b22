// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "muster_assert.svh"

// A whole barrier_switch of three ports, one channel and one register carries two marked flits, at
// any time, from one input to one output, among any other packets, register requests and answers,
// barrier messages, accesses of the host, and any delay of credits.
//
// The host first writes the table entry of the marked packets' destination, any mask but none. The
// marks are the values of two flits behind heads, of one packet or two, of input `source`; no other
// flit of a data packet has them. The environment knows only the wires:
//
//   - each mark leaves only if it has come, once, through the output that the entry says, tail or
//     not as it came, the second not before the first
//   - with both in one packet, as many flits lie between them on the way out as on the way in
//   - on each output packets are contiguous: a head, its flits, a tail, then the next head; barrier
//     messages may lie between them. Cut marks come anywhere: inside a packet one is its tail, and
//     outside it goes nowhere
//   - when the switch is quiescent nothing is inside: every mark that has come has left, and every
//     credit is back
//
// In answers of the register agent any word may look like a mark: they are known by the opcode of
// their head, which no packet from outside has. Only ports of barrier_switch are looked at.
module switch_integrity_proof #(
  parameter int unsigned Depth = 2,
  /// flits that senders may have on the way beyond Depth; 0 for the proof
  parameter int unsigned Over = 0,
  localparam int unsigned Ports = 3,
  localparam int unsigned FlitW = 16,
  localparam int unsigned KindW = muster_pkg::KindW,
  localparam int unsigned DestW = muster_pkg::DestW
) (
  input  wire logic                         clk_i,
  input  wire logic [1:0]                   source_i,
  input  wire logic [3:0]                   dest_i,
  input  wire logic [Ports-1:0]             mask_i,
  input  wire logic [1:0][FlitW-1:0]        mark_i,
  input  wire logic [Ports-1:0]             rx_valid_i,
  input  wire logic [Ports-1:0][KindW-1:0]  rx_kind_i,
  input  wire logic [Ports-1:0][FlitW-1:0]  rx_payload_i,
  input  wire logic [Ports-1:0]             tx_credit_i,
  input  wire logic                         reg_valid_i,
  input  wire logic                         reg_write_i,
  input  wire logic [11:0]                  reg_addr_i,
  input  wire logic [31:0]                  reg_wdata_i
);
  localparam int unsigned CountW = 5;

  logic rst_ni = 1'b0;
  logic running;  // the entry is written in the first cycle after the sweep of the table
  logic [4:0] swept_q;
  always_ff @(posedge clk_i) begin
    rst_ni <= 1'b1;
    if (!rst_ni) swept_q <= '0;
    else if (!swept_q[4]) swept_q <= swept_q + 1'b1;
    running <= rst_ni && swept_q[4];
  end

  logic [1:0] source_q;
  logic [3:0] dest_q;
  logic [Ports-1:0] mask_q, route, from;
  logic [1:0][FlitW-1:0] mark_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      source_q <= source_i;
      dest_q <= dest_i;
      mask_q <= mask_i;
      mark_q <= mark_i;
    end
  end
  assign route = mask_q & (~mask_q + 1'b1);
  assign from = Ports'(1) << source_q;

  // ---- The switch -----------------------------------------------------------------------------
  logic [Ports-1:0] rx_valid, rx_credit, tx_valid;
  logic [Ports-1:0][KindW-1:0] tx_kind;
  logic [Ports-1:0][FlitW-1:0] tx_payload;
  logic quiescent;
  assign rx_valid = running ? rx_valid_i : '0;

  barrier_switch #(
    .Ports(Ports),
    .Vcs(1),
    .Depth(Depth),
    .Regs(1),
    .FlitW(FlitW),
    .GidW(8),
    .Dests(16)
  ) dut (
    .clk_i,
    .rst_ni,
    .rx_valid_i(rx_valid),
    .rx_vc_i('0),
    .rx_kind_i,
    .rx_payload_i,
    .rx_credit_o(rx_credit),
    .tx_valid_o(tx_valid),
    .tx_kind_o(tx_kind),
    .tx_payload_o(tx_payload),
    .tx_credit_i,
    .reg_valid_i(!running || reg_valid_i),
    .reg_write_i(!running || reg_write_i),
    .reg_addr_i(running ? reg_addr_i : muster_pkg::RegRoutes + 12'(dest_q)),
    .reg_wdata_i(running ? reg_wdata_i : 32'(mask_q)),
    .quiescent_o(quiescent)
  );

  // ---- Links in: packets, credits, marks --------------------------------------------------------
  logic [Ports-1:0] comes, open_q, ours_q, badly_framed, no_credit, wrong_opcode, all_back;
  logic [1:0][Ports-1:0] has_mark;
  for (genvar p = 0; p < Ports; p++) begin : gen_in
    logic [CountW-1:0] out_q;  // flits whose credit is not back
    assign comes[p] = rx_valid[p] && !rx_kind_i[p][muster_pkg::KindSync];
    logic cut, head;
    assign cut = rx_kind_i[p] == 3'b011 && rx_payload_i[p][15:11] == 5'd31;
    assign head = rx_kind_i[p][muster_pkg::KindHead] && !cut;
    assign badly_framed[p] = comes[p] && !cut && head == open_q[p];
    assign no_credit[p] = comes[p] && 32'(out_q) >= Depth + Over;
    assign wrong_opcode[p] = comes[p] && head &&
                             rx_payload_i[p][DestW+:muster_pkg::OpcodeW] ==
                             muster_pkg::OpcodeW'(muster_pkg::OpcodeAnswer);
    assign all_back[p] = out_q == '0;
    for (genvar m = 0; m < 2; m++) begin : gen_mark
      assign has_mark[m][p] = comes[p] && !rx_kind_i[p][muster_pkg::KindHead] &&
                              rx_payload_i[p] == mark_q[m];
    end
    always_ff @(posedge clk_i) begin
      if (!rst_ni) begin
        open_q[p] <= 1'b0;
        ours_q[p] <= 1'b0;
        out_q <= '0;
      end else begin
        if (comes[p]) open_q[p] <= !rx_kind_i[p][muster_pkg::KindTail];
        if (comes[p] && head) begin
          ours_q[p] <= rx_payload_i[p][DestW-1:0] == DestW'(dest_q);
        end
        out_q <= out_q + CountW'(comes[p]) - CountW'(rx_credit[p]);
      end
    end
  end

  // ---- Links out: framing, credits, marks -------------------------------------------------------
  logic [Ports-1:0] goes, answer_q, answers, inside_q, badly_ended, too_many;
  logic [1:0][Ports-1:0] out_mark;
  for (genvar p = 0; p < Ports; p++) begin : gen_out
    logic [CountW-1:0] away_q;
    logic cut, head;
    assign cut = tx_kind[p] == 3'b011 && tx_payload[p][15:11] == 5'd31;
    assign head = tx_kind[p][muster_pkg::KindHead] && !cut;
    assign goes[p] = tx_valid[p] && !tx_kind[p][muster_pkg::KindSync];
    assign answers[p] = head ? tx_payload[p][DestW+:muster_pkg::OpcodeW] ==
                               muster_pkg::OpcodeW'(muster_pkg::OpcodeAnswer)
                             : answer_q[p];
    assign badly_ended[p] = goes[p] && head == inside_q[p];
    assign too_many[p] = tx_credit_i[p] && away_q == '0;
    for (genvar m = 0; m < 2; m++) begin : gen_mark
      assign out_mark[m][p] = goes[p] && !head && !cut && !answers[p] && tx_payload[p] == mark_q[m];
    end
    always_ff @(posedge clk_i) begin
      if (!rst_ni) begin
        inside_q[p] <= 1'b0;
        answer_q[p] <= 1'b0;
        away_q <= '0;
      end else begin
        if (goes[p]) begin
          inside_q[p] <= !tx_kind[p][muster_pkg::KindTail];
          answer_q[p] <= answers[p];
        end
        away_q <= away_q + CountW'(goes[p]) - CountW'(tx_credit_i[p]);
      end
    end
  end

  // ---- The two marks ----------------------------------------------------------------------------
  // come, gone: so far. between: flits of the packet from the first to the second, in and out.
  logic [1:0] come_q, gone_q, come, gone, tail_q;
  logic [CountW-1:0] between_in_q, between_out_q;
  logic one_packet_q, untrue, elsewhere, changed, again, stretched;
  assign come = {has_mark[1] != '0, has_mark[0] != '0};
  assign gone = {out_mark[1] != '0, out_mark[0] != '0};
  logic [Ports-1:0] tail_in, tail_out;
  for (genvar p = 0; p < Ports; p++) begin : gen_tail
    assign tail_in[p] = rx_kind_i[p][muster_pkg::KindTail];
    assign tail_out[p] = tx_kind[p][muster_pkg::KindTail];
  end
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      come_q <= '0;
      gone_q <= '0;
      tail_q <= '0;
      one_packet_q <= 1'b0;
      between_in_q <= '0;
      between_out_q <= '0;
    end else begin
      come_q <= come_q | come;
      gone_q <= gone_q | gone;
      for (int unsigned m = 0; m < 2; m++) begin
        if (come[m]) tail_q[m] <= (from & tail_in) != '0;
      end
      if (come[0]) one_packet_q <= (from & tail_in) == '0;
      else if (!come_q[1] && !come[1] && (from & comes & tail_in) != '0) one_packet_q <= 1'b0;
      if (come_q[0] && !come_q[1] && (from & comes) != '0) between_in_q <= between_in_q + 1'b1;
      if (gone_q[0] && !gone_q[1] && (route & goes) != '0) between_out_q <= between_out_q + 1'b1;
    end
  end
  assign untrue = (gone & ~come_q) != '0;
  assign again = (gone & gone_q) != '0;
  assign elsewhere = ((out_mark[0] | out_mark[1]) & ~route) != '0;
  assign changed = (gone[0] && ((route & tail_out) != '0) != tail_q[0]) ||
                   (gone[1] && ((route & tail_out) != '0) != tail_q[1]);
  assign stretched = gone[1] && one_packet_q && between_out_q + 1'b1 != between_in_q;

  // The entry of the marked packets stays; the host reads and writes all else at any time.
  `MUSTER_ASSUME(EntryStays_M, !running || !reg_valid_i || !reg_write_i || !reg_addr_i[11] ||
                               reg_addr_i[3:0] != dest_q)
  `MUSTER_ASSUME(EntryIsOne_M, mask_q != '0 && 32'(source_q) < Ports)
  // What senders and receivers owe: packets, credits.
  `MUSTER_ASSUME(Packets_M, badly_framed == '0 && wrong_opcode == '0)
  `MUSTER_ASSUME(Credits_M, no_credit == '0 && too_many == '0)
  // The marks: different, each once, in order, at the source, behind a head for the destination.
  `MUSTER_ASSUME(MarksDiffer_M, mark_q[0] != mark_q[1])
  `MUSTER_ASSUME(MarksOfSource_M, ((has_mark[0] | has_mark[1]) & ~(from & ours_q)) == '0)
  `MUSTER_ASSUME(MarksOnce_M, (come & come_q) == '0 && (!come[1] || come_q[0]))

  `MUSTER_ASSERT(LeavesIfItCame_A, !untrue)
  `MUSTER_ASSERT(LeavesOnce_A, !again)
  `MUSTER_ASSERT(LeavesByItsRoute_A, !elsewhere)
  `MUSTER_ASSERT(KindIsUnchanged_A, !changed)
  `MUSTER_ASSERT(FirstIsFirst_A, !gone[1] || gone_q[0])
  `MUSTER_ASSERT(NothingBetween_A, !stretched)
  `MUSTER_ASSERT(PacketsAreWhole_A, badly_ended == '0)
  `MUSTER_ASSERT(QuiescentIsEmpty_A, !running || !quiescent || (gone_q == come_q && (&all_back)))

  `MUSTER_COVER(BothInOnePacket_C, (&gone_q) && one_packet_q)
  `MUSTER_COVER(BothInTwo_C, (&gone_q) && !one_packet_q && quiescent)
  `MUSTER_COVER(AmongBarriers_C, gone[1] && tx_valid != goes)

endmodule

`default_nettype wire
