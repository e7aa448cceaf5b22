// SPDX-License-Identifier: Apache-2.0
`default_nettype none

// The hosts of the exported 2 x 2 mesh in SystemVerilog alone, an AXI4-Lite client at each node.
// They change signals at the falling edge and look at them at the rising one.
// Switches and routes are as the image of the network leaves them. A host does what a driver does:
//
//   joins group 0, once
//   arrives: one store with its operand, a few cycles before or after the others
//   reads the status until it says that the node is released
//   compares the result with the OR of all operands, and the status with the number of barriers
//
// The last line is the verdict, `mesh_tb: passed: ...`. What is wrong ends the simulation at once
// with $fatal; so does a wait of more than Longest cycles. docs/how-to/generated-top.md builds it.
module mesh_tb;
  localparam int unsigned Nodes = 4;
  localparam int unsigned Barriers = 3;
  localparam int unsigned Longest = 4000;  // cycles; the image takes the most
  localparam int unsigned AddrW = muster_pkg::RegAddrW + 2;

  logic clk, rst_n;
  int unsigned now;  // cycle
  initial begin
    clk = 1'b0;
    now = 0;
    forever begin
      #5 clk = !clk;
      if (!clk) now++;
    end
  end
  initial begin
    rst_n = 1'b0;
    repeat (3) @(negedge clk);
    rst_n = 1'b1;
  end

  // ---- The network --------------------------------------------------------------------------
  logic ready;
  logic [Nodes-1:0] awvalid = '0, wvalid = '0, arvalid = '0;
  logic [Nodes-1:0] awready, wready, bvalid, arready, rvalid;
  logic [Nodes-1:0][AddrW-1:0] awaddr = '0, araddr = '0;
  logic [Nodes-1:0][31:0] wdata = '0, rdata;
  logic [Nodes-1:0][1:0] bresp, rresp;

  /* verilator lint_off PINCONNECTEMPTY */
  muster_mesh mesh (
    .clk_i(clk), .rst_ni(rst_n), .ready_o(ready),
    // No host changes a switch.
    .ctl_awvalid_i('0), .ctl_awaddr_i('0), .ctl_awready_o(),
    .ctl_wvalid_i('0), .ctl_wdata_i('0), .ctl_wstrb_i('0), .ctl_wready_o(),
    .ctl_bvalid_o(), .ctl_bresp_o(), .ctl_bready_i('1),
    .ctl_arvalid_i('0), .ctl_araddr_i('0), .ctl_arready_o(),
    .ctl_rvalid_o(), .ctl_rdata_o(), .ctl_rresp_o(), .ctl_rready_i('1),
    .node_awvalid_i(awvalid), .node_awaddr_i(awaddr), .node_awready_o(awready),
    .node_wvalid_i(wvalid), .node_wdata_i(wdata), .node_wstrb_i('1), .node_wready_o(wready),
    .node_bvalid_o(bvalid), .node_bresp_o(bresp), .node_bready_i('1),
    .node_arvalid_i(arvalid), .node_araddr_i(araddr), .node_arready_o(arready),
    .node_rvalid_o(rvalid), .node_rdata_o(rdata), .node_rresp_o(rresp), .node_rready_i('1),
    // No packets; a node must take those that come.
    .s_axis_tvalid_i('0), .s_axis_tready_o(), .s_axis_tdata_i('0), .s_axis_tlast_i('0),
    .s_axis_tid_i('0), .s_axis_tdest_i('0), .s_axis_tuser_i('0),
    .m_axis_tvalid_o(), .m_axis_tready_i('1), .m_axis_tdata_o(), .m_axis_tlast_o(),
    .m_axis_tid_o(), .m_axis_tdest_o(), .m_axis_tuser_o(),
    .irq_o()
  );
  /* verilator lint_on PINCONNECTEMPTY */

  // ---- The hosts ----------------------------------------------------------------------------
  int unsigned arrivals [Nodes] = '{default: 0};
  logic [Nodes-1:0] done = '0;

  function automatic logic [31:0] operand(input int unsigned node, input int unsigned barrier);
    operand = 32'd1 << (node + barrier);
  endfunction

  for (genvar n = 0; n < Nodes; n++) begin : gen_host
    task automatic check(input logic right, input string what);
      if (!right) $fatal(1, "mesh_tb: host %0d, cycle %0d: %s", n, now, what);
    endtask

    // To the next rising edge, whose values are those before it; `begun`: where the wait began.
    task automatic edge_of(input int unsigned begun, input string what);
      @(posedge clk);
      check(now - begun < Longest, {"still waits for ", what});
    endtask

    // Address and data may be accepted in any order.
    task automatic write(input logic [11:0] word, input logic [31:0] value);
      int unsigned begun;
      logic aw, w;
      begun = now;
      awvalid[n] = 1'b1;
      awaddr[n] = {word, 2'b00};
      wvalid[n] = 1'b1;
      wdata[n] = value;
      while (awvalid[n] || wvalid[n]) begin
        edge_of(begun, "a write to be accepted");
        aw = awready[n];
        w = wready[n];
        @(negedge clk);
        if (aw) awvalid[n] = 1'b0;
        if (w) wvalid[n] = 1'b0;
      end
      do edge_of(begun, "the response to a write"); while (!bvalid[n]);
      check(bresp[n] == 2'b00, "a write is refused");
      @(negedge clk);
    endtask

    task automatic read(input logic [11:0] word, output logic [31:0] value);
      int unsigned begun;
      begun = now;
      araddr[n] = {word, 2'b00};
      arvalid[n] = 1'b1;
      do edge_of(begun, "a read to be accepted"); while (!arready[n]);
      @(negedge clk);
      arvalid[n] = 1'b0;
      do edge_of(begun, "the response to a read"); while (!rvalid[n]);
      value = rdata[n];
      check(rresp[n] == 2'b00, "a read is refused");
      @(negedge clk);
    endtask

    task automatic barrier(input int unsigned number);
      /* verilator lint_off UNUSEDSIGNAL */
      muster_pkg::endpoint_groups_status_t status;
      /* verilator lint_on UNUSEDSIGNAL */
      logic [31:0] word, expected;
      int unsigned begun;
      repeat (10 + 17 * n % 40) @(negedge clk);
      arrivals[n] = number + 1;
      write(muster_pkg::EndpointRegGroupsArrive, operand(n, number));
      begun = now;
      do begin
        read(muster_pkg::EndpointRegGroupsStatus, word);
        status = word;
        check(status.waiting != status.released, "neither waits nor is released");
        check(now - begun < Longest, "is not released");
      end while (!status.released);
      expected = '0;
      for (int unsigned m = 0; m < Nodes; m++) begin
        check(arrivals[m] > number, "is released before all have arrived");
        expected |= operand(m, number);
      end
      check(32'(status.count) == number + 1, "counts another number of barriers");
      check(!status.refused, "an arrival is refused");
      read(muster_pkg::EndpointRegGroupsResult, word);
      check(word == expected, "the result is not the OR of all operands");
    endtask

    logic [31:0] drops;
    initial begin
      do edge_of(0, "the image"); while (!ready);
      @(negedge clk);
      // A member of group 0; it polls, so without the interrupt.
      write(muster_pkg::EndpointRegGroupsControl, 32'h8000_0000);
      for (int unsigned b = 0; b < Barriers; b++) barrier(b);
      read(muster_pkg::EndpointRegDrops, drops);
      check(drops == '0, "something is dropped");
      read(muster_pkg::EndpointRegStreamDrops, drops);
      check(drops == '0, "something of a stream is dropped, or a control word refused");
      done[n] = 1'b1;
    end
  end

  // Each host ends: all its waits have a bound.
  initial begin
    wait (&done);
    $display("mesh_tb: passed: %0d barriers of %0d nodes", Barriers, Nodes);
    $finish;
  end
endmodule

`default_nettype wire
