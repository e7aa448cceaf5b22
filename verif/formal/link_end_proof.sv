// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "muster_assert.svh"

// Two link ends over wires that lose, double and corrupt frames at will: what goes in at one comes
// out at the other once and in order, and so do credits, while the link is up
// (docs/systems/retry-link.md).
//
// Each wire keeps the frame put on it last; in any cycle that frame comes, or does not, once or
// many times, intact or with a wrong CRC. (The CRC that comes is that of the frame with an error
// that is not 0: that an end sends the right one is for lockstep, that errors change it for the
// polynomial.) The block at one end sends when it has a credit, that at the other gives credits
// when it likes. Flits carry their number. Both ends come out of reset apart: the second one
// start_i cycles later.
module link_end_proof #(
  parameter int unsigned Depth = 1,
  parameter int unsigned Slots = 4
) (
  input  wire logic         clk_i,
  input  wire logic         starts_i,
  input  wire logic         send_i,
  input  wire logic         free_i,
  input  wire logic         there_i,
  input  wire logic         back_i,
  input  wire logic [15:0]  there_error_i,
  input  wire logic [15:0]  back_error_i
);
  localparam int unsigned FlitW = 16;
  localparam int unsigned SeqW = $clog2(Slots) + 1;
  localparam int unsigned CountW = $clog2(Depth + 1);
  localparam int unsigned FrameW = 5 + 2 * SeqW + CountW + 1 + 3 + FlitW + 16;
  localparam int unsigned NumberW = 3;

  logic rst_ni = 1'b0;
  logic far_rst_n = 1'b0;
  always_ff @(posedge clk_i) begin
    rst_ni <= 1'b1;
    far_rst_n <= far_rst_n || (rst_ni && starts_i);
  end

  // ---- Blocks: how many flits and credits have gone in, come out ------------------------------
  logic [NumberW-1:0] sent_q, got_q, freed_q, returned_q, out, held;
  logic sends, frees, credit, comes;
  logic [FlitW-1:0] payload;
  assign out = sent_q - returned_q;
  assign held = got_q - freed_q;
  assign sends = rst_ni && send_i && (out < NumberW'(Depth));
  assign frees = far_rst_n && free_i && (held != '0);
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      sent_q <= '0;
      got_q <= '0;
      freed_q <= '0;
      returned_q <= '0;
    end else begin
      sent_q <= sent_q + NumberW'(sends);
      got_q <= got_q + NumberW'(comes);
      freed_q <= freed_q + NumberW'(frees);
      returned_q <= returned_q + NumberW'(credit);
    end
  end

  // ---- Wires ------------------------------------------------------------------------------------
  logic near_valid, far_valid, there, back, near_irq, far_irq, near_quiet, far_quiet;
  logic [FrameW-1:0] near_frame, far_frame;
  logic [FrameW-17:0] there_q, back_q;
  logic [15:0] there_crc, back_crc;
  logic there_full_q, back_full_q;
  link_crc #(.Width(FrameW - 16)) crc_there (.word_i(there_q), .crc_o(there_crc));
  link_crc #(.Width(FrameW - 16)) crc_back (.word_i(back_q), .crc_o(back_crc));
  assign there = there_full_q && there_i;
  assign back = back_full_q && back_i;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) there_full_q <= 1'b0;
    else if (near_valid) there_full_q <= 1'b1;
    if (near_valid) there_q <= near_frame[FrameW-1:16];
    if (!rst_ni) back_full_q <= 1'b0;
    else if (far_valid) back_full_q <= 1'b1;
    if (far_valid) back_q <= far_frame[FrameW-1:16];
  end

  // ---- Ends -------------------------------------------------------------------------------------
  logic far_credit, near_tx, near_vc, far_vc;
  logic [2:0] near_kind, far_kind;
  logic [FlitW-1:0] near_payload;
  logic [31:0] near_word, far_word;
  link_end #(
    .Vcs(1),
    .Depth(Depth),
    .FlitW(FlitW),
    .Slots(Slots),
    .Timeout(4),
    .Retries(1)
  ) near (
    .clk_i,
    .rst_ni,
    .rx_valid_i(sends),
    .rx_vc_i(1'b0),
    .rx_kind_i(3'b011),
    .rx_payload_i(FlitW'(sent_q)),
    .rx_credit_o(credit),
    .tx_valid_o(near_tx),
    .tx_vc_o(near_vc),
    .tx_kind_o(near_kind),
    .tx_payload_o(near_payload),
    .tx_credit_i(1'b0),
    .frame_valid_i(back),
    .frame_i({back_q, back_crc ^ back_error_i}),
    .frame_valid_o(near_valid),
    .frame_o(near_frame),
    .reg_valid_i(1'b1),
    .reg_write_i(1'b0),
    .reg_addr_i(12'h001),
    .reg_wdata_i(32'd0),
    .reg_rdata_o(near_word),
    .irq_o(near_irq),
    .quiescent_o(near_quiet)
  );
  link_end #(
    .Vcs(1),
    .Depth(Depth),
    .FlitW(FlitW),
    .Slots(Slots),
    .Timeout(4),
    .Retries(1)
  ) far (
    .clk_i,
    .rst_ni(far_rst_n),
    .rx_valid_i(1'b0),
    .rx_vc_i(1'b0),
    .rx_kind_i(3'd0),
    .rx_payload_i('0),
    .rx_credit_o(far_credit),
    .tx_valid_o(comes),
    .tx_vc_o(far_vc),
    .tx_kind_o(far_kind),
    .tx_payload_o(payload),
    .tx_credit_i(frees),
    .frame_valid_i(there),
    .frame_i({there_q, there_crc ^ there_error_i}),
    .frame_valid_o(far_valid),
    .frame_o(far_frame),
    .reg_valid_i(1'b1),
    .reg_write_i(1'b0),
    .reg_addr_i(12'h001),
    .reg_wdata_i(32'd0),
    .reg_rdata_o(far_word),
    .irq_o(far_irq),
    .quiescent_o(far_quiet)
  );

  // Once down, what an end hands to its block is no longer of the other: credits for all, tails.
  logic near_fell_q, far_fell_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      near_fell_q <= 1'b0;
      far_fell_q <= 1'b0;
    end else begin
      near_fell_q <= near_fell_q || near_irq;
      far_fell_q <= far_fell_q || far_irq;
    end
  end

  `MUSTER_ASSERT(InOrder_A, !comes || far_irq || payload == FlitW'(got_q))
  `MUSTER_ASSERT(NoneInvented_A, !comes || far_irq || got_q != sent_q)
  `MUSTER_ASSERT(WholeFlits_A, !comes || far_irq || far_kind == 3'b011)
  `MUSTER_ASSERT(NoCreditInvented_A, !credit || near_irq || returned_q != freed_q)
  `MUSTER_ASSERT(NothingBack_A, !near_tx && !far_credit)

  `MUSTER_COVER(Delivers_C, got_q == 3'd2 && !far_fell_q)
  `MUSTER_COVER(CreditsComeBack_C, returned_q == 3'd2 && !near_fell_q)
  `MUSTER_COVER(SendsAgain_C, near_word[15:8] != '0 && got_q == 3'd1 && !far_fell_q)
  `MUSTER_COVER(GoesDown_C, near_irq && far_irq && near_word[1:0] == far_word[1:0] &&
                            near_quiet && far_quiet)

endmodule

`default_nettype wire
