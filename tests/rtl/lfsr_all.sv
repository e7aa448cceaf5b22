// SPDX-License-Identifier: Apache-2.0
`default_nettype none

// An LFSR of every width, side by side: values_o[w - 3] is the one of width w, seeded with w - 2,
// or with 0 if seed_zero_i is set.
module lfsr_all (
  input  wire logic          clk_i,
  input  wire logic          rst_ni,
  input  wire logic          seed_zero_i,
  input  wire logic          step_i,
  output logic [29:0][31:0]  values_o
);
  for (genvar w = 3; w <= 32; w++) begin : gen_width
    logic [w-1:0] value;
    muster_lfsr #(.Width(w)) lfsr (
      .clk_i, .rst_ni,
      .seed_i(seed_zero_i ? '0 : w'(w - 2)),
      .step_i,
      .value_o(value)
    );
    assign values_o[w-3] = 32'(value);
  end

endmodule

`default_nettype wire
