// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "formal.svh"

// muster_axi_lite_registers between any manager that keeps the rules of AXI4-Lite and a register
// port keeps axi_lite_rules too.
module axi_lite_registers_proof #(
  parameter int unsigned AddrW = 5,
  parameter int unsigned Words = 5
) (
  input  wire logic              clk_i,
  input  wire logic              awvalid_i,
  input  wire logic [AddrW-1:0]  awaddr_i,
  input  wire logic              wvalid_i,
  input  wire logic [31:0]       wdata_i,
  input  wire logic [3:0]        wstrb_i,
  input  wire logic              bready_i,
  input  wire logic              arvalid_i,
  input  wire logic [AddrW-1:0]  araddr_i,
  input  wire logic              rready_i,
  input  wire logic [31:0]       reg_rdata_i
);
  localparam logic [1:0] Okay = 2'b00;
  localparam logic [1:0] SubordinateError = 2'b10;
  localparam logic [1:0] DecodeError = 2'b11;

  `MUSTER_FORMAL_RESET

  logic awready, wready, bvalid, arready, rvalid, reg_valid, reg_write;
  logic [1:0] bresp, rresp;
  logic [31:0] rdata, reg_wdata;
  logic [11:0] reg_addr;

  muster_axi_lite_registers #(.AddrW(AddrW), .Words(Words)) dut (
    .clk_i, .rst_ni,
    .awvalid_i, .awaddr_i, .awready_o(awready),
    .wvalid_i, .wdata_i, .wstrb_i, .wready_o(wready),
    .bvalid_o(bvalid), .bresp_o(bresp), .bready_i,
    .arvalid_i, .araddr_i, .arready_o(arready),
    .rvalid_o(rvalid), .rdata_o(rdata), .rresp_o(rresp), .rready_i,
    .reg_valid_o(reg_valid), .reg_write_o(reg_write), .reg_addr_o(reg_addr),
    .reg_wdata_o(reg_wdata), .reg_rdata_i
  );

  logic writes, reads, fits_write, fits_read;
  logic [AddrW-1:0] awaddr, araddr;
  logic [31:0] wdata;
  assign writes = reg_valid && reg_write;
  assign reads = reg_valid && !reg_write;
  assign fits_write = reg_addr == 12'(awaddr >> 2) && reg_wdata == wdata;
  assign fits_read = reg_addr == 12'(araddr >> 2);
  axi_lite_rules #(.AddrW(AddrW)) rules (
    .clk_i, .rst_ni, .open_i(1'b1),
    .awvalid_i, .awaddr_i, .awready_i(awready),
    .wvalid_i, .wdata_i, .wstrb_i, .wready_i(wready),
    .bvalid_i(bvalid), .bresp_i(bresp), .bready_i,
    .arvalid_i, .araddr_i, .arready_i(arready),
    .rvalid_i(rvalid), .rdata_i(rdata), .rresp_i(rresp), .rready_i,
    .write_due_o(), .awaddr_o(awaddr), .wdata_o(wdata), .read_due_o(), .araddr_o(araddr),
    .write_hole_i(awaddr >= AddrW'(4 * Words)), .read_hole_i(araddr >= AddrW'(4 * Words)),
    .writes_i(writes), .reads_i(reads), .write_fits_i(fits_write), .read_fits_i(fits_read),
    .reg_rdata_i, .wrote_o()
  );

  `MUSTER_SEEN(error_q, bvalid && bready_i && bresp == SubordinateError)
  `MUSTER_SEEN(both_q, bvalid && rvalid)
  `MUSTER_COVER(GoesOnAfterAnError_C, error_q && bvalid && bready_i && bresp == Okay)
  `MUSTER_COVER(BothWaitAndGo_C, both_q && rvalid && rready_i && rresp == DecodeError)

endmodule

`default_nettype wire
