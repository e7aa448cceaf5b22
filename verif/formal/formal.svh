// SPDX-License-Identifier: Apache-2.0
`ifndef MUSTER_FORMAL_SVH
`define MUSTER_FORMAL_SVH

// What wrappers have beside facts. No semicolon follows these macros.

`include "muster_assert.svh"

// rst_ni, low in the first cycle.
`define MUSTER_FORMAL_RESET \
  logic rst_ni = 1'b0; \
  always_ff @(posedge clk_i) rst_ni <= 1'b1;

// A flip-flop of this name, set once `what` has been so in a cycle out of reset: for covers of what
// comes later.
`define MUSTER_SEEN(name, what) \
  logic name; \
  always_ff @(posedge clk_i) name <= rst_ni && (name || (what));

// What muster_register_agent asks of permits: they are a register of the host's, so they change
// only at the edge of a cycle in which `writes`, the host writes what packets depend on.
`define MUSTER_PERMITS_OF_HOST(permits, writes) \
  logic host_wrote_q; \
  logic [Ports-1:0] host_permits_q; \
  always_ff @(posedge clk_i) begin \
    host_wrote_q <= !rst_ni || (writes); \
    host_permits_q <= permits; \
  end \
  `MUSTER_ASSUME(PermitsChangeByHost_M, host_wrote_q || permits == host_permits_q)

`endif  // MUSTER_FORMAL_SVH
