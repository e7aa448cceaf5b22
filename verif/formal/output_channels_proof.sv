// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "formal.svh"

// muster_output_channels, seen at one output, Output: packets for it come at any input at any time,
// alone or one behind the other, and end at any time while they have the channel; answers close it
// at any time.
//
//   - a packet that waits is not passed over: from its first cycle of waiting on at most Ports + 1
//     others get the channel before it
//   - while nothing closes it, a channel that a packet waits for has an owner in the next cycle
//   - a packet gets the channel only if it wants it, one at a time: the assertions of the module
module output_channels_proof #(
  parameter int unsigned Ports = 3,
  parameter int unsigned Output = 0,
  localparam int unsigned CountW = $clog2(Ports + 4)
) (
  input  wire logic              clk_i,
  /// a packet that wants the channel comes at input i: to an empty queue, or behind one
  input  wire logic [Ports-1:0]  packet_i,
  /// the next flit of the owner's packet, a tail, is taken, if there is an owner
  input  wire logic              tail_i,
  input  wire logic              closed_i
);
  `MUSTER_FORMAL_RESET

  logic [Ports-1:0] want_q, owner, ended, first;
  logic ends;
  assign ends = tail_i && owner != '0;
  assign ended = ends ? owner : '0;
  // A packet in front stays there; behind it another can come only as it ends.
  always_ff @(posedge clk_i) begin
    if (!rst_ni) want_q <= '0;
    else want_q <= (want_q & ~ended) | packet_i;
  end

  // Column Output of the matrices; the others stay empty.
  logic [Ports*Ports-1:0] want, fresh, behind, owners;
  logic [Ports-1:0] filled;
  always_comb begin
    want = '0;
    fresh = '0;
    behind = '0;
    for (int unsigned i = 0; i < Ports; i++) begin
      want[i*Ports+Output] = want_q[i];
      fresh[i*Ports+Output] = packet_i[i] && !want_q[i];
      behind[i*Ports+Output] = packet_i[i];
      owner[i] = owners[i*Ports+Output];
    end
  end

  muster_output_channels #(.Ports(Ports)) channels (
    .clk_i, .rst_ni,
    .want_i(want),
    .new_i(fresh),
    .behind_i(behind),
    .ready_i('1),
    .tail_i('1),
    .closed_i(Ports'(closed_i) << Output),
    .filled_o(filled),
    .grant_i(filled & (Ports'(tail_i) << Output)),
    .offers_o(owners)  // all have flits
  );

  // Of input 0, the same as any other except for the pointer's start: packets that begin while it
  // waits, that which has the channel in its first cycle included.
  logic waits, waited_q, begins_q;
  logic [CountW-1:0] others_q;
  assign waits = want_q[0] && !owner[0];
  assign first = {owner[Ports-1:1], 1'b0};
  always_ff @(posedge clk_i) begin
    if (!rst_ni || !waits) begin
      waited_q <= 1'b0;
      others_q <= '0;
    end else begin
      waited_q <= 1'b1;
      if (first != '0 && (!waited_q || begins_q) && others_q != '1) others_q <= others_q + 1'b1;
    end
    begins_q <= ends || owner == '0;
  end
  `MUSTER_ASSERT(InTurn_A, !waits || 32'(others_q) <= Ports + 1)

  logic open_q;
  always_ff @(posedge clk_i) open_q <= rst_ni && !closed_i && want_q != '0;
  `MUSTER_ASSERT(NoCycleLost_A, !open_q || owner != '0 || want_q == '0)

  `MUSTER_COVER(WaitsLong_C, 32'(others_q) == Ports)
  `MUSTER_COVER(Stays_C, ends && (owner & packet_i) != '0 && want_q == owner)

endmodule

`default_nettype wire
