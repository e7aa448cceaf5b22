// SPDX-License-Identifier: Apache-2.0
// The latch of osu018, for muster_clock_gate; a chip has a clock gate of its library there.
module \$_DLATCH_N_ (input E, input D, output Q);
  wire enable;
  \$_NOT_ inverter (.A(E), .Y(enable));
  LATCH _TECHMAP_REPLACE_ (.CLK(enable), .D(D), .Q(Q));
endmodule
