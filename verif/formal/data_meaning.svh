// SPDX-License-Identifier: Apache-2.0
// What the data of a barrier mean, by the operation Op of a wrapper with data of DataW bits: two
// of them together, and the data of no port. OR, XOR, MAX, saturating SUM, AND, MIN. Included
// inside each wrapper that tells data from the messages only; no package knows its DataW and Op.
function automatic logic [DataW-1:0] both(
  input logic [DataW-1:0] a, input logic [DataW-1:0] b
);
  logic [DataW:0] sum;
  sum = {1'b0, a} + {1'b0, b};
  unique case (Op)
    3'd1: both = a ^ b;
    3'd2: both = (a > b) ? a : b;
    3'd3: both = sum[DataW] ? '1 : sum[DataW-1:0];
    3'd4: both = a & b;
    3'd6: both = (a < b) ? a : b;
    default: both = a | b;
  endcase
endfunction
localparam logic [DataW-1:0] Neutral = Op[2] ? '1 : '0;
