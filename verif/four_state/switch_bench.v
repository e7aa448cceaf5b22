// SPDX-License-Identifier: Apache-2.0
// Four-state bench of a switch, barrier or preempting (MESSAGE_FLITS 1 or 3): after reset no output
// that means something is X, though every ignored input is X in that cycle.
//
// Traffic: packets of one to three flits to destinations with and without a route, barrier messages
// of known and unknown groups, reads of the register map. At the end the counter of packets without
// a route has as many as there were; a preempting switch counts messages there too. Plain Verilog,
// so that it takes the RTL (Icarus 12 on) and what Yosys writes of it.
`timescale 1ns / 1ps
module bench;
  parameter PORTS = 4;
  parameter VCS = 2;
  parameter VCW = 1;
  parameter DEPTH = 4;
  parameter CREDITW = 2;        // credit wires of a port; with VCS + 1 the last is of messages
  parameter SPILL = 0;          // ports that are the spill port, a mask
  parameter QUEUED = 0;         // barrier messages take credits of channel 0
  parameter MESSAGE_FLITS = 1;  // 3: the barrier messages of preempting switches
  parameter CYCLES = 2000;

  `include "frame.vh"

  reg [PORTS-1:0] rx_valid = 0;
  reg [PORTS*VCW-1:0] rx_vc;
  reg [PORTS*3-1:0] rx_kind;
  reg [PORTS*16-1:0] rx_payload;
  wire [PORTS*CREDITW-1:0] rx_credit;
  wire [PORTS-1:0] tx_valid;
  wire [PORTS*VCW-1:0] tx_vc;
  wire [PORTS*3-1:0] tx_kind;
  wire [PORTS*16-1:0] tx_payload;
  reg [PORTS*CREDITW-1:0] tx_credit = 0;
  wire [31:0] reg_rdata;

  `DUT dut (
    .clk_i(clk), .rst_ni(rst_n), .rx_valid_i(rx_valid), .rx_vc_i(rx_vc), .rx_kind_i(rx_kind),
    .rx_payload_i(rx_payload), .rx_credit_o(rx_credit), .tx_valid_o(tx_valid), .tx_vc_o(tx_vc),
    .tx_kind_o(tx_kind), .tx_payload_o(tx_payload), .tx_credit_i(tx_credit),
    .reg_valid_i(reg_valid), .reg_write_i(reg_write), .reg_addr_i(reg_addr),
    .reg_wdata_i(reg_wdata), .reg_rdata_o(reg_rdata), .quiescent_o(quiescent));

  // ---- What must never be X -----------------------------------------------------------------
  integer flits = 0, messages = 0, reads = 0;
  integer q;
  always @(posedge clk) if (checked) begin
    known(^reg_rdata !== 1'bx, "reg_rdata_o", 0);
    for (q = 0; q < PORTS; q = q + 1) begin
      known(^rx_credit[q*CREDITW+:CREDITW] !== 1'bx, "rx_credit_o", q);
      known(tx_valid[q] !== 1'bx, "tx_valid_o", q);
      if (tx_valid[q] === 1'b1) begin
        flits = flits + 1;
        known(^tx_vc[q*VCW+:VCW] !== 1'bx, "tx_vc_o", q);
        known(^tx_kind[q*3+:3] !== 1'bx, "tx_kind_o", q);
        known(^tx_payload[q*16+:16] !== 1'bx, "tx_payload_o", q);
        if (tx_kind[q*3+2] === 1'b1) messages = messages + 1;
      end
    end
  end

  // ---- Neighbours: credits of what the switch sends come back a cycle later ------------------
  // A barrier message of a preempting switch frees the buffer with its last flit, told by silence.
  reg [PORTS-1:0] in_message = 0;
  integer t;
  always @(posedge clk) begin
    tx_credit <= 0;
    for (t = 0; t < PORTS; t = t + 1) if (rst_n) begin
      if (tx_valid[t] === 1'b1) begin
        if (MESSAGE_FLITS == 3 && (tx_kind[t*3+:3] === 3'd4 || tx_kind[t*3+:3] === 3'd5))
          in_message[t] <= 1;
        else if (MESSAGE_FLITS == 1 && tx_kind[t*3+2]) begin
          if (CREDITW > VCS) tx_credit[t*CREDITW+CREDITW-1] <= 1;
          if (QUEUED) tx_credit[t*CREDITW] <= 1;
        end else if (tx_kind[t*3+:3] !== 3'd7)
          tx_credit[t*CREDITW+tx_vc[t*VCW+:VCW]] <= 1;
      end else if (in_message[t]) begin
        in_message[t] <= 0;
        tx_credit[t*CREDITW+CREDITW-1] <= 1;
      end
    end
  end

  // ---- What comes in ------------------------------------------------------------------------
  integer credits [0:PORTS*CREDITW-1];
  integer left [0:PORTS-1];   // flits of the packet that has begun
  integer words [0:PORTS-1];  // flits of the message that has begun
  integer p, c, v, n, seed = 7, lost = 0;  // lost: packets without a route
  reg [15:0] word;

  function [15:0] random(input integer dummy);
    random = $random(seed);
  endfunction

  task send(input integer port, input integer channel, input [2:0] kind, input [15:0] payload);
    begin
      rx_valid[port] = 1;
      rx_vc[port*VCW+:VCW] = channel;
      rx_kind[port*3+:3] = kind;
      rx_payload[port*16+:16] = payload;
    end
  endtask

  // A barrier message of one flit, or the next word of one of two or three.
  task message(input integer port);
    if (MESSAGE_FLITS == 1) begin
      if (CREDITW > VCS) credits[port*CREDITW+CREDITW-1] = 0;
      if (QUEUED) credits[port*CREDITW] = credits[port*CREDITW] - 1;
      word = random(0);  // one in eight is malformed
      send(port, 0, 3'b100, {word[2:0] == 0, word[3], 7'd0, word[4], 6'd9});
    end else if (words[port] == 0) begin
      word = random(0);
      if (word[15:14] == 2'd3) word[15] = 0;
      words[port] = word[15:14] == 2'd2 ? 2 : 1;
      credits[port*CREDITW+CREDITW-1] = 0;
      send(port, 0, 3'b101, {word[15:14], 7'd0, word[0], 6'd0});
    end else begin
      words[port] = words[port] - 1;
      word = random(0);
      send(port, 0, 3'b100, {word[15:11], 9'd0, word[1:0]});
    end
  endtask

  initial begin
    // With +DEPTH=N it believes that queues have N places: a neighbour that breaks the rules.
    if (!$value$plusargs("DEPTH=%d", n)) n = DEPTH;
    for (c = 0; c < PORTS * CREDITW; c = c + 1) credits[c] = n;
    for (p = 0; p < PORTS; p = p + 1) begin
      left[p] = 0;
      words[p] = 0;
      if (CREDITW > VCS) credits[p*CREDITW+CREDITW-1] = 1;
    end
    repeat (2) @(negedge clk);
    rst_n = 1;
    // The routing table is being swept.
    for (n = 0; n < 4096 && quiescent !== 1'b1; n = n + 1) @(negedge clk);
    // Routes of the destinations 0 to PORTS - 1, not of PORTS to 15; a group of all ports.
    for (p = 0; p < 16; p = p + 1) access(1, 12'h800 + p, p < PORTS ? 1 << p : 0);
    if (MESSAGE_FLITS == 1) begin
      access(1, 12'h00C, SPILL);
      access(1, 12'h100, 32'hC0000000);
      access(1, 12'h102, (1 << PORTS) - 1);
    end else begin
      access(1, 12'h005, 32'd1);
      access(1, 12'h012, 32'd5);
    end
    // In the last 100 cycles packets and messages end and none begins.
    for (n = 0; n < CYCLES + 100; n = n + 1) begin
      @(negedge clk);
      for (c = 0; c < PORTS * CREDITW; c = c + 1) if (rx_credit[c]) credits[c] = credits[c] + 1;
      rx_valid = 0;
      rx_vc = {PORTS*VCW{1'bx}};
      rx_kind = {PORTS*3{1'bx}};
      rx_payload = {PORTS*16{1'bx}};
      reg_valid = random(0) & 1'b1;
      reg_write = reg_valid ? 1'b0 : 1'bx;
      reg_addr = 12'hx;
      if (reg_valid) reg_addr = random(0) & 12'h1ff;
      reg_wdata = 32'hx;
      if (reg_valid) reads = reads + 1;
      for (p = 0; p < PORTS; p = p + 1) begin
        v = VCS - 1;
        word = random(0);
        if (words[p] != 0) message(p);
        else if (n < CYCLES && word[1:0] == 0 && left[p] == 0 &&
                 (CREDITW == VCS || credits[p*CREDITW+CREDITW-1] > 0) &&
                 (!QUEUED || credits[p*CREDITW] > 0)) message(p);
        else if (word[2] && credits[p*CREDITW+v] > 0 && (n < CYCLES || left[p] != 0)) begin
          credits[p*CREDITW+v] = credits[p*CREDITW+v] - 1;
          if (left[p] == 0) begin
            left[p] = word[4:3] % 3;
            if (word[15:12] % (PORTS + 1) == PORTS) lost = lost + 1;
            send(p, v, {2'b01, left[p] == 0}, word[15:12] % (PORTS + 1));
          end else begin
            left[p] = left[p] - 1;
            send(p, v, {2'b00, left[p] == 0}, random(0));
          end
        end
      end
    end
    // What had no route has been counted.
    @(negedge clk);
    reg_valid = 1;
    reg_write = 0;
    reg_addr = 12'h004;
    #1 if (MESSAGE_FLITS == 1 ? reg_rdata !== lost : !(reg_rdata >= lost)) begin
      faults = faults + 1;
      $display("%0d packets without a route, %0d counted", lost, reg_rdata);
    end
    if (lost < CYCLES / 100) known(0, "too few lost", 0);
    if (flits < CYCLES / 4 || messages < CYCLES / 100) known(0, "too few flits", 0);
    $display("%0s %0d flits, %0d of messages, %0d reads, %0d packets without a route",
             faults == 0 ? "PASS" : "FAIL", flits, messages, reads, lost);
    $finish;
  end
endmodule
