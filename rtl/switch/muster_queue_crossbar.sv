// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "muster_assert.svh"

// Traversal: a multiplexer in front of each output, over the flits that leave the input queues.
//
// select_i in cycle t is kept in flip-flops: in t + 1 output p has the flit of the selected queue
// at flit_o[p]. It never waits, because its credit has been reserved. The register of the flit is
// that of the queue.
//
// What is kept is not one bit for each queue: the multiplexer is a chain over pairs of queues, up
// to four in a block. If a pair behind the first is the one, the first gives, instead of a flit,
// whether the queue is an odd one, and that chooses between the two flits of the pair. This takes
// one LUT of four inputs for each pair and bit.
module muster_queue_crossbar #(
  /// outputs, 3 to 32
  parameter int unsigned Ports = 8,
  /// inputs: queues, 3 to 128
  parameter int unsigned Queues = 16,
  /// bits of a flit, 1 to 640
  parameter int unsigned Width = 18
) (
  input  wire logic                           clk_i,
  input  wire logic                           rst_ni,

  /// output p takes the flit of queue q: bit q * Ports + p; one q for each p, one p for each q
  input  wire logic [Queues*Ports-1:0]        select_i,
  /// the flits that leave in this cycle, selected in the one before
  input  wire logic [Queues-1:0][Width-1:0]   flit_i,

  /// of an output for which one was selected; else anything
  output logic [Ports-1:0][Width-1:0]         flit_o,
  /// none was selected
  output logic                                idle_o
);
  `MUSTER_RANGE(Ports, 3, 32)
  `MUSTER_RANGE(Queues, 3, 128)
  `MUSTER_RANGE(Width, 1, 640)

  localparam int unsigned Blocks = (Queues + 7) / 8;
  localparam int unsigned Pairs = 4 * Blocks;
  localparam int unsigned All = 2 * Pairs;

  // Of each output: the flit is of this pair; of a pair of this block but the first; of an odd
  // queue.
  logic [Pairs*Ports-1:0] pair_d, pair_q;
  logic [Blocks*Ports-1:0] behind_d, behind_q;
  logic [Ports-1:0] odd_d, odd_q;
  logic [All*Ports-1:0] select;
  assign select = (All * Ports)'(select_i);
  always_comb begin
    odd_d = '0;
    behind_d = '0;
    for (int unsigned k = 0; k < Pairs; k++) begin
      pair_d[k*Ports+:Ports] = select[2*k*Ports+:Ports] | select[(2*k+1)*Ports+:Ports];
      odd_d = odd_d | select[(2*k+1)*Ports+:Ports];
      if (k % 4 != 0) begin
        behind_d[k/4*Ports+:Ports] = behind_d[k/4*Ports+:Ports] | pair_d[k*Ports+:Ports];
      end
    end
  end
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      pair_q <= '0;
      behind_q <= '0;
      odd_q <= '0;
    end else begin
      pair_q <= pair_d;
      behind_q <= behind_d;
      odd_q <= odd_d;
    end
  end
  assign idle_o = odd_q == '0 && pair_q == '0 && behind_q == '0;

  logic [All*Width-1:0] flits;
  assign flits = (All * Width)'(flit_i);
  for (genvar p = 0; p < Ports; p++) begin : gen_output
    logic [Width-1:0] chosen, flit;
    always_comb begin
      flit = '0;
      chosen = '0;
      for (int unsigned b = 0; b < Blocks; b++) begin
        chosen = behind_q[b*Ports+p] ? {Width{odd_q[p]}}
                 : odd_q[p] ? flits[(8*b+1)*Width+:Width] : flits[8*b*Width+:Width];
        for (int unsigned k = 4 * b + 1; k < 4 * b + 4; k++) begin
          if (2 * k < Queues && pair_q[k*Ports+p]) begin
            chosen = (chosen & flits[(2*k+1)*Width+:Width]) | (~chosen & flits[2*k*Width+:Width]);
          end
        end
        if (Blocks == 1) flit = chosen;
        else begin
          flit = flit | (chosen & {Width{behind_q[b*Ports+p] | pair_q[4*b*Ports+p]}});
        end
      end
    end
    assign flit_o[p] = flit;
  end

  logic [Ports-1:0] many, some;
  always_comb begin
    many = '0;
    some = '0;
    for (int unsigned q = 0; q < Queues; q++) begin
      many = many | (some & select_i[q*Ports+:Ports]);
      some = some | select_i[q*Ports+:Ports];
    end
  end
  `MUSTER_ASSERT(OneInputPerOutput_A, many == '0)

endmodule

`default_nettype wire
