// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "muster_assert.svh"

// The CRC of a frame between two link ends (docs/systems/retry-link.md, Frames): polynomial
// x^16 + x^13 + x^12 + x^11 + x^10 + x^8 + x^6 + x^5 + x^2 + 1, all ones at the beginning, the
// highest bit first. A word of up to 135 bits has with it a distance of 6 from any other; so a
// longer one, from the lowest bit up, has a CRC for each 135 bits, the first one lowest in crc_o.
//
// crc_o is a function of the input only.
module muster_link_crc #(
  /// bits that it goes over, 1 to 675
  parameter int unsigned Width = 41,
  localparam int unsigned Longest = 135,
  localparam int unsigned Parts = (Width + Longest - 1) / Longest
) (
  input  wire logic [Width-1:0]     word_i,
  output logic [Parts-1:0][15:0]    crc_o
);
  `MUSTER_RANGE(Width, 1, 5 * Longest)

  localparam logic [15:0] Polynomial = 16'h3D65;

  // The remainder is linear, so each of its bits is the parity of some bits of the word: said so, a
  // tool makes shallow trees of it; as a loop over the bits it is a chain.
  function automatic logic [Longest-1:0] parity(input logic [3:0] bit_number);
    logic [15:0] remainder;
    remainder = Polynomial;  // of the lowest bit of the word alone
    for (int unsigned i = 0; i < Longest; i++) begin
      parity[i] = remainder[bit_number];
      remainder = {remainder[14:0], 1'b0} ^ (remainder[15] ? Polynomial : 16'd0);
    end
  endfunction
  function automatic logic [15:0] after(input int unsigned bits);
    after = '1;
    for (int unsigned i = 0; i < bits; i++) begin
      after = {after[14:0], 1'b0} ^ (after[15] ? Polynomial : 16'd0);
    end
  endfunction

  for (genvar c = 0; c < Parts; c++) begin : gen_part
    localparam int unsigned Low = c * Longest;
    localparam int unsigned PartW = (Width - Low < Longest) ? Width - Low : Longest;
    localparam logic [15:0] Begun = after(PartW);
    for (genvar b = 0; b < 16; b++) begin : gen_bit
      localparam logic [PartW-1:0] Parity = PartW'(parity(4'(b)));
      assign crc_o[c][b] = Begun[b] ^ (^(word_i[Low+:PartW] & Parity));
    end
  end

endmodule

`default_nettype wire
