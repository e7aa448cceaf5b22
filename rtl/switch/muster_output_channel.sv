// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "muster_assert.svh"
`include "muster_few.svh"

// The input that owns virtual channel v of output p, and the next one: the first step of
// allocation, once for each packet.
//
// Input i *waits* for the channel while the packet in front of its queue requests it and does not
// own it. It is *new* in the cycle before, in which the table returns the packet's route. In a
// cycle without a next one input is picked: of those that wait by round robin, else the lowest new
// one. The channel is *free* in a cycle if it has no owner, or the owner's tail is taken in it. If
// it is free, and no answer waits for it (closed_i), its owner from the next cycle on is the next,
// else the input picked, else, if the packet behind the tail requests the channel too (stays_i),
// the owner again, else none. A picked input that does not become the owner becomes the next. So
// packets follow each other on a channel without a cycle between them, in the order in which they
// were picked, and a packet waits for at most Ports + 1 others.
//
// The pointer is 0 after reset and moves past each picked input that waited. Owner and next are
// one-hot.
//
// new_i and stays_i come from the memory of the table, ends_i behind the allocation: all three are
// timing-critical.
module muster_output_channel #(
  /// ports of the switch, 3 to 16
  parameter int unsigned Ports = 8
) (
  input  wire logic              clk_i,
  input  wire logic              rst_ni,

  /// the packet in front at input i wants this channel; it is new
  input  wire logic [Ports-1:0]  want_i,
  input  wire logic [Ports-1:0]  new_i,
  /// no packet may get it: an answer waits for it
  input  wire logic              closed_i,
  /// the tail of the owner's packet is taken; the packet behind it wants this channel
  input  wire logic              ends_i,
  input  wire logic              stays_i,

  /// the input whose packet has the channel, one-hot or zero
  output logic [Ports-1:0]       owner_o,
  /// nothing changes unless a packet is new or ends
  output logic                   idle_o
);
  if (Ports < 3 || Ports > 16) begin : gen_bad_ports
    $error("muster_output_channel: Ports must be 3 to 16");
  end

  logic [Ports-1:0] owner_q, next_q, waits, turn, above_new, pick, follows;
  logic empty, owned, waited;
  logic stirs;  // a packet is new, wants the channel, has it or is the next to have it
  assign stirs = want_i != '0 || new_i != '0 || owned || !empty;

  assign empty = next_q == '0;
  assign owned = owner_q != '0;
  assign waits = empty ? want_i & ~owner_q : '0;
  assign waited = waits != '0;

  muster_rr_arbiter #(
    .N(Ports)
  ) in_turn (
    .clk_i,
    .rst_ni,
    .req_i(waits),
    .take_i(1'b1),
    .grant_o(turn)
  );
  muster_above_lowest #(
    .N(Ports)
  ) lowest_new (
    .bits_i(new_i),
    .above_o(above_new)
  );
  always_comb begin
    pick = '0;
    if (`MUSTER_FEW(stirs)) pick = waited ? turn : empty ? new_i & ~above_new : '0;
  end

  // The owner from the next cycle on, if the channel is free.
  always_comb begin
    follows = '0;
    if (`MUSTER_FEW(stirs)) begin
      follows = empty ? pick : next_q;
      if (empty && !waited && new_i == '0 && stays_i) follows = owner_q;
      if (closed_i) follows = '0;
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      owner_q <= '0;
      next_q <= '0;
    end else if (`MUSTER_FEW(stirs)) begin
      if (ends_i || !owned) begin
        owner_q <= follows;
        next_q <= closed_i ? (empty ? pick : next_q) : '0;
      end else if (empty) begin
        next_q <= pick;
      end
    end
  end

  assign owner_o = owner_q;
  assign idle_o = !waited && (owned || empty);

  `MUSTER_ASSERT(OwnerOneHot_A, (owner_q & (owner_q - 1'b1)) == '0)
  `MUSTER_ASSERT(NextOneHot_A, (next_q & (next_q - 1'b1)) == '0)
  `MUSTER_ASSERT(NextIsNotOwner_A, (next_q & owner_q) == '0)
  `MUSTER_ASSERT(OwnerWants_A, (owner_q & ~want_i) == '0)
  `MUSTER_ASSERT(NextWants_A, (next_q & ~want_i) == '0)
  `MUSTER_ASSERT(EndsIsOwned_A, !ends_i || owned)

endmodule

`default_nettype wire
