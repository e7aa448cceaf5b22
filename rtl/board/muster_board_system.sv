// SPDX-License-Identifier: Apache-2.0
`default_nettype none

// The board-level system: three barrier switches of three ports in a line, five nodes, two groups.
//
//   switch 0   port 0 node 0 (group A), port 1 node 1 (B), port 2 to port 0 of switch 1
//   switch 1   port 2 node 2 (A), port 1 to port 2 of switch 2
//   switch 2   port 0 node 3 (A), port 1 node 4 (B)
//
// One virtual channel, queues of 2, 2 barrier registers, flits of 16 bits with 11 of group and 3 of
// data, so that no message is spilled. muster_board_boot sets the switches up; then nodes arrive,
// and send packets while traffic_i is set. A barrier of group A takes 10 cycles from the last
// arrival to the last release if nothing is in its way, 7 if that arrival is node 2's: 1 to the
// wires, 3 for each switch. A message of group B at the same output takes a cycle.
module muster_board_system (
  input  wire logic         clk_i,
  input  wire logic         rst_ni,

  input  wire logic         traffic_i,
  /// of the members of group A
  output logic [2:0]        arrives_o,
  output logic [2:0]        released_o
);
  localparam int unsigned Switches = 3;
  localparam int unsigned Ports = 3;
  localparam int unsigned Nodes = 5;
  localparam int unsigned Depth = 2;
  localparam int unsigned FlitW = 16;
  localparam int unsigned GidW = 11;
  localparam int unsigned KindW = muster_pkg::KindW;
  localparam int unsigned Ends = Switches * Ports;
  localparam int unsigned GroupA = 1;
  localparam int unsigned GroupB = 2;

  // End s * Ports + p is port p of switch s: what it sends, and what comes to it.
  logic [Ends-1:0] out_valid, in_valid, out_credit, in_credit;
  logic [Ends-1:0][KindW-1:0] out_kind, in_kind;
  logic [Ends-1:0][FlitW-1:0] out_payload, in_payload;

  logic [Switches-1:0] write;
  logic [11:0] addr;
  logic [31:0] wdata;
  logic go;

  muster_board_boot #(
    .GroupA(GroupA),
    .GroupB(GroupB)
  ) boot (
    .clk_i,
    .rst_ni,
    .write_o(write),
    .addr_o(addr),
    .wdata_o(wdata),
    .done_o(go)
  );

  for (genvar s = 0; s < Switches; s++) begin : gen_switch
    // With one virtual channel its number is 0; registers are not read; they do not repeat.
    /* verilator lint_off UNUSEDSIGNAL */
    logic [Ports-1:0] vc;
    logic [31:0] rdata;
    logic irq, quiescent;
    /* verilator lint_on UNUSEDSIGNAL */

    muster_barrier_switch #(
      .Ports(Ports),
      .Vcs(1),
      .Depth(Depth),
      .Regs(2),
      .FlitW(FlitW),
      .GidW(GidW),
      .Dests(16)
    ) dut (
      .clk_i,
      .rst_ni,
      .rx_valid_i(in_valid[s*Ports+:Ports]),
      .rx_vc_i('0),
      .rx_kind_i(in_kind[s*Ports+:Ports]),
      .rx_payload_i(in_payload[s*Ports+:Ports]),
      .rx_credit_o(in_credit[s*Ports+:Ports]),
      .tx_valid_o(out_valid[s*Ports+:Ports]),
      .tx_vc_o(vc),
      .tx_kind_o(out_kind[s*Ports+:Ports]),
      .tx_payload_o(out_payload[s*Ports+:Ports]),
      .tx_credit_i(out_credit[s*Ports+:Ports]),
      .reg_valid_i(write[s]),
      .reg_write_i(write[s]),
      .reg_addr_i(addr),
      .reg_wdata_i(wdata),
      .reg_rdata_o(rdata),
      .irq_o(irq),
      .quiescent_o(quiescent)
    );
  end

  // ---- Links between switches ---------------------------------------------------------------
  function automatic int unsigned other_end(input int unsigned link_end);
    unique case (link_end)
      2: other_end = 3;
      3: other_end = 2;
      4: other_end = 8;
      default: other_end = 4;
    endcase
  endfunction

  for (genvar e = 0; e < Ends; e++) begin : gen_link
    if (e == 2 || e == 3 || e == 4 || e == 8) begin : gen_between
      localparam int unsigned Other = other_end(e);
      assign in_valid[e] = out_valid[Other];
      assign in_kind[e] = out_kind[Other];
      assign in_payload[e] = out_payload[Other];
      assign out_credit[e] = in_credit[Other];
    end
  end

  // ---- Nodes --------------------------------------------------------------------------------
  function automatic int unsigned end_of(input int unsigned node);
    unique case (node)
      0: end_of = 0;
      1: end_of = 1;
      2: end_of = 5;
      3: end_of = 6;
      default: end_of = 7;
    endcase
  endfunction

  // Group B is not measured.
  /* verilator lint_off UNUSEDSIGNAL */
  logic [Nodes-1:0] arrives, released;
  /* verilator lint_on UNUSEDSIGNAL */
  for (genvar n = 0; n < Nodes; n++) begin : gen_node
    localparam int unsigned At = end_of(n);
    muster_board_node #(
      .Nodes(Nodes),
      .Self(n),
      .Group((n == 1 || n == 4) ? GroupB : GroupA),
      .Depth(Depth),
      .GidW(GidW)
    ) node (
      .clk_i,
      .rst_ni,
      .go_i(go),
      .traffic_i,
      .tx_valid_o(in_valid[At]),
      .tx_kind_o(in_kind[At]),
      .tx_payload_o(in_payload[At]),
      .tx_credit_i(in_credit[At]),
      .rx_valid_i(out_valid[At]),
      .rx_kind_i(out_kind[At]),
      .rx_payload_i(out_payload[At]),
      .rx_credit_o(out_credit[At]),
      .arrives_o(arrives[n]),
      .released_o(released[n])
    );
  end

  assign arrives_o = {arrives[3], arrives[2], arrives[0]};
  assign released_o = {released[3], released[2], released[0]};

endmodule

`default_nettype wire
