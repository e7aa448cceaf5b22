// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "muster_assert.svh"

// axi_lite_registers between any manager that keeps the rules of AXI4-Lite (axi_lite_rules) and a
// register port: it keeps them too; each access without an error is on the register port once, as
// it was asked for, and no other; each response says how its access went.
// An access is on the register port, or refused, in the cycle before its response begins.
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

  logic rst_ni = 1'b0;
  always_ff @(posedge clk_i) rst_ni <= 1'b1;

  logic awready, wready, bvalid, arready, rvalid, reg_valid, reg_write;
  logic [1:0] bresp, rresp;
  logic [31:0] rdata, reg_wdata;
  logic [11:0] reg_addr;

  axi_lite_registers #(
    .AddrW(AddrW),
    .Words(Words)
  ) dut (
    .clk_i, .rst_ni,
    .awvalid_i, .awaddr_i, .awready_o(awready),
    .wvalid_i, .wdata_i, .wstrb_i, .wready_o(wready),
    .bvalid_o(bvalid), .bresp_o(bresp), .bready_i,
    .arvalid_i, .araddr_i, .arready_o(arready),
    .rvalid_o(rvalid), .rdata_o(rdata), .rresp_o(rresp), .rready_i,
    .reg_valid_o(reg_valid), .reg_write_o(reg_write), .reg_addr_o(reg_addr),
    .reg_wdata_o(reg_wdata), .reg_rdata_i
  );

  logic answers_write, answers_read, write_due, read_due;
  logic [AddrW-1:0] awaddr, araddr;
  logic [31:0] wdata;
  logic [3:0] wstrb;
  axi_lite_rules #(
    .AddrW(AddrW)
  ) rules (
    .clk_i, .rst_ni, .open_i(1'b1),
    .awvalid_i, .awaddr_i, .awready_i(awready),
    .wvalid_i, .wdata_i, .wstrb_i, .wready_i(wready),
    .bvalid_i(bvalid), .bresp_i(bresp), .bready_i,
    .arvalid_i, .araddr_i, .arready_i(arready),
    .rvalid_i(rvalid), .rdata_i(rdata), .rresp_i(rresp), .rready_i,
    .answers_write_o(answers_write), .answers_read_o(answers_read),
    .write_due_o(write_due), .awaddr_o(awaddr), .wdata_o(wdata), .wstrb_o(wstrb),
    .read_due_o(read_due), .araddr_o(araddr)
  );

  function automatic logic [1:0] wanted(input logic [AddrW-1:0] addr, input logic [3:0] strobes);
    wanted = (addr >= AddrW'(4 * Words)) ? DecodeError
             : (addr[1:0] != 2'b00 || (strobes != 4'b0000 && strobes != 4'b1111))
                 ? SubordinateError : Okay;
  endfunction

  logic writes, reads, fits_write, fits_read;
  assign writes = reg_valid && reg_write;
  assign reads = reg_valid && !reg_write;
  assign fits_write = reg_addr == 12'(awaddr >> 2) && reg_wdata == wdata;
  assign fits_read = reg_addr == 12'(araddr >> 2);

  // What was on the register port in the cycle before.
  logic wrote_q, read_q;
  logic [31:0] word_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) {wrote_q, read_q} <= '0;
    else {wrote_q, read_q} <= {writes, reads};
    word_q <= reads ? reg_rdata_i : '0;
  end

  logic write_is_good, read_is_good;
  assign write_is_good = wanted(awaddr, wstrb) == Okay && wstrb == 4'b1111;
  assign read_is_good = wanted(araddr, 4'b1111) == Okay;
  `MUSTER_ASSERT(WritesWhatWasAsked_A, !writes || (write_due && fits_write && write_is_good))
  `MUSTER_ASSERT(ReadsWhatWasAsked_A, !reads || (read_due && fits_read && read_is_good))
  `MUSTER_ASSERT(OneWriteOneResponse_A, wrote_q == (answers_write && write_is_good))
  `MUSTER_ASSERT(OneReadOneResponse_A, read_q == (answers_read && read_is_good))
  `MUSTER_ASSERT(ResponsesAreRight_A,
                 (!answers_write || bresp == wanted(awaddr, wstrb)) &&
                 (!answers_read || (rresp == wanted(araddr, 4'b1111) && rdata == word_q)))

  logic error_q, both_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) {error_q, both_q} <= '0;
    else begin
      error_q <= error_q || (bvalid && bready_i && bresp == SubordinateError);
      both_q <= both_q || (bvalid && rvalid);
    end
  end
  `MUSTER_COVER(GoesOnAfterAnError_C, error_q && bvalid && bready_i && bresp == Okay)
  `MUSTER_COVER(BothWaitAndGo_C, both_q && rvalid && rready_i && rresp == DecodeError)

endmodule

`default_nettype wire
