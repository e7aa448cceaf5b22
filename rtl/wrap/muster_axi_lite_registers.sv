// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "muster_assert.svh"

// AXI4-Lite subordinate in front of a register port, of a switch or of any other block that has one
// (docs/reference/registers.md). 32-bit data, one access of each kind outstanding.
//
// A write address and its data may come in any order and at any distance; each is stored, and then
// awready_o or wready_o is low until the write is done. So with arready_o for a read address. All
// outputs but reg_*_o are registers or the inverse of one: no input of a channel reaches an output
// of a channel in the same cycle.
//
// Cycles: address and data of a write are accepted in t (the later of the two). The write is on
// the register port in t + 1, its response at bvalid_o from t + 2 on until bready_i. A read
// address accepted in t is on the register port in t + 1 and its word, stored, at rvalid_o from
// t + 2 on until rready_i. An access is not begun while the response before it is waiting. Where
// a read and a write could be done in one cycle, that goes first whose kind did not go last; the
// other follows in the next cycle. So either kind alone is done every second cycle.
//
// Delay is for a register port that is far: a request has left in the cycle in which it stands
// there and the word of a read comes Delay cycles later. Every response is so much later, and no
// access begins while one is on its way.
//
// Errors. The access is answered, and the register port does not see it:
//   DECERR  the address is not below 4 x Words
//   SLVERR  the address is not a multiple of 4, or wstrb_i has some bits set and others not
// The register port writes whole words, some of which cannot be read and some of which do more
// than store, so bytes are not merged into what is there. A write without any strobe is answered
// with OKAY and does nothing, as AXI has it. A read that is an error has the word 0. Words without
// a meaning below Words read 0 and ignore writes: that is the block's own rule.
module muster_axi_lite_registers #(
  /// bits of a byte address, 3 to 32: the low ones of the bus
  parameter int unsigned AddrW = 16,
  /// words of the register map, or of the maps of several blocks, 1 to 33554432
  parameter int unsigned Words = 4096,
  /// cycles from a read on the register port to its word, 0 to 7
  parameter int unsigned Delay = 0,
  localparam int unsigned RegAddrW = (Words > 131072) ? $clog2(Words) :
                                     (Words > 4096) ? muster_pkg::RegWideAddrW :
                                     muster_pkg::RegAddrW
) (
  input  wire logic                 clk_i,
  input  wire logic                 rst_ni,

  /// AXI4-Lite; all *valid_i are low until the first edge after reset. There is no AxPROT: tell
  /// privileged accesses apart before this module
  input  wire logic                 awvalid_i,
  input  wire logic [AddrW-1:0]     awaddr_i,
  output logic                      awready_o,
  input  wire logic                 wvalid_i,
  input  wire logic [31:0]          wdata_i,
  input  wire logic [3:0]           wstrb_i,
  output logic                      wready_o,
  output logic                      bvalid_o,
  output logic [1:0]                bresp_o,
  input  wire logic                 bready_i,
  input  wire logic                 arvalid_i,
  input  wire logic [AddrW-1:0]     araddr_i,
  output logic                      arready_o,
  output logic                      rvalid_o,
  output logic [31:0]               rdata_o,
  output logic [1:0]                rresp_o,
  input  wire logic                 rready_i,

  /// register port: a read answered Delay cycles later, a write done in its cycle or the next
  output logic                      reg_valid_o,
  output logic                      reg_write_o,
  output logic [RegAddrW-1:0]       reg_addr_o,
  output logic [31:0]               reg_wdata_o,
  input  wire logic [31:0]          reg_rdata_i
);
  localparam logic [1:0] Okay = 2'b00;
  localparam logic [1:0] SubordinateError = 2'b10;
  localparam logic [1:0] DecodeError = 2'b11;

  `MUSTER_RANGE(AddrW, 3, 32)
  `MUSTER_RANGE(Words, 1, 33554432)
  `MUSTER_RANGE(Delay, 0, 7)

  // What has been accepted and is not done yet.
  logic aw_q, w_q, ar_q;
  logic [AddrW-1:0] awaddr_q, araddr_q;
  logic [31:0] wdata_q;
  logic [3:0] wstrb_q;
  logic read_last_q;

  assign awready_o = !aw_q;
  assign wready_o = !w_q;
  assign arready_o = !ar_q;

  // ---- One access in a cycle ----------------------------------------------------------------
  logic can_write, can_read, writes, reads, under_way, wrote, has_read;
  logic [AddrW-1:0] addr;
  assign can_write = aw_q && w_q && !bvalid_o && !under_way;
  assign can_read = ar_q && !rvalid_o && !under_way;
  assign writes = can_write && (!can_read || read_last_q);
  assign reads = can_read && !writes;

  // It is done Delay cycles later; read_last_q tells what.
  if (Delay == 0) begin : gen_near
    assign under_way = 1'b0;
    assign wrote = writes;
    assign has_read = reads;
  end else begin : gen_far
    logic [Delay-1:0] way_q;  // bit i: it has been on its way for i + 1 cycles
    always_ff @(posedge clk_i) begin
      if (!rst_ni) way_q <= '0;
      else way_q <= Delay'({way_q, writes || reads});
    end
    assign under_way = way_q != '0;
    assign wrote = way_q[Delay-1] && !read_last_q;
    assign has_read = way_q[Delay-1] && read_last_q;
  end

  function automatic logic [1:0] response(input logic [AddrW-1:0] byte_addr,
                                          input logic whole);
    if (32'(byte_addr) >= 4 * Words) response = DecodeError;
    else if (byte_addr[1:0] != 2'b00 || !whole) response = SubordinateError;
    else response = Okay;
  endfunction

  logic [1:0] write_response, read_response;
  assign write_response = response(awaddr_q, wstrb_q == '0 || wstrb_q == '1);
  assign read_response = response(araddr_q, 1'b1);

  assign reg_valid_o = writes ? write_response == Okay && wstrb_q == '1
                              : reads && read_response == Okay;
  assign reg_write_o = writes;
  assign addr = writes ? awaddr_q : araddr_q;
  assign reg_addr_o = RegAddrW'(32'(addr) >> 2);
  assign reg_wdata_o = wdata_q;

  // ---- State --------------------------------------------------------------------------------
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      aw_q <= 1'b0;
      w_q <= 1'b0;
      ar_q <= 1'b0;
      bvalid_o <= 1'b0;
      rvalid_o <= 1'b0;
      read_last_q <= 1'b0;
    end else begin
      aw_q <= aw_q ? !wrote : awvalid_i;
      w_q <= w_q ? !wrote : wvalid_i;
      ar_q <= ar_q ? !has_read : arvalid_i;
      bvalid_o <= wrote || (bvalid_o && !bready_i);
      rvalid_o <= has_read || (rvalid_o && !rready_i);
      if (writes || reads) read_last_q <= reads;
    end
  end

  always_ff @(posedge clk_i) begin
    if (awready_o) awaddr_q <= awaddr_i;
    if (arready_o) araddr_q <= araddr_i;
    if (wready_o) begin
      wdata_q <= wdata_i;
      wstrb_q <= wstrb_i;
    end
    if (wrote) bresp_o <= write_response;
    if (has_read) begin
      rresp_o <= read_response;
      rdata_o <= (read_response == Okay) ? reg_rdata_i : '0;
    end
  end

  `MUSTER_ASSERT(OneAccess_A, !(writes && reads))
  `MUSTER_ASSERT(ResponseIsFree_A, !(wrote && bvalid_o) && !(has_read && rvalid_o))
  `MUSTER_ASSERT(OnlyWholeWords_A, !reg_valid_o || !reg_write_o || wstrb_q == '1)

endmodule

`default_nettype wire
