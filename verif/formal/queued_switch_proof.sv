// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "muster_assert.svh"

// muster_barrier_switch with Queued, three ports and one channel: no member is released early.
//
// The register has children on ports 0 and 1, and its parent on port 2 or, with Turn, none. Links
// bring, with credits and between packets, any packets and any messages, of other groups and from
// wrong ports too, and return credits when they like. The host writes the routing table at any
// time. A child arrives again after its release, and the parent answers each reduction once.
//
//   - a release is on the wires to a child only if since its last one all children have arrived or,
//     without Turn, the parent has answered a reduction that went after all had
//   - a reduction is on the wires to the parent only after all have arrived, once
//   - nothing else that is sync leaves; what leaves has a credit, and no message leaves inside a
//     packet
module queued_switch_proof #(
  parameter bit Turn = 1'b0,
  parameter int unsigned Depth = 1,
  localparam int unsigned Ports = 3,
  localparam int unsigned FlitW = 16,
  localparam int unsigned GidW = 8,
  localparam int unsigned KindW = muster_pkg::KindW,
  localparam logic [GidW-1:0] Gid = 8'd5,
  localparam logic [Ports-1:0] Children = 3'b011
) (
  input  wire logic                         clk_i,
  input  wire logic [Ports-1:0]             rx_valid_i,
  input  wire logic [Ports-1:0][KindW-1:0]  rx_kind_i,
  input  wire logic [Ports-1:0][FlitW-1:0]  rx_payload_i,
  input  wire logic [Ports-1:0]             tx_credit_i,
  input  wire logic                         write_i,
  input  wire logic [3:0]                   waddr_i,
  input  wire logic [Ports-1:0]             wentry_i
);
  // Reset, the writes of child mask and control word, then any routes.
  logic rst_ni = 1'b0;
  logic [1:0] setup_q;
  logic [11:0] address;
  logic [31:0] word;
  always_ff @(posedge clk_i) begin
    rst_ni <= 1'b1;
    setup_q <= rst_ni ? {setup_q[0], 1'b0} : 2'b01;
  end
  assign address = setup_q[0] ? 12'h102 : setup_q[1] ? 12'h100 : {8'h80, waddr_i};
  assign word = setup_q[0] ? 32'(Children)
                           : setup_q[1] ? {1'b1, Turn, 14'd2, 16'(Gid)} : 32'(wentry_i);

  logic [Ports-1:0] rx_credit, tx_valid;
  logic [Ports-1:0][KindW-1:0] tx_kind;
  logic [Ports-1:0][FlitW-1:0] tx_payload;
  muster_barrier_switch #(
    .Ports(Ports),
    .Vcs(1),
    .Depth(Depth),
    .Regs(1),
    .FlitW(FlitW),
    .GidW(GidW),
    .Dests(16),
    .Ops(2),
    .Queued(1)
  ) dut (
    .clk_i, .rst_ni,
    .rx_valid_i,
    .rx_vc_i('0),
    .rx_kind_i,
    .rx_payload_i,
    .rx_credit_o(rx_credit),
    .tx_valid_o(tx_valid),
    .tx_kind_o(tx_kind),
    .tx_payload_o(tx_payload),
    .tx_credit_i,
    .reg_valid_i(setup_q != '0 || write_i),
    .reg_write_i(1'b1),
    .reg_addr_i(address),
    .reg_wdata_i(word)
  );

  // ---- Links: credits, packets, messages of the group -----------------------------------------
  localparam int unsigned CountW = $clog2(Depth + 2);
  logic [Ports-1:0] bad, unpaid, inside, sync, reduces, distributes, up, down;
  for (genvar p = 0; p < Ports; p++) begin : gen_port
    logic [CountW-1:0] in_q, out_q;  // flits whose credit is not back
    logic open_q, leaving_q, is_sync, head, tail;
    logic [FlitW-1:0] payload, sent;
    assign payload = rx_payload_i[p];
    assign sent = tx_payload[p];
    assign is_sync = rx_kind_i[p][muster_pkg::KindSync];
    assign head = rx_kind_i[p][muster_pkg::KindHead];
    assign tail = rx_kind_i[p][muster_pkg::KindTail];
    assign bad[p] = (rx_valid_i[p] && (setup_q != '0 || !rst_ni || 32'(in_q) >= Depth ||
                                       (is_sync ? open_q : head == open_q) ||
                                       rx_kind_i[p] == muster_pkg::KindCut)) ||
                    (tx_credit_i[p] && out_q == '0);
    assign sync[p] = tx_valid[p] && tx_kind[p][muster_pkg::KindSync];
    assign unpaid[p] = tx_valid[p] && 32'(out_q) >= Depth;
    assign inside[p] = sync[p] && leaving_q;
    assign reduces[p] = rx_valid_i[p] && is_sync &&
                        payload[FlitW-1-:2+GidW] == {muster_pkg::MsgReduction, Gid};
    assign distributes[p] = rx_valid_i[p] && is_sync &&
                            payload[FlitW-1-:2+GidW] == {muster_pkg::MsgDistribution, Gid};
    assign up[p] = sync[p] && sent[FlitW-1-:2+GidW] == {muster_pkg::MsgReduction, Gid};
    assign down[p] = sync[p] && sent[FlitW-1-:2+GidW] == {muster_pkg::MsgDistribution, Gid};
    always_ff @(posedge clk_i) begin
      if (!rst_ni) {in_q, out_q, open_q, leaving_q} <= '0;
      else begin
        in_q <= in_q + CountW'(rx_valid_i[p]) - CountW'(rx_credit[p]);
        out_q <= out_q + CountW'(tx_valid[p]) - CountW'(tx_credit_i[p]);
        if (rx_valid_i[p] && !is_sync) open_q <= !tail;
        if (tx_valid[p] && !sync[p]) leaving_q <= !tx_kind[p][muster_pkg::KindTail];
      end
    end
  end

  // ---- The barrier: children that have arrived, are to be released; the reduction has gone ------
  logic [Ports-1:0] came_q, due_q;
  logic asked_q, all, opens;
  assign all = came_q == Children;
  assign opens = Turn ? all && due_q == '0 : distributes[2];
  always_ff @(posedge clk_i) begin
    if (!rst_ni) {came_q, due_q, asked_q} <= '0;
    else begin
      came_q <= (opens ? '0 : came_q) | (reduces & Children);
      due_q <= (opens ? Children : due_q) & ~down;
      asked_q <= !opens && (asked_q || up[2]);
    end
  end

  `MUSTER_ASSUME(LinksAreLegal_M, bad == '0)
  `MUSTER_ASSUME(ArrivesOnce_M, (reduces & Children & (came_q | due_q)) == '0)
  `MUSTER_ASSUME(AnswersOnce_M, Turn || !distributes[2] || asked_q)

  `MUSTER_ASSERT(NobodyEarly_A, (down & ~due_q) == '0)
  `MUSTER_ASSERT(ReducesAfterAll_A, up == '0 || (!Turn && up == 3'b100 && all && !asked_q))
  `MUSTER_ASSERT(NothingElse_A, sync == (up | down))
  `MUSTER_ASSERT(HasACredit_A, unpaid == '0)
  `MUSTER_ASSERT(BetweenPackets_A, inside == '0)

  `MUSTER_COVER(ReleasesBoth_C, down == Children)
  `MUSTER_COVER(PassesData_C, (tx_valid & ~sync) != '0 && due_q != '0)

endmodule

`default_nettype wire
