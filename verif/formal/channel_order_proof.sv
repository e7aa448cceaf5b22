// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "formal.svh"

// muster_channel_order with queues whose packets come at any time, one right behind the other or
// not, for any output, and an allocator that takes what it likes of what it may: of a channel its
// owner's flits, or, if it has no owner, the head of its next or, without a next, of any queue. It
// is not held to one flit for each input and output port, so virtual channels do as they like.
//
// A packet of the watched queue, any one, fixed in the cycle of reset, is passed by at most
// 2 * Ports - 1 others, whose heads are allocated to its channel from its first cycle of waiting
// on, and by at most Ports if each has two flits or more (Single=0). Without a next one goes while
// another is picked, which goes then, for each of the Ports - 1 other inputs; and one as it is
// picked itself. Packets of several flits leave the channel with a next, so that goes out of turn
// once. Passed makes the bound another, for the proof that it is tight.
module channel_order_proof #(
  parameter int unsigned Ports = 3,
  parameter int unsigned Vcs = 2,
  /// packets may have a single flit
  parameter bit Single = 1'b1,
  parameter int unsigned Most = Single ? 2 * Ports - 1 : Ports,
  parameter int unsigned Passed = Most,
  localparam int unsigned Queues = Ports * Vcs,
  localparam int unsigned IndexW = $clog2(Queues),
  localparam int unsigned CountW = $clog2(2 * Ports + 1)
) (
  input  wire logic                          clk_i,
  /// a packet comes to the front of queue q, which is empty or is left by a tail; its output
  input  wire logic [Queues-1:0]             packet_i,
  input  wire logic [Queues-1:0][Ports-1:0]  route_i,
  /// of a packet that has begun there is a flit at the head; what is taken is a tail
  input  wire logic [Queues-1:0]             flit_i,
  input  wire logic [Queues-1:0]             tail_i,
  input  wire logic [Queues-1:0]             taken_i,
  input  wire logic [IndexW-1:0]             watched_i
);
  `MUSTER_FORMAL_RESET

  logic [Queues-1:0] here_q, owner_q, request, next, ends;
  logic [Queues-1:0][Ports-1:0] want_q;
  logic [Vcs-1:0][Ports-1:0] kept;

  // Who has a packet stays so, with the same output, until its tail is taken; its head waits there.
  assign request = here_q & (~owner_q | flit_i);
  assign ends = taken_i & tail_i & (Single ? '1 : owner_q);
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      here_q <= '0;
      owner_q <= '0;
      want_q <= '0;
    end else begin
      here_q <= (here_q & ~ends) | packet_i;
      owner_q <= (owner_q | taken_i) & ~ends;
      for (int unsigned q = 0; q < Queues; q++) begin
        if (ends[q] || !here_q[q]) want_q[q] <= packet_i[q] ? route_i[q] : '0;
      end
    end
  end

  muster_channel_order #(.Ports(Ports), .Vcs(Vcs)) dut (
    .clk_i, .rst_ni,
    .request_i(request),
    .want_i(want_q),
    .owner_i(owner_q),
    .taken_i,
    .next_o(next),
    .kept_o(kept)
  );

  // Channels with an owner; which heads may be taken; channels of which two are, or two own.
  logic [Vcs-1:0][Ports-1:0] owned, begins, twice, owned_twice;
  logic [Queues-1:0] able, one_hot;
  always_comb begin
    owned = '0;
    begins = '0;
    twice = '0;
    owned_twice = '0;
    for (int unsigned q = 0; q < Queues; q++) begin
      if (owner_q[q]) begin
        owned_twice[q%Vcs] = owned_twice[q%Vcs] | (owned[q%Vcs] & want_q[q]);
        owned[q%Vcs] = owned[q%Vcs] | want_q[q];
      end else if (taken_i[q]) begin
        twice[q%Vcs] = twice[q%Vcs] | (begins[q%Vcs] & want_q[q]);
        begins[q%Vcs] = begins[q%Vcs] | want_q[q];
      end
    end
    for (int unsigned q = 0; q < Queues; q++) begin
      able[q] = request[q] && (owner_q[q] ||
                ((want_q[q] & owned[q%Vcs]) == '0 && (next[q] || (want_q[q] & kept[q%Vcs]) == '0)));
      one_hot[q] = route_i[q] != '0 && (route_i[q] & (route_i[q] - 1'b1)) == '0;
    end
  end

  // The others of its channel that have begun while it waits.
  logic [IndexW-1:0] watched_q;
  logic [Ports-1:0] its_want;
  logic [CountW-1:0] passed_q;
  logic waits, goes, passes;
  always_comb begin
    its_want = '0;
    waits = 1'b0;
    goes = 1'b0;
    passes = 1'b0;
    for (int unsigned q = 0; q < Queues; q++) begin
      if (32'(watched_q) == q) begin
        its_want = want_q[q];
        waits = here_q[q] && !owner_q[q];
        goes = waits && taken_i[q];
        passes = (begins[q%Vcs] & want_q[q]) != '0;
      end
    end
  end
  always_ff @(posedge clk_i) begin
    if (!rst_ni) watched_q <= watched_i;
    if (!rst_ni || !waits || goes) passed_q <= '0;
    else passed_q <= passed_q + CountW'(passes && passed_q != '1);
  end

  // The pointers of the module, as masks of the inputs at or after them. Yosys joins a wire that is
  // marked hierconn to the one of this name inside the cell when it flattens. Three ports and two
  // channels have these.
  logic [Vcs-1:0][Ports-1:0][Ports-1:0] from;
  (* hierconn *) logic [Ports-1:0] \dut.gen_vc[0].gen_output[0].turn.gen_many.mask_q ;
  (* hierconn *) logic [Ports-1:0] \dut.gen_vc[0].gen_output[1].turn.gen_many.mask_q ;
  (* hierconn *) logic [Ports-1:0] \dut.gen_vc[0].gen_output[2].turn.gen_many.mask_q ;
  (* hierconn *) logic [Ports-1:0] \dut.gen_vc[1].gen_output[0].turn.gen_many.mask_q ;
  (* hierconn *) logic [Ports-1:0] \dut.gen_vc[1].gen_output[1].turn.gen_many.mask_q ;
  (* hierconn *) logic [Ports-1:0] \dut.gen_vc[1].gen_output[2].turn.gen_many.mask_q ;
  assign from[0][0] = \dut.gen_vc[0].gen_output[0].turn.gen_many.mask_q ;
  assign from[0][1] = \dut.gen_vc[0].gen_output[1].turn.gen_many.mask_q ;
  assign from[0][2] = \dut.gen_vc[0].gen_output[2].turn.gen_many.mask_q ;
  assign from[1][0] = \dut.gen_vc[1].gen_output[0].turn.gen_many.mask_q ;
  assign from[1][1] = \dut.gen_vc[1].gen_output[1].turn.gen_many.mask_q ;
  assign from[1][2] = \dut.gen_vc[1].gen_output[2].turn.gen_many.mask_q ;

  // Why: how many can still pass the watched packet. As many are picked before it as there are
  // inputs from the pointer on and before its own; the pointer is just past the next.
  logic [CountW-1:0] picks, still;
  logic [Queues-1:0] at_next, lost;
  logic its_kept, its_next, its_owned;
  always_comb begin
    picks = '0;
    at_next = '1;
    its_kept = 1'b0;
    its_next = 1'b0;
    its_owned = 1'b0;
    for (int unsigned q = 0; q < Queues; q++) begin
      lost[q] = here_q[q] ? (want_q[q] & (want_q[q] - 1'b1)) != '0 || want_q[q] == '0
                          : owner_q[q] || want_q[q] != '0;
      for (int unsigned p = 0; p < Ports; p++) begin
        if (next[q] && want_q[q][p]) at_next[q] = from[q%Vcs][p] == Ports'(~32'd0 << (q / Vcs + 1));
        if (32'(watched_q) == q && want_q[q][p]) begin
          its_kept = kept[q%Vcs][p];
          its_next = next[q];
          its_owned = owned[q%Vcs][p];
          for (int unsigned i = 0; i < Ports; i++) begin
            if (from[q%Vcs][p][q/Vcs] ? from[q%Vcs][p][i] && i < q / Vcs
                                      : from[q%Vcs][p][i] || i < q / Vcs) begin
              picks = picks + 1'b1;
            end
          end
        end
      end
    end
    if (its_next) still = '0;
    else if (Single) still = CountW'(its_kept ? 2 : 1) + (picks << 1);
    else still = picks + CountW'(its_kept || !its_owned);
  end

  `MUSTER_ASSUME(WatchedExists_M, 32'(watched_q) < Queues)
  `MUSTER_ASSUME(OneOutput_M, (packet_i & ~one_hot) == '0)
  `MUSTER_ASSUME(ComesInTurn_M, (packet_i & here_q & ~ends) == '0)
  `MUSTER_ASSUME(TakenIfAble_M, (taken_i & ~able) == '0)
  `MUSTER_ASSUME(OneBegins_M, twice == '0)

  `MUSTER_ASSERT(PassedByFew_A, 32'(passed_q) <= Passed)

  `MUSTER_ASSERT(FewAreLeft_A, !waits || 32'(passed_q) + 32'(still) <= Most)
  `MUSTER_ASSERT(PointerIsPastNext_A, at_next == '1)
  `MUSTER_ASSERT(OneOutputEach_A, lost == '0)
  `MUSTER_ASSERT(OneOwnerEach_A, owned_twice == '0)

  `MUSTER_COVER(PassedByAsMany_C, 32'(passed_q) == Passed && goes)

endmodule

`default_nettype wire
