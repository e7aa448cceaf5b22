// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "muster_assert.svh"

// The register port of a multicast switch: 32-bit words at 12-bit word addresses, as
// docs/registers.md has them for kind 2: identity, sizes, widths, control (always 1), the count of
// what had no route, and the routing table, without the bit `self`.
//
// One request in every cycle, never refused. A write takes effect at the edge of its cycle. A read
// is answered in the same cycle and changes nothing; what has no meaning reads 0, and so does
// reg_rdata_o without a read.
module multicast_registers #(
  /// ports, 3 to 16
  parameter int unsigned Ports = 8,
  /// virtual channels, 2 to 4
  parameter int unsigned Vcs = 2,
  /// flits in an input queue, 1 to 16
  parameter int unsigned Depth = 4,
  /// payload bits of a flit, 16 to 80
  parameter int unsigned FlitW = 16,
  /// bits of a group identifier, 4 to 12: for hosts to read
  parameter int unsigned GidW = 8,
  /// entries of the routing table, 16 to 2048
  parameter int unsigned Dests = 2048,
  localparam int unsigned RouteW = $clog2(Dests)
) (
  input  wire logic                  clk_i,
  input  wire logic                  rst_ni,

  input  wire logic                  reg_valid_i,
  input  wire logic                  reg_write_i,
  input  wire logic [11:0]           reg_addr_i,
  // A table entry is all that is written.
  /* verilator lint_off UNUSEDSIGNAL */
  input  wire logic [31:0]           reg_wdata_i,
  /* verilator lint_on UNUSEDSIGNAL */
  output logic [31:0]                reg_rdata_o,

  /// packets and addresses of worms without a route in this cycle, one bit for each queue
  input  wire logic [Ports*Vcs-1:0]  unroutable_i,

  /// routing table
  output logic                       route_write_o,
  output logic [RouteW-1:0]          route_addr_o,
  output logic [Ports:0]             route_entry_o
);
  localparam int unsigned SumW = $clog2(Ports * Vcs + 1);

  if (Ports < 3 || Ports > 16 || Vcs < 2 || Vcs > 4 || Depth < 1 || Depth > 16) begin : gen_bad_path
    $error("multicast_registers: Ports must be 3 to 16, Vcs 2 to 4, Depth 1 to 16");
  end
  if (FlitW < 16 || FlitW > 80 || GidW < 4 || GidW > 12) begin : gen_bad_formats
    $error("multicast_registers: FlitW must be 16 to 80, GidW 4 to 12");
  end
  if (Dests < 16 || Dests > 2048) begin : gen_bad_dests
    $error("multicast_registers: Dests must be 16 to 2048");
  end

  logic [15:0] unroutable_q;
  logic [11:0] route_offset;

  assign route_offset = {1'b0, reg_addr_i[10:0]};
  assign route_write_o = reg_valid_i && reg_write_i &&
                         (reg_addr_i[11] == muster_pkg::RegRoutes[11]) &&
                         (route_offset < 12'(Dests));
  assign route_addr_o = reg_addr_i[RouteW-1:0];
  assign route_entry_o = {1'b0, reg_wdata_i[Ports-1:0]};

  always_comb begin
    reg_rdata_o = '0;
    if (reg_valid_i && !reg_write_i) begin
      unique case (reg_addr_i)
        muster_pkg::RegIdentity: begin
          reg_rdata_o = {muster_pkg::RegMagic, muster_pkg::KindMulticastSwitch,
                         muster_pkg::RegMapVersion};
        end
        muster_pkg::RegSizes: reg_rdata_o = {8'd0, 8'(Depth), 8'(Vcs), 8'(Ports)};
        muster_pkg::RegWidths: reg_rdata_o = {16'(Dests), 8'(GidW), 8'(FlitW)};
        muster_pkg::RegControl: reg_rdata_o = 32'd1;
        muster_pkg::RegUnroutable: reg_rdata_o = {16'd0, unroutable_q};
        default: reg_rdata_o = '0;
      endcase
    end
  end

  logic [SumW-1:0] dropped_now;
  logic [16:0] sum;
  always_comb begin
    dropped_now = '0;
    for (int unsigned q = 0; q < Ports * Vcs; q++) begin
      dropped_now = dropped_now + SumW'(unroutable_i[q]);
    end
  end
  assign sum = {1'b0, unroutable_q} + 17'(dropped_now);

  always_ff @(posedge clk_i) begin
    if (!rst_ni) unroutable_q <= '0;
    else if (unroutable_i != '0) unroutable_q <= sum[16] ? '1 : sum[15:0];
  end

  `MUSTER_ASSERT(WriteReadsNothing_A, !route_write_o || reg_rdata_o == '0)
  `MUSTER_ASSERT(CountNeverFalls_A, sum >= {1'b0, unroutable_q})

endmodule

`default_nettype wire
