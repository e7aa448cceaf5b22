// SPDX-License-Identifier: Apache-2.0
// What the benches of this folder begin with: clock, reset, and the count of outputs that are X.
// Outputs are checked from the first edge after the reset on.
  reg clk = 0;
  reg rst_n = 0;
  reg checked = 0;
  always #5 clk = !clk;
  always @(posedge clk) checked <= rst_n;

  integer faults = 0;
  task known(input ok, input [8*13:1] what, input integer port);
    if (!ok) begin
      faults = faults + 1;
      if (faults < 10) $display("X on %0s, %0d, at %0t", what, port, $time);
    end
  endtask
