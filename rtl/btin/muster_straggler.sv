// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "muster_assert.svh"

// Who arrived last at the barrier of a register, and how long the first had waited for it
// (docs/systems/barrier-switch.md, "Straggler").
//
// waited_q is the number of cycles since the first arrival, less one, while children are missing,
// and 0 otherwise. In the cycle t in which the last of them arrive, the lowest of their ports and
// the cycles from the first arrival to t are kept; word_o has them from t + 1 on. Example, children
// 0111: port 0 arrives in 10, ports 1 and 2 in 25: port 1, 15 cycles.
module muster_straggler #(
  /// ports of the switch, 3 to 32
  parameter int unsigned Ports = 8
) (
  input  wire logic              clk_i,
  input  wire logic              rst_ni,

  /// the register: it is written, and forgets; its children, those of them that have arrived, the
  /// ports whose message it takes in this cycle
  input  wire logic              clear_i,
  input  wire logic [Ports-1:0]  children_i,
  input  wire logic [Ports-1:0]  arrived_i,
  input  wire logic [Ports-1:0]  takes_i,

  /// its word, docs/reference/registers.md
  output logic [31:0]            word_o,
  /// something changes at the edge, whatever comes
  output logic                   busy_o
);
  localparam int unsigned CyclesW = 16;

  `MUSTER_RANGE(Ports, 3, 32)

  logic gathers, completes, known_q;
  logic [CyclesW-1:0] waited, waited_q, cycles_q;
  logic [5:0] port, port_q;
  assign gathers = (arrived_i != '0) && (arrived_i != children_i);
  assign waited = gathers ? waited_q + CyclesW'(waited_q != '1) : '0;
  assign completes = (takes_i != '0) && ((arrived_i | takes_i) == children_i);

  always_comb begin
    port = '0;
    for (int unsigned p = Ports; p > 0; p--) begin
      if (takes_i[p-1]) port = 6'(p - 1);
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni || clear_i) begin
      known_q <= 1'b0;
      port_q <= '0;
      cycles_q <= '0;
      waited_q <= '0;
    end else begin
      waited_q <= completes ? '0 : waited;
      if (completes) begin
        known_q <= 1'b1;
        port_q <= port;
        cycles_q <= waited;
      end
    end
  end

  muster_pkg::barrier_straggler_t word;
  always_comb begin
    word = '0;
    word.known = known_q;
    word.port = port_q;
    word.cycles = cycles_q;
  end
  assign word_o = word;
  assign busy_o = waited != waited_q;

  `MUSTER_ASSERT(CountsWhileGathering_A, gathers || waited_q == '0)
  `MUSTER_ASSERT(LastIsAPort_A, 32'(port_q) < Ports)

endmodule

`default_nettype wire
