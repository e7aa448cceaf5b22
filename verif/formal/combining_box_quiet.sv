// SPDX-License-Identifier: Apache-2.0
`default_nettype none

// quiescent_o of combining_box, for scripts/prove: `still` names the cycles in which nothing at
// all may change. Not in reset, no offers; what stands behind the outputs may be ready or not.
module combining_box_quiet #(
  parameter int unsigned Size = 2,
  parameter int unsigned Depth = 1,
  parameter int unsigned PacketW = 64,
  localparam int unsigned DigitW = $clog2(Size)
) (
  input  wire logic                          clk_i,
  input  wire logic [15:0]                   seed_i,
  input  wire logic [Size-1:0]               valid_i,
  input  wire logic [Size-1:0][DigitW-1:0]   digit_i,
  input  wire logic [Size-1:0]               broadcast_i,
  input  wire logic [Size-1:0][PacketW-1:0]  packet_i,
  input  wire logic [Size-1:0]               ready_i,
  // All outputs, so that what can only be seen there is kept.
  output logic [Size-1:0]                    ready_o,
  output logic [Size-1:0]                    valid_o,
  output logic [Size-1:0][PacketW-1:0]       packet_o,
  output logic                               quiescent,
  output logic                               still
);
  combining_box #(
    .Size(Size),
    .Depth(Depth),
    .PacketW(PacketW)
  ) dut (
    .clk_i,
    .rst_ni(1'b1),
    .seed_i,
    .valid_i,
    .digit_i,
    .broadcast_i,
    .packet_i,
    .ready_o,
    .valid_o,
    .packet_o,
    .ready_i,
    .quiescent_o(quiescent)
  );

  assign still = quiescent && (valid_i == '0);

endmodule

`default_nettype wire
