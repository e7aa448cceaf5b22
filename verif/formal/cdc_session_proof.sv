// SPDX-License-Identifier: Apache-2.0
`default_nettype none

// Two muster_cdc_session with their synchronizers, of two clocks, each side reset when it likes: as
// long as one side is up, the other has not been reset and come up again. What a new side does is
// never taken for the old one's.
//
// A mark stands for a pointer or count: it is 0 after reset of side a, set once the link is up, and
// comes to side b through a synchronizer with a stage more. While b is up it never sees what the
// reset of a makes of the mark, and nothing of the mark of an older session.
//
// A step of this proof is any time in which clocks may change: each is an input that rises and
// falls when it likes. muster_cdc_sync takes a bit that has changed in the step before an edge as
// it was or as it is, each by itself. At power-up both resets are low until each clock has had an
// edge of it; nothing else is assumed. The cover is the first answer: to come up takes more steps
// than are searched, and is tested.
module cdc_session_proof #(
  parameter int unsigned Stages = 2
) (
  input  wire logic  a_clk_i,
  input  wire logic  b_clk_i,
  input  wire logic  a_rst_i,
  input  wire logic  b_rst_i,
  input  wire logic  mark_i
);
  logic a_rst_n = 1'b0, b_rst_n = 1'b0, a_edge = 1'b0, b_edge = 1'b0;
  always_ff @(posedge a_clk_i) begin
    a_edge <= 1'b1;
    a_rst_n <= a_edge && b_edge && !a_rst_i;
  end
  always_ff @(posedge b_clk_i) begin
    b_edge <= 1'b1;
    b_rst_n <= a_edge && b_edge && !b_rst_i;
  end

  logic [2:0] a_self, b_self, a_other, b_other;
  logic a_up, b_up, a_broken, b_broken;
  muster_cdc_sync #(.Width(2), .Stages(Stages), .Init(0)) a_alive (
    .clk_i(a_clk_i), .rst_ni(a_rst_n), .bits_i(b_self[1:0]), .bits_o(a_other[1:0])
  );
  muster_cdc_sync #(.Width(1), .Stages(Stages), .Init(1)) a_answers (
    .clk_i(a_clk_i), .rst_ni(a_rst_n), .bits_i(b_self[2]), .bits_o(a_other[2])
  );
  muster_cdc_session a (
    .clk_i(a_clk_i), .rst_ni(a_rst_n), .other_i(a_other), .self_o(a_self),
    .up_o(a_up), .broken_o(a_broken)
  );
  muster_cdc_sync #(.Width(2), .Stages(Stages), .Init(0)) b_alive (
    .clk_i(b_clk_i), .rst_ni(b_rst_n), .bits_i(a_self[1:0]), .bits_o(b_other[1:0])
  );
  muster_cdc_sync #(.Width(1), .Stages(Stages), .Init(1)) b_answers (
    .clk_i(b_clk_i), .rst_ni(b_rst_n), .bits_i(a_self[2]), .bits_o(b_other[2])
  );
  muster_cdc_session b (
    .clk_i(b_clk_i), .rst_ni(b_rst_n), .other_i(b_other), .self_o(b_self),
    .up_o(b_up), .broken_o(b_broken)
  );

  logic mark_q, b_mark;
  always_ff @(posedge a_clk_i) begin
    if (!a_rst_n) mark_q <= 1'b0;
    else mark_q <= mark_q || (mark_i && a_up);
  end
  muster_cdc_sync #(.Width(1), .Stages(Stages + 1)) b_pointer (
    .clk_i(b_clk_i), .rst_ni(b_rst_n), .bits_i(mark_q), .bits_o(b_mark)
  );

  // Whether the other side has been in reset since this one went up, from the first reset on.
  (* gclk *) logic step;
  logic started, a_is_up, b_is_up;
  logic a_renewed = 1'b0, b_renewed = 1'b0, marked_q = 1'b0;
  assign started = a_edge && b_edge;
  assign a_is_up = started && a_rst_n && a_up;
  assign b_is_up = started && b_rst_n && b_up;
  always_ff @(posedge step) begin
    a_renewed <= a_is_up && (a_renewed || !b_rst_n);
    b_renewed <= b_is_up && (b_renewed || !a_rst_n);
    marked_q <= b_is_up && b_mark;
  end

  always @(posedge step) begin
    UpWithTheSameSide_A: assert (!(a_renewed && a_is_up && b_is_up) &&
                                 !(b_renewed && b_is_up && a_is_up));
    AliveAgainIsSeen_A: assert (!(a_renewed && a_is_up && b_rst_n && b_self[0]) &&
                                !(b_renewed && b_is_up && a_rst_n && a_self[0]));
    MarkStays_A: assert (!(marked_q && b_is_up && !b_mark));
    MarkIsOfThisSession_A:
        assert (!(b_is_up && b_mark && a_rst_n && a_self[0] && !mark_q));
    Answered_C: cover (started && a_rst_n && b_rst_n && a_self[1] && a_other[2]);
  end

endmodule

`default_nettype wire
