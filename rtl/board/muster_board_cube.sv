// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "muster_assert.svh"

// A board-level system: an Extra Stage Cube (docs/systems/esc.md) of four PEs and boxes of 2 x 2,
// both outer stages enabled. All PEs are one group, PE 0 is its coordinator.
//
// PE j > 0 that arrives in t offers a synchronization packet to PE 0 from t + 1 on. The coordinator
// counts these and its own arrival; when it has all in t, that is from t on, it offers a release
// packet from t + 1 on, which stages 1 and 0 broadcast. A PE is released in the cycle in which its
// copy arrives. Both go by output 0 of the input stage. A beat of a node is a background packet, by
// output 0 and 1 in turn; a PE offers it when it has nothing else to offer. Generation times are 0.
module muster_board_cube #(
  localparam int unsigned Nodes = 4
) (
  input  wire logic               clk_i,
  input  wire logic               rst_ni,

  /// PEs send background packets too
  input  wire logic               traffic_i,
  output logic [Nodes-1:0]        arrives_o,
  output logic [Nodes-1:0]        released_o
);
  localparam int unsigned PacketW = 64;
  localparam int unsigned Depth = 2;
  localparam logic [15:0] Seed = 16'h1357;
  localparam logic [1:0] KindBackground = 2'd1;
  localparam logic [1:0] KindSynchronization = 2'd2;
  localparam logic [1:0] KindRelease = 2'd3;

  // A packet: the output of the input stage, then the destination, are its tag.
  function automatic logic [PacketW-1:0] packet(input logic [1:0] kind, input logic [1:0] source,
                                                input logic out, input logic [1:0] dest);
    packet = {kind, 26'd0, {2{kind == KindRelease}}, 14'd0, source, 15'd0, out, dest};
  endfunction

  logic [Nodes-1:0] valid_in, valid_out, ready, sends_q, tvalid;
  logic [Nodes-1:0][PacketW-1:0] packet_in;
  // Only the kind of what arrives is looked at.
  /* verilator lint_off UNUSEDSIGNAL */
  logic [Nodes-1:0][PacketW-1:0] packet_out;
  logic quiescent;
  /* verilator lint_on UNUSEDSIGNAL */

  muster_esc_network #(.Pes(Nodes), .Size(2), .Depth(Depth)) network (
    .clk_i, .rst_ni,
    .seed_i(Seed),
    .input_enable_i(1'b1),
    .output_enable_i(1'b1),
    .fault_kind_i('0),
    .fault_stage_i('0),
    .fault_at_i('0),
    .valid_i(valid_in),
    .packet_i(packet_in),
    .ready_o(ready),
    .valid_o(valid_out),
    .packet_o(packet_out),
    .ready_i('1),
    .quiescent_o(quiescent)
  );
  assign valid_in = sends_q | tvalid;

  // ---- The coordinator ----------------------------------------------------------------------
  logic [2:0] count_q;  // that have arrived
  logic complete, comes;
  assign complete = count_q == 3'(Nodes);
  assign comes = valid_out[0] && packet_out[0][PacketW-1-:2] == KindSynchronization;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      count_q <= '0;
      sends_q <= '0;
    end else begin
      count_q <= (complete ? '0 : count_q) + 3'(comes) + 3'(arrives_o[0]);
      sends_q <= (sends_q & ~ready) | {arrives_o[Nodes-1:1], complete};
    end
  end

  // ---- PEs ----------------------------------------------------------------------------------
  for (genvar n = 0; n < Nodes; n++) begin : gen_pe
    logic [1:0] tdest;
    /* verilator lint_off UNUSEDSIGNAL */
    logic [15:0] tdata;  // the lowest bit
    logic tlast;
    /* verilator lint_on UNUSEDSIGNAL */
    muster_board_node #(.Nodes(Nodes), .Self(n)) node (
      .clk_i, .rst_ni,
      .go_i(1'b1),
      .traffic_i,
      .arrives_o(arrives_o[n]),
      .released_i(valid_out[n] && packet_out[n][PacketW-1-:2] == KindRelease),
      .released_o(released_o[n]),
      .tvalid_o(tvalid[n]),
      .tready_i(ready[n] && !sends_q[n]),
      .tdest_o(tdest),
      .tdata_o(tdata),
      .tlast_o(tlast)
    );
    assign packet_in[n] = !sends_q[n] ? packet(KindBackground, 2'(n), tdata[0], tdest)
                          : packet((n == 0) ? KindRelease : KindSynchronization, 2'(n), 1'b0, 2'd0);
  end

  `MUSTER_ASSERT(NoneArrivesTwice_A, !complete || !(comes || arrives_o[0]))

endmodule

`default_nettype wire
