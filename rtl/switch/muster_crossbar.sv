// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "muster_assert.svh"

// Third pipeline stage, "traversal": a register for each input port, and a multiplexer in front of
// each output that selects the register whose flit goes there.
//
// A flit given with to_i[i] not zero in cycle t is in the register of input i in t + 1 and appears
// at output p = to_i[i] in t + 1: busy_o[p], flit_o[p]. It never waits, because its credit has been
// reserved. No two inputs may name the same output. to_i is known late: the register takes what is
// offered, which goes nowhere without it.
module muster_crossbar #(
  /// ports of the switch, 3 to 16
  parameter int unsigned Ports = 8,
  /// bits of a flit with its kind and virtual channel, 1 to 128
  parameter int unsigned Width = 20
) (
  input  wire logic                           clk_i,
  input  wire logic                           rst_ni,

  /// input i may have a flit
  input  wire logic [Ports-1:0]               offered_i,
  /// output port of the flit of input i, one-hot, or zero for none; only with offered_i[i]
  input  wire logic [Ports-1:0][Ports-1:0]    to_i,
  input  wire logic [Ports-1:0][Width-1:0]    flit_i,

  output logic [Ports-1:0]                    busy_o,
  output logic [Ports-1:0][Width-1:0]         flit_o
);
  `MUSTER_RANGE(Ports, 3, 16)
  `MUSTER_RANGE(Width, 1, 128)

  logic [Ports*Ports-1:0] to_q;  // i * Ports + p
  logic [Ports-1:0][Width-1:0] flit_q;
  logic [Ports-1:0] busy_d, goes, twice;

  always_comb begin
    busy_d = '0;
    for (int unsigned i = 0; i < Ports; i++) busy_d = busy_d | to_i[i];
  end
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      to_q <= '0;
      busy_o <= '0;
    end else if (offered_i != '0 || busy_o != '0) begin
      to_q <= to_i;
      busy_o <= busy_d;
    end
  end

  for (genvar i = 0; i < Ports; i++) begin : gen_input
    logic [Width-1:0] held_q;
    always_ff @(posedge clk_i) begin
      if (offered_i[i]) held_q <= flit_i[i];
    end
    assign flit_q[i] = held_q;
  end

  always_comb begin
    goes = '0;
    twice = '0;
    for (int unsigned i = 0; i < Ports; i++) begin
      twice = twice | (goes & to_q[i*Ports+:Ports]);
      goes = goes | to_q[i*Ports+:Ports];
    end
  end

  // A simulator skips the outputs that are not busy, which are most.
  always_comb begin
    flit_o = '0;
    for (int unsigned p = 0; p < Ports; p++) begin
      if (goes[p]) begin
        for (int unsigned i = 0; i < Ports; i++) begin
          flit_o[p] = flit_o[p] | (flit_q[i] & {Width{to_q[i*Ports+p]}});
        end
      end
    end
  end

  logic [Ports-1:0] unoffered;
  always_comb begin
    for (int unsigned i = 0; i < Ports; i++) unoffered[i] = to_i[i] != '0 && !offered_i[i];
  end

  `MUSTER_ASSERT(OneInputPerOutput_A, twice == '0)
  `MUSTER_ASSERT(BusyIsKnown_A, busy_o == goes)
  `MUSTER_ASSERT(GoesIfOffered_A, unoffered == '0)

endmodule

`default_nettype wire
