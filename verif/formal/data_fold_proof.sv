// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "muster_assert.svh"

// data_fold under any arrivals, as barrier_register gives them, against the meaning of Op: 0 OR,
// 1 XOR, 2 MAX, 3 saturating SUM, 4 AND, 5 XOR of complements, 6 MIN, 7 SUM of complements.
//
//   - the data of each port that has come are combined once, those of one port in every cycle, the
//     lowest first, so that n ports take n cycles; those of OR and AND in the cycle in which they
//     come
//   - combining is what Op says, and neither order nor grouping matters: so the result is that of
//     all data, in whatever cycles and order they came
//   - what passes is the data of its port; a restart and a clear leave nothing
//
// With the result of all ports as one fact pdr ends for three ports (barrier_register_proof), not
// for eight; cut into its steps it ends in a second.
module data_fold_proof #(
  parameter int unsigned Ports = 8,
  parameter logic [2:0] Op = 3'd3,
  localparam int unsigned DataW = 2
) (
  input  wire logic                         clk_i,
  input  wire logic [Ports-1:0]             arrivals_i,
  input  wire logic [Ports-1:0]             passes_i,
  input  wire logic [Ports-1:0][DataW-1:0]  data_i,
  input  wire logic                         restart_i,
  input  wire logic                         clear_i
);
  logic rst_ni = 1'b0;
  always_ff @(posedge clk_i) rst_ni <= 1'b1;

  logic [DataW-1:0] passed, up, up_next;
  logic [Ports-1:0] folding, come;
  logic last;
  assign come = arrivals_i | passes_i;
  data_fold #(
    .Ports(Ports),
    .DataW(DataW)
  ) dut (
    .clk_i,
    .rst_ni,
    .op_i(Op),
    .come_i(come),
    .arrivals_i,
    .data_i,
    .passed_o(passed),
    .restart_i,
    .clear_i,
    .up_o(up),
    .up_next_o(up_next),
    .folding_o(folding),
    .last_o(last)
  );

  // ---- The meaning, on data whose complements are taken where Op says so ----------------------
  localparam logic [DataW-1:0] Flip = {DataW{Op[2]}};
  function automatic logic [DataW-1:0] both(
    input logic [DataW-1:0] a, input logic [DataW-1:0] b
  );
    logic [DataW:0] sum;
    sum = {1'b0, a} + {1'b0, b};
    unique case (Op[1:0])
      2'd0: both = a | b;
      2'd1: both = a ^ b;
      2'd2: both = (a > b) ? a : b;
      default: both = sum[DataW] ? '1 : sum[DataW-1:0];
    endcase
  endfunction

  logic [Ports-1:0] mine, waits_q, lowest;  // data that have come and are not combined
  logic [Ports-1:0][DataW-1:0] came_q;
  logic [DataW-1:0] at_once, operand, through, next_q;
  logic [2:0][DataW-1:0] any;
  logic steps_q, cleared_q;
  assign mine = (Op[1:0] == 2'd0) ? '0 : arrivals_i;
  assign lowest = waits_q & (~waits_q + 1'b1);
  assign any = {data_i[2], data_i[1], data_i[0]};
  always_comb begin
    at_once = '0;
    operand = '0;
    through = '0;
    for (int unsigned p = 0; p < Ports; p++) begin
      if (arrivals_i[p] && Op[1:0] == 2'd0) at_once = at_once | (data_i[p] ^ Flip);
      if (lowest[p]) operand = operand | came_q[p];
      if (passes_i[p]) through = through | data_i[p];
    end
  end
  always_ff @(posedge clk_i) begin
    if (!rst_ni || clear_i) waits_q <= '0;
    else waits_q <= (waits_q & ~lowest) | mine;
    for (int unsigned p = 0; p < Ports; p++) begin
      if (mine[p]) came_q[p] <= data_i[p] ^ Flip;
    end
    steps_q <= rst_ni;
    cleared_q <= clear_i || restart_i;
    // With nothing that waits the operand is 0, which changes nothing.
    next_q <= both(both(up ^ Flip, operand), at_once);
  end

  // As barrier_register asserts of itself.
  logic [Ports-1:0] heard_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni || clear_i || restart_i) heard_q <= '0;
    else heard_q <= heard_q | arrivals_i;
  end
  `MUSTER_ASSUME(ArrivesOnce_M, (arrivals_i & heard_q) == '0)
  `MUSTER_ASSUME(OnePasses_M, passes_i == '0 ||
                 (arrivals_i == '0 && (passes_i & (passes_i - 1'b1)) == '0 && restart_i))
  `MUSTER_ASSUME(RestartLeavesNone_M, !restart_i || clear_i ||
                                      ((waits_q & (waits_q - 1'b1)) == '0 && mine == '0))

  `MUSTER_ASSERT(CombinesOnce_A, !steps_q || (up ^ Flip) == (cleared_q ? '0 : next_q))
  `MUSTER_ASSERT(NextIsSaid_A, passes_i != '0 ||
                               (up_next ^ Flip) == both(both(up ^ Flip, operand), at_once))
  `MUSTER_ASSERT(LowestIsFolded_A, folding == waits_q)
  `MUSTER_ASSERT(LastIsAlone_A, last == (waits_q != '0 && waits_q == lowest))
  `MUSTER_ASSERT(OrderIsNothing_A, both(any[0], any[1]) == both(any[1], any[0]))
  `MUSTER_ASSERT(GroupingIsNothing_A, both(both(any[0], any[1]), any[2]) ==
                                      both(any[0], both(any[1], any[2])))
  `MUSTER_ASSERT(PassesUnchanged_A, passes_i == '0 || passed == through)

  `MUSTER_COVER(AllAtOnce_C, &arrivals_i)
  `MUSTER_COVER(AllAreHeard_C, (&heard_q) && folding == '0)
  `MUSTER_COVER(Passes_C, passes_i != '0 && up != '0)

endmodule

`default_nettype wire
