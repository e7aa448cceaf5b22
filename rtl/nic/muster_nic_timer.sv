// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "muster_assert.svh"

// A timer that waits for base_i cycles, and longer each time it is started again: limit
// base_i 2^min(tries, 6). For the contexts (NACKs, quiet time) and the send records of a NIC
// (docs/systems/nic-engine.md, Timer; docs/systems/nic-link.md, Sending).
//
// In a cycle with run_i and the time below the limit, the time rises by one at the edge. Once it
// is not below the limit, due_o is 1 and the time holds; the user then starts it again with
// again_i: time 0, one try more. clear_i makes both 0 and wins. spent_o says that as many tries
// have been made as retries_i allows.
//
// The limit is not made: the time counts in units of 2^min(tries, 6) cycles and their 64ths, and is
// compared with base_i itself.
//
// Example, base_i 3: run_i from t on, due_o is 1 in t + 3; again_i there, due_o in t + 10.
module muster_nic_timer #(
  /// bits of base_i, 1 to 24
  parameter int unsigned BaseW = 24
) (
  input  wire logic              clk_i,
  input  wire logic              rst_ni,

  /// cycles of the first try
  input  wire logic [BaseW-1:0]  base_i,
  input  wire logic [3:0]        retries_i,
  input  wire logic              run_i,
  input  wire logic              clear_i,
  /// only with due_o and not spent_o
  input  wire logic              again_i,
  output logic                   due_o,
  output logic                   spent_o
);
  if (BaseW < 1 || BaseW > 24) begin : gen_bad_base
    $error("muster_nic_timer: BaseW must be 1 to 24");
  end

  localparam int unsigned Doublings = 6;

  logic [BaseW+Doublings-1:0] time_q;  // in 64ths
  logic [Doublings:0] cycle;           // what a cycle is of the unit
  logic [3:0] tries_q;

  assign cycle = 7'd64 >> ((tries_q > 4'd6) ? 3'd6 : tries_q[2:0]);
  assign due_o = time_q[BaseW+Doublings-1:Doublings] >= base_i;
  assign spent_o = tries_q >= retries_i;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      time_q <= '0;
      tries_q <= '0;
    end else if (clear_i) begin
      time_q <= '0;
      tries_q <= '0;
    end else if (again_i) begin
      time_q <= '0;
      tries_q <= tries_q + 1'b1;
    end else if (run_i && !due_o) begin
      time_q <= time_q + (BaseW + Doublings)'(cycle);
    end
  end

  `MUSTER_ASSERT(AgainIsDue_A, !again_i || (due_o && !spent_o))
  `MUSTER_ASSERT(RunsUpToLimit_A, !run_i || due_o ||
                                  time_q[BaseW+Doublings-1:Doublings] != '1)

endmodule

`default_nettype wire
