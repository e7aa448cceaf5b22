// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "muster_assert.svh"

// data_fold under any arrivals, as barrier_register gives them, against the meaning of Op: 0 OR,
// 1 XOR, 2 MAX, 3 saturating SUM, 4 AND, 5 XOR of complements, 6 MIN, 7 SUM of complements.
//
//   - the data of each port that has come are combined once, those of one port in every cycle, the
//     lowest first, so that n ports take n cycles; those of OR and AND in the cycle after they came
//   - combining is what Op says, and neither order nor grouping matters: so the result is that of
//     all data, in whatever cycles and order they came
//   - what passes is the data of its port; a result stays until the next; a clear leaves nothing
//   - what is offered and does not come changes nothing
//
// With the result of all ports as one fact pdr ends for three ports (barrier_register_proof), not
// for eight; cut into its steps it ends in a second.
module data_fold_proof #(
  parameter int unsigned Ports = 8,
  parameter logic [2:0] Op = 3'd3,
  localparam int unsigned DataW = 2
) (
  input  wire logic                         clk_i,
  input  wire logic [Ports-1:0]             offered_i,
  input  wire logic [Ports-1:0]             come_i,
  input  wire logic [Ports-1:0][DataW-1:0]  data_i,
  /// what comes passes
  input  wire logic                         passes_i,
  input  wire logic                         take_i,
  input  wire logic                         clear_i
);
  localparam logic Folds = Op[1:0] != 2'd0;

  logic rst_ni = 1'b0;
  always_ff @(posedge clk_i) rst_ni <= 1'b1;

  logic [DataW-1:0] data;
  logic [Ports-1:0] folding;
  logic last, busy;
  data_fold #(
    .Ports(Ports),
    .DataW(DataW)
  ) dut (
    .clk_i,
    .rst_ni,
    .op_i(Op),
    .offered_i,
    .come_i,
    .data_i,
    .fold_i(Folds && !passes_i),
    .clear_i,
    .take_i,
    .data_o(data),
    .folding_o(folding),
    .last_o(last),
    .busy_o(busy)
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

  // Data that have come and are neither combined nor chosen; those that are combined in this cycle.
  logic [Ports-1:0] waits_q, lowest, chosen_q;
  logic [Ports-1:0][DataW-1:0] came_q;
  logic [DataW-1:0] operand, sofar_q, result, taken_q;
  logic [2:0][DataW-1:0] any;
  logic some_q, passed_q, was_taken_q;
  assign lowest = waits_q & (~waits_q + 1'b1);
  assign any = {data_i[2], data_i[1], data_i[0]};
  always_comb begin
    operand = '0;
    for (int unsigned p = 0; p < Ports; p++) begin
      if (chosen_q[p]) operand = operand | came_q[p];
    end
  end
  assign result = ((Folds && passed_q) ? operand : both(sofar_q, operand)) ^ Flip;
  always_ff @(posedge clk_i) begin
    if (!rst_ni || clear_i) begin
      waits_q <= '0;
      chosen_q <= '0;
    end else begin
      waits_q <= (waits_q & ~lowest) | ((Folds && !passes_i) ? come_i : '0);
      chosen_q <= lowest | ((Folds && !passes_i) ? '0 : come_i);
    end
    for (int unsigned p = 0; p < Ports; p++) begin
      if (come_i[p]) came_q[p] <= data_i[p] ^ Flip;
    end
    // With nothing chosen the operand is 0, which changes nothing.
    sofar_q <= (!rst_ni || clear_i || take_i) ? '0 : both(sofar_q, operand);
    if (take_i) taken_q <= result;
    was_taken_q <= rst_ni && (take_i || was_taken_q);
    some_q <= rst_ni && !clear_i && !take_i && (some_q || come_i != '0);
    passed_q <= rst_ni && !clear_i && passes_i;
  end

  // As barrier_register asserts of itself: a port comes again after a result, a message that passes
  // alone and after one, and its result is taken at once.
  logic [Ports-1:0] heard_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni || clear_i || take_i) heard_q <= '0;
    else heard_q <= heard_q | come_i;
  end
  `MUSTER_ASSUME(ComesIsOffered_M, (come_i & ~offered_i) == '0)
  `MUSTER_ASSUME(ArrivesOnce_M, (offered_i & heard_q) == '0)
  `MUSTER_ASSUME(OnePasses_M, !passes_i || (!some_q && come_i != '0 && !take_i &&
                                            (come_i & (come_i - 1'b1)) == '0))
  `MUSTER_ASSUME(PassedIsTaken_M, !passed_q || take_i)
  `MUSTER_ASSUME(TakenWhenFolded_M, !take_i || (waits_q == '0 && come_i == '0 &&
                                                (!Folds || passed_q || chosen_q == '0)))

  `MUSTER_ASSERT(TakesAll_A, !take_i || data == result)
  `MUSTER_ASSERT(StaysTaken_A, take_i || !was_taken_q || data == taken_q)
  `MUSTER_ASSERT(LowestIsFolded_A, folding == (waits_q |
                                               ((Folds && !passed_q && !passes_i) ? chosen_q : '0)))
  `MUSTER_ASSERT(LastIsAlone_A, last == (waits_q == '0 && chosen_q != '0))
  `MUSTER_ASSERT(BusyWhileData_A, busy == ((waits_q | chosen_q) != '0))
  `MUSTER_ASSERT(OrderIsNothing_A, both(any[0], any[1]) == both(any[1], any[0]))
  `MUSTER_ASSERT(GroupingIsNothing_A, both(both(any[0], any[1]), any[2]) ==
                                      both(any[0], both(any[1], any[2])))

  `MUSTER_COVER(AllAtOnce_C, &come_i)
  `MUSTER_COVER(AllAreTaken_C, (&heard_q) && take_i)
  `MUSTER_COVER(Passes_C, passed_q && data != '0)

endmodule

`default_nettype wire
