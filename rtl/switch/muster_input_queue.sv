// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "muster_assert.svh"
`include "muster_few.svh"

// The input queue of one port and virtual channel, whose flits are taken a cycle before they leave.
//
// A flit pushed in cycle t is in the queue from t + 1 on. ready_o: there is a flit that is not
// taken yet; tail_o is the tail bit of the oldest such flit. With take_i in cycle t that flit is
// taken: it is at data_o in t + 1, with leaves_o, and gone in t + 2. A flit can be taken in each
// cycle. So the decision about a flit begins at flip-flops without storage behind them, and a
// flip-flop controls the storage: neither path includes the other.
//
// A taken flit's credit is returned in the cycle in which the flit leaves (leaves_o); its place is
// free at the end of that cycle, before any flit can come for it.
//
// With Guard the newest flit of a full queue can become a tail (cut_i): the packet behind which a
// flit was lost ends there, docs/systems/guard.md. Then only left_tail_o tells whether the flit
// that leaves is a tail; its bit in data_o is the one with which it came, so the two tell a cut.
//
// After reset the queue is empty. The storage has no reset.
module muster_input_queue #(
  /// bits of a flit, 1 to 128
  parameter int unsigned Width = 18,
  /// flits it holds, 1 to 16. Requires Guard == 0 || Depth >= 2
  parameter int unsigned Depth = 4,
  /// flits can become tails; 0 to 1
  parameter int unsigned Guard = 0
) (
  input  wire logic              clk_i,
  input  wire logic              rst_ni,

  /// append data_i, whose tail bit is push_tail_i; only with a free place
  input  wire logic              push_i,
  input  wire logic              push_tail_i,
  input  wire logic [Width-1:0]  data_i,

  /// a flit is there that is not taken; it is a tail
  output logic                   ready_o,
  output logic                   tail_o,
  /// take it; only with ready_o
  input  wire logic              take_i,
  /// Depth flits are not taken; the newest of them becomes a tail, only if there are so many
  output logic                   full_o,
  input  wire logic              cut_i,

  /// the flit taken in the cycle before is at data_o, and leaves
  output logic                   leaves_o,
  output logic [Width-1:0]       data_o,
  /// with Guard: it is a tail
  output logic                   left_tail_o
);
  if (Width < 1 || Width > 128) begin : gen_bad_width
    $error("muster_input_queue: Width must be 1 to 128");
  end
  if (Depth < 1 || Depth > 16) begin : gen_bad_depth
    $error("muster_input_queue: Depth must be 1 to 16");
  end
  if (Guard > 1 || (Guard == 1 && Depth < 2)) begin : gen_bad_guard
    $error("muster_input_queue: Guard must be 0 or 1, and with it Depth at least 2");
  end

  // Flits not taken, in unary: bit c for more than c of them; and their tail bits, oldest first.
  logic [Depth-1:0] untaken_q, tails_q, tails, with_push, tails_with_push;
  logic leaves_q;
  logic [Width-1:0] head_q;

  // Masked: from multiplexers a tool would infer an enable behind take_i.
  always_comb begin
    with_push = untaken_q;
    tails_with_push = tails & untaken_q;
    if (`MUSTER_FEW(push_i || take_i || (Guard == 1 && cut_i))) begin
      with_push = untaken_q | (Depth'({untaken_q, 1'b1}) & {Depth{push_i}});
      tails_with_push = (tails & untaken_q) | ({Depth{push_tail_i}} & ~untaken_q);
    end
  end

  if (Guard == 1) begin : gen_guard
    logic left_tail_q;
    assign tails = tails_q | (Depth'(cut_i) << (Depth - 1));
    always_ff @(posedge clk_i) begin
      if (take_i) left_tail_q <= tails_q[0];
    end
    assign left_tail_o = left_tail_q;
  end else begin : gen_no_guard
    assign tails = tails_q;
    assign left_tail_o = 1'b0;

    /* verilator lint_off UNUSEDSIGNAL */
    logic unused;
    assign unused = cut_i;
    /* verilator lint_on UNUSEDSIGNAL */
  end

  // take_i comes last in a cycle: one multiplexer behind it.
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      untaken_q <= '0;
      leaves_q <= 1'b0;
    end else begin
      untaken_q <= take_i ? Depth'({1'b0, with_push} >> 1) : with_push;
      leaves_q <= take_i;
    end
  end
  always_ff @(posedge clk_i) begin
    if (push_i || take_i || (Guard == 1 && cut_i)) begin
      tails_q <= take_i ? Depth'({1'b0, tails_with_push} >> 1) : tails_with_push;
    end
  end

  // The oldest flit stands in a register, the others wait in a ring.
  if (Depth == 1) begin : gen_one
    always_ff @(posedge clk_i) begin
      if (push_i) head_q <= data_i;
    end
  end else begin : gen_ring
    localparam int unsigned Places = Depth - 1;
    localparam int unsigned PointerW = (Places > 1) ? $clog2(Places) : 1;
    localparam logic [PointerW-1:0] Last = PointerW'(Places - 1);

    logic [Width-1:0] mem [Places];
    logic [PointerW-1:0] read_q, write_q;

    // Behind the flit that leaves are those not taken: with none of them the next flit is the head.
    always_ff @(posedge clk_i) begin
      if (push_i && untaken_q[0]) mem[write_q] <= data_i;
    end
    always_ff @(posedge clk_i) begin
      if (untaken_q[0] ? leaves_q : push_i) head_q <= untaken_q[0] ? mem[read_q] : data_i;
    end

    always_ff @(posedge clk_i) begin
      if (!rst_ni) begin
        read_q <= '0;
        write_q <= '0;
      end else begin
        if (push_i && untaken_q[0]) write_q <= (write_q == Last) ? '0 : write_q + 1'b1;
        if (leaves_q && untaken_q[0]) read_q <= (read_q == Last) ? '0 : read_q + 1'b1;
      end
    end
  end

  assign full_o = untaken_q[Depth-1];
  assign ready_o = untaken_q[0];
  assign tail_o = tails_q[0];
  assign leaves_o = leaves_q;
  assign data_o = head_q;

  `MUSTER_ASSERT(CountIsUnary_A, (untaken_q & (untaken_q + 1'b1)) == '0)
  `MUSTER_ASSERT(PushHasRoom_A, !(push_i && untaken_q[Depth-1]))
  `MUSTER_ASSERT(CutIsFull_A, !cut_i || untaken_q[Depth-1])
  `MUSTER_ASSERT(TakeHasFlit_A, !take_i || ready_o)

endmodule

`default_nettype wire
