// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "muster_assert.svh"

// Combines the data of one more arrival with the result of those before it, for units that take one
// at a time: the table of docs/systems/barrier-switch.md, "Operation". Combinational.
//
// The kept value is the result itself, not its complement: for operations with bit 2 of `op` both
// operands are complemented here, and the result again.
module muster_data_combine #(
  /// bits of synchronization data, 2 to 74
  parameter int unsigned DataW = 6
) (
  input  wire logic [2:0]        op_i,
  /// there are none before: data_o is data_i
  input  wire logic              first_i,
  input  wire logic [DataW-1:0]  so_far_i,
  input  wire logic [DataW-1:0]  data_i,
  output logic [DataW-1:0]       data_o
);
  `MUSTER_RANGE(DataW, 2, 74)

  localparam logic [1:0] Or = 2'd0, Xor = 2'd1, Max = 2'd2;
  logic [DataW-1:0] flip, so_far, operand, both;
  logic [DataW:0] sum;
  assign flip = {DataW{op_i[2]}};
  assign so_far = so_far_i ^ flip;
  assign operand = data_i ^ flip;
  assign sum = {1'b0, so_far} + {1'b0, operand};
  always_comb begin
    unique case (op_i[1:0])
      Or: both = so_far | operand;
      Xor: both = so_far ^ operand;
      Max: both = (operand > so_far) ? operand : so_far;
      default: both = sum[DataW] ? '1 : sum[DataW-1:0];
    endcase
  end
  assign data_o = first_i ? data_i : both ^ flip;

endmodule

`default_nettype wire
