// SPDX-License-Identifier: Apache-2.0
`default_nettype none

// quiescent_o of input_policy, for scripts/prove: `still` names the cycles in which nothing at all
// may change. Not in reset, no packet, and the flag neither set nor cleared.
module input_policy_quiet #(
  parameter int unsigned Size = 4,
  parameter int unsigned AddrW = 4,
  localparam int unsigned DigitW = $clog2(Size)
) (
  input  wire logic               clk_i,
  input  wire logic [15:0]        seed_i,
  input  wire logic [1:0]         policy_i,
  input  wire logic [DigitW-1:0]  link_i,
  input  wire logic [AddrW-1:0]   section_mask_i,
  input  wire logic [AddrW-1:0]   hot_i,
  input  wire logic               set_i,
  input  wire logic               clear_i,
  input  wire logic               valid_i,
  input  wire logic [1:0]         kind_i,
  input  wire logic [AddrW-1:0]   destination_i,
  // All outputs, so that what can only be seen there is kept.
  output logic [DigitW-1:0]       digit_o,
  output logic                    flag_o,
  output logic                    quiescent,
  output logic                    still
);
  input_policy #(
    .Size(Size),
    .AddrW(AddrW)
  ) dut (
    .clk_i,
    .rst_ni(1'b1),
    .seed_i,
    .policy_i,
    .link_i,
    .section_mask_i,
    .hot_i,
    .set_i,
    .clear_i,
    .valid_i,
    .kind_i,
    .destination_i,
    .digit_o,
    .flag_o,
    .quiescent_o(quiescent)
  );

  assign still = quiescent && !set_i && !clear_i && !valid_i;

endmodule

`default_nettype wire
