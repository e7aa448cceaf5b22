// SPDX-License-Identifier: Apache-2.0
// Cells of an ECP5 as nextpnr-ecp5 configures them, for the netlist that scripts/ecp5_netlist.py
// writes: what Lattice's ECP5 family data sheet and its memory usage guide say of slices and of
// block RAM, in the modes that the netlist uses; the script refuses all others. Configuration that
// differs from cell to cell is an input, so that a simulator compiles each module once.

// Half a slice as logic: a LUT of four inputs and the multiplexer behind it, which joins two LUTs
// in the lower half (K0), two such multiplexers in the upper half (K1).
module ECP5_LOGIC (
  input [15:0] INIT,
  input UPPER,
  input A, B, C, D, M, F1, FXA, FXB,
  output F, OFX
);
  assign F = INIT[{D, C, B, A}];
  assign OFX = UPPER ? (M ? FXB : FXA) : (M ? F1 : F);
endmodule

// Half a slice as a bit of a carry chain: a carry is made of A and B only.
module ECP5_CARRY (
  input [15:0] INIT,
  input INJECT,
  input A, B, C, D, FCI,
  output F, FCO
);
  wire propagate = INIT[{D, C, B, A}];
  wire generates = INIT[{2'b00, B, A}] && !INJECT;
  assign F = propagate ^ (FCI && !INJECT);
  assign FCO = propagate ? FCI : generates;
endmodule

// Half a slice as 16 bits of RAM, written by a clock and read at once.
module ECP5_DPRAM (
  input [15:0] INIT,
  input A, B, C, D, WCK, WRE, WD, WAD0, WAD1, WAD2, WAD3,
  output F
);
  reg [15:0] mem;
  initial mem = INIT;
  always @(posedge WCK) if (WRE) mem[{WAD3, WAD2, WAD1, WAD0}] <= WD;
  assign F = mem[{D, C, B, A}];
endmodule

// A register; reset, which goes before the clock enable, and configuration give it the value SET.
module ECP5_FF (
  input SET,
  input CLK, CE, LSR, D,
  output reg Q
);
  initial Q = SET;
  always @(posedge CLK) begin
    if (LSR) Q <= SET;
    else if (CE) Q <= D;
  end
endmodule

// Block RAM: 16 kbit in words of W bits, W = 1, 2 or 4, or 18 kbit in words of 9 or 18; both ports
// of the same width, outputs without registers. BEFORE: what is written over is read as it was;
// else the output stays. Words of 18 bits have a write enable for each half, AD[1:0].
module ECP5_BLOCK_RAM #(
  parameter W = 4
) (
  input CLKA, CEA, WEA, BEFOREA, CLKB, CEB, WEB, BEFOREB,
  input [13:0] ADA, ADB,
  input [17:0] DIA, DIB,
  output reg [17:0] DOA, DOB
);
  localparam Skip = (W == 18) ? 4 : (W == 9) ? 3 : (W == 4) ? 2 : (W == 2) ? 1 : 0;
  localparam [17:0] Used = 18'h3ffff >> (18 - W);
  reg [17:0] mem [0:(1 << (14 - Skip)) - 1];
  wire [17:0] mask_a = Used & ((W == 18) ? {{9{ADA[1]}}, {9{ADA[0]}}} : 18'h3ffff);
  wire [17:0] mask_b = Used & ((W == 18) ? {{9{ADB[1]}}, {9{ADB[0]}}} : 18'h3ffff);
  integer i;
  initial begin
    for (i = 0; i < (1 << (14 - Skip)); i = i + 1) mem[i] = 18'd0;
    DOA = 18'd0;
    DOB = 18'd0;
  end
  always @(posedge CLKA) if (CEA) begin
    if (WEA) mem[ADA >> Skip] <= (DIA & mask_a) | (mem[ADA >> Skip] & ~mask_a);
    if (!WEA || BEFOREA) DOA <= mem[ADA >> Skip];
  end
  always @(posedge CLKB) if (CEB) begin
    if (WEB) mem[ADB >> Skip] <= (DIB & mask_b) | (mem[ADB >> Skip] & ~mask_b);
    if (!WEB || BEFOREB) DOB <= mem[ADB >> Skip];
  end
endmodule
