// SPDX-License-Identifier: Apache-2.0
`default_nettype none

// The CRC of a frame between two link ends (docs/systems/retry-link.md, Frames): polynomial
// x^16 + x^13 + x^12 + x^11 + x^10 + x^8 + x^6 + x^5 + x^2 + 1, all ones at the beginning, the
// highest bit first. A frame of up to 135 bits before its CRC has a distance of 6 from any other.
//
// crc_o is a function of the input alone.
module link_crc #(
  /// bits that it goes over, 1 to 135
  parameter int unsigned Width = 41
) (
  input  wire logic [Width-1:0]  word_i,
  output logic [15:0]            crc_o
);
  if (Width < 1 || Width > 135) begin : gen_bad_width
    $error("link_crc: Width must be 1 to 135");
  end

  localparam logic [15:0] Polynomial = 16'h3D65;

  always_comb begin
    crc_o = '1;
    for (int unsigned i = 0; i < Width; i++) begin
      crc_o = (crc_o << 1) ^ ((crc_o[15] != word_i[Width-1-i]) ? Polynomial : 16'd0);
    end
  end

endmodule

`default_nettype wire
