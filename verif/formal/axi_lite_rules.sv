// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "muster_assert.svh"

// The rules of AXI4-Lite in our own words, at the ports of a subordinate that has at most one write
// and one read under way. What a manager owes is assumed, what a subordinate owes is asserted:
//   1. valid stays until ready, and what it says with it
//   2. a response follows the address, and for a write the data; there is none without
//   3. each request has one response, and it comes: a request whose response may go waits for it
//      at most Patience cycles
//   4. nothing is accepted before open_i, which stays once it is set
// And what is done with accesses:
//   5. each without an error is on the register port once, as it was asked for, and no other; each
//      response says how its access went. An access is on the register port, or refused, Before
//      cycles before its response begins.
module axi_lite_rules #(
  parameter int unsigned AddrW = 4,
  parameter int unsigned Patience = 3,
  parameter int unsigned Before = 1
) (
  input  wire logic              clk_i,
  input  wire logic              rst_ni,
  input  wire logic              open_i,

  input  wire logic              awvalid_i,
  input  wire logic [AddrW-1:0]  awaddr_i,
  input  wire logic              awready_i,
  input  wire logic              wvalid_i,
  input  wire logic [31:0]       wdata_i,
  input  wire logic [3:0]        wstrb_i,
  input  wire logic              wready_i,
  input  wire logic              bvalid_i,
  input  wire logic [1:0]        bresp_i,
  input  wire logic              bready_i,
  input  wire logic              arvalid_i,
  input  wire logic [AddrW-1:0]  araddr_i,
  input  wire logic              arready_i,
  input  wire logic              rvalid_i,
  input  wire logic [31:0]       rdata_i,
  input  wire logic [1:0]        rresp_i,
  input  wire logic              rready_i,

  /// accepted and not answered yet, in the cycle in which its response begins too; what it was
  output logic                   write_due_o,
  output logic [AddrW-1:0]       awaddr_o,
  output logic [31:0]            wdata_o,
  output logic                   read_due_o,
  output logic [AddrW-1:0]       araddr_o,

  /// no word has the address that is due
  input  wire logic              write_hole_i,
  input  wire logic              read_hole_i,
  /// on the register port: a write, a read; whether it is the one that is due; the word read
  input  wire logic              writes_i,
  input  wire logic              reads_i,
  input  wire logic              write_fits_i,
  input  wire logic              read_fits_i,
  input  wire logic [31:0]       reg_rdata_i,
  /// a write was on the register port in the cycle before
  output logic                   wrote_o
);
  // ---- 1 ------------------------------------------------------------------------------------
  logic aw_held_q, w_held_q, ar_held_q, b_held_q, r_held_q;
  logic [AddrW-1:0] awaddr_q, araddr_q;
  logic [31:0] wdata_q, rdata_q;
  logic [3:0] wstrb_q;
  logic [1:0] bresp_q, rresp_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) {aw_held_q, w_held_q, ar_held_q, b_held_q, r_held_q} <= '0;
    else begin
      aw_held_q <= awvalid_i && !awready_i;
      w_held_q <= wvalid_i && !wready_i;
      ar_held_q <= arvalid_i && !arready_i;
      b_held_q <= bvalid_i && !bready_i;
      r_held_q <= rvalid_i && !rready_i;
    end
    awaddr_q <= awaddr_i;
    araddr_q <= araddr_i;
    {wdata_q, wstrb_q} <= {wdata_i, wstrb_i};
    {rdata_q, rresp_q, bresp_q} <= {rdata_i, rresp_i, bresp_i};
  end

  `MUSTER_ASSUME(AddressOfWriteStays_M, !aw_held_q || (awvalid_i && awaddr_i == awaddr_q))
  `MUSTER_ASSUME(DataStay_M, !w_held_q || (wvalid_i && {wdata_i, wstrb_i} == {wdata_q, wstrb_q}))
  `MUSTER_ASSUME(AddressOfReadStays_M, !ar_held_q || (arvalid_i && araddr_i == araddr_q))
  `MUSTER_ASSERT(WriteResponseStays_A, !b_held_q || (bvalid_i && bresp_i == bresp_q))
  `MUSTER_ASSERT(ReadResponseStays_A,
                 !r_held_q || (rvalid_i && {rdata_i, rresp_i} == {rdata_q, rresp_q}))

  // ---- 2 ------------------------------------------------------------------------------------
  logic aw_q, w_q, ar_q, aw, w, ar, answers_write, answers_read;  // a response begins
  logic [3:0] wstrb;
  assign {aw, w, ar} = {awvalid_i && awready_i, wvalid_i && wready_i, arvalid_i && arready_i};
  assign answers_write = bvalid_i && !b_held_q;
  assign answers_read = rvalid_i && !r_held_q;
  assign write_due_o = aw_q && w_q;
  assign read_due_o = ar_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) {aw_q, w_q, ar_q} <= '0;
    else begin
      aw_q <= (aw_q && !answers_write) || aw;
      w_q <= (w_q && !answers_write) || w;
      ar_q <= (ar_q && !answers_read) || ar;
    end
    if (aw) awaddr_o <= awaddr_i;
    if (w) {wdata_o, wstrb} <= {wdata_i, wstrb_i};
    if (ar) araddr_o <= araddr_i;
  end

  `MUSTER_ASSERT(ResponseToARequest_A,
                 (!answers_write || write_due_o) && (!answers_read || read_due_o))
  `MUSTER_ASSERT(OneOfEach_A, !(aw && aw_q && !answers_write) &&
                              !(w && w_q && !answers_write) && !(ar && ar_q && !answers_read))

  // ---- 3 ------------------------------------------------------------------------------------
  logic [2:0] write_waits_q, read_waits_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni || !write_due_o || bvalid_i) write_waits_q <= '0;
    else write_waits_q <= write_waits_q + 1'b1;
    if (!rst_ni || !read_due_o || rvalid_i) read_waits_q <= '0;
    else read_waits_q <= read_waits_q + 1'b1;
  end
  `MUSTER_ASSERT(EachIsAnswered_A, 32'(write_waits_q) < Patience && 32'(read_waits_q) < Patience)
  `MUSTER_ASSERT(TakesTheNext_A, !open_i || ((awready_i || aw_q) && (wready_i || w_q) &&
                                             (arready_i || ar_q)))

  // ---- 4 ------------------------------------------------------------------------------------
  `MUSTER_ASSERT(WaitsUntilOpen_A, open_i || !(awready_i || wready_i || arready_i))

  // ---- 5 ------------------------------------------------------------------------------------
  localparam logic [1:0] Okay = 2'b00;
  localparam logic [1:0] SubordinateError = 2'b10;
  localparam logic [1:0] DecodeError = 2'b11;

  function automatic logic [1:0] wanted(input logic hole, input logic [AddrW-1:0] addr,
                                        input logic [3:0] strobes);
    wanted = hole ? DecodeError
             : (addr[1:0] != 2'b00 || (strobes != 4'b0000 && strobes != 4'b1111))
                 ? SubordinateError : Okay;
  endfunction

  logic [1:0] write_wants, read_wants;
  logic write_is_good, read_is_good;
  assign write_wants = wanted(write_hole_i, awaddr_o, wstrb);
  assign read_wants = wanted(read_hole_i, araddr_o, 4'b1111);
  assign write_is_good = write_wants == Okay && wstrb == 4'b1111;
  assign read_is_good = read_wants == Okay;

  // Bit or word i: so many cycles and one before.
  logic [Before-1:0] wrote_q, read_q;
  logic [Before-1:0][31:0] word_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) {wrote_q, read_q} <= '0;
    else begin
      wrote_q <= Before'({wrote_q, writes_i});
      read_q <= Before'({read_q, reads_i});
    end
    word_q <= (32 * Before)'({word_q, reads_i ? reg_rdata_i : 32'd0});
  end
  assign wrote_o = wrote_q[0];

  `MUSTER_ASSERT(WritesWhatWasAsked_A, !writes_i || (write_due_o && write_fits_i && write_is_good))
  `MUSTER_ASSERT(ReadsWhatWasAsked_A, !reads_i || (read_due_o && read_fits_i && read_is_good))
  `MUSTER_ASSERT(OneWriteOneResponse_A, wrote_q[Before-1] == (answers_write && write_is_good))
  `MUSTER_ASSERT(OneReadOneResponse_A, read_q[Before-1] == (answers_read && read_is_good))
  `MUSTER_ASSERT(ResponsesAreRight_A,
                 (!answers_write || bresp_i == write_wants) &&
                 (!answers_read || (rresp_i == read_wants && rdata_i == word_q[Before-1])))

endmodule

`default_nettype wire
