// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "muster_assert.svh"

// The order in which a box scans its inputs: from start_i on, upward or downward, around.
//
// order_o[k] is the k-th input: (start + k) mod Size if down_i is 0, (start - k) mod Size if it is
// 1. Combinational.
//
// Example, Size 4, start 2, down 1: the order is 2 1 0 3.
module muster_scan_order #(
  /// inputs of the box: 2, 4 or 8, 2 to 8
  parameter int unsigned Size = 4,
  localparam int unsigned IndexW = $clog2(Size)
) (
  input  wire logic [IndexW-1:0]         start_i,
  input  wire logic                      down_i,
  output logic [Size-1:0][IndexW-1:0]    order_o
);
  `MUSTER_POWER_OF_TWO(Size, 2, 8)

  // Downward: upward from the complement of start, each number complemented.
  logic [IndexW-1:0] from;
  assign from = start_i ^ {IndexW{down_i}};
  for (genvar k = 0; k < Size; k++) begin : gen_place
    assign order_o[k] = (from + IndexW'($unsigned(k))) ^ {IndexW{down_i}};
  end

endmodule

`default_nettype wire
