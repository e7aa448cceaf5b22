// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "muster_assert.svh"

// Writes measured barriers to the serial line, "nn cccc" and the end of a line, in hexadecimal: the
// number of the line and the cycles of that barrier.
//
// A barrier measured (done_i) while a line is being sent is skipped: up to the cycle in which the
// serial line takes the last character. number_o is the number of the next line, so from the cycle
// after one has been taken on that of the next.
module muster_board_report #(
  /// cycles of a bit of the serial line, 2 to 65535
  parameter int unsigned Divisor = 104
) (
  input  wire logic         clk_i,
  input  wire logic         rst_ni,

  input  wire logic         done_i,
  input  wire logic [15:0]  cycles_i,

  output logic [7:0]        number_o,
  output logic              tx_o
);
  localparam logic [3:0] Last = 4'd8;  // characters of a line, from 0

  logic busy_q, ready;
  logic [3:0] at_q, digit;
  logic [15:0] cycles_q;
  logic [7:0] number_q, shown, character;

  assign number_o = number_q;
  assign shown = number_q - 1'b1;

  always_comb begin
    unique case (at_q)
      4'd0: digit = shown[7:4];
      4'd1: digit = shown[3:0];
      4'd3: digit = cycles_q[15:12];
      4'd4: digit = cycles_q[11:8];
      4'd5: digit = cycles_q[7:4];
      default: digit = cycles_q[3:0];
    endcase
    unique case (at_q)
      4'd2: character = " ";
      4'd7: character = 8'h0d;  // carriage return: \r is no escape of IEEE 1800
      Last: character = "\n";
      default: character = ((digit < 4'd10) ? "0" : "a" - 8'd10) + 8'(digit);
    endcase
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      busy_q <= 1'b0;
      at_q <= '0;
      number_q <= '0;
    end else if (!busy_q) begin
      busy_q <= done_i;
      at_q <= '0;
      if (done_i) number_q <= number_q + 1'b1;
    end else if (ready) begin
      busy_q <= at_q != Last;
      at_q <= at_q + 1'b1;
    end
    if (!busy_q) cycles_q <= cycles_i;
  end

  muster_uart_tx #(.Divisor(Divisor)) line (
    .clk_i, .rst_ni,
    .valid_i(busy_q),
    .byte_i(character),
    .ready_o(ready),
    .tx_o
  );

  `MUSTER_ASSERT(AtACharacter_A, !busy_q || at_q <= Last)

endmodule

`default_nettype wire
