// SPDX-License-Identifier: Apache-2.0
// Four-state bench of an interchange box: after reset no output that means something is X, though
// digits and packets that are not offered, digits of broadcasts and ready_i of empty buffers are X.
`timescale 1ns / 1ps
module bench;
  parameter SIZE = 4;
  parameter DIGITW = 2;
  parameter PACKETW = 64;
  parameter CYCLES = 2000;

  `include "frame.vh"

  reg [15:0] seed = 16'd9;
  reg [SIZE-1:0] valid = 0;
  reg [SIZE*DIGITW-1:0] digit;
  reg [SIZE-1:0] broadcast;
  reg [SIZE*PACKETW-1:0] packet;
  wire [SIZE-1:0] ready, valid_o;
  wire [SIZE*PACKETW-1:0] packet_o;
  reg [SIZE-1:0] take;

  `DUT dut (
    .clk_i(clk), .rst_ni(rst_n), .seed_i(seed), .valid_i(valid), .digit_i(digit),
    .broadcast_i(broadcast), .packet_i(packet), .ready_o(ready), .valid_o(valid_o),
    .packet_o(packet_o), .ready_i(take), .quiescent_o(quiescent));

  integer packets = 0, i, number = 1;
  always @(posedge clk) if (checked) begin
    for (i = 0; i < SIZE; i = i + 1) begin
      if (valid[i]) known(ready[i] !== 1'bx, "ready_o", i);
      known(valid_o[i] !== 1'bx, "valid_o", i);
      if (valid_o[i] === 1'b1) begin
        known(^packet_o[i*PACKETW+:PACKETW] !== 1'bx, "packet_o", i);
        if (take[i]) packets = packets + 1;
      end
    end
  end

  integer k;
  reg [SIZE-1:0] offer;
  initial begin
    repeat (2) @(negedge clk);
    rst_n = 1;
    seed = 16'hx;
    repeat (CYCLES) begin
      // Long after the outputs of this cycle have settled.
      @(negedge clk);
      offer = $random;
      valid = 0;
      digit = {SIZE*DIGITW{1'bx}};
      broadcast = {SIZE{1'bx}};
      packet = {SIZE*PACKETW{1'bx}};
      for (k = 0; k < SIZE; k = k + 1) if (offer[k]) begin
        valid[k] = 1;
        broadcast[k] = ($random & 15) == 0;
        if (!broadcast[k]) digit[k*DIGITW+:DIGITW] = $random;
        packet[k*PACKETW+:PACKETW] = {32'h40000000, number};  // a data packet
        number = number + 1;
      end
      take = {SIZE{1'bx}};
      for (k = 0; k < SIZE; k = k + 1) if (valid_o[k] === 1'b1) take[k] = $random;
    end
    if (packets < CYCLES / 2) known(0, "too few", 0);
    $display("%0s %0d packets", faults == 0 ? "PASS" : "FAIL", packets);
    $finish;
  end
endmodule
