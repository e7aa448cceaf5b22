// SPDX-License-Identifier: Apache-2.0
`default_nettype none

// The pins of the ULX3S board (ECP5-25F to 85F) around muster_board_top: a clock of 25 MHz, so
// another Divisor for 115 200 baud; the line to GPIO 0 of its Wi-Fi chip at 1, without which that
// chip may take the board over.
module muster_board_ulx3s #(
  /// cycles of a bit of the serial line, 2 to 65535
  parameter int unsigned Divisor = 217
) (
  input  wire logic         clk_i,
  output logic              tx_o,
  output logic [7:0]        led_o,
  output logic              wifi_gpio0_o
);
  assign wifi_gpio0_o = 1'b1;

  muster_board_top #(
    .Divisor(Divisor)
  ) top (
    .clk_i,
    .tx_o,
    .led_o
  );

endmodule

`default_nettype wire
