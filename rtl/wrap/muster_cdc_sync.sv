// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "muster_assert.svh"

// Brings bits of another clock domain into this one, each through Stages flip-flops. They come from
// registers; of those that mean something together, a pointer in Gray code, at most one changes at
// an edge of their clock. A change is seen after Stages edges of clk_i, or one more.
//
// meta_q alone may be metastable: constraints name it (rtl/wrap/constraints).
module muster_cdc_sync #(
  /// bits, 1 to 16
  parameter int unsigned Width = 1,
  /// flip-flops of a bit, 2 to 4
  parameter int unsigned Stages = 2,
  /// what is seen after reset: 0 to 1
  parameter int unsigned Init = 0
) (
  input  wire logic              clk_i,
  input  wire logic              rst_ni,

  /// of the other domain
  input  wire logic [Width-1:0]  bits_i,
  output logic [Width-1:0]       bits_o
);
  `MUSTER_RANGE(Width, 1, 16)
  `MUSTER_RANGE(Stages, 2, 4)
  `MUSTER_RANGE(Init, 0, 1)

  localparam logic InitBit = Init == 1;

  (* ASYNC_REG = "TRUE" *) logic [Width-1:0] meta_q;
  (* ASYNC_REG = "TRUE" *) logic [Stages-2:0][Width-1:0] later_q;

  // What an edge takes. In a proof a bit that has just changed is taken as it was or as it is.
  logic [Width-1:0] taken;
`ifdef FORMAL
  (* gclk *) logic step;
  (* anyseq *) logic [Width-1:0] late;
  logic [Width-1:0] before_q;
  always_ff @(posedge step) before_q <= bits_i;
  assign taken = (late & before_q) | (~late & bits_i);
`else
  assign taken = bits_i;
`endif  // FORMAL

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      meta_q <= {Width{InitBit}};
      later_q <= {(Stages - 1) * Width{InitBit}};
    end else begin
      meta_q <= taken;
      later_q <= ((Stages - 1) * Width)'({later_q, meta_q});
    end
  end

  assign bits_o = later_q[Stages-2];

endmodule

`default_nettype wire
