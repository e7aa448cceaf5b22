// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "formal.svh"

// muster_apb_registers between any requester that keeps the rules of APB and a register port: an
// access without an error is on the register port once, as it was asked for, and no other;
// pslverr_o and prdata_o say how it went.
module apb_registers_proof #(
  parameter int unsigned AddrW = 5,
  parameter int unsigned Words = 5
) (
  input  wire logic              clk_i,
  input  wire logic              psel_i,
  input  wire logic              penable_i,
  input  wire logic              pwrite_i,
  input  wire logic [AddrW-1:0]  paddr_i,
  input  wire logic [31:0]       pwdata_i,
  input  wire logic [3:0]        pstrb_i,
  input  wire logic [31:0]       reg_rdata_i
);
  `MUSTER_FORMAL_RESET

  logic pready, pslverr, reg_valid, reg_write;
  logic [31:0] prdata, reg_wdata;
  logic [11:0] reg_addr;
  muster_apb_registers #(.AddrW(AddrW), .Words(Words)) dut (
    .clk_i, .rst_ni,
    .psel_i, .penable_i, .pwrite_i, .paddr_i, .pwdata_i, .pstrb_i,
    .pready_o(pready), .prdata_o(prdata), .pslverr_o(pslverr),
    .reg_valid_o(reg_valid), .reg_write_o(reg_write), .reg_addr_o(reg_addr),
    .reg_wdata_o(reg_wdata), .reg_rdata_i
  );

  // What is set up is enabled in the next cycle and stands until it is ready.
  logic under_way_q, write_q;
  logic [AddrW-1:0] addr_q;
  logic [35:0] data_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) under_way_q <= 1'b0;
    else under_way_q <= psel_i && !(penable_i && pready);
    write_q <= pwrite_i;
    addr_q <= paddr_i;
    data_q <= {pwdata_i, pstrb_i};
  end
  `MUSTER_ASSUME(SetUpThenEnabled_M, psel_i ? penable_i == under_way_q : !under_way_q)
  `MUSTER_ASSUME(Stays_M, !under_way_q || (pwrite_i == write_q && paddr_i == addr_q &&
                                           (!pwrite_i || {pwdata_i, pstrb_i} == data_q)))

  logic bad, done, whole;
  assign done = psel_i && penable_i && pready;
  assign whole = pstrb_i == 4'b1111;
  assign bad = paddr_i >= AddrW'(4 * Words) || paddr_i[1:0] != 2'b00 ||
               (pwrite_i && !whole && pstrb_i != 4'b0000);

  // The word that was read for the access under way.
  logic read_q;
  logic [31:0] word_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni || done) read_q <= 1'b0;
    else if (reg_valid && !reg_write) read_q <= 1'b1;
    if (reg_valid && !reg_write) word_q <= reg_rdata_i;
  end

  `MUSTER_ASSERT(ErrorIfBad_A, !done || pslverr == bad)
  `MUSTER_ASSERT(WrittenOnce_A, (reg_valid && reg_write) ==
                                (psel_i && !penable_i && pwrite_i && whole && !bad))
  `MUSTER_ASSERT(ReadOnce_A, !(reg_valid && !reg_write) || (psel_i && !pwrite_i && !bad && !read_q))
  `MUSTER_ASSERT(ReadIsAnswered_A,
                 !done || pwrite_i || (read_q == !bad && prdata == (bad ? 32'd0 : word_q)))
  `MUSTER_ASSERT(AsAsked_A,
                 !reg_valid || (reg_addr == 12'(paddr_i >> 2) &&
                                (!reg_write || reg_wdata == pwdata_i)))

  `MUSTER_SEEN(erred_q, done && pslverr)
  `MUSTER_COVER(WritesAfterAnError_C, erred_q && reg_write && reg_valid)
  `MUSTER_COVER(ReadsAfterAnError_C, erred_q && done && !pwrite_i && prdata == 32'd7)

endmodule

`default_nettype wire
