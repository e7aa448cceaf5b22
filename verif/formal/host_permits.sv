// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "muster_assert.svh"

// What register_agent asks of its permits, for proofs: they are a register of the host's, so they
// change only at the edge of a cycle in which the host uses the port.
module host_permits #(
  parameter int unsigned Ports = 3
) (
  input  wire logic              clk_i,
  input  wire logic              rst_ni,
  input  wire logic              host_i,
  input  wire logic [Ports-1:0]  permit_i
);
  logic host_q;
  logic [Ports-1:0] permit_q;
  always_ff @(posedge clk_i) begin
    host_q <= !rst_ni || host_i;
    permit_q <= permit_i;
  end
  `MUSTER_ASSUME(PermitsChangeByHost_M, host_q || permit_i == permit_q)

endmodule

`default_nettype wire
