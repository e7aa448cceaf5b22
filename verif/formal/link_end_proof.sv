// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "muster_assert.svh"

// Two link ends over wires that lose, duplicate and corrupt any frames (lossy_wire): what goes in
// at one comes out at the other once and in order, and so do credits, while the link is up
// (docs/systems/retry-link.md). Flits and credits go both ways; link_way has the blocks and the
// facts of a direction:
//
//   - a flit that comes out is the next, whole, and one that went in; no queue holds more than
//     Depth
//   - no credit is gained; one that is not back is in a count that each frame of the other end
//     says, and while it has not been heard that end knows so
//   - where all numbers on the way are: what makes the proof end
//
// A frame that is corrupted is any frame, with a CRC that is not its own; one that is not comes
// with its own: that an end sends this one is for lockstep, how many errors it finds for the
// polynomial. Both ends come out of reset apart: the far one when starts_i says so. It is one
// session: none is restarted or killed.
module link_end_proof #(
  parameter int unsigned Depth = 1,
  /// frames on the way at once, in each direction
  parameter int unsigned Places = 1,
  /// flits go from the far end to the near one, too
  parameter int unsigned Both = 1,
  /// frames may pass each other: too weak
  parameter int unsigned Passing = 0,
  localparam int unsigned Slots = 4,
  localparam int unsigned WordW = 20,
  localparam int unsigned SeqW = $clog2(Slots) + 1,
  localparam int unsigned CountW = $clog2(Depth + 1),
  localparam int unsigned BodyW = 6 + 2 * SeqW + CountW + WordW
) (
  input  wire logic               clk_i,
  input  wire logic               starts_i,
  input  wire logic               near_send_i,
  input  wire logic               near_free_i,
  input  wire logic               far_send_i,
  input  wire logic               far_free_i,
  input  wire logic               there_i,
  input  wire logic [Places-1:0]  there_moves_i,
  input  wire logic               there_first_i,
  input  wire logic [15:0]        there_error_i,
  input  wire logic [BodyW-1:0]   there_noise_i,
  input  wire logic               back_i,
  input  wire logic [Places-1:0]  back_moves_i,
  input  wire logic               back_first_i,
  input  wire logic [15:0]        back_error_i,
  input  wire logic [BodyW-1:0]   back_noise_i
);
  localparam int unsigned Timeout = 4 * Places;
  localparam int unsigned NumberW = SeqW + 1;
  localparam int unsigned InsideW = 5 * SeqW + 6 * CountW + WordW + 9;
  localparam logic [1:0] Up = 2'd2;

  logic rst_ni = 1'b0;
  logic far_rst_n = 1'b0;
  always_ff @(posedge clk_i) begin
    rst_ni <= 1'b1;
    far_rst_n <= far_rst_n || (rst_ni && starts_i);
  end

  // ---- Ends -------------------------------------------------------------------------------------
  logic near_sends, near_credit, near_comes, near_frees, near_down, near_quiet, near_put, back;
  logic far_sends, far_credit, far_comes, far_frees, far_down, far_quiet, far_put, there;
  logic [WordW-1:0] near_word, far_word, near_got_word, far_got_word;
  logic [BodyW-1:0] near_body, far_body, there_body, back_body;
  logic [31:0] near_status, far_status;
  logic [InsideW-1:0] near_inside, far_inside;
  watched_link_end #(.Depth(Depth), .Slots(Slots), .Timeout(Timeout)) near (
    .clk_i, .rst_ni,
    .sends_i(near_sends),
    .word_i(near_word),
    .credit_o(near_credit),
    .comes_o(near_comes),
    .word_o(near_got_word),
    .frees_i(near_frees),
    .frame_valid_i(back),
    .body_i(back_body),
    .error_i(back_error_i),
    .noise_i(back_noise_i),
    .frame_valid_o(near_put),
    .body_o(near_body),
    .status_o(near_status),
    .down_o(near_down),
    .quiescent_o(near_quiet),
    .inside_o(near_inside)
  );
  watched_link_end #(.Depth(Depth), .Slots(Slots), .Timeout(Timeout)) far (
    .clk_i, .rst_ni(far_rst_n),
    .sends_i(far_sends),
    .word_i(far_word),
    .credit_o(far_credit),
    .comes_o(far_comes),
    .word_o(far_got_word),
    .frees_i(far_frees),
    .frame_valid_i(there),
    .body_i(there_body),
    .error_i(there_error_i),
    .noise_i(there_noise_i),
    .frame_valid_o(far_put),
    .body_o(far_body),
    .status_o(far_status),
    .down_o(far_down),
    .quiescent_o(far_quiet),
    .inside_o(far_inside)
  );

  // ---- Wires ------------------------------------------------------------------------------------
  logic [Places:0] there_on, back_on;
  logic [Places:0][BodyW-1:0] there_bodies, back_bodies;
  lossy_wire #(.Width(BodyW), .Places(Places), .Passing(Passing)) wire_there (
    .clk_i, .rst_ni,
    .put_i(near_put),
    .frame_i(near_body),
    .moves_i(there_moves_i),
    .comes_i(there_i),
    .first_i(there_first_i),
    .comes_o(there),
    .frame_o(there_body),
    .on_o(there_on),
    .frames_o(there_bodies)
  );
  lossy_wire #(.Width(BodyW), .Places(Places), .Passing(Passing)) wire_back (
    .clk_i, .rst_ni,
    .put_i(far_put),
    .frame_i(far_body),
    .moves_i(back_moves_i),
    .comes_i(back_i),
    .first_i(back_first_i),
    .comes_o(back),
    .frame_o(back_body),
    .on_o(back_on),
    .frames_o(back_bodies)
  );

  // ---- Blocks and facts -------------------------------------------------------------------------
  logic near_up, far_up;
  logic [NumberW-1:0] far_got, near_returned, near_got;
  assign near_up = near_status[1:0] == Up;
  assign far_up = far_status[1:0] == Up;
  link_way #(.Depth(Depth), .Slots(Slots), .Ways(Places + 1)) way_there (
    .clk_i, .rst_ni,
    .send_i(near_send_i),
    .sends_o(near_sends),
    .word_o(near_word),
    .credit_i(near_credit),
    .comes_i(far_comes),
    .word_i(far_got_word),
    .free_i(far_free_i),
    .frees_o(far_frees),
    .down_i(near_down),
    .sender_i(near_inside),
    .up_i(far_up),
    .receiver_i(far_inside),
    .there_i(there_on),
    .there_body_i(there_bodies),
    .back_i(back_on),
    .back_body_i(back_bodies),
    .got_o(far_got),
    .returned_o(near_returned)
  );
  link_way #(.Depth(Depth), .Slots(Slots), .Ways(Places + 1)) way_back (
    .clk_i, .rst_ni,
    .send_i(far_send_i && far_rst_n && (Both != 0)),
    .sends_o(far_sends),
    .word_o(far_word),
    .credit_i(far_credit),
    .comes_i(near_comes),
    .word_i(near_got_word),
    .free_i(near_free_i),
    .frees_o(near_frees),
    .down_i(far_down),
    .sender_i(far_inside),
    .up_i(near_up),
    .receiver_i(near_inside),
    .there_i(back_on),
    .there_body_i(back_bodies),
    .back_i(there_on),
    .back_body_i(there_bodies),
    .got_o(near_got)
  );

  `MUSTER_COVER(Delivers_C, far_got == NumberW'(3) && near_up && far_up)
  `MUSTER_COVER(BothWays_C, (far_got == NumberW'(1) && near_got == NumberW'(1) && near_up &&
                             far_up) || Both == 0)
  `MUSTER_COVER(CreditsComeBack_C, near_returned == NumberW'(2) && near_up && far_up)
  `MUSTER_COVER(SendsAgain_C, near_status[15:8] != '0 && far_got == NumberW'(1) && far_up)
  `MUSTER_COVER(GoesDown_C, near_down && far_down && near_quiet && far_quiet)

endmodule

`default_nettype wire
