// SPDX-License-Identifier: Apache-2.0
`default_nettype none

// The protocols of links and register ports as concurrent assertions, bound to the blocks wherever
// they are instantiated. For simulators with assertions of IEEE 1800: compile this file with the
// list of the blocks. Never synthesized, and not read by Yosys or Verilator 5.006.
//
// Of `rx` a failing rule of flits is the neighbour's fault and one of credits the block's; of `tx`
// it is the other way round. A rule of `registers` is the block's, or of a host that accesses with
// unknown bits.

// One channel of a link, seen at either end: docs/reference/formats.md.
module muster_link_rules #(
  /// virtual channels, 1 to 4
  parameter int unsigned Vcs = 2,
  /// flits that the receiver has room for, of each channel; 0: not counted
  parameter int unsigned Depth = 4,
  /// credits that go back: Vcs, and one more with pockets
  parameter int unsigned Backs = 2,
  /// payload bits
  parameter int unsigned FlitW = 16,
  /// barrier messages queue with data: each takes a credit of channel 0, 0 to 1
  parameter int unsigned Queued = 0,
  localparam int unsigned VcW = (Vcs > 1) ? $clog2(Vcs) : 1,
  localparam int unsigned KindW = muster_pkg::KindW
) (
  input wire logic             clk_i,
  input wire logic             rst_ni,
  input wire logic             valid_i,
  input wire logic [VcW-1:0]   vc_i,
  input wire logic [KindW-1:0] kind_i,
  input wire logic [FlitW-1:0] payload_i,
  input wire logic [Backs-1:0] credit_i
);
  default clocking cycle @(posedge clk_i); endclocking
  default disable iff (!rst_ni);

  logic sync, head, tail;
  assign sync = kind_i[muster_pkg::KindSync];
  assign tail = kind_i[muster_pkg::KindTail];
  assign head = kind_i[muster_pkg::KindHead] &&
                !muster_pkg::is_cut(kind_i, payload_i[muster_pkg::DestW+:muster_pkg::OpcodeW]);

  ValidAndCreditAreKnown_A: assert property (!$isunknown({valid_i, credit_i}));
  FlitIsKnown_A: assert property (valid_i |-> !$isunknown({vc_i, kind_i, payload_i}));
  ChannelIsThere_A: assert property (valid_i |-> 32'(vc_i) < Vcs);
  SyncIsOneFlit_A: assert property (valid_i && sync |-> kind_i == muster_pkg::KindW'(4));

  for (genvar v = 0; v < Vcs; v++) begin : gen_channel
    logic comes, takes, open_q;
    int unsigned used_q;
    assign comes = valid_i && !sync && 32'(vc_i) == v;
    assign takes = comes || (valid_i && sync && Queued == 1 && v == 0);

    always_ff @(posedge clk_i) begin
      if (!rst_ni) begin
        open_q <= 1'b0;
        used_q <= 0;
      end else begin
        if (comes) open_q <= !tail;
        used_q <= used_q + 32'(takes) - 32'(credit_i[v]);
      end
    end

    PacketIsWhole_A: assert property (comes |-> head != open_q);
    if (Depth != 0) begin : gen_counted
      FlitHasCredit_A: assert property (takes |-> used_q < Depth || credit_i[v]);
      CreditIsOfFlit_A: assert property (credit_i[v] |-> used_q != 0 || takes);
    end
  end

  if (Backs > Vcs && Depth != 0) begin : gen_pocket
    logic full_q;
    always_ff @(posedge clk_i) begin
      if (!rst_ni) full_q <= 1'b0;
      else full_q <= (full_q || (valid_i && sync)) && !credit_i[Vcs];
    end
    MessageHasPocket_A: assert property (valid_i && sync |-> !full_q || credit_i[Vcs]);
    PocketCreditIsOfMessage_A: assert property (credit_i[Vcs] |-> full_q || (valid_i && sync));
  end

endmodule

// A register port: docs/reference/registers.md.
module muster_register_rules #(
  /// bits of an address
  parameter int unsigned AddrW = 12
) (
  input wire logic             clk_i,
  input wire logic             rst_ni,
  input wire logic             reg_valid_i,
  input wire logic             reg_write_i,
  input wire logic [AddrW-1:0] reg_addr_i,
  input wire logic [31:0]      reg_wdata_i,
  input wire logic [31:0]      reg_rdata_o
);
  default clocking cycle @(posedge clk_i); endclocking
  default disable iff (!rst_ni);

  AccessIsKnown_A: assert property (!$isunknown(reg_valid_i));
  AddressIsKnown_A: assert property (reg_valid_i |-> !$isunknown({reg_write_i, reg_addr_i}));
  WordIsKnown_A: assert property (reg_valid_i && reg_write_i |-> !$isunknown(reg_wdata_i));
  NoReadNoWord_A: assert property (!(reg_valid_i && !reg_write_i) |-> reg_rdata_o == '0);

endmodule

// A switch: the links of its ports, its register port, and its rest.
module muster_switch_rules #(
  parameter int unsigned Ports = 8,
  parameter int unsigned Vcs = 2,
  parameter int unsigned Depth = 4,
  parameter int unsigned Backs = 2,
  parameter int unsigned FlitW = 16,
  /// neighbours must keep the rules, 0 to 1: not with Guard, which enforces them
  parameter int unsigned Trusts = 1,
  /// barrier messages queue with data, 0 to 1
  parameter int unsigned Queued = 0,
  localparam int unsigned VcW = (Vcs > 1) ? $clog2(Vcs) : 1,
  localparam int unsigned KindW = muster_pkg::KindW
) (
  input wire logic                        clk_i,
  input wire logic                        rst_ni,
  input wire logic [Ports-1:0]            rx_valid_i,
  input wire logic [Ports-1:0][VcW-1:0]   rx_vc_i,
  input wire logic [Ports-1:0][KindW-1:0] rx_kind_i,
  input wire logic [Ports-1:0][FlitW-1:0] rx_payload_i,
  input wire logic [Ports-1:0][Backs-1:0] rx_credit_o,
  input wire logic [Ports-1:0]            tx_valid_o,
  input wire logic [Ports-1:0][VcW-1:0]   tx_vc_o,
  input wire logic [Ports-1:0][KindW-1:0] tx_kind_o,
  input wire logic [Ports-1:0][FlitW-1:0] tx_payload_o,
  input wire logic [Ports-1:0][Backs-1:0] tx_credit_i,
  input wire logic                        reg_valid_i,
  input wire logic                        reg_write_i,
  input wire logic                        quiescent_o
);
  for (genvar p = 0; p < Ports; p++) begin : gen_port
    if (Trusts == 1) begin : gen_rx
      muster_link_rules #(
        .Vcs(Vcs), .Depth(Depth), .Backs(Backs), .FlitW(FlitW), .Queued(Queued)
      ) rx (
        .clk_i, .rst_ni, .valid_i(rx_valid_i[p]), .vc_i(rx_vc_i[p]), .kind_i(rx_kind_i[p]),
        .payload_i(rx_payload_i[p]), .credit_i(rx_credit_o[p])
      );
    end
    muster_link_rules #(
      .Vcs(Vcs), .Depth(Depth), .Backs(Backs), .FlitW(FlitW), .Queued(Queued)
    ) tx (
      .clk_i, .rst_ni, .valid_i(tx_valid_o[p]), .vc_i(tx_vc_o[p]), .kind_i(tx_kind_o[p]),
      .payload_i(tx_payload_o[p]), .credit_i(tx_credit_i[p])
    );
  end

  default clocking cycle @(posedge clk_i); endclocking
  default disable iff (!rst_ni);

  RestLasts_A: assert property (
    quiescent_o && rx_valid_i == '0 && tx_credit_i == '0 && !(reg_valid_i && reg_write_i)
    |=> quiescent_o);
  RestIsSilent_A: assert property (quiescent_o |-> tx_valid_o == '0 && rx_credit_o == '0);

endmodule

bind muster_barrier_switch muster_switch_rules #(
  .Ports(Ports), .Vcs(Vcs), .Depth(Depth), .Backs(BackW), .FlitW(FlitW), .Trusts(32'(Guard == 0)),
  .Queued(Queued)
) rules (.*);
bind muster_barrier_switch muster_register_rules #(.AddrW(RegAddrW)) register_rules (.*);

bind muster_multicast_switch muster_switch_rules #(
  .Ports(Ports), .Vcs(Vcs), .Depth(Depth), .Backs(Vcs), .FlitW(FlitW)
) rules (.*);
bind muster_multicast_switch muster_register_rules register_rules (.*);

// A cut packet shares its channel with messages and pads, whose credits are others'.
bind muster_bsr_switch muster_register_rules register_rules (.*);

bind muster_link_end muster_register_rules register_rules (.*);
bind muster_nic_engine muster_register_rules register_rules (.*);

`default_nettype wire
