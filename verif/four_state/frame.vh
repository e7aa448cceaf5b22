// SPDX-License-Identifier: Apache-2.0
// What the benches of this folder begin with: clock, reset, the count of outputs that are X, the
// quiescent output, and the host of a register port. Outputs are checked from the first edge after
// the reset on.
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

  wire quiescent;
  always @(posedge clk) if (checked) known(^quiescent !== 1'bx, "quiescent_o", 0);

  reg reg_valid = 0;
  reg reg_write;
  reg [11:0] reg_addr;
  reg [31:0] reg_wdata;
  task access(input write, input [11:0] address, input [31:0] data);
    begin
      @(negedge clk);
      reg_valid = 1;
      reg_write = write;
      reg_addr = address;
      reg_wdata = write ? data : 32'hxxxxxxxx;
      @(negedge clk);
      reg_valid = 0;
      reg_write = 1'bx;
      reg_addr = 12'hx;
      reg_wdata = 32'hx;
    end
  endtask
