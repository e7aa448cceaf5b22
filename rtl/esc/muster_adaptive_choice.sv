// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "muster_assert.svh"

// The adaptive choice of a PE between the outputs of its box of the input stage, by what their
// buffers hold (beyond the paper; docs/systems/esc.md). Combinational, no state.
//
// digit_o is the output that holds the fewest packets; of several with the fewest link_i if that is
// among them, else the first after it in cyclic ascending order. With straight_i it is link_i.
//
// Example, Size 4, link_i 2, fill_i 3 1 4 1 for outputs 0 to 3: digit_o is 3, the first after 2.
module muster_adaptive_choice #(
  /// n, outputs of the box: 2, 4 or 8, 2 to 8
  parameter int unsigned Size = 4,
  /// bits of a number of packets, 1 to 7
  parameter int unsigned CountW = 4,
  localparam int unsigned DigitW = (Size > 1) ? $clog2(Size) : 1
) (
  /// digit 0 of the PE's number; static
  input  wire logic [DigitW-1:0]              link_i,
  /// packets in each output buffer at the beginning of the cycle
  input  wire logic [Size-1:0][CountW-1:0]    fill_i,
  /// the packet is a release
  input  wire logic                           straight_i,
  output logic [DigitW-1:0]                   digit_o
);
  `MUSTER_POWER_OF_TWO(Size, 2, 8)
  `MUSTER_RANGE(CountW, 1, 7)

  logic [DigitW-1:0] best, candidate;
  always_comb begin
    best = link_i;
    candidate = link_i;
    for (int unsigned k = 1; k < Size; k++) begin
      candidate = candidate + 1'b1;
      if (fill_i[candidate] < fill_i[best]) best = candidate;
    end
  end

  assign digit_o = straight_i ? link_i : best;

endmodule

`default_nettype wire
