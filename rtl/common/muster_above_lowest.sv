// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "muster_assert.svh"


// The places above the lowest bit that is set, none if none is. The lowest one alone is then
// bits & ~above. Combinational.
//
// A prefix OR in log2(N) steps. bits & -bits says the same, but is a carry chain in an FPGA, and
// mapping optimizes nothing across one.
//
// Example, N = 4: of 1010 above_o is 1100, and the lowest one is 0010.
module muster_above_lowest #(
  /// bits, 1 to 128
  parameter int unsigned N = 4
) (
  input  wire logic [N-1:0]  bits_i,
  output logic [N-1:0]       above_o
);
  `MUSTER_RANGE(N, 1, 128)

  localparam int unsigned Steps = $clog2(N);
  always_comb begin
    above_o = N'({bits_i, 1'b0});
    if (bits_i != '0) begin
      for (int unsigned k = 0; k != Steps; k++) above_o = above_o | (above_o << (1 << k));
    end
  end

endmodule

`default_nettype wire
