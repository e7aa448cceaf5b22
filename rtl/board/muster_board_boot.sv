// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "muster_assert.svh"

// The host of the board-level system: writes routing tables and barrier registers of its switches,
// one word a cycle from the end of the sweep of their tables on, 16 cycles after reset. done_o is
// set from the cycle after the last write.
//
// The system is that of muster_board_system: nodes 0 and 1 at switch 0, node 2 at switch 1, nodes 3
// and 4 at switch 2. Switch 1 is the root of both groups and reflects.
module muster_board_boot #(
  /// group of nodes 0, 2 and 3, 0 to 15
  parameter int unsigned GroupA = 1,
  /// group of nodes 1 and 4, 0 to 15. Requires GroupB != GroupA
  parameter int unsigned GroupB = 2
) (
  input  wire logic         clk_i,
  input  wire logic         rst_ni,

  /// register ports: the switch that is written, one-hot; its word
  output logic [2:0]        write_o,
  output logic [11:0]       addr_o,
  output logic [31:0]       wdata_o,
  output logic              done_o
);
  localparam int unsigned Sweep = 16, Words = 27;

  if (GroupA > 15 || GroupB > 15 || GroupA == GroupB) begin : gen_bad_group
    $error("muster_board_boot: GroupA and GroupB must be 0 to 15, and not the same");
  end

  // A word: {switch, address, data}.
  localparam int unsigned W = 2 + 12 + 32;

  function automatic logic [W-1:0] route(input logic [1:0] to_switch, input logic [2:0] node,
                                         input logic [2:0] port);
    route = {to_switch, muster_pkg::RegRoutes | 12'(node), 29'd0, port};
  endfunction
  function automatic logic [W-1:0] children(input logic [1:0] to_switch, input logic register,
                                            input logic [2:0] mask);
    children = {to_switch, muster_pkg::RegBarrierChildren | {7'd0, register, 4'd0}, 29'd0, mask};
  endfunction
  // A root reflects; the parent of the others is at port 2. (Yosys loses what is written to the
  // fields of a struct inside a function.)
  muster_pkg::barrier_control_t root, inner;
  always_comb begin
    root = '0;
    root.valid = 1'b1;
    root.turn = 1'b1;
    inner = '0;
    inner.valid = 1'b1;
    inner.parent = 6'd2;
  end
  function automatic logic [W-1:0] control(input logic [1:0] to_switch, input logic register,
                                           input logic [31:0] fields);
    control = {to_switch, muster_pkg::RegBarrierControl | {7'd0, register, 4'd0},
               fields | 32'(register ? GroupB : GroupA)};
  endfunction

  logic [5:0] at_q;
  logic [4:0] number;
  logic [W-1:0] word;
  logic sweeps;
  assign sweeps = at_q < 6'(Sweep);
  assign number = 5'(at_q - 6'(Sweep));

  always_comb begin
    unique case (number)
      5'd0: word = route(2'd0, 3'd0, 3'b001);
      5'd1: word = route(2'd0, 3'd1, 3'b010);
      5'd2: word = route(2'd0, 3'd2, 3'b100);
      5'd3: word = route(2'd0, 3'd3, 3'b100);
      5'd4: word = route(2'd0, 3'd4, 3'b100);
      5'd5: word = route(2'd1, 3'd0, 3'b001);
      5'd6: word = route(2'd1, 3'd1, 3'b001);
      5'd7: word = route(2'd1, 3'd2, 3'b100);
      5'd8: word = route(2'd1, 3'd3, 3'b010);
      5'd9: word = route(2'd1, 3'd4, 3'b010);
      5'd10: word = route(2'd2, 3'd0, 3'b100);
      5'd11: word = route(2'd2, 3'd1, 3'b100);
      5'd12: word = route(2'd2, 3'd2, 3'b100);
      5'd13: word = route(2'd2, 3'd3, 3'b001);
      5'd14: word = route(2'd2, 3'd4, 3'b010);
      5'd15: word = children(2'd0, 1'b0, 3'b001);
      5'd16: word = control(2'd0, 1'b0, inner);
      5'd17: word = children(2'd0, 1'b1, 3'b010);
      5'd18: word = control(2'd0, 1'b1, inner);
      5'd19: word = children(2'd1, 1'b0, 3'b111);
      5'd20: word = control(2'd1, 1'b0, root);
      5'd21: word = children(2'd1, 1'b1, 3'b011);
      5'd22: word = control(2'd1, 1'b1, root);
      5'd23: word = children(2'd2, 1'b0, 3'b001);
      5'd24: word = control(2'd2, 1'b0, inner);
      5'd25: word = children(2'd2, 1'b1, 3'b010);
      default: word = control(2'd2, 1'b1, inner);
    endcase
  end

  assign done_o = at_q == 6'(Sweep + Words);
  assign write_o = (sweeps || done_o) ? '0 : 3'b001 << word[W-1-:2];
  assign addr_o = word[32+:12];
  assign wdata_o = word[31:0];

  always_ff @(posedge clk_i) begin
    if (!rst_ni) at_q <= '0;
    else if (!done_o) at_q <= at_q + 1'b1;
  end

  `MUSTER_ASSERT(OneIsWritten_A, sweeps || done_o || $onehot(write_o))

endmodule

`default_nettype wire
