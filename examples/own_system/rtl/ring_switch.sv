// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "muster_assert.svh"

// A switch of a token ring: barriers of one group, by a token that circulates twice.
//
// Every switch knows its next and its previous switch of the ring and the ports of its member
// nodes; one switch with a member is the home. A member arrives with a reduction message. When all
// members of the home have arrived, it sends a reduction message, the token, to the next switch;
// each switch keeps the token until its own members have arrived. The token back at home, the home
// sends a distribution message to its members and to the next switch, each switch does the same,
// and the barrier ends when that message is back at home. Data are not carried.
//
// A message is consumed in the cycle in which it is on the wires, and what follows from it is on
// the wires two cycles later, L + 1 cycles a hop. So messages need no buffer and take no credit.
//
// Registers: 0x002 widths (GidW << 8 | FlitW), 0x040 control (31 in use, 30 home, 11..8 port of the
// previous switch, 3..0 port of the next), 0x041 mask of member ports, 0x042 progress, read only
// (31 the token is here, 15..0 mask of the members that have arrived). Control is written last.
// Others read 0 and ignore writes. Of a port number the lowest PortW bits are kept, the others read
// 0; a number that no port has names none: nothing is taken from there or sent there.
//
// A reduction message at a member port is an arrival, at the port of the previous switch the token,
// and a distribution message there the release; any other message is ignored.
// A switch that is not in use takes no token and no release, but arrivals.
//
// Example, a home with one member at port 0 and the next switch at port 2: the member's message is
// on the wires in cycle 10, the token to port 2 in cycle 12.
module ring_switch #(
  /// ports, 3 to 16
  parameter int unsigned Ports = 4,
  /// virtual channels, 1 to 1
  parameter int unsigned Vcs = 1,
  /// flits in an input queue of a neighbour, 2 to 16
  parameter int unsigned Depth = 4,
  /// groups served, 1 to 1
  parameter int unsigned Regs = 1,
  /// payload bits of a flit, 16 to 80
  parameter int unsigned FlitW = 16,
  /// bits of a group identifier, 4 to 12
  parameter int unsigned GidW = 8,
  /// destinations of the network; nothing is routed, 16 to 2048
  parameter int unsigned Dests = 64,
  localparam int unsigned PortW = $clog2(Ports),
  localparam int unsigned KindW = muster_pkg::KindW
) (
  input  wire logic                         clk_i,
  input  wire logic                         rst_ni,

  /// links in: a flit of port p; the others of its message never follow, it is one flit
  input  wire logic [Ports-1:0]             rx_valid_i,
  input  wire logic [Ports-1:0][0:0]        rx_vc_i,
  input  wire logic [Ports-1:0][KindW-1:0]  rx_kind_i,
  input  wire logic [Ports-1:0][FlitW-1:0]  rx_payload_i,
  output logic [Ports-1:0][0:0]             rx_credit_o,

  /// links out
  output logic [Ports-1:0]                  tx_valid_o,
  output logic [Ports-1:0][0:0]             tx_vc_o,
  output logic [Ports-1:0][KindW-1:0]       tx_kind_o,
  output logic [Ports-1:0][FlitW-1:0]       tx_payload_o,
  input  wire logic [Ports-1:0][0:0]        tx_credit_i,

  /// register port; a read is answered in the same cycle
  input  wire logic                         reg_valid_i,
  input  wire logic                         reg_write_i,
  input  wire logic [11:0]                  reg_addr_i,
  input  wire logic [31:0]                  reg_wdata_i,
  output logic [31:0]                       reg_rdata_o,

  /// a clock with idle inputs would change nothing
  output logic                              quiescent_o
);
  `MUSTER_RANGE(Ports, 3, 16)
  `MUSTER_RANGE(Vcs, 1, 1)
  `MUSTER_RANGE(Depth, 2, 16)
  `MUSTER_RANGE(Regs, 1, 1)
  `MUSTER_RANGE(FlitW, 16, 80)
  `MUSTER_RANGE(GidW, 4, 12)
  `MUSTER_RANGE(Dests, 16, 2048)

  localparam logic [11:0] Widths = 12'h002, Control = 12'h040;
  localparam logic [11:0] Members = 12'h041, Progress = 12'h042;
  localparam logic [KindW-1:0] Sync = KindW'(1) << muster_pkg::KindSync;

  logic in_use_q, home_q;
  logic [PortW-1:0] previous_q, next_q;
  logic [Ports-1:0] members_q;
  logic [Ports-1:0] arrived_q, arrived_d;  // members that have arrived
  logic token_q, token_d;                  // the token is here
  logic release_q;                         // a distribution message has come
  logic round_q, round_d;                  // home: a token of this switch is under way

  // What came in: the type of a message is its two highest bits.
  logic [Ports-1:0] reduction, distribution;
  for (genvar p = 0; p < Ports; p++) begin : gen_port
    assign reduction[p] = rx_valid_i[p] && rx_payload_i[p][FlitW-1-:2] == muster_pkg::MsgReduction;
    assign distribution[p] =
        rx_valid_i[p] && rx_payload_i[p][FlitW-1-:2] == muster_pkg::MsgDistribution;
  end

  logic full, begins, passes, lets_go;
  logic [Ports-1:0] from_previous, to_next, send;
  assign from_previous = in_use_q ? Ports'(1) << previous_q : '0;
  always_comb begin
    full = in_use_q && (arrived_q & members_q) == members_q;
    begins = home_q && full && !round_q;
    passes = !home_q && full && token_q;
    lets_go = home_q ? token_q : release_q;

    arrived_d = (lets_go ? arrived_q & ~members_q : arrived_q) | (reduction & members_q);
    token_d = (token_q && !passes && !lets_go) || ((reduction & from_previous & ~members_q) != '0);
    round_d = begins || (round_q && !(home_q && release_q));

    to_next = (begins || passes || lets_go) ? Ports'(1) << next_q : '0;
    send = lets_go ? to_next | members_q : to_next;
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      arrived_q <= '0;
      token_q <= 1'b0;
      release_q <= 1'b0;
      round_q <= 1'b0;
      tx_valid_o <= '0;
    end else begin
      arrived_q <= arrived_d;
      token_q <= token_d;
      release_q <= (distribution & from_previous) != '0;
      round_q <= round_d;
      tx_valid_o <= send;
    end
  end

  logic released_q;
  always_ff @(posedge clk_i) released_q <= lets_go;
  assign rx_credit_o = '0;
  assign tx_vc_o = '0;
  assign tx_kind_o = {Ports{Sync}};
  assign tx_payload_o = {Ports{released_q ? muster_pkg::MsgDistribution : muster_pkg::MsgReduction,
                               {FlitW - 2{1'b0}}}};

  // Register port.
  logic write;
  assign write = reg_valid_i && reg_write_i;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      {in_use_q, home_q, previous_q, next_q} <= '0;
      members_q <= '0;
    end else if (write && reg_addr_i == Control) begin
      {in_use_q, home_q} <= reg_wdata_i[31:30];
      {previous_q, next_q} <= {reg_wdata_i[8+:PortW], reg_wdata_i[0+:PortW]};
    end else if (write && reg_addr_i == Members) begin
      members_q <= reg_wdata_i[Ports-1:0];
    end
  end
  always_comb begin
    case (reg_addr_i)
      Widths: reg_rdata_o = 32'(GidW) << 8 | 32'(FlitW);
      Control: reg_rdata_o = {in_use_q, home_q, 18'b0, 4'(previous_q), 4'b0, 4'(next_q)};
      Members: reg_rdata_o = 32'(members_q);
      Progress: reg_rdata_o = {token_q, 15'b0, 16'(arrived_q)};
      default: reg_rdata_o = '0;
    endcase
  end

  assign quiescent_o = tx_valid_o == '0 && !release_q && !begins && !passes && !lets_go;

  `MUSTER_ASSERT(OneTokenHere_A, !(token_q && release_q))
  `MUSTER_ASSERT(ArrivesOnce_A, (reduction & members_q & arrived_q) == '0 || lets_go)

endmodule

`default_nettype wire
