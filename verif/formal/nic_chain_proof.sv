// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "formal.svh"

// No member is released early by chained remote writes: Members event units with a group in
// dissemination of radix 2, over a medium that holds each STEP for any time and gives it over once,
// in any order, with sequence numbers of 2 bits (docs/systems/nic-engine.md).
//
// A STEP that is granted is in the medium under its sender's number, of the 4 that there are, until
// it comes to its receiver; with Doubles it may stay, and so come again. Hosts ring and take
// events, and STEPs are granted, when they like.
//
//   - a member completes a barrier only when all have begun it; members are one barrier apart
//   - a member sends each STEP once in a barrier, and nothing is in the medium twice
//   - what comes is of the receiver's barrier or the next, none is dropped, no descriptor is lost
//   - a STEP that was sent is in the medium or has been counted, and never both
//   - an event fires when it has the chain's count and its STEP, in that cycle, and only then
module nic_chain_proof #(
  parameter int unsigned Members = 2,
  /// 1: a STEP may come more than once
  parameter int unsigned Doubles = 0,
  localparam int unsigned Rounds = $clog2(Members),
  localparam int unsigned Steps = Rounds + 1
) (
  input  wire logic                     clk_i,
  input  wire logic [Members-1:0]       start_i,
  input  wire logic [Members-1:0]       loaded_i,
  input  wire logic [Members-1:0]       grant_i,
  /// the STEP of a round and a number comes to member j, if there is one; with Doubles it stays
  input  wire logic [Members-1:0]       comes_i,
  input  wire logic [Members-1:0]       round_i,
  input  wire logic [Members-1:0][1:0]  number_i,
  input  wire logic [Members-1:0]       stays_i
);
  localparam logic [7:0] Group = 8'd7;

  `MUSTER_FORMAL_RESET

  // The host writes the events, then all control words; from then on it rings.
  logic [2:0] setup_q;
  logic ready;
  assign ready = setup_q == 3'(Steps + 1);
  always_ff @(posedge clk_i) begin
    if (!rst_ni) setup_q <= '0;
    else if (!ready) setup_q <= setup_q + 1'b1;
  end

  logic [Members-1:0][31:0] control;
  logic [Members-1:0] want, dropped;
  logic [Members-1:0][1:0] number_q, number;
  // [m * Members + i][q]: the STEP of member i in round m and barrier q is in the medium.
  logic [Members*Rounds-1:0][3:0] medium_q, medium_d, taken, born;
  logic [Members*Rounds-1:0] twice, astray;
  logic [Members*Members-1:0] apart, early;
  // On its way from the medium into member j, in the cycle of its tail and in the next.
  logic [Members-1:0] comes, landed, land_round;
  logic [Members*2-1:0] land_number;

  for (genvar j = 0; j < Members; j++) begin : gen_member
    logic [31:0] word;
    logic [Rounds-1:0] round, in_medium;
    logic unknown, stale, limited, arrives, arrived_q;
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
      if (setup_q == 3'(Steps)) word = {2'b10, 14'd0, Group, 8'd0};
      if (ready) word = 32'd1;
    end

    assign round = Rounds'(1) << round_i[j];
    for (genvar m = 0; m < Rounds; m++) begin : gen_round
      localparam int unsigned From = (j + Members - (1 << m)) % Members;
      assign in_medium[m] = round[m] && medium_q[m*Members+From][number_i[j]];
      assign taken[m*Members+From] = (arrives && round[m] && !(Doubles != 0 && stays_i[j]))
                                     ? 4'd1 << number_i[j] : '0;
      // What this member sends in round m.
      assign born[m*Members+j] = (grant_i[j] && out.slot == 5'(m + 1)) ? 4'd1 << number[j] : '0;
      assign twice[m*Members+j] = (born[m*Members+j] & medium_q[m*Members+j]) != '0;
      assign astray[m*Members+j] = (born[m*Members+j] != '0) &&
                                   (out.peer != 11'((j + (1 << m)) % Members) ||
                                    out.barrier[1:0] != number[j]);
    end
    assign arrives = ready && comes_i[j] && !arrived_q && in_medium != '0;
    assign chosen = {muster_pkg::NicStep, 11'd0, 3'd0, 2'(round_i[j]) + 2'd1, Group, 8'd0, 6'd0,
                     number_i[j]};
    assign in = arrived_q ? held_q : chosen;
    logic round_q;
    logic [1:0] landed_number_q;
    always_ff @(posedge clk_i) begin
      arrived_q <= rst_ni && arrives;
      held_q <= chosen;
      round_q <= round_i[j];
      landed_number_q <= number_i[j];
    end
    assign comes[j] = arrives;
    assign landed[j] = arrived_q;
    assign land_round[j] = round_q;
    assign land_number[j*2+:2] = landed_number_q;

    muster_nic_event_unit #(.Contexts(1), .Steps(Steps), .SeqW(2)) dut (
      .clk_i, .rst_ni,
      .control_i(setup_q == 3'(Steps)),
      .doorbell_i(ready && start_i[j]),
      .entry_i(rst_ni && setup_q < 3'(Steps)),
      .entry_at_i(5'(setup_q)),
      .word_i(word),
      .at_i(1'b0),
      .event_at_i(1'b0),
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
      .loaded_i(loaded_i[j])
    );
    assign dropped[j] = unknown || stale || limited;

    assign number[j] = control[j][1:0];
    logic [1:0] before_q;
    always_ff @(posedge clk_i) before_q <= ready ? number[j] : '0;
    assign number_q[j] = before_q;

    for (genvar i = 0; i < Members; i++) begin : gen_other
      logic [1:0] distance;
      assign distance = number[i] - number[j];
      assign apart[j*Members+i] = distance == 2'd2;
      // j has just completed the barrier before its number: i has begun that.
      assign early[j*Members+i] = (number[j] != number_q[j]) && (distance == 2'd3) &&
                                  !control[i][28];
    end
  end

  assign medium_d = (medium_q & ~taken) | born;
  always_ff @(posedge clk_i) begin
    if (!ready) medium_q <= '0;
    else medium_q <= medium_d;
  end

  // ---- What has been counted, as seen at the ports --------------------------------------------
  // got[m][b]: the STEP of round m has been counted at j for its barrier whose residue's lowest bit
  // is b, its present one or the next. one[m][b]: event m + 1 has one count of these. chain: the
  // local count of event `at` has been made. full: the descriptor of `at` is in its place.
  logic [Members*Rounds-1:0][1:0] got_q, got_d, one_q, one_d;
  logic [Members*Rounds-1:0] unsent, unborn, unheard, miscounted;
  logic [Members*Rounds-1:0][3:0] old;
  logic [Members*Rounds-1:0] heard_of;
  logic [Members-1:0] odd_list, untimely, heard_before;
  always_ff @(posedge clk_i) begin
    if (!ready) got_q <= '0;
    else got_q <= got_d;
    if (!ready) one_q <= '0;
    else one_q <= one_d;
  end
  for (genvar j = 0; j < Members; j++) begin : gen_counted
    logic odd, running, rings, due_q, begun_q, chain_q, full_q, fires, done, heard, new_number;
    logic [4:0] at;
    assign running = control[j][28];
    assign at = control[j][20:16];
    assign rings = ready && start_i[j] && control[j][31] && !running &&
                   control[j][25:24] == 2'd0;
    assign odd = control[j][0];
    assign new_number = number[j] != number_q[j];
    assign done = full_q && (32'(at) == Rounds || grant_i[j]);
    assign fires = running && !full_q && (chain_q || begun_q) && heard;
    always_ff @(posedge clk_i) begin
      if (!ready) {due_q, begun_q, chain_q, full_q} <= '0;
      else begin
        due_q <= ((due_q || rings) && comes[j]) || (done && 32'(at) != Rounds);
        begun_q <= (due_q || rings) && !comes[j];
        chain_q <= (chain_q || begun_q) && !done;
        full_q <= (full_q || fires) && !done;
      end
    end
    // Event `at` needs no STEP, or has it, or it is counted in this cycle.
    always_comb begin
      heard = at == 5'd0;
      for (int unsigned m = 0; m < Rounds; m++) begin
        if (at == 5'(m + 1) && heard_of[m*Members+j]) heard = 1'b1;
      end
    end
    assign untimely[j] = ready && (want[j] != (full_q && 32'(at) != Rounds) ||
                                   (full_q && !chain_q) || (running && 2'(due_q) + 2'(begun_q) +
                                   2'(chain_q) != 2'd1) ||
                                   (!running && (due_q || begun_q || chain_q || full_q)) ||
                                   (chain_q && !full_q && heard_before[j]));
    assign odd_list[j] = ready && (!control[j][31] || control[j][15:8] != Group ||
                                   32'(at) > Rounds);
    logic [Rounds-1:0] kept;
    assign heard_before[j] = at == 5'd0 || (kept & (Rounds'(1) << (at - 5'd1))) != '0;
    for (genvar m = 0; m < Rounds; m++) begin : gen_round
      localparam int unsigned From = (j + Members - (1 << m)) % Members;
      logic counted, counted_next, kept_next, sent;
      logic [1:0] bits, ones, flips;  // flips: of the next barrier, of this one
      logic [3:0] mine, landing;
      logic [1:0] ahead;
      assign bits = got_q[m*Members+j];
      assign kept[m] = odd ? bits[1] : bits[0];
      assign kept_next = (odd ? bits[0] : bits[1]) && !new_number;
      assign counted = landed[j] && land_round[j] == 1'(m) && land_number[j*2+:2] == number[j];
      assign counted_next = landed[j] && land_round[j] == 1'(m) &&
                            land_number[j*2+:2] == number[j] + 2'd1;
      assign heard_of[m*Members+j] = kept[m] || counted;
      assign got_d[m*Members+j] = odd ? {kept[m] || counted, kept_next || counted_next}
                                      : {kept_next || counted_next, kept[m] || counted};
      assign ones = one_q[m*Members+j];
      assign flips = {counted_next, counted ^ (begun_q && running && at == 5'(m + 1))};
      assign one_d[m*Members+j] = ones ^ (odd ? {flips[0], flips[1]} : flips);
      assign miscounted[m*Members+j] = ready && (
          (odd ? ones[1] : ones[0]) != (kept[m] ^ (running && (32'(at) > m + 1 ||
                                                              (at == 5'(m + 1) && chain_q)))) ||
          (odd ? ones[0] : ones[1]) != kept_next);
      // The sender is past this send in its present barrier.
      assign sent = control[From][28] && 32'(control[From][20:16]) > m;
      assign ahead = number[From] - number[j];
      assign landing = (landed[j] && land_round[j] == 1'(m)) ? 4'd1 << land_number[j*2+:2] : '0;
      assign mine = medium_q[m*Members+From] | landing;
      // Of this barrier and the next: in the medium or counted, exactly if it was sent.
      assign unsent[m*Members+j] = ready && (mine[number[j]] || kept[m]) !=
                                   (ahead == 2'd1 || (ahead == 2'd0 && sent));
      assign unborn[m*Members+j] = ready && (mine[number[j] + 2'd1] || kept_next) !=
                                   (ahead == 2'd1 && sent);
      assign old[m*Members+j] = ready ? mine & ~(4'd1 << number[j]) &
                                        ~(4'd1 << (number[j] + 2'd1)) : '0;
      assign unheard[m*Members+j] = ready && (
          (mine[number[j]] && kept[m]) || (mine[number[j] + 2'd1] && kept_next) ||
          (medium_q[m*Members+From] & landing) != '0 ||
          // An event behind `at` has had its STEP.
          (running && 32'(at) > m + 1 && !kept[m]) ||
          (full_q && at == 5'(m + 1) && !kept[m]));
    end
  end
  `MUSTER_ASSUME(GrantOnWant_M, (grant_i & ~want) == '0)

  `MUSTER_ASSERT(InItsList_A, odd_list == '0)
  `MUSTER_ASSERT(FiresInTime_A, Doubles != 0 || untimely == '0)
  `MUSTER_ASSERT(SentIsThere_A, Doubles != 0 || unsent == '0)
  `MUSTER_ASSERT(SentOfTheNextIsThere_A, Doubles != 0 || unborn == '0)
  `MUSTER_ASSERT(NoneIsOld_A, Doubles != 0 || old == '0)
  `MUSTER_ASSERT(CountsAreOfSources_A, Doubles != 0 || miscounted == '0)
  `MUSTER_ASSERT(CountedOnce_A, Doubles != 0 || unheard == '0)

  `MUSTER_ASSERT(NobodyIsEarly_A, !ready || early == '0)
  `MUSTER_ASSERT(OneBarrierApart_A, !ready || apart == '0)
  `MUSTER_ASSERT(SentOnce_A, !ready || twice == '0)
  `MUSTER_ASSERT(SaysItsBarrier_A, !ready || astray == '0)
  `MUSTER_ASSERT(NothingIsDropped_A, dropped == '0)

  `MUSTER_COVER(Wraps_C, number[0] == 2'd0 && number[1] == 2'd3)
  `MUSTER_COVER(OfTheNext_C, number[0] == 2'd1 && medium_q[0][1] && number[1] == 2'd0)

endmodule

`default_nettype wire
