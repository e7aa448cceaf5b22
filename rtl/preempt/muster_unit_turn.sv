// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "muster_assert.svh"

// Which of the complete message buffers the barrier unit takes next.
// docs/systems/preempting-switches.md, "The barrier unit".
//
// A round is a set of ports, empty after reset. The lowest port of the round that can be taken goes
// first, and leaves the round. If there is none, the lowest of all that can be taken goes, and the
// others that could have been taken are the new round. So messages of one cycle are taken in the
// order of their ports. A message that can be taken, cycle after cycle, is passed by any other at
// most twice and by 2 * Ports - 3 in all: by Ports - 2 of a round that began before it came, and by
// Ports - 1 of the next if it is the highest there.
module muster_unit_turn #(
  /// ports of the switch, 3 to 16
  parameter int unsigned Ports = 8
) (
  input  wire logic              clk_i,
  input  wire logic              rst_ni,

  /// buffers that can be taken
  input  wire logic [Ports-1:0]  able_i,
  /// the one that is, one-hot, or zero if there is none
  output logic [Ports-1:0]       take_o
);
  `MUSTER_RANGE(Ports, 3, 16)

  logic [Ports-1:0] round_q, of_round, above;

  assign of_round = able_i & round_q;
  muster_preferred_first #(
    .N(Ports)
  ) first (
    .req_i(able_i),
    .preferred_i(round_q),
    .grant_o(take_o),
    .above_o(above)
  );

  always_ff @(posedge clk_i) begin
    if (!rst_ni) round_q <= '0;
    else if (able_i != '0) round_q <= (of_round != '0) ? round_q & ~take_o : able_i & above;
  end

  `MUSTER_ASSERT(OneIsTaken_A, (take_o & (take_o - 1'b1)) == '0)
  `MUSTER_ASSERT(TakenIfAble_A, (able_i == '0) == (take_o == '0))
  `MUSTER_ASSERT(RoundGoesFirst_A, of_round == '0 || (take_o & round_q) != '0)

endmodule

`default_nettype wire
