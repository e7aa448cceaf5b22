// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "muster_assert.svh"
`include "muster_few.svh"

// Traversal: a multiplexer in front of each output, over the flits that leave the input queues.
//
// select_i in cycle t is kept in flip-flops: in t + 1 output p has the flit of the selected queue,
// busy_o[p] and flit_o[p]. It never waits, because its credit has been reserved. The register of
// the flit is that of the queue.
module muster_queue_crossbar #(
  /// outputs, 3 to 16
  parameter int unsigned Ports = 8,
  /// inputs: queues, 3 to 64
  parameter int unsigned Queues = 16,
  /// bits of a flit, 1 to 128
  parameter int unsigned Width = 18
) (
  input  wire logic                           clk_i,
  input  wire logic                           rst_ni,

  /// output p takes the flit of queue q: bit p * Queues + q; one q for each p, one p for each q
  input  wire logic [Ports*Queues-1:0]        select_i,
  /// the flits that leave in this cycle, selected in the one before
  input  wire logic [Queues-1:0][Width-1:0]   flit_i,

  output logic [Ports-1:0]                    busy_o,
  output logic [Ports-1:0][Width-1:0]         flit_o,
  /// the queue it comes from, one-hot
  output logic [Ports-1:0][Queues-1:0]        from_o
);
  if (Ports < 3 || Ports > 16) begin : gen_bad_ports
    $error("muster_queue_crossbar: Ports must be 3 to 16");
  end
  if (Queues < 3 || Queues > 64) begin : gen_bad_queues
    $error("muster_queue_crossbar: Queues must be 3 to 64");
  end
  if (Width < 1 || Width > 128) begin : gen_bad_width
    $error("muster_queue_crossbar: Width must be 1 to 128");
  end

  logic [Ports*Queues-1:0] select_q;
  logic [Ports-1:0] busy_d, many;

  always_comb begin
    for (int unsigned p = 0; p < Ports; p++) busy_d[p] = select_i[p*Queues+:Queues] != '0;
  end
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      select_q <= '0;
      busy_o <= '0;
    end else begin
      select_q <= select_i;
      busy_o <= busy_d;
    end
  end
  assign from_o = select_q;

  // Simulation-speed guard, functionally redundant: few outputs are busy in a cycle.
  always_comb begin
    flit_o = '0;
    for (int unsigned p = 0; p < Ports; p++) begin
      if (`MUSTER_FEW(busy_o[p])) begin
        for (int unsigned q = 0; q < Queues; q++) begin
          flit_o[p] = flit_o[p] | (flit_i[q] & {Width{select_q[p*Queues+q]}});
        end
      end
    end
  end

  always_comb begin
    for (int unsigned p = 0; p < Ports; p++) begin
      many[p] = (select_q[p*Queues+:Queues] & (select_q[p*Queues+:Queues] - 1'b1)) != '0;
    end
  end
  `MUSTER_ASSERT(OneInputPerOutput_A, many == '0)

endmodule

`default_nettype wire
