// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "muster_assert.svh"

// Queue of Depth words in one clock domain.
//
// data_o is the oldest word while empty_o is low, and is undefined otherwise. It is a register, so
// that a path that begins with it pays for no storage: pop_i in cycle t takes the word that data_o
// shows in t, and from t + 1 on data_o shows the next one. A word pushed in cycle t counts from
// t + 1 on; pushed into an empty queue it is at data_o in t + 1, never in t.
//
// The caller pushes only while full_o is low and pops only while empty_o is low. A push and a pop
// in one cycle are both done; on a full queue a pop does not make room for a push of the same
// cycle. empty_o and full_o are functions of registers.
//
// After reset the queue is empty. The storage has no reset, so that tools may use memory for it.
module muster_fifo #(
  /// bits of a word, 1 to 640
  parameter int unsigned Width = 16,
  /// words it holds, 1 to 64, any number
  parameter int unsigned Depth = 4
) (
  input  wire logic              clk_i,
  input  wire logic              rst_ni,

  /// append data_i; only while full_o is low
  input  wire logic              push_i,
  input  wire logic [Width-1:0]  data_i,
  /// take the word at data_o; only while empty_o is low
  input  wire logic              pop_i,
  /// the oldest word, if there is one
  output logic [Width-1:0]       data_o,

  /// holds no word, holds Depth words
  output logic                   empty_o,
  output logic                   full_o
);
  `MUSTER_RANGE(Width, 1, 640)
  `MUSTER_RANGE(Depth, 1, 64)

  // How many words there are is counted in unary, bit c for more than c words: pop_i is the last to
  // be known in a cycle, and nothing is added after it.
  logic [Depth-1:0] words_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) words_q <= '0;
    else if (push_i != pop_i) begin
      words_q <= push_i ? Depth'({words_q, 1'b1}) : Depth'({1'b0, words_q} >> 1);
    end
  end

  if (Depth == 1) begin : gen_one
    logic [Width-1:0] head_q;
    assign data_o = head_q;
    always_ff @(posedge clk_i) begin
      if (push_i) head_q <= data_i;
    end
  end
  if (Depth != 1) begin : gen_ring
    // The oldest word; the others wait in a ring.
    logic [Width-1:0] head_q;
    assign data_o = head_q;
    localparam int unsigned Places = Depth - 1;
    localparam int unsigned PointerW = (Places > 1) ? $clog2(Places) : 1;
    localparam logic [PointerW-1:0] Last = PointerW'(Places - 1);

    logic [Width-1:0] mem [Places];
    logic [PointerW-1:0] read_q, write_q;
    logic waits;  // words wait in the ring
    assign waits = words_q[1];

    // A word that comes while there is one goes to the ring. It counts as having left it at once if
    // none waits there and the head becomes free: it is the head then.
    always_ff @(posedge clk_i) begin
      if (push_i && words_q[0]) mem[write_q] <= data_i;
    end

    always_ff @(posedge clk_i) begin
      if (waits ? pop_i : push_i && (!words_q[0] || pop_i)) head_q <= waits ? mem[read_q] : data_i;
    end

    always_ff @(posedge clk_i) begin
      if (!rst_ni) begin
        read_q <= '0;
        write_q <= '0;
      end else begin
        if (push_i && words_q[0]) write_q <= (write_q == Last) ? '0 : write_q + 1'b1;
        if (pop_i && (waits || push_i)) read_q <= (read_q == Last) ? '0 : read_q + 1'b1;
      end
    end

    // Words in the ring, for the facts.
    logic [7:0] ring;
    assign ring = waits ? 8'($unsigned($countones(words_q))) - 8'd1 : '0;
    `MUSTER_ASSERT(PointersInRange_A, ({1'b0, read_q} < (PointerW + 1)'(Places)) &&
                                      ({1'b0, write_q} < (PointerW + 1)'(Places)))
    `MUSTER_ASSERT(CountIsDistance_A, (8'(read_q) + ring == 8'(write_q)) ||
                                      (8'(read_q) + ring == 8'(write_q) + 8'(Places)))
  end

  assign empty_o = !words_q[0];
  assign full_o = words_q[Depth-1];

  `MUSTER_ASSERT(CountIsUnary_A, (words_q & (words_q + 1'b1)) == '0)
  `MUSTER_ASSERT(PushHasRoom_A, !(push_i && full_o))
  `MUSTER_ASSERT(PopHasWord_A, !(pop_i && empty_o))

endmodule

`default_nettype wire
