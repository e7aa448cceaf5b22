// SPDX-License-Identifier: Apache-2.0
`default_nettype none

// The order in which a box scans its inputs: from start_i on, upward or downward, around.
//
// The k-th input is (start + k) mod Size if down_i is 0, (start - k) mod Size if it is 1.
// after_o[j][i] is set if input i comes after input j. Combinational, a constant for each order.
//
// Example, Size 4, start 2, down 1: the order is 2 1 0 3, after_o[1] = 1001 (inputs 0 and 3).
module muster_scan_order #(
  /// inputs of the box: 2, 4 or 8, 2 to 8
  parameter int unsigned Size = 4,
  localparam int unsigned IndexW = $clog2(Size)
) (
  input  wire logic [IndexW-1:0]         start_i,
  input  wire logic                      down_i,
  output logic [Size-1:0][Size-1:0]      after_o
);
  if (Size != 2 && Size != 4 && Size != 8) begin : gen_bad_size
    $error("muster_scan_order: Size must be 2, 4 or 8");
  end

  localparam int unsigned Orders = 2 * Size;
  localparam int unsigned Pairs = Size * Size;

  // after_o of every order, the one of {down, start} at bit {down, start} * Pairs.
  function automatic logic [Orders*Pairs-1:0] all_orders(input int unsigned size);
    int unsigned place_i, place_j;
    all_orders = '0;
    for (int unsigned order = 0; order < 2 * size; order++) begin
      for (int unsigned j = 0; j < size; j++) begin
        for (int unsigned i = 0; i < size; i++) begin
          place_i = (order < size) ? i + size - order : order - i;
          place_j = (order < size) ? j + size - order : order - j;
          all_orders[(order*size+j)*size+i] = (place_i % size) > (place_j % size);
        end
      end
    end
  endfunction

  localparam logic [Orders*Pairs-1:0] AllOrders = all_orders(Size);

  // A choice among constants, written without a shift: Yosys would read undriven bits beyond them.
  always_comb begin
    after_o = '0;
    for (int unsigned k = 0; k < Orders; k++) begin
      if ({down_i, start_i} == (IndexW + 1)'(k)) after_o = after_o | AllOrders[k*Pairs+:Pairs];
    end
  end

endmodule

`default_nettype wire
