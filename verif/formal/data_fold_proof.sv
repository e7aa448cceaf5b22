// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "formal.svh"

// muster_data_fold under any arrivals, as muster_barrier_register gives them, against the meaning
// of Op: 0 OR, 1 XOR, 2 MAX, 3 saturating SUM, 4 AND, 5 XOR of complements, 6 MIN, 7 SUM of
// complements.
//
//   - the data of each port that has come are combined once: those of OR and AND in the next cycle,
//     of others those of one port in each cycle, the lowest first, so that n ports take n cycles
//   - combining is what Op says, and neither order nor grouping matters: so the result is that of
//     all data, in whatever cycles and order they came
//   - the result is there from the cycle in which it is taken, until the next; what passes is the
//     data of its port; a take and a clear leave nothing
//
// With the result of all ports as one fact pdr ends for three ports (barrier_register_proof), not
// for eight: here it is cut into steps.
module data_fold_proof #(
  parameter int unsigned Ports = 8,
  parameter logic [2:0] Op = 3'd3,
  /// a clear forgets the result as well
  parameter int unsigned Forgets = 0,
  localparam int unsigned DataW = 2
) (
  input  wire logic                         clk_i,
  input  wire logic [Ports-1:0]             come_i,
  /// ports that might have brought data, and have not
  input  wire logic [Ports-1:0]             might_i,
  input  wire logic [Ports-1:0][DataW-1:0]  data_i,
  /// what comes passes, though Op folds
  input  wire logic                         passes_i,
  input  wire logic                         take_i,
  input  wire logic                         clear_i
);
  localparam bit Folds = Op[1:0] != 2'd0;

  `MUSTER_FORMAL_RESET

  logic [DataW-1:0] result;
  logic [Ports-1:0] folding;
  logic last, busy, fold;
  assign fold = Folds && !passes_i;
  muster_data_fold #(.Ports(Ports), .DataW(DataW), .Forgets(Forgets)) dut (
    .clk_i, .rst_ni,
    .op_i(Op),
    .offered_i(come_i | might_i),
    .come_i,
    .data_i,
    .fold_i(fold),
    .clear_i,
    .take_i,
    .data_o(result),
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

  // heard: ports that have come since the last take. waits: those whose turn has not come. now:
  // those that are combined in this cycle, all at once or one; it passes, if it came so.
  logic [Ports-1:0] heard_q, waits_q, now_q, lowest;
  logic [Ports-1:0][DataW-1:0] came_q;
  logic [DataW-1:0] operand, sofar_q, whole, taken_q;
  logic [2:0][DataW-1:0] any;
  logic passes_q, taken_before_q;
  assign lowest = waits_q & (~waits_q + 1'b1);
  assign any = {data_i[2], data_i[1], data_i[0]};
  always_comb begin
    operand = '0;
    for (int unsigned p = 0; p < Ports; p++) begin
      if (now_q[p]) operand = operand | (came_q[p] ^ Flip);
    end
  end
  assign whole = passes_q ? operand : both(sofar_q, operand);
  always_ff @(posedge clk_i) begin
    if (!rst_ni || clear_i) begin
      heard_q <= '0;
      waits_q <= '0;
      now_q <= '0;
      passes_q <= 1'b0;
    end else begin
      heard_q <= take_i ? come_i : heard_q | come_i;
      waits_q <= (waits_q & ~lowest) | (fold ? come_i : '0);
      now_q <= lowest | (fold ? '0 : come_i);
      passes_q <= Folds && passes_i && come_i != '0;
    end
    if (!rst_ni || clear_i || take_i) sofar_q <= '0;
    else if (now_q != '0) sofar_q <= both(sofar_q, operand);
    if (take_i) taken_q <= whole ^ Flip;
    if (Forgets == 1 && (!rst_ni || clear_i)) taken_q <= '0;
    taken_before_q <= (rst_ni && (take_i || taken_before_q)) || (Forgets == 1);
    for (int unsigned p = 0; p < Ports; p++) begin
      if (come_i[p]) came_q[p] <= data_i[p];
    end
  end

  // What the header asks of the caller.
  `MUSTER_ASSUME(MightHasNoneToFold_M, (might_i & waits_q) == '0)
  `MUSTER_ASSUME(ComesOnce_M, take_i || (come_i & heard_q) == '0)
  `MUSTER_ASSUME(OnePasses_M, !Folds || !passes_i ||
                              ((come_i & (come_i - 1'b1)) == '0 && heard_q == '0))
  `MUSTER_ASSUME(PassesAlone_M, !passes_q || take_i)
  `MUSTER_ASSUME(TakenWhenFolded_M, !take_i || (waits_q == '0 &&
                                                (!Folds || now_q == '0 || passes_q)))

  `MUSTER_ASSERT(TakesTheWhole_A, !take_i || (result ^ Flip) == whole)
  `MUSTER_ASSERT(KeepsWhatIsTaken_A, take_i || !taken_before_q || result == taken_q)
  `MUSTER_ASSERT(LowestIsFolded_A, (folding & ~now_q) == waits_q &&
                                   busy == ((waits_q | now_q) != '0))
  `MUSTER_ASSERT(LastIsAlone_A, last == (now_q != '0 && waits_q == '0))
  `MUSTER_ASSERT(OneInACycle_A, !Folds || (now_q & (now_q - 1'b1)) == '0)
  `MUSTER_ASSERT(OrderIsNothing_A, both(any[0], any[1]) == both(any[1], any[0]))
  `MUSTER_ASSERT(GroupingIsNothing_A, both(both(any[0], any[1]), any[2]) ==
                                      both(any[0], both(any[1], any[2])))

  `MUSTER_COVER(AllAtOnce_C, &come_i)
  `MUSTER_COVER(AllAreTaken_C, (&heard_q) && take_i)
  `MUSTER_COVER(ComesWhenTaken_C, take_i && (heard_q & come_i) != '0)
  if (Folds) begin : gen_folds
    `MUSTER_COVER(Passes_C, passes_q && take_i && operand != '0)
  end

endmodule

`default_nettype wire
