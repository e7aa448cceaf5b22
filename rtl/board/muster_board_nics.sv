// SPDX-License-Identifier: Apache-2.0
`default_nettype none

// A board-level system: two NIC barrier engines (docs/systems/nic-engine.md), each at the other's
// link, whose nodes are 0 and 1. In both, context 0 has group 0 at level `collective`, context 1
// group 1 at level `direct`; a list has a send to the other and a wait for it.
//
// Words 0 to 8 of an image are written after reset, one a cycle, into both at once; then the nodes
// start. An arrival is a doorbell in the same cycle, of context 1 while traffic_i is set. A node is
// released in the cycle in which the event is on the event port.
module muster_board_nics #(
  localparam int unsigned Nodes = 2
) (
  input  wire logic               clk_i,
  input  wire logic               rst_ni,

  /// barriers take the point-to-point path; changes while no node has arrived only
  input  wire logic               traffic_i,
  output logic [Nodes-1:0]        arrives_o,
  output logic [Nodes-1:0]        released_o
);
  localparam int unsigned KindW = muster_pkg::KindW;
  localparam int unsigned FlitW = 16;
  localparam int unsigned WordW = muster_pkg::RegAddrW + 32;
  localparam logic [3:0] Words = 4'd9;

  // A list: a send to entry 1 of the other, and its entry 1, a wait for entry 0, which is the last.
  function automatic logic [WordW-1:0] image(input logic [3:0] at, input logic self);
    unique case (at)
      4'd0: image = {muster_pkg::NicRegAddress, 31'd0, self};
      4'd1: image = {muster_pkg::NicRegTimes, 32'h0003_01F4};
      4'd2: image = {muster_pkg::NicRegLists, 31'h4080_8000, !self};
      4'd3: image = {muster_pkg::NicRegLists | 12'h001, 31'h2000_0000, !self};
      4'd4: image = {muster_pkg::NicRegLists | 12'h020, 31'h4080_8000, !self};
      4'd5: image = {muster_pkg::NicRegLists | 12'h021, 31'h2000_0000, !self};
      4'd6: image = {muster_pkg::NicRegConnections, 31'h4000_0000, !self};
      4'd7: image = {muster_pkg::NicRegContextsControl, 32'h8000_0001};
      default: image = {muster_pkg::NicRegContextsControl | 12'h004, 32'hC000_0101};
    endcase
  endfunction

  logic [3:0] at_q;
  logic go;
  assign go = at_q == Words;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) at_q <= '0;
    else if (!go) at_q <= at_q + 1'b1;
  end

  // What each puts on its wires.
  logic [Nodes-1:0] valid, credit;
  logic [Nodes-1:0][KindW-1:0] kind;
  logic [Nodes-1:0][FlitW-1:0] payload;

  for (genvar n = 0; n < Nodes; n++) begin : gen_node
    logic [muster_pkg::RegAddrW-1:0] addr;
    logic [31:0] wdata;
    logic done;
    // Contexts are 4 words apart; 1 starts.
    assign {addr, wdata} = !go ? image(at_q, 1'(n)) :
                           {muster_pkg::NicRegContextsDoorbell + {9'd0, traffic_i, 2'd0}, 32'd1};
    // Nodes send no packets; events are taken, and registers not read; clocks are not gated.
    /* verilator lint_off UNUSEDSIGNAL */
    logic tvalid, tlast, vc, quiescent;
    logic [1:0] tdest;
    logic [15:0] tdata;
    logic [31:0] rdata, event_word;
    /* verilator lint_on UNUSEDSIGNAL */
    muster_board_node #(.Nodes(Nodes), .Self(n)) node (
      .clk_i, .rst_ni,
      .go_i(go),
      .traffic_i(1'b0),
      .arrives_o(arrives_o[n]),
      .released_i(done),
      .released_o(released_o[n]),
      .tvalid_o(tvalid),
      .tready_i(1'b0),
      .tdest_o(tdest),
      .tdata_o(tdata),
      .tlast_o(tlast)
    );

    muster_nic_engine #(.Contexts(2), .Steps(2), .Conns(1), .Records(1), .FlitW(FlitW)) engine (
      .clk_i, .rst_ni,
      .rx_valid_i(valid[1-n]),
      .rx_vc_i(1'b0),
      .rx_kind_i(kind[1-n]),
      .rx_payload_i(payload[1-n]),
      .rx_credit_o(credit[n]),
      .tx_valid_o(valid[n]),
      .tx_vc_o(vc),
      .tx_kind_o(kind[n]),
      .tx_payload_o(payload[n]),
      .tx_credit_i(credit[1-n]),
      .reg_valid_i(!go || arrives_o[n]),
      .reg_write_i(1'b1),
      .reg_addr_i(addr),
      .reg_wdata_i(wdata),
      .reg_rdata_o(rdata),
      .event_valid_o(done),
      .event_o(event_word),
      .event_ready_i(1'b1),
      .quiescent_o(quiescent)
    );
  end

endmodule

`default_nettype wire
