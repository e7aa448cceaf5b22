// SPDX-License-Identifier: Apache-2.0
`default_nettype none

// One word more in the CRC of a NIC packet (docs/systems/nic-engine.md, Packets): polynomial
// x^16 + x^12 + x^5 + 1, bit 15 of the word first.
//
// crc_o is a function of the inputs only. The CRC of a packet begins with all ones and goes over
// the four words before the tail. Example: 0xFFFF, then the words 0x8005, 0x0003, 0x0207, 0x0001,
// give 0x2313.
module muster_nic_crc (
  /// CRC of the words before
  input  wire logic [15:0]  crc_i,
  input  wire logic [15:0]  word_i,
  /// CRC with this word
  output logic [15:0]       crc_o
);
  localparam logic [15:0] Polynomial = 16'h1021;

  always_comb begin
    crc_o = crc_i ^ word_i;
    for (int unsigned i = 0; i < 16; i++) begin
      crc_o = (crc_o << 1) ^ (crc_o[15] ? Polynomial : 16'd0);
    end
  end

endmodule

`default_nettype wire
