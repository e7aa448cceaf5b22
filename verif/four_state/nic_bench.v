// SPDX-License-Identifier: Apache-2.0
// Four-state bench of a NIC whose link leads back to itself: it steps through a list of two
// entries or events, a message to itself and its arrival, barrier after barrier. After reset no
// meaningful output is X, though every ignored input is X in that cycle.
`timescale 1ns / 1ps
module bench;
  parameter VCS = 2;
  parameter VCW = 1;
  parameter CYCLES = 2000;
  parameter CHAINED = 0;  // an event unit

  `include "frame.vh"

  wire tx_valid, event_valid;
  wire [VCW-1:0] tx_vc;
  wire [2:0] tx_kind;
  wire [15:0] tx_payload;
  wire [VCS-1:0] rx_credit;
  wire [31:0] reg_rdata, event_word;
  wire arrives = rst_n && tx_valid;

  `DUT dut (
    .clk_i(clk), .rst_ni(rst_n), .rx_valid_i(arrives), .rx_vc_i(arrives ? tx_vc : {VCW{1'bx}}),
    .rx_kind_i(arrives ? tx_kind : 3'bxxx), .rx_payload_i(arrives ? tx_payload : 16'hxxxx),
    .rx_credit_o(rx_credit), .tx_valid_o(tx_valid), .tx_vc_o(tx_vc), .tx_kind_o(tx_kind),
    .tx_payload_o(tx_payload), .tx_credit_i(rst_n ? rx_credit : {VCS{1'b0}}),
    .reg_valid_i(reg_valid), .reg_write_i(reg_write), .reg_addr_i(reg_addr),
    .reg_wdata_i(reg_wdata), .reg_rdata_o(reg_rdata), .event_valid_o(event_valid),
    .event_o(event_word), .event_ready_i(event_valid ? 1'b1 : 1'bx), .quiescent_o(quiescent));

  integer flits = 0, events = 0;
  always @(posedge clk) if (checked) begin
    known(^reg_rdata !== 1'bx, "reg_rdata_o", 0);
    known(^rx_credit !== 1'bx, "rx_credit_o", 0);
    known(event_valid !== 1'bx, "event_valid_o", 0);
    known(tx_valid !== 1'bx, "tx_valid_o", 0);
    if (tx_valid === 1'b1) begin
      flits = flits + 1;
      known(^{tx_vc, tx_kind, tx_payload} !== 1'bx, "tx_payload_o", 0);
    end
    if (event_valid === 1'b1) begin
      events = events + 1;
      known(^event_word !== 1'bx, "event_o", 0);
    end
  end

  integer a;
  initial begin
    repeat (2) @(negedge clk);
    rst_n = 1;
    access(1, 12'h003, 32'd5);         // own address 5, channel 0
    access(1, 12'h004, 32'h00420100);  // timeout 256, 2 retries
    // Send to entry 1 of node 5, then wait for it: the last one.
    access(1, 12'h400, CHAINED ? 32'h84210005 : 32'h81010005);
    access(1, 12'h401, CHAINED ? 32'h48000000 : 32'h40000005);
    access(1, 12'h040, 32'h80000700);  // valid, group 7
    repeat (CYCLES / 40) begin
      access(1, 12'h041, 32'd1);
      for (a = 0; a < 12; a = a + 1) access(0, $random & 12'h7f, 0);
    end
    if (flits < CYCLES / 20 || events < CYCLES / 100) known(0, "too few", 0);
    $display("%0s %0d flits, %0d events", faults == 0 ? "PASS" : "FAIL", flits, events);
    $finish;
  end
endmodule
