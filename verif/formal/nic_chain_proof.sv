// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "muster_assert.svh"

// Nobody is released early by chained remote writes: Members event units with a group in
// dissemination of radix 2, over a medium that holds each STEP for any time and gives it over once,
// in any order, with sequence numbers of 2 bits. docs/systems/nic-events.md, Why nobody is released
// early.
//
// Each member has a number that counts its barriers, here modulo 8. A STEP that is granted is in the
// medium under its sender's number until it comes to its receiver; with Doubles it may stay, and so
// come again. Hosts ring and take events, and STEPs are granted, when they like.
//
//   - a member completes a barrier only when all have begun it; members are one barrier apart
//   - a member sends each STEP once in a barrier, and nothing is in the medium twice
//   - what comes is of the receiver's barrier or the next, none is dropped, no descriptor is lost
module nic_chain_proof #(
  parameter int unsigned Members = 2,
  /// 1: a STEP may come more than once
  parameter int unsigned Doubles = 0,
  localparam int unsigned Rounds = $clog2(Members),
  localparam int unsigned Steps = Rounds + 1
) (
  input  wire logic                     clk_i,
  /// number of the first barrier, as its residue
  input  wire logic [1:0]               first_i,
  input  wire logic [Members-1:0]       start_i,
  input  wire logic [Members-1:0]       loaded_i,
  input  wire logic [Members-1:0]       grant_i,
  /// the STEP of a round and a number comes to member j, if there is one; with Doubles it stays
  input  wire logic [Members-1:0]       comes_i,
  input  wire logic [Members-1:0]       round_i,
  input  wire logic [Members-1:0][2:0]  number_i,
  input  wire logic [Members-1:0]       stays_i
);
  localparam logic [7:0] Group = 8'd7;

  logic rst_ni = 1'b0;
  always_ff @(posedge clk_i) rst_ni <= 1'b1;

  // The host writes the events, then all control words; from then on it rings.
  logic [2:0] setup_q;
  logic [1:0] first_q;
  logic ready;
  assign ready = setup_q == 3'(Steps + 1);
  always_ff @(posedge clk_i) begin
    if (!rst_ni) setup_q <= '0;
    else if (!ready) setup_q <= setup_q + 1'b1;
    if (!rst_ni) first_q <= first_i;
  end

  logic [Members-1:0][31:0] control;
  logic [Members-1:0] want, dropped;
  logic [Members-1:0][2:0] number_q, number;
  // [m * Members + i][q]: the STEP of member i in round m and barrier q is in the medium.
  logic [Members*Rounds-1:0][7:0] medium_q, medium_d, taken, born;
  logic [Members*Rounds-1:0] twice, astray;
  logic [Members*Members-1:0] apart, early;

  for (genvar j = 0; j < Members; j++) begin : gen_member
    logic [31:0] word;
    logic [Rounds-1:0] round, in_medium;
    logic refused, unknown, stale, limited, notice, still, arrives, arrived_q;
    logic [31:0] event_word;
    logic [2:0] number_now_q;
    muster_pkg::nic_message_t in, chosen, held_q, out;

    // A member that waits in round m does so for one source, so its slot is m + 1.
    always_comb begin
      word = {1'b0, 1'b1, 4'd2, 26'd0};  // the last event: chain and one STEP
      for (int unsigned m = 0; m < Rounds; m++) begin
        if (setup_q == 3'(m)) begin
          word = {1'b1, 1'b0, (m == 0) ? 4'd1 : 4'd2, 5'(m + 1), 5'(m + 1), 5'd0,
                  11'((j + (1 << m)) % Members)};
        end
      end
      if (setup_q == 3'(Steps)) word = {2'b10, 14'd0, Group, 6'd0, first_q};
      if (ready) word = 32'd1;
    end

    assign round = Rounds'(1) << round_i[j];
    for (genvar m = 0; m < Rounds; m++) begin : gen_round
      localparam int unsigned From = (j + Members - (1 << m)) % Members;
      assign in_medium[m] = round[m] && medium_q[m*Members+From][number_i[j]];
      assign taken[m*Members+From] = (arrives && round[m] && !(Doubles != 0 && stays_i[j]))
                                     ? 8'd1 << number_i[j] : '0;
      // What this member sends in round m.
      assign born[m*Members+j] = (grant_i[j] && out.slot == 5'(m + 1)) ? 8'd1 << number[j] : '0;
      assign twice[m*Members+j] = (born[m*Members+j] & medium_q[m*Members+j]) != '0;
      assign astray[m*Members+j] = (born[m*Members+j] != '0) &&
                                   (out.peer != 11'((j + (1 << m)) % Members) ||
                                    out.barrier[1:0] != number[j][1:0] + first_q);
    end
    assign arrives = ready && comes_i[j] && !arrived_q && in_medium != '0;
    assign chosen = {muster_pkg::NicStep, 11'd0, 3'd0, 2'(round_i[j]) + 2'd1, Group, 8'd0, 6'd0,
                     2'(number_i[j][1:0] + first_q)};
    assign in = arrived_q ? held_q : chosen;
    always_ff @(posedge clk_i) begin
      arrived_q <= rst_ni && arrives;
      held_q <= chosen;
    end

    nic_event_unit #(
      .Contexts(1),
      .Steps(Steps),
      .SeqW(2)
    ) dut (
      .clk_i,
      .rst_ni,
      .control_i(setup_q == 3'(Steps)),
      .doorbell_i(ready && start_i[j]),
      .entry_i(rst_ni && setup_q < 3'(Steps)),
      .entry_at_i(5'(setup_q)),
      .word_i(word),
      .refused_o(refused),
      .control_o(control[j]),
      .arrives_i(arrives),
      .message_i(in),
      .collective_i(arrived_q),
      .unknown_o(unknown),
      .stale_o(stale),
      .limited_o(limited),
      .want_o(want[j]),
      .message_o(out),
      .grant_i(grant_i[j]),
      .notice_o(notice),
      .event_o(event_word),
      .loaded_i(loaded_i[j]),
      .still_o(still)
    );
    assign dropped[j] = unknown || stale || limited;

    // The number follows the residue, one by one.
    assign number[j] = number_q[j] + 3'(ready && control[j][1:0] != number_q[j][1:0] + first_q);
    always_ff @(posedge clk_i) begin
      if (!ready) number_now_q <= '0;
      else number_now_q <= number[j];
    end
    assign number_q[j] = number_now_q;

    for (genvar i = 0; i < Members; i++) begin : gen_other
      logic [2:0] distance;
      assign distance = number[i] - number[j];
      assign apart[j*Members+i] = !(distance == 3'd0 || distance == 3'd1 || distance == 3'd7);
      // j has just completed the barrier before its number: i has begun that.
      assign early[j*Members+i] = (number[j] != number_q[j]) && (distance == 3'd7) &&
                                  !control[i][28];
    end
  end

  assign medium_d = (medium_q & ~taken) | born;
  always_ff @(posedge clk_i) begin
    if (!ready) medium_q <= '0;
    else medium_q <= medium_d;
  end

  `MUSTER_ASSUME(GrantOnWant_M, (grant_i & ~want) == '0)

  `MUSTER_ASSERT(NobodyIsEarly_A, !ready || early == '0)
  `MUSTER_ASSERT(OneBarrierApart_A, !ready || apart == '0)
  `MUSTER_ASSERT(SentOnce_A, !ready || twice == '0)
  `MUSTER_ASSERT(SaysItsBarrier_A, !ready || astray == '0)
  `MUSTER_ASSERT(NothingIsDropped_A, dropped == '0)

  `MUSTER_COVER(Wraps_C, number[0] == 3'd4 && number[1] == 3'd3)
  `MUSTER_COVER(OfTheNext_C, number[0] == 3'd1 && medium_q[0][1] && number[1] == 3'd0)

endmodule

`default_nettype wire
