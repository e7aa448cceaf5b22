// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "muster_assert.svh"

// A node of a board-level system: arrives at barriers and sends packets, both at random.
//
// Barriers: after a rest it arrives (arrives_o, one cycle) and waits. In the cycle in which
// released_i finds it waiting it is released (released_o); so released_i may stay set. The next
// rest begins in the cycle after, with 64 + random[5:0] in the counter, and ends when that is 0:
// 64 to 127 cycles, longer than a release takes to reach all nodes, so that barriers do not
// overlap. The first rest takes 127 cycles from go_i on.
//
// Packets: of 4 beats to another node, begun in one of 16 cycles on average while traffic_i is set
// and none is under way: in a cycle with random[15:12] = 0 and random[9:8] a node but this one,
// which becomes its destination; its first beat is offered in the next cycle. A beat stays until it
// is taken, its data are {Self, beats left}.
//
// random is an LFSR of 16 bits that starts at (Self + 1) * 0x1357 and steps in each cycle of go_i.
module muster_board_node #(
  /// nodes of the system, 2 to 4
  parameter int unsigned Nodes = 4,
  /// number of this one, 0 to 3. Requires Self < Nodes
  parameter int unsigned Self = 0
) (
  input  wire logic         clk_i,
  input  wire logic         rst_ni,

  /// the system is set up: stays set; send packets
  input  wire logic         go_i,
  input  wire logic         traffic_i,

  output logic              arrives_o,
  input  wire logic         released_i,
  output logic              released_o,

  output logic              tvalid_o,
  input  wire logic         tready_i,
  output logic [1:0]        tdest_o,
  output logic [15:0]       tdata_o,
  output logic              tlast_o
);
  `MUSTER_REFUSE(nodes, Nodes < 2 || Nodes > 4 || Self >= Nodes,
                 "Nodes must be 2 to 4, Self below Nodes")

  /* verilator lint_off UNUSEDSIGNAL */
  logic [15:0] random;  // as many bits as are needed
  /* verilator lint_on UNUSEDSIGNAL */
  muster_lfsr #(.Width(16)) numbers (
    .clk_i, .rst_ni,
    .seed_i(16'(Self + 1) * 16'h1357),
    .step_i(go_i),
    .value_o(random)
  );

  logic waits_q;  // it has arrived and is not released yet
  logic [6:0] rest_q;
  logic [2:0] left_q;  // beats of the packet
  logic begins;
  assign arrives_o = go_i && !waits_q && (rest_q == '0);
  assign released_o = released_i && waits_q;
  assign begins = traffic_i && (left_q == '0) && (random[15:12] == '0) &&
                  (32'(random[9:8]) < Nodes) && (random[9:8] != 2'(Self));
  assign tvalid_o = left_q != '0;
  assign tdata_o = {13'(Self), left_q};
  assign tlast_o = left_q == 3'd1;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      waits_q <= 1'b0;
      rest_q <= '1;
      left_q <= '0;
    end else begin
      waits_q <= arrives_o || (waits_q && !released_i);
      if (released_o) rest_q <= {1'b1, random[5:0]};
      else if (go_i && rest_q != '0) rest_q <= rest_q - 1'b1;
      if (begins) left_q <= 3'd4;
      else if (tvalid_o && tready_i) left_q <= left_q - 1'b1;
    end
  end
  always_ff @(posedge clk_i) begin
    if (begins) tdest_o <= random[9:8];
  end

  `MUSTER_ASSERT(BeginsBetween_A, !(begins && tvalid_o))

endmodule

`default_nettype wire
