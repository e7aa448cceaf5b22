// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "muster_assert.svh"

// Second pipeline stage, "allocation": who sends a data flit to which output in this cycle.
//
// Queue q = i * Vcs + v belongs to input port i and virtual channel v. It is eligible if it
// requests output p, which is not on hold (hold_i), channel (p, v) has a credit (open_i), and the
// channel is its own or, for the first flit of a packet, has no owner, is not closed_i and not kept
// for another queue (muster_channel_order, from two virtual channels on). Two steps in one cycle:
// each input port picks one of its eligible queues by round robin over v, each output one of the
// input ports whose pick requests it by round robin over i. All pointers are 0 after reset and move
// past the winner when a flit is really allocated: to v + 1 at input i, to i + 1 at output p.
// Losers keep theirs.
//
// Ownership: channel (p, v) has an owner from the allocation of a packet's first flit, if that is
// not its tail, to that of its tail.
module muster_switch_allocator #(
  /// ports of the switch, 3 to 16
  parameter int unsigned Ports = 8,
  /// virtual channels, 1 to 4
  parameter int unsigned Vcs = 2
) (
  input  wire logic                               clk_i,
  input  wire logic                               rst_ni,

  /// queue q has a data flit at its head and a route
  input  wire logic [Ports*Vcs-1:0]               request_i,
  /// its output port, one-hot
  input  wire logic [Ports*Vcs-1:0][Ports-1:0]    want_i,
  /// its packet owns the output channel already
  input  wire logic [Ports*Vcs-1:0]               owner_i,
  /// its head flit is a tail
  input  wire logic [Ports*Vcs-1:0]               tail_i,
  /// channel (p, v) may take a flit: open_i[v][p]
  input  wire logic [Vcs-1:0][Ports-1:0]          open_i,
  /// nothing goes to output p: known late in the cycle
  input  wire logic [Ports-1:0]                   hold_i,
  /// no packet may begin on channel (p, v): closed_i[v][p]
  input  wire logic [Vcs-1:0][Ports-1:0]          closed_i,

  /// the head of queue q leaves; the one that each input offers, known earlier, is among them if
  /// that input sends
  output logic [Ports*Vcs-1:0]                    taken_o,
  output logic [Ports*Vcs-1:0]                    offered_o,
  /// the output port that input port i sends to, one-hot or zero
  output logic [Ports-1:0][Ports-1:0]             to_o,
  /// a flit was allocated to channel (p, v): allocated_o[v][p]
  output logic [Vcs-1:0][Ports-1:0]               allocated_o,
  /// channel (p, v) has an owner: owned_o[v][p]
  output logic [Vcs-1:0][Ports-1:0]               owned_o
);
  `MUSTER_RANGE(Ports, 3, 16)
  `MUSTER_RANGE(Vcs, 1, 4)

  logic [Vcs-1:0][Ports-1:0] owned_q, owned_d;
  logic [Ports*Vcs-1:0] eligible, pick;  // by queue
  logic [Ports*Ports-1:0] want, to;       // input i, output p: i * Ports + p
  logic [Ports*Ports-1:0] contend, grant; // the same bits: p * Ports + i
  logic [Ports-1:0] sends;
  logic [Ports*Vcs-1:0] next;
  logic [Vcs-1:0][Ports-1:0] kept;

  // With one virtual channel the output's own pointer turns for that channel only.
  if (Vcs > 1) begin : gen_order
    muster_channel_order #(.Ports(Ports), .Vcs(Vcs)) order (
      .clk_i, .rst_ni,
      .request_i,
      .want_i,
      .owner_i,
      .taken_i(taken_o),
      .next_o(next),
      .kept_o(kept)
    );
  end else begin : gen_no_order
    assign next = '0;
    assign kept = '0;
  end

  // The conditions are for simulators, which skip idle queues, and most are idle.
  always_comb begin
    eligible = '0;
    for (int unsigned i = 0; i < Ports; i++) begin
      for (int unsigned v = 0; v < Vcs; v++) begin
        if (request_i[i*Vcs+v]) begin
          eligible[i*Vcs+v] =
              |(want_i[i*Vcs+v] & open_i[v] &
                (owner_i[i*Vcs+v] ? '1 : ~(owned_q[v] | closed_i[v])) &
                ((owner_i[i*Vcs+v] || next[i*Vcs+v]) ? '1 : ~kept[v]) & ~hold_i);
        end
      end
    end
  end

  // Input ports.
  for (genvar i = 0; i < Ports; i++) begin : gen_input
    muster_rr_arbiter #(.N(Vcs)) pick_vc (
      .clk_i, .rst_ni,
      .req_i(eligible[i*Vcs+:Vcs]),
      .take_i(sends[i]),
      .grant_o(pick[i*Vcs+:Vcs])
    );
  end

  always_comb begin
    want = '0;
    for (int unsigned i = 0; i < Ports; i++) begin
      for (int unsigned v = 0; v < Vcs; v++) begin
        if (pick[i*Vcs+v]) want[i*Ports+:Ports] = want[i*Ports+:Ports] | want_i[i*Vcs+v];
      end
    end
    contend = '0;
    for (int unsigned i = 0; i < Ports; i++) begin
      if (pick[i*Vcs+:Vcs] != '0) begin
        for (int unsigned p = 0; p < Ports; p++) contend[p*Ports+i] = want[i*Ports+p];
      end
    end
  end
  assign offered_o = pick;

  // Output ports. Whatever an output grants is sent.
  for (genvar p = 0; p < Ports; p++) begin : gen_output
    muster_rr_arbiter #(.N(Ports)) pick_input (
      .clk_i, .rst_ni,
      .req_i(contend[p*Ports+:Ports]),
      .take_i(|contend[p*Ports+:Ports]),
      .grant_o(grant[p*Ports+:Ports])
    );
  end

  // By channel: a packet's last flit is allocated to it, or another one.
  logic [Vcs-1:0][Ports-1:0] ends, goes_on;
  always_comb begin
    ends = '0;
    goes_on = '0;
    to = '0;
    for (int unsigned p = 0; p < Ports; p++) begin
      if (grant[p*Ports+:Ports] != '0) begin
        for (int unsigned i = 0; i < Ports; i++) to[i*Ports+p] = grant[p*Ports+i];
      end
    end
    for (int unsigned i = 0; i < Ports; i++) begin
      sends[i] = |to[i*Ports+:Ports];
      for (int unsigned v = 0; v < Vcs; v++) begin
        taken_o[i*Vcs+v] = pick[i*Vcs+v] && sends[i];
        if (pick[i*Vcs+v]) begin
          if (tail_i[i*Vcs+v]) ends[v] = ends[v] | to[i*Ports+:Ports];
          else goes_on[v] = goes_on[v] | to[i*Ports+:Ports];
        end
      end
    end
  end
  assign to_o = to;
  assign allocated_o = ends | goes_on;
  assign owned_d = (owned_q & ~ends) | goes_on;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) owned_q <= '0;
    else owned_q <= owned_d;
  end

  assign owned_o = owned_q;

  // Which channels have an owner among the queues, which of them two, and which were given to a
  // queue that does not own them.
  logic [Vcs-1:0][Ports-1:0] owners, two_owners, usurped;
  always_comb begin
    owners = '0;
    two_owners = '0;
    usurped = '0;
    for (int unsigned i = 0; i < Ports; i++) begin
      for (int unsigned v = 0; v < Vcs; v++) begin
        if (owner_i[i*Vcs+v]) begin
          two_owners[v] = two_owners[v] | (owners[v] & want_i[i*Vcs+v]);
          owners[v] = owners[v] | want_i[i*Vcs+v];
        end else if (taken_o[i*Vcs+v]) begin
          usurped[v] = usurped[v] | (owned_q[v] & to_o[i]);
        end
      end
    end
  end

  logic [Ports-1:0] grant_many, take_unasked;
  for (genvar p = 0; p < Ports; p++) begin : gen_check
    assign grant_many[p] = (grant[p*Ports+:Ports] & (grant[p*Ports+:Ports] - 1'b1)) != '0;
    assign take_unasked[p] = |(taken_o[p*Vcs+:Vcs] & ~request_i[p*Vcs+:Vcs]);
  end
  `MUSTER_ASSERT(GrantOneHot_A, grant_many == '0)
  `MUSTER_ASSERT(GrantOnRequest_A, take_unasked == '0)
  `MUSTER_ASSERT(AllocatedIsOpen_A, (allocated_o & ~open_i) == '0)
  `MUSTER_ASSERT(OneOwnerPerChannel_A, two_owners == '0)
  `MUSTER_ASSERT(OwnedHasOwner_A, owners == owned_q)
  `MUSTER_ASSERT(OwnedGoesToOwner_A, usurped == '0)

endmodule

`default_nettype wire
