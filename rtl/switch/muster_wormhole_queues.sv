// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "muster_assert.svh"

// The input queues of a switch, one for each port and virtual channel, whose flits are taken a
// cycle before they leave. Queue v * Ports + i is that of port i and virtual channel v.
//
// A flit pushed in cycle t is in its queue from t + 1 on. ready_o: there is a flit that is not
// taken yet; tail_o is the tail bit of the oldest such flit. With take_i in cycle t that flit is
// taken: it is at data_o in t + 1, with leaves_o, and gone in t + 2. A flit can be taken in each
// cycle. So the decision about a flit begins at flip-flops without storage behind them, and
// flip-flops select the flit: neither path includes the other.
//
// A taken flit's credit is returned in the cycle in which the flit leaves (leaves_o); its place is
// free at the end of that cycle, before any flit can come for it.
//
// With Guard the newest flit of a full queue can become a tail (cut_i): the packet behind which a
// flit was lost ends there, docs/systems/guard.md. Then only left_tail_o tells whether the flit
// that leaves is a tail; its bit in data_o is the one with which it came, so the two tell a cut.
//
// The state of all queues is in vectors over the queues, one for each bit of the state of a queue:
// a simulator takes as long for all as for one.
//
// After reset the queues are empty. The storage has no reset.
module muster_wormhole_queues #(
  /// ports, 1 to 32
  parameter int unsigned Ports = 8,
  /// virtual channels, 1 to 4
  parameter int unsigned Vcs = 2,
  /// bits of a flit, 1 to 640
  parameter int unsigned Width = 18,
  /// flits that a queue holds, 1 to 16. Requires Guard == 0 || Depth >= 2
  parameter int unsigned Depth = 4,
  /// flits can become tails; 0 to 1
  parameter int unsigned Guard = 0,
  localparam int unsigned Queues = Ports * Vcs
) (
  input  wire logic                          clk_i,
  input  wire logic                          rst_ni,

  /// append the flit data_i of the queue's port, whose tail bit is push_tail_i; only with a free
  /// place
  input  wire logic [Queues-1:0]             push_i,
  input  wire logic [Queues-1:0]             push_tail_i,
  input  wire logic [Ports-1:0][Width-1:0]   data_i,

  /// a flit is there that is not taken; it is a tail
  output logic [Queues-1:0]                  ready_o,
  output logic [Queues-1:0]                  tail_o,
  /// take it; only with ready_o
  input  wire logic [Queues-1:0]             take_i,
  /// Depth flits are not taken; the newest of them becomes a tail, only if there are so many
  output logic [Queues-1:0]                  full_o,
  input  wire logic [Queues-1:0]             cut_i,

  /// the flit taken in the cycle before is at data_o, and leaves
  output logic [Queues-1:0]                  leaves_o,
  output logic [Queues-1:0][Width-1:0]       data_o,
  /// with Guard: it is a tail
  output logic [Queues-1:0]                  left_tail_o
);
  `MUSTER_RANGE(Ports, 1, 32)
  `MUSTER_RANGE(Vcs, 1, 4)
  `MUSTER_RANGE(Width, 1, 640)
  `MUSTER_RANGE(Depth, 1, 16)
  `MUSTER_REFUSE(guard, Guard > 1 || (Guard == 1 && Depth < 2),
                 "Guard must be 0 or 1, and with it Depth at least 2")

  // Flits not taken, in unary, and their tail bits, oldest first: bit c * Queues + q for more than
  // c flits in queue q.
  localparam int unsigned AllW = Depth * Queues;
  logic [AllW-1:0] untaken_q, tails_q, tails, with_push, tails_with_push, takes;
  logic [Queues-1:0] leaves_q, some;  // some: a flit is not taken
  assign takes = {Depth{take_i}};
  assign some = untaken_q[Queues-1:0];

  // take_i comes last in a cycle: one multiplexer behind it.
  assign with_push = untaken_q | (AllW'({untaken_q, {Queues{1'b1}}}) & {Depth{push_i}});
  assign tails_with_push = (tails & (untaken_q | ~{Depth{push_i}})) |
                           ({Depth{push_tail_i}} & {Depth{push_i}} & ~untaken_q);
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      untaken_q <= '0;
      leaves_q <= '0;
    end else begin
      untaken_q <= (takes & (with_push >> Queues)) | (~takes & with_push);
      leaves_q <= take_i;
    end
  end
  always_ff @(posedge clk_i) begin
    tails_q <= (takes & (tails_with_push >> Queues)) | (~takes & tails_with_push);
  end

  if (Guard == 1) begin : gen_guard
    logic [Queues-1:0] left_tail_q;
    assign tails = tails_q | (AllW'(cut_i) << (AllW - Queues));
    always_ff @(posedge clk_i) begin
      left_tail_q <= (take_i & tails_q[Queues-1:0]) | (~take_i & left_tail_q);
    end
    assign left_tail_o = left_tail_q;
  end else begin : gen_no_guard
    assign tails = tails_q;
    assign left_tail_o = '0;

    logic unused;
    assign unused = &{1'b0, cut_i};
  end

  // Flits not taken wait in a ring of Depth places. While there is one, the oldest goes to a
  // register in each cycle, and is still there in the cycle after it was taken, in which it leaves.
  if (Depth <= 4) begin : gen_few
    // The place of the oldest flit is odd_q + 2 * far_q, the next to be written is enter_odd_q +
    // 2 * enter_far_q. pass_q is far_q once more: with it what is chosen of places 0 and 1 is
    // odd_q, and chooses between 2 and 3. This takes two LUTs of four inputs a bit; of one
    // flip-flop instead of two tools make three.
    logic [4*Queues-1:0] write;  // bit k * Queues + q: place k of queue q
    logic [Queues-1:0] odd_q, far_q, pass_q, steps, turns, ends;
    logic [Queues-1:0] enter_odd_q, enter_far_q, enter_steps, enter_turns, enter_ends;
    assign steps = (Depth > 1) ? take_i : '0;
    assign turns = (Depth > 2) ? take_i & odd_q : '0;
    assign ends = (Depth == 3) ? take_i & far_q : '0;
    assign enter_steps = (Depth > 1) ? push_i : '0;
    assign enter_turns = (Depth > 2) ? push_i & enter_odd_q : '0;
    assign enter_ends = (Depth == 3) ? push_i & enter_far_q : '0;
    always_ff @(posedge clk_i) begin
      if (!rst_ni) begin
        enter_odd_q <= '0;
        enter_far_q <= '0;
        odd_q <= '0;
        far_q <= '0;
        pass_q <= '0;
      end else begin
        enter_odd_q <= (enter_odd_q ^ enter_steps) & ~enter_ends;
        enter_far_q <= (enter_far_q ^ enter_turns) & ~enter_ends;
        odd_q <= (odd_q ^ steps) & ~ends;
        far_q <= (far_q ^ turns) & ~ends;
        pass_q <= (pass_q ^ turns) & ~ends;
      end
    end
    assign write = {4{push_i}} & {{enter_far_q, enter_far_q} & {enter_odd_q, ~enter_odd_q},
                                  ~{enter_far_q, enter_far_q} & {enter_odd_q, ~enter_odd_q}};

    for (genvar q = 0; q < Queues; q++) begin : gen_queue
      logic [Width-1:0] place_0_q, place_1_q, place_2_q, place_3_q, chosen, head_q;
      always_ff @(posedge clk_i) begin
        if (write[q]) place_0_q <= data_i[q%Ports];
        if (write[Queues+q]) place_1_q <= data_i[q%Ports];
        if (write[2*Queues+q]) place_2_q <= data_i[q%Ports];
        if (write[3*Queues+q]) place_3_q <= data_i[q%Ports];
      end
      assign chosen = pass_q[q] ? {Width{odd_q[q]}} : odd_q[q] ? place_1_q : place_0_q;
      always_ff @(posedge clk_i) begin
        if (some[q]) begin
          head_q <= far_q[q] ? (chosen & place_3_q) | (~chosen & place_2_q) : chosen;
        end
      end
      assign data_o[q] = head_q;
    end
    `MUSTER_ASSERT(PassIsFar_A, pass_q == far_q)
    `MUSTER_ASSERT(WritesAPlace_A, (write >> (Depth * Queues)) == '0)
  end else begin : gen_many
    localparam int unsigned PointerW = $clog2(Depth);
    localparam logic [PointerW-1:0] Last = PointerW'(Depth - 1);
    for (genvar q = 0; q < Queues; q++) begin : gen_queue
      logic [Width-1:0] mem [Depth];
      logic [Width-1:0] head_q;
      logic [PointerW-1:0] read_q, write_q;
      always_ff @(posedge clk_i) begin
        if (push_i[q]) mem[write_q] <= data_i[q%Ports];
      end
      always_ff @(posedge clk_i) begin
        if (some[q]) head_q <= mem[read_q];
      end
      always_ff @(posedge clk_i) begin
        if (!rst_ni) begin
          read_q <= '0;
          write_q <= '0;
        end else begin
          if (push_i[q]) write_q <= (write_q == Last) ? '0 : write_q + 1'b1;
          if (take_i[q]) read_q <= (read_q == Last) ? '0 : read_q + 1'b1;
        end
      end
      assign data_o[q] = head_q;
    end
  end

  assign full_o = untaken_q[AllW-1-:Queues];
  assign ready_o = some;
  assign tail_o = tails_q[Queues-1:0];
  assign leaves_o = leaves_q;

  `MUSTER_ASSERT(CountIsUnary_A, ((untaken_q >> Queues) & ~untaken_q) == '0)
  `MUSTER_ASSERT(PushHasRoom_A, (push_i & full_o) == '0)
  `MUSTER_ASSERT(CutIsFull_A, (cut_i & ~full_o) == '0)
  `MUSTER_ASSERT(TakeHasFlit_A, (take_i & ~some) == '0)

endmodule

`default_nettype wire
