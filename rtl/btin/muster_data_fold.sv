// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "muster_assert.svh"

// The data of one barrier register: the data of its ports, combined and kept for the message that
// is sent (BTIN section 3.2: the merging of reduction messages).
//
// op_i: bits 1..0 are 0 OR, 1 XOR, 2 MAX, 3 SUM saturating at all ones. With bit 2 data are
// complemented on the way in and the result on the way out, so that 4 is AND and 6 is MIN. Data are
// unsigned numbers.
//
// The data of come_i in cycle t are in a latch of their port, unchanged, from t + 1 on. With OR and
// AND, and for a message that passes (fold_i clear), those of all ports are combined with the
// previous result in t + 1, so they cost no cycle: take_i may be in t + 1. With fold_i the port
// waits (folding_o); the lowest waiting port is chosen in each cycle, and combined in the next.
// last_o: the last is being combined. So n ports whose data came in t are combined by the edge of t
// + n + 1, and the result may be taken in t + n + 2. No message waits for that. The operations are
// associative and commutative, so ports need no order.
//
// data_o is the result from the cycle of take_i on, until the next; data that come from that cycle
// on begin a new result. A message that passes comes alone after a take_i, and is taken in the next
// cycle. A port comes again only from the next take_i on.
//
// With Ops there is no other operation than OR and AND: no data wait, there is no latch, and data_i
// is of the cycle before, kept in one place for all registers.
module muster_data_fold #(
  /// ports of the switch, 3 to 32
  parameter int unsigned Ports = 8,
  /// bits of synchronization data, 2 to 74
  parameter int unsigned DataW = 6,
  /// any operation, or OR and AND alone; 0 to 1
  parameter int unsigned Ops = 0,
  /// a clear forgets the result as well; 0 to 1
  parameter int unsigned Forgets = 0
) (
  input  wire logic                          clk_i,
  input  wire logic                          rst_ni,

  input  wire logic [2:0]                    op_i,
  /// data of these ports may have come, and have; they are to be folded. A port may bring data only
  /// while none of its own wait to be chosen, so its latch is written before it is known whether
  /// they have come
  /* verilator lint_off UNUSEDSIGNAL */
  input  wire logic [Ports-1:0]              offered_i,
  /* verilator lint_on UNUSEDSIGNAL */
  input  wire logic [Ports-1:0]              come_i,
  input  wire logic [Ports-1:0][DataW-1:0]   data_i,
  input  wire logic                          fold_i,
  /// forget all that has come, whatever comes in this cycle
  input  wire logic                          clear_i,

  /// the result is taken; none waits then
  input  wire logic                          take_i,
  output logic [DataW-1:0]                   data_o,

  /// data of these ports are still to be folded; of one alone, in this cycle
  output logic [Ports-1:0]                   folding_o,
  output logic                               last_o,
  /// something changes at the edge, whatever comes
  output logic                               busy_o
);
  `MUSTER_RANGE(Ports, 3, 32)
  `MUSTER_RANGE(DataW, 2, 74)
  `MUSTER_RANGE(Ops, 0, 1)
  `MUSTER_RANGE(Forgets, 0, 1)

  localparam logic [1:0] Or = 2'd0, Max = 2'd2, Sum = 2'd3;

  logic [Ports-1:0][DataW-1:0] latch_q;  // with Ops that of the unit
  logic [Ports-1:0] waiting, first, chosen_q;
  logic [DataW-1:0] operand, sofar_q, folded, result, kept_q;

  logic is_max, some;
  assign some = chosen_q != '0;
  assign is_max = Ops == 0 && op_i[1:0] == Max;

  // ---- What is combined in this cycle, and in the next ----------------------------------------
  if (Ops == 0) begin : gen_wait
    logic [Ports-1:0] waiting_q, above;
    muster_above_lowest #(.N(Ports)) lowest (
      .bits_i(waiting_q),
      .above_o(above)
    );
    assign first = waiting_q & ~above;
    assign waiting = waiting_q;

    always_ff @(posedge clk_i) begin
      if (!rst_ni || clear_i) waiting_q <= '0;
      else waiting_q <= (waiting_q & ~first) | (fold_i ? come_i : '0);
      if (offered_i != '0) begin
        for (int unsigned p = 0; p < Ports; p++) begin
          if (offered_i[p]) latch_q[p] <= data_i[p];
        end
      end
    end
  end else begin : gen_no_wait
    assign first = '0;
    assign waiting = '0;
    assign latch_q = data_i;
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni || clear_i) chosen_q <= '0;
    else chosen_q <= first | (fold_i ? '0 : come_i);
  end

  // MAX compares by the carry of what has come so far less the operand, so there the operand is
  // complemented, and the result is again where one has passed. In this form a bit takes a LUT of
  // four inputs for each port and one each for the sum, the choice without it, that with it, and
  // the result.
  always_comb begin
    operand = '0;
    if (some) begin  // a simulator skips this in most cycles
      for (int unsigned p = 0; p < Ports; p++) begin
        if (chosen_q[p]) operand = operand | (latch_q[p] ^ {DataW{op_i[2] ^ is_max}});
      end
    end
  end

  if (Ops == 0) begin : gen_fold
    logic [DataW-1:0] sum, other;
    logic carry, low;  // low: the carry into bit 0, and no more
    logic is_sum, second;
    assign is_sum = op_i[1:0] == Sum;
    assign {carry, sum, low} = {1'b0, sofar_q, 1'b1} + {1'b0, operand, is_max};
    assign second = is_max ? !carry : op_i[0];
    assign other = is_max ? (second ? ~operand : sofar_q)
                          : (second ? sofar_q ^ operand : sofar_q | operand);
    assign folded = is_sum ? sum | {DataW{carry}} : other;

    logic unused;
    assign unused = &{1'b0, low};
  end else begin : gen_no_fold
    assign folded = sofar_q | operand;
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni || clear_i || take_i) sofar_q <= '0;
    else if (some) sofar_q <= folded;
  end

  // ---- Result ---------------------------------------------------------------------------------
  // What is folded is in sofar_q, and no port is chosen then; one that passes finds nothing there.
  assign result = (sofar_q | operand) ^ {DataW{op_i[2] ^ (is_max && some)}};
  assign data_o = take_i ? result : kept_q;

  always_ff @(posedge clk_i) begin
    if (Forgets == 1 && (!rst_ni || clear_i)) kept_q <= '0;
    else if (take_i) kept_q <= result;
  end

  logic folds;
  assign folds = op_i[1:0] != Or && fold_i;
  // One that has passed is chosen in the cycle in which it is taken.
  assign folding_o = waiting | ((fold_i && !take_i) ? chosen_q : '0);
  assign last_o = some && waiting == '0;
  assign busy_o = (waiting | chosen_q) != '0;

  `MUSTER_ASSERT(WasOffered_A, (come_i & ~offered_i) == '0)
  `MUSTER_ASSERT(ComesOnce_A, (offered_i & waiting) == '0)
  `MUSTER_ASSERT(OrNeverWaits_A, folds || waiting == '0)
  `MUSTER_ASSERT(OneIsFolded_A, !folds || (chosen_q & (chosen_q - 1'b1)) == '0)
  `MUSTER_ASSERT(NoneWaitsWhenTaken_A, !take_i || waiting == '0)
  `MUSTER_ASSERT(OperationIsThere_A, Ops == 0 || op_i[1:0] == Or)

endmodule

`default_nettype wire
