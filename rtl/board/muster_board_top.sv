// SPDX-License-Identifier: Apache-2.0
`default_nettype none

// The pins of the iCE40-HX8K breakout board around muster_board_system: clock of 12 MHz, serial
// line out of 115 200 baud, eight LEDs. It has no reset: registers begin at 0 in an iCE40, in an
// ECP5 as the source says, and so does the counter that holds the reset.
//
// On the serial line, line after line, the cycles of a barrier of group A (muster_board_report):
// lines of even number with barriers alone in the network, those of odd number with packets beside
// them, which begin and end while the line before is being sent. The LEDs show the number of the
// line.
module muster_board_top #(
  /// cycles of a bit of the serial line, 2 to 65535
  parameter int unsigned Divisor = 104
) (
  input  wire logic         clk_i,
  output logic              tx_o,
  output logic [7:0]        led_o
);
  if (Divisor < 2 || Divisor > 65535) begin : gen_bad_divisor
    $error("muster_board_top: Divisor must be 2 to 65535");
  end

  // Block RAM of an iCE40 reads as 0 for some dozens of cycles after configuration: the reset lasts
  // well beyond that. The value at the beginning is an `initial` of its own, beside a plain always:
  // at the declaration it is a warning of Verilator 5.48, and an always_ff admits no other writer.
  logic [7:0] held_q;
  logic rst_n;
  assign rst_n = held_q == '1;
  initial held_q = '0;
  always @(posedge clk_i) begin
    if (!rst_n) held_q <= held_q + 1'b1;
  end

  logic [2:0] arrives, released;
  logic done;
  logic [15:0] cycles;
  logic [7:0] number;

  muster_board_system system (
    .clk_i,
    .rst_ni(rst_n),
    .traffic_i(number[0]),
    .arrives_o(arrives),
    .released_o(released)
  );

  muster_barrier_timer #(
    .Members(3)
  ) timer (
    .clk_i,
    .rst_ni(rst_n),
    .arrives_i(arrives),
    .released_i(released),
    .done_o(done),
    .cycles_o(cycles)
  );

  muster_board_report #(
    .Divisor(Divisor)
  ) report (
    .clk_i,
    .rst_ni(rst_n),
    .done_i(done),
    .cycles_i(cycles),
    .number_o(number),
    .tx_o
  );

  assign led_o = number;

endmodule

`default_nettype wire
