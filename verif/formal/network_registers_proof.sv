// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "formal.svh"

// muster_network_registers between any image, any manager that keeps the rules of AXI4-Lite
// (axi_lite_rules) and the register ports of switches, of which one that is not asked answers 0:
//   - up to ready_o the ports have what image_rules has, a cycle later, and nothing of the manager,
//     whose requests wait; behind it they have nothing of the image
//   - each access without an error is then on the port of the switch whose window it names, once,
//     as it was asked for, and on no other; between and above windows there is an error; each
//     response says how its access went, with the word of that switch
// A request waits for less than Patience cycles: a read or a write may be in front of it. Silent=0
// has switches that answer without being asked.
module network_registers_proof #(
  parameter int unsigned Blocks = 3,
  parameter int unsigned Words = 2,
  parameter int unsigned Silent = 1,
  parameter int unsigned Patience = 7,
  localparam int unsigned RegAddrW = 12,
  localparam int unsigned Routes = 16,
  localparam int unsigned BlockW = (Blocks > 1) ? $clog2(Blocks) : 1,
  localparam int unsigned AddrW = BlockW + RegAddrW + 2,
  localparam int unsigned AtW = (Words > 1) ? $clog2(Words) : 1,
  localparam int unsigned WordW = BlockW + RegAddrW + 32
) (
  input  wire logic                     clk_i,
  input  wire logic                     awvalid_i,
  input  wire logic [AddrW-1:0]         awaddr_i,
  input  wire logic                     wvalid_i,
  input  wire logic [31:0]              wdata_i,
  input  wire logic [3:0]               wstrb_i,
  input  wire logic                     bready_i,
  input  wire logic                     arvalid_i,
  input  wire logic [AddrW-1:0]         araddr_i,
  input  wire logic                     rready_i,
  input  wire logic [AtW-1:0]           mark_i,
  input  wire logic [WordW-1:0]         marked_i,
  input  wire logic [WordW-1:0]         other_i,
  input  wire logic [Blocks-1:0][31:0]  reg_rdata_i
);
  localparam logic [1:0] DecodeError = 2'b11;

  `MUSTER_FORMAL_RESET

  logic awready, wready, bvalid, arready, rvalid, ready, reg_write;
  logic [1:0] bresp, rresp;
  logic [31:0] rdata, reg_wdata;
  logic [AtW-1:0] at;
  logic [WordW-1:0] word;
  logic [Blocks-1:0] reg_valid;
  logic [RegAddrW-1:0] reg_addr;
  muster_network_registers #(
    .Blocks(Blocks),
    .RegAddrW(RegAddrW),
    .Words(Words),
    .Routes(Routes)
  ) dut (
    .clk_i, .rst_ni,
    .awvalid_i, .awaddr_i, .awready_o(awready),
    .wvalid_i, .wdata_i, .wstrb_i, .wready_o(wready),
    .bvalid_o(bvalid), .bresp_o(bresp), .bready_i,
    .arvalid_i, .araddr_i, .arready_o(arready),
    .rvalid_o(rvalid), .rdata_o(rdata), .rresp_o(rresp), .rready_i,
    .image_at_o(at), .image_word_i(word), .ready_o(ready),
    .reg_valid_o(reg_valid), .reg_write_o(reg_write), .reg_addr_o(reg_addr),
    .reg_wdata_o(reg_wdata), .reg_rdata_i
  );

  image_rules #(
    .Words(Words),
    .Blocks(Blocks),
    .RegAddrW(RegAddrW),
    .Routes(Routes),
    .Later(1)
  ) image (
    .clk_i, .rst_ni,
    .mark_i, .marked_i, .at_i(at), .other_i, .word_o(word),
    .valid_i(reg_valid), .write_i(reg_write), .addr_i(reg_addr), .wdata_i(reg_wdata),
    .done_i(ready)
  );

  // ---- A byte address: window of a switch, word of its map, byte of the word -----------------
  function automatic logic [BlockW-1:0] window(input logic [AddrW-1:0] addr);
    window = addr[AddrW-1-:BlockW];
  endfunction
  function automatic logic [RegAddrW-1:0] register(input logic [AddrW-1:0] addr);
    register = addr[2+:RegAddrW];
  endfunction

  logic writes, reads, fits_write, fits_read, write_due, read_due;
  logic [AddrW-1:0] awaddr, araddr;
  logic [31:0] wdata;
  assign writes = ready && reg_valid != '0 && reg_write;
  assign reads = ready && reg_valid != '0 && !reg_write;
  assign fits_write = reg_valid == Blocks'(1) << window(awaddr) &&
                      reg_addr == register(awaddr) && reg_wdata == wdata;
  assign fits_read = reg_valid == Blocks'(1) << window(araddr) && reg_addr == register(araddr);

  // ---- The switches -------------------------------------------------------------------------
  logic [Blocks-1:0] asked, speaks;
  logic [31:0] answer;
  assign asked = reg_write ? '0 : reg_valid;
  always_comb begin
    answer = '0;
    for (int unsigned b = 0; b < Blocks; b++) begin
      speaks[b] = reg_rdata_i[b] != '0;
      if (window(araddr) == BlockW'(b)) answer = reg_rdata_i[b];
    end
  end
  `MUSTER_ASSUME(OthersAnswerZero_M, Silent == 0 || (speaks & ~asked) == '0)

  logic wrote;
  axi_lite_rules #(.AddrW(AddrW), .Patience(Patience), .Before(2)) rules (
    .clk_i, .rst_ni, .open_i(ready),
    .awvalid_i, .awaddr_i, .awready_i(awready),
    .wvalid_i, .wdata_i, .wstrb_i, .wready_i(wready),
    .bvalid_i(bvalid), .bresp_i(bresp), .bready_i,
    .arvalid_i, .araddr_i, .arready_i(arready),
    .rvalid_i(rvalid), .rdata_i(rdata), .rresp_i(rresp), .rready_i,
    .write_due_o(write_due), .awaddr_o(awaddr), .wdata_o(wdata),
    .read_due_o(read_due), .araddr_o(araddr),
    .write_hole_i(32'(window(awaddr)) >= Blocks), .read_hole_i(32'(window(araddr)) >= Blocks),
    .writes_i(writes), .reads_i(reads), .write_fits_i(fits_write), .read_fits_i(fits_read),
    .reg_rdata_i(answer), .wrote_o(wrote)
  );
  `MUSTER_ASSERT(ImageIsOver_A, !ready || reg_valid == '0 || write_due || read_due)

  `MUSTER_SEEN(waited_q, !ready && awvalid_i && arvalid_i)
  `MUSTER_SEEN(refused_q, bvalid && bready_i && bresp == DecodeError)
  `MUSTER_COVER(LastSwitchIsWritten_C, waited_q && wrote && 32'(window(awaddr)) == Blocks - 1)
  `MUSTER_COVER(HoleThenRead_C, refused_q && rvalid && rready_i && rdata == 32'd7)

endmodule

`default_nettype wire
