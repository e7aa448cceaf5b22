// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "muster_assert.svh"

// The output that a going message requests in a cycle. docs/systems/preempting-switches.md, "Choice
// of an output". Combinational.
//
// A message bound to the deterministic route requests the lowest bit of its mask. Another message
// requests the lowest legal output that is open to it, else the lowest whose channel is cut or can
// be cut, else the lowest.
module muster_message_way #(
  /// ports of the switch, 3 to 16
  parameter int unsigned Ports = 8
) (
  /// it is going and not served
  input  wire logic              going_i,
  input  wire logic              bound_i,
  /// legal outputs
  input  wire logic [Ports-1:0]  mask_i,
  input  wire logic [Ports-1:0]  open_i,
  input  wire logic [Ports-1:0]  cuttable_i,

  /// one-hot; zero if it does not ask
  output logic [Ports-1:0]       ask_o
);
  `MUSTER_RANGE(Ports, 3, 16)

  logic [Ports-1:0] good, above;

  always_comb begin
    good = '0;
    if (going_i) begin
      good = mask_i;
      if (!bound_i) begin
        if ((mask_i & open_i) != '0) good = mask_i & open_i;
        else if ((mask_i & cuttable_i) != '0) good = mask_i & cuttable_i;
      end
    end
  end

  muster_above_lowest #(
    .N(Ports)
  ) lowest (
    .bits_i(good),
    .above_o(above)
  );
  assign ask_o = good & ~above;

endmodule

`default_nettype wire
