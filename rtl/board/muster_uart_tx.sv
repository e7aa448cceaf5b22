// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "muster_assert.svh"

// Sends bytes over a serial line: a start bit 0, eight bits, the lowest first, a stop bit 1, each
// for Divisor cycles. A byte given with valid_i and ready_o in cycle t begins in t + 1; ready_o is
// back in the last cycle of its stop bit.
module muster_uart_tx #(
  /// cycles of a bit, 2 to 65535: 104 are 115 200 baud of a clock of 12 MHz
  parameter int unsigned Divisor = 104
) (
  input  wire logic        clk_i,
  input  wire logic        rst_ni,

  input  wire logic        valid_i,
  input  wire logic [7:0]  byte_i,
  output logic             ready_o,

  output logic             tx_o
);
  localparam int unsigned BaudW = $clog2(Divisor);
  localparam logic [3:0] Bits = 4'd10;

  `MUSTER_RANGE(Divisor, 2, 65535)

  logic [9:0] bits_q;  // still to send; what follows is the idle line
  logic [3:0] left_q;  // bits of the byte that are not over
  logic [BaudW-1:0] baud_q;
  logic bit_ends;
  assign bit_ends = baud_q == '0;
  assign ready_o = (left_q == '0) || ((left_q == 4'd1) && bit_ends);
  assign tx_o = bits_q[0];

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      bits_q <= '1;
      left_q <= '0;
      baud_q <= '0;
    end else if (valid_i && ready_o) begin
      bits_q <= {1'b1, byte_i, 1'b0};
      left_q <= Bits;
      baud_q <= BaudW'(Divisor - 1);
    end else if (bit_ends && left_q != '0) begin
      bits_q <= {1'b1, bits_q[9:1]};
      left_q <= left_q - 1'b1;
      baud_q <= BaudW'(Divisor - 1);
    end else if (!bit_ends) begin
      baud_q <= baud_q - 1'b1;
    end
  end

  `MUSTER_ASSERT(IdleLineIsOne_A, left_q != '0 || tx_o)

endmodule

`default_nettype wire
