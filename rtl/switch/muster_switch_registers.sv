// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "muster_assert.svh"

// The registers of every kind of switch (docs/reference/registers.md): identity, sizes, widths, the
// counts of packets without a route and of headless flits, and writes of the routing table. 32-bit
// words at 12-bit word addresses.
//
// A read and a write in every cycle, never refused. A write takes effect at the edge of its cycle.
// A read is answered in the same cycle and changes nothing; word_o is 0 without a read, and for a
// word outside this module. A write of the routing table is passed on with the bit `self` of the
// entry.
module muster_switch_registers #(
  /// kind of switch in the identity word, a constant of muster_pkg
  parameter logic [7:0] Kind = muster_pkg::KindBarrierSwitch,
  /// ports, 3 to 32
  parameter int unsigned Ports = 8,
  /// virtual channels, 1 to 4
  parameter int unsigned Vcs = 2,
  /// flits in an input queue, 1 to 16
  parameter int unsigned Depth = 4,
  /// barrier registers, 0 to 16
  parameter int unsigned Regs = 4,
  /// payload bits of a flit, 16 to 512
  parameter int unsigned FlitW = 16,
  /// bits of a group identifier, 4 to 12
  parameter int unsigned GidW = 8,
  /// entries of the routing table, 16 to 65536
  parameter int unsigned Dests = 2048,
  /// packets without a route that can be dropped in a cycle, 1 to 128
  parameter int unsigned Drops = 16,
  localparam int unsigned RouteW = $clog2(Dests),
  localparam int unsigned TableW =
      (Dests > 2048) ? muster_pkg::RegWideAddrW : muster_pkg::RegAddrW
) (
  input  wire logic                  clk_i,
  input  wire logic                  rst_ni,

  input  wire logic                  read_i,
  input  wire logic [11:0]           addr_i,
  /// with more than 2048 destinations the address of a write has more than 12 bits
  input  wire logic                  write_i,
  input  wire logic [TableW-1:0]     table_addr_i,
  // An entry of the routing table is all that is written here.
  /* verilator lint_off UNUSEDSIGNAL */
  input  wire logic [31:0]           wdata_i,
  /* verilator lint_on UNUSEDSIGNAL */
  output logic [31:0]                word_o,

  /// packets without a route, dropped in this cycle; headless flits; the table is being swept
  input  wire logic [Drops-1:0]      unroutable_i,
  input  wire logic [Drops-1:0]      headless_i,
  input  wire logic                  sweeping_i,

  /// routing table
  output logic                       route_write_o,
  output logic [RouteW-1:0]          route_addr_o,
  output logic [Ports:0]             route_entry_o
);
  localparam int unsigned SumW = $clog2(Drops + 1);

  `MUSTER_RANGE(Ports, 3, 32)
  `MUSTER_RANGE(Vcs, 1, 4)
  `MUSTER_RANGE(Depth, 1, 16)
  `MUSTER_RANGE(Regs, 0, 16)
  `MUSTER_RANGE(GidW, 4, 12)
  `MUSTER_RANGE(FlitW, 16, 512)
  `MUSTER_RANGE(Dests, 16, 65536)

  `MUSTER_RANGE(Drops, 1, 128)

  logic [15:0] unroutable_q, unroutable_d;
  logic [7:0] headless_q, headless_d;
  if (Dests > 2048) begin : gen_wide
    logic [TableW-1:0] route_offset;
    assign route_offset = table_addr_i - TableW'(muster_pkg::RegRoutes);
    assign route_write_o = write_i && (table_addr_i >= TableW'(muster_pkg::RegRoutes)) &&
                           (route_offset < TableW'(Dests));
    assign route_addr_o = route_offset[RouteW-1:0];
  end else begin : gen_narrow
    logic [11:0] route_offset;
    assign route_offset = {1'b0, table_addr_i[10:0]};
    assign route_write_o = write_i && (table_addr_i[11] == muster_pkg::RegRoutes[11]) &&
                           (route_offset < 12'(Dests));
    assign route_addr_o = table_addr_i[RouteW-1:0];
  end
  // Bits of an entry that the table does not have are ignored.
  /* verilator lint_off UNUSEDSIGNAL */
  muster_pkg::routes_t route;
  /* verilator lint_on UNUSEDSIGNAL */
  logic upper;
  assign route = wdata_i;
  if (Ports > 31) begin : gen_upper_route
    // Port 31, whose bit in the entry is `self`.
    logic upper_q;
    always_ff @(posedge clk_i) begin
      if (!rst_ni) upper_q <= 1'b0;
      else if (write_i && table_addr_i == TableW'(muster_pkg::RegUpperRoute)) upper_q <= wdata_i[0];
    end
    assign route_entry_o = {route.own, upper_q, route.ports};
    assign upper = upper_q;
  end else begin : gen_one_word
    assign route_entry_o = {route.own, route.ports[Ports-1:0]};
    assign upper = 1'b0;
  end

  muster_pkg::identity_t identity;
  muster_pkg::sizes_t sizes;
  muster_pkg::widths_t widths;
  muster_pkg::no_route_drops_t drops;
  always_comb begin
    drops = '0;
    drops.sweeping = sweeping_i;
    drops.headless = headless_q;
    drops.count = unroutable_q;
    identity.magic = muster_pkg::RegIdentityMagic;
    identity.kind = Kind;
    identity.version = muster_pkg::RegIdentityVersion;
    sizes.regs = 8'(Regs);
    sizes.depth = 8'(Depth);
    sizes.vcs = 8'(Vcs);
    sizes.ports = 8'(Ports);
    widths.dests = 16'(Dests);
    widths.gid_w = 6'(GidW);
    widths.flit_w = 10'(FlitW);
  end
  always_comb begin
    word_o = '0;
    if (read_i) begin
      unique case (addr_i)
        muster_pkg::RegIdentity: word_o = identity;
        muster_pkg::RegSizes: word_o = sizes;
        muster_pkg::RegWidths: word_o = widths;
        muster_pkg::RegNoRouteDrops: word_o = drops;
        muster_pkg::RegUpperRoute: word_o = 32'(upper);
        default: word_o = '0;
      endcase
    end
  end

  logic [SumW-1:0] dropped_now, headless_now;
  logic [16:0] sum;
  logic [8:0] headless_sum;
  always_comb begin
    dropped_now = '0;
    headless_now = '0;
    for (int unsigned q = 0; q < Drops; q++) begin
      dropped_now = dropped_now + SumW'(unroutable_i[q]);
      headless_now = headless_now + SumW'(headless_i[q]);
    end
  end
  assign sum = {1'b0, unroutable_q} + 17'(dropped_now);
  assign unroutable_d = sum[16] ? '1 : sum[15:0];
  assign headless_sum = {1'b0, headless_q} + 9'(headless_now);
  assign headless_d = headless_sum[8] ? '1 : headless_sum[7:0];

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      unroutable_q <= '0;
      headless_q <= '0;
    end else begin
      if (unroutable_i != '0) unroutable_q <= unroutable_d;
      if (headless_i != '0) headless_q <= headless_d;
    end
  end

  `MUSTER_ASSERT(CountNeverFalls_A, unroutable_d >= unroutable_q && headless_d >= headless_q)

endmodule

`default_nettype wire
