// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "muster_assert.svh"

// What is done with accesses of AXI4-Lite that axi_lite_rules has seen accepted: each without an
// error is on the register port once, as it was asked for, and no other; each response says how
// its access went. An access is on the register port, or refused, Before cycles before its response
// begins.
module axi_lite_accesses #(
  parameter int unsigned AddrW = 4,
  parameter int unsigned Before = 1
) (
  input  wire logic              clk_i,
  input  wire logic              rst_ni,

  /// of axi_lite_rules
  input  wire logic              answers_write_i,
  input  wire logic              answers_read_i,
  input  wire logic              write_due_i,
  input  wire logic [AddrW-1:0]  awaddr_i,
  input  wire logic [3:0]        wstrb_i,
  input  wire logic              read_due_i,
  input  wire logic [AddrW-1:0]  araddr_i,
  /// responses
  input  wire logic [1:0]        bresp_i,
  input  wire logic [31:0]       rdata_i,
  input  wire logic [1:0]        rresp_i,

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
  assign write_wants = wanted(write_hole_i, awaddr_i, wstrb_i);
  assign read_wants = wanted(read_hole_i, araddr_i, 4'b1111);
  assign write_is_good = write_wants == Okay && wstrb_i == 4'b1111;
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

  `MUSTER_ASSERT(WritesWhatWasAsked_A, !writes_i || (write_due_i && write_fits_i && write_is_good))
  `MUSTER_ASSERT(ReadsWhatWasAsked_A, !reads_i || (read_due_i && read_fits_i && read_is_good))
  `MUSTER_ASSERT(OneWriteOneResponse_A, wrote_q[Before-1] == (answers_write_i && write_is_good))
  `MUSTER_ASSERT(OneReadOneResponse_A, read_q[Before-1] == (answers_read_i && read_is_good))
  `MUSTER_ASSERT(ResponsesAreRight_A,
                 (!answers_write_i || bresp_i == write_wants) &&
                 (!answers_read_i || (rresp_i == read_wants && rdata_i == word_q[Before-1])))

endmodule

`default_nettype wire
