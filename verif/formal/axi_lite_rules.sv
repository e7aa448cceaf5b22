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
// It hands on what was accepted, for facts about what is done with it.
module axi_lite_rules #(
  parameter int unsigned AddrW = 4,
  parameter int unsigned Patience = 3
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

  /// a response begins
  output logic                   answers_write_o,
  output logic                   answers_read_o,
  /// accepted and not answered yet, in the cycle in which its response begins too; what it was
  output logic                   write_due_o,
  output logic [AddrW-1:0]       awaddr_o,
  output logic [31:0]            wdata_o,
  output logic [3:0]             wstrb_o,
  output logic                   read_due_o,
  output logic [AddrW-1:0]       araddr_o
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
  logic aw_q, w_q, ar_q, aw, w, ar;
  assign {aw, w, ar} = {awvalid_i && awready_i, wvalid_i && wready_i, arvalid_i && arready_i};
  assign answers_write_o = bvalid_i && !b_held_q;
  assign answers_read_o = rvalid_i && !r_held_q;
  assign write_due_o = aw_q && w_q;
  assign read_due_o = ar_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) {aw_q, w_q, ar_q} <= '0;
    else begin
      aw_q <= (aw_q && !answers_write_o) || aw;
      w_q <= (w_q && !answers_write_o) || w;
      ar_q <= (ar_q && !answers_read_o) || ar;
    end
    if (aw) awaddr_o <= awaddr_i;
    if (w) {wdata_o, wstrb_o} <= {wdata_i, wstrb_i};
    if (ar) araddr_o <= araddr_i;
  end

  `MUSTER_ASSERT(ResponseToARequest_A,
                 (!answers_write_o || write_due_o) && (!answers_read_o || read_due_o))
  `MUSTER_ASSERT(OneOfEach_A, !(aw && aw_q && !answers_write_o) &&
                              !(w && w_q && !answers_write_o) && !(ar && ar_q && !answers_read_o))

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

endmodule

`default_nettype wire
