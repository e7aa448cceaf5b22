// SPDX-License-Identifier: Apache-2.0
// Cells of an ECP5 as nextpnr writes them when it has placed them, for scripts/board. Of some Yosys
// has no model; its TRELLIS_FF has no SD, and the carry of its TRELLIS_COMB leads nowhere.

// A lookup table, with a bit of a carry chain, or as a memory of 16 bits; a multiplexer behind it.
module TRELLIS_COMB (
  input A, B, C, D, M, FCI, F1, FXA, FXB, WD, WAD0, WAD1, WAD2, WAD3, WRE, WCK,
  output F, FCO, OFX
);
  parameter MODE = "LOGIC";
  parameter [15:0] INITVAL = 0;
  parameter CCU2_INJECT1 = "NO";
  parameter WREMUX = "WRE";
  parameter WCKMUX = "WCK";
  parameter [0:0] IS_Z1 = 0;  // the multiplexer is between the outputs of two others
  generate
    if (MODE == "DPRAM") begin : gen_memory
      reg [15:0] words = INITVAL;
      always @(posedge WCK) if (WRE) words[{WAD3, WAD2, WAD1, WAD0}] <= WD;
      assign F = words[{A, C, B, D}];
    end else if (MODE == "CCU2") begin : gen_carry
      wire propagates = INITVAL[{D, C, B, A}];
      wire starts = CCU2_INJECT1 == "YES";
      assign F = propagates ^ (FCI && !starts);
      assign FCO = propagates ? FCI : INITVAL[{2'b00, B, A}] && !starts;
    end else begin : gen_logic
      assign F = INITVAL[{D, C, B, A}];
    end
  endgenerate
  assign OFX = IS_Z1 ? (M ? FXB : FXA) : (M ? F1 : F);
  initial if (WREMUX != "WRE" || WCKMUX != "WCK") $stop;
endmodule

// The write port of the memories of a slice.
module TRELLIS_RAMW (
  input A0, B0, C0, D0, A1, B1, C1, D1,
  output WADO0, WADO1, WADO2, WADO3, WDO0, WDO1, WDO2, WDO3
);
  assign {WADO3, WADO2, WADO1, WADO0, WDO3, WDO2, WDO1, WDO0} = {A0, C0, B0, D0, B1, D1, A1, C1};
endmodule

// A flip-flop behind a lookup table, or with SD 0 behind a wire.
module TRELLIS_FF (input CLK, LSR, CE, DI, M, output reg Q);
  parameter SD = "1";
  parameter CEMUX = "CE";
  parameter REGSET = "RESET";
  parameter CLKMUX = "CLK";
  parameter LSRMUX = "LSR";
  parameter SRMODE = "LSR_OVER_CE";
  parameter GSR = "DISABLED";
  initial Q = REGSET == "SET";
  always @(posedge CLK) begin
    if (LSR) Q <= REGSET == "SET";
    else if (CEMUX == "1" || (CE ^ (CEMUX == "INV"))) Q <= (SD == "1") ? DI : M;
  end
  initial if (CLKMUX != "CLK" || LSRMUX != "LSR" || SRMODE != "LSR_OVER_CE") $stop;
endmodule

// A pin by its direction: Verilator has no inout port at an input.
module TRELLIS_IO_INPUT (input B, output O);
  parameter DIR = "INPUT";
  parameter DATAMUX_ODDR = "PADDO";
  parameter DATAMUX_MDDR = "PADDO";
  assign O = B;
endmodule
module TRELLIS_IO_OUTPUT (output B, input I);
  parameter DIR = "OUTPUT";
  parameter DATAMUX_ODDR = "PADDO";
  parameter DATAMUX_MDDR = "PADDO";
  assign B = I;
endmodule

module DCCA (input CLKI, output CLKO);
  assign CLKO = CLKI;
endmodule
