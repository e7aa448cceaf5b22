// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "muster_assert.svh"

// The channels of one virtual channel at all outputs: which input owns each, and which is the next
// one. The first step of allocation, once for each packet. Input i and output p are bit
// i * Ports + p of a matrix, output p alone is bit p of a vector; each sentence here is of one p.
//
// Input i *waits* for the channel while the packet in front of its queue requests it and does not
// own it. It is *new* in the cycle before, in which the table returns the packet's route. In a
// cycle without a next one input is picked: of those that wait by round robin, else the lowest new
// one. The channel is *free* in a cycle if it has no owner, or the owner's tail is taken in it. If
// it is free, and no answer waits for it (closed_i), its owner from the next cycle on is the next,
// else the input picked, else, if the packet behind the tail requests the channel too, the owner
// again, else none. A picked input that does not become the owner becomes the next. So packets
// follow each other on a channel without a cycle between them, in the order in which they were
// picked, and a packet waits for at most Ports + 1 others.
//
// The pointer is 0 after reset and moves past each picked input that waited. Owner and next are
// one-hot.
//
// new_i and behind_i come from the memory of the table, grant_i behind the allocation: all three
// are timing-critical.
module muster_output_channels #(
  /// ports of the switch, 3 to 32
  parameter int unsigned Ports = 8,
  localparam int unsigned MatrixW = Ports * Ports
) (
  input  wire logic                clk_i,
  input  wire logic                rst_ni,

  /// the packet in front at input i wants this channel; it is new; so does the packet behind it
  input  wire logic [MatrixW-1:0]  want_i,
  input  wire logic [MatrixW-1:0]  new_i,
  input  wire logic [MatrixW-1:0]  behind_i,
  /// input i has a flit of the packet in front; it is the tail
  input  wire logic [Ports-1:0]    ready_i,
  input  wire logic [Ports-1:0]    tail_i,
  /// no packet may get it: an answer waits for it
  input  wire logic [Ports-1:0]    closed_i,

  /// the owner has a flit; the owner, one-hot, or zero without a flit
  output logic [Ports-1:0]         filled_o,
  output logic [MatrixW-1:0]       offers_o,
  /// it is taken; only if there is one
  input  wire logic [Ports-1:0]    grant_i,

  /// there is an owner
  output logic [Ports-1:0]         owned_o,
  /// nothing changes at any output unless a packet is new or ends
  output logic                     idle_o
);
  `MUSTER_RANGE(Ports, 3, 32)

  // Of each output: some input has the bit.
  function automatic logic [Ports-1:0] any(input logic [MatrixW-1:0] matrix);
    any = '0;
    for (int unsigned i = 0; i < Ports; i++) any = any | matrix[i*Ports+:Ports];
  endfunction
  // Of each input: its bit at all outputs.
  function automatic logic [MatrixW-1:0] rows(input logic [Ports-1:0] inputs);
    for (int unsigned i = 0; i < Ports; i++) rows[i*Ports+:Ports] = {Ports{inputs[i]}};
  endfunction

  logic [MatrixW-1:0] owner_q, next_q;
  logic [MatrixW-1:0] mask_q;  // inputs at or after the pointer; with none of them it is 0
  logic [MatrixW-1:0] waits, preferred, candidates, above, first;
  logic [Ports-1:0] has_next, has_preferred, waited, found, owned, ends, free, gives, stays;

  // The first of these that there are: the next, those that wait from the pointer on, all that
  // wait, new ones. The lowest of them is the next or the one picked.
  assign waits = want_i & ~owner_q;
  assign preferred = waits & mask_q;
  assign has_next = any(next_q);
  assign has_preferred = any(preferred);
  assign waited = any(waits);
  assign candidates = next_q | (~{Ports{has_next}} & (preferred | (~{Ports{has_preferred}} &
                      (waits | (~{Ports{waited}} & new_i)))));
  assign found = has_next | waited | any(new_i);
  always_comb begin
    above = candidates << Ports;
    for (int unsigned k = 0; k != $clog2(Ports); k++) above = above | (above << (Ports << k));
  end
  assign first = candidates & ~above;

  assign owned = any(owner_q);
  assign ends = grant_i & any(owner_q & rows(tail_i));
  assign free = ends | ~owned;
  assign gives = free & ~closed_i;
  assign stays = ~free | (gives & ~found & any(owner_q & behind_i));
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      owner_q <= '0;
      next_q <= '0;
      mask_q <= '0;
    end else begin
      owner_q <= ({Ports{gives}} & first) | ({Ports{stays}} & owner_q);
      next_q <= ~{Ports{gives}} & (({Ports{has_next}} & next_q) | (~{Ports{has_next}} & first));
      mask_q <= ({Ports{waited & ~has_next}} & above) | (~{Ports{waited & ~has_next}} & mask_q);
    end
  end

  assign offers_o = owner_q & rows(ready_i);
  assign filled_o = any(offers_o);
  assign owned_o = owned;
  assign idle_o = ((waited & ~has_next) | (has_next & ~owned)) == '0;

  logic [Ports-1:0] some_owner, some_next, many_owners, many_next;
  always_comb begin
    {some_owner, some_next, many_owners, many_next} = '0;
    for (int unsigned i = 0; i < Ports; i++) begin
      many_owners = many_owners | (some_owner & owner_q[i*Ports+:Ports]);
      many_next = many_next | (some_next & next_q[i*Ports+:Ports]);
      some_owner = some_owner | owner_q[i*Ports+:Ports];
      some_next = some_next | next_q[i*Ports+:Ports];
    end
  end
  `MUSTER_ASSERT(OwnerOneHot_A, many_owners == '0)
  `MUSTER_ASSERT(NextOneHot_A, many_next == '0)
  `MUSTER_ASSERT(NextIsNotOwner_A, (next_q & owner_q) == '0)
  `MUSTER_ASSERT(OwnerWants_A, (owner_q & ~want_i) == '0)
  `MUSTER_ASSERT(NextWants_A, (next_q & ~want_i) == '0)
  `MUSTER_ASSERT(GrantIsFilled_A, (grant_i & ~filled_o) == '0)

endmodule

`default_nettype wire
