// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "muster_assert.svh"

// A board-level system behind the pins of a board: clock, serial line out, eight LEDs. It has no
// reset: registers begin at 0 in an iCE40, in an ECP5 as the source says, and so does the counter
// that holds the reset.
//
//   System 0   muster_board_network, a mesh of 2 x 2 barrier switches with AXI endpoints
//   System 1   the same, two preempting switches
//   System 2   muster_board_cube, an Extra Stage Cube of four PEs
//   System 3   muster_board_nics, two NIC barrier engines
//
// On the serial line, line after line, the cycles of a barrier (muster_board_report): lines of even
// number with barriers alone, those of odd number with packets beside them, or of the NICs over
// their point-to-point path, which begin and end while the line before is being sent. The LEDs show
// the number of the line.
module muster_board_top #(
  /// the system, 0 to 3
  parameter int unsigned System = 0,
  /// cycles of a bit of the serial line, 2 to 65535: 217 are 115 200 baud of a clock of 25 MHz
  parameter int unsigned Divisor = 217
) (
  input  wire logic         clk_i,
  output logic              tx_o,
  output logic [7:0]        led_o,
  /// 1, to GPIO 0 of a ULX3S's Wi-Fi chip, which may take the board over without it
  output logic              wifi_gpio0_o
);
  localparam int unsigned Members = (System == 3) ? 2 : 4;

  `MUSTER_RANGE(System, 0, 3)
  `MUSTER_RANGE(Divisor, 2, 65535)

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

  logic [Members-1:0] arrives, released;
  logic done;
  logic [15:0] cycles;
  logic [7:0] number;

  if (System < 2) begin : gen_network
    muster_board_network #(.Preempt(System)) system (
      .clk_i,
      .rst_ni(rst_n),
      .traffic_i(number[0]),
      .arrives_o(arrives),
      .released_o(released)
    );
  end else begin : gen_other
    if (System == 2) begin : gen_cube
      muster_board_cube system (
        .clk_i,
        .rst_ni(rst_n),
        .traffic_i(number[0]),
        .arrives_o(arrives),
        .released_o(released)
      );
    end else begin : gen_nics
      muster_board_nics system (
        .clk_i,
        .rst_ni(rst_n),
        .traffic_i(number[0]),
        .arrives_o(arrives),
        .released_o(released)
      );
    end
  end

  muster_barrier_timer #(.Members(Members)) timer (
    .clk_i,
    .rst_ni(rst_n),
    .arrives_i(arrives),
    .released_i(released),
    .done_o(done),
    .cycles_o(cycles)
  );

  muster_board_report #(.Divisor(Divisor)) report (
    .clk_i,
    .rst_ni(rst_n),
    .done_i(done),
    .cycles_i(cycles),
    .number_o(number),
    .tx_o
  );

  assign led_o = number;
  assign wifi_gpio0_o = 1'b1;

endmodule

`default_nettype wire
