// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "muster_assert.svh"

// What muster_register_agent asks of its permits, for proofs: they are a register of the host's, so
// they change only at the edge of a cycle in which the host writes what packets depend on.
module host_permits #(
  parameter int unsigned Ports = 3
) (
  input  wire logic              clk_i,
  input  wire logic              rst_ni,
  input  wire logic              host_write_i,
  input  wire logic              host_touches_i,
  input  wire logic [Ports-1:0]  permit_i
);
  logic written_q;
  logic [Ports-1:0] permit_q;
  always_ff @(posedge clk_i) begin
    written_q <= !rst_ni || (host_write_i && host_touches_i);
    permit_q <= permit_i;
  end
  `MUSTER_ASSUME(PermitsChangeByHost_M, written_q || permit_i == permit_q)

endmodule

`default_nettype wire
