// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "muster_assert.svh"

// APB completer (APB3 and APB4) in front of a register port, of a switch or of any other block that
// has one (docs/reference/registers.md). No wait states: pready_o is always high.
//
// Cycles: an access is set up in t (psel_i without penable_i) and done in t + 1 (both). It is on
// the register port in t. The word of a read is stored and stands at prdata_o in t + 1. A write
// takes effect at the edge of t + 1 at the latest. pslverr_o stands in t + 1 and is stored in t.
//
// Errors, answered with pslverr_o; the register port does not see the access, prdata_o is 0:
//   - the address is not below 4 x Words, or not a multiple of 4
//   - a write has some bits of pstrb_i set and others not: the register port writes whole words,
//     some of which cannot be read and some of which do more than store
// A write without any strobe is no error and does nothing. With APB3 tie pstrb_i to 1111.
module muster_apb_registers #(
  /// bits of a byte address, 3 to 32: the low ones of the bus
  parameter int unsigned AddrW = 16,
  /// words of the register map, 1 to 131072
  parameter int unsigned Words = 4096,
  localparam int unsigned RegAddrW =
      (Words > 4096) ? muster_pkg::RegWideAddrW : muster_pkg::RegAddrW
) (
  input  wire logic                 clk_i,
  input  wire logic                 rst_ni,

  /// APB; psel_i is low until the first edge after reset. What is set up stands until it is done
  input  wire logic                 psel_i,
  input  wire logic                 penable_i,
  input  wire logic                 pwrite_i,
  input  wire logic [AddrW-1:0]     paddr_i,
  input  wire logic [31:0]          pwdata_i,
  input  wire logic [3:0]           pstrb_i,
  output logic                      pready_o,
  output logic [31:0]               prdata_o,
  output logic                      pslverr_o,

  /// register port: a read answered in the same cycle, a write done then or in the next cycle
  output logic                      reg_valid_o,
  output logic                      reg_write_o,
  output logic [RegAddrW-1:0]       reg_addr_o,
  output logic [31:0]               reg_wdata_o,
  input  wire logic [31:0]          reg_rdata_i
);
  `MUSTER_RANGE(AddrW, 3, 32)
  `MUSTER_RANGE(Words, 1, 131072)

  logic sets_up, bad, accesses, reads, pslverr_q;
  logic [31:0] prdata_q;
  assign sets_up = psel_i && !penable_i;
  assign bad = 32'(paddr_i) >= 4 * Words || paddr_i[1:0] != 2'b00 ||
               (pwrite_i && pstrb_i != '0 && pstrb_i != '1);

  assign accesses = sets_up && !bad && (!pwrite_i || pstrb_i == '1);
  assign reads = accesses && !pwrite_i;

  assign reg_valid_o = accesses;
  assign reg_write_o = pwrite_i;
  assign reg_addr_o = RegAddrW'(32'(paddr_i) >> 2);
  assign reg_wdata_o = pwdata_i;

  assign pready_o = 1'b1;
  assign prdata_o = prdata_q;
  assign pslverr_o = pslverr_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) pslverr_q <= 1'b0;
    else if (psel_i) pslverr_q <= sets_up && bad;
  end
  always_ff @(posedge clk_i) begin
    if (sets_up) prdata_q <= reads ? reg_rdata_i : '0;
  end

  `MUSTER_ASSERT(NoReadIsBad_A, !(reads && bad))

endmodule

`default_nettype wire
