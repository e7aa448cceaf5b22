// SPDX-License-Identifier: Apache-2.0
`default_nettype none

// A link end with one virtual channel and what is inside it, for proofs. Yosys joins a wire that is
// marked hierconn to the one of this name inside the cell when it flattens; one that is not there
// has no driver, which is an error.
module watched_link_end #(
  parameter int unsigned Depth = 1,
  parameter int unsigned Slots = 4,
  parameter int unsigned Timeout = 4,
  localparam int unsigned FlitW = 16,
  localparam int unsigned WordW = FlitW + 4,
  localparam int unsigned SeqW = $clog2(Slots) + 1,
  localparam int unsigned CountW = $clog2(Depth + 1),
  localparam int unsigned BodyW = 6 + 2 * SeqW + CountW + WordW,
  localparam int unsigned InsideW = 5 * SeqW + 6 * CountW + WordW + 9
) (
  input  wire logic                clk_i,
  input  wire logic                rst_ni,
  input  wire logic                sends_i,
  input  wire logic [WordW-1:0]    word_i,
  output logic                     credit_o,
  output logic                     comes_o,
  output logic [WordW-1:0]         word_o,
  input  wire logic                frees_i,
  /// a frame and its body; with an error, which is added to its CRC, it is noise
  input  wire logic                frame_valid_i,
  input  wire logic [BodyW-1:0]    body_i,
  input  wire logic [15:0]         error_i,
  input  wire logic [BodyW-1:0]    noise_i,
  output logic                     frame_valid_o,
  output logic [BodyW-1:0]         body_o,
  /// the state register; down
  output logic [31:0]              status_o,
  output logic                     down_o,
  output logic                     quiescent_o,
  output logic [InsideW-1:0]       inside_o
);
  logic [BodyW-1:0] body;
  logic [15:0] crc, crc_sent;
  assign body = (error_i != '0) ? noise_i : body_i;
  muster_link_crc #(.Width(BodyW)) make (
    .word_i(body),
    .crc_o(crc)
  );

  muster_link_end #(
    .Vcs(1),
    .Depth(Depth),
    .FlitW(FlitW),
    .Slots(Slots),
    .Timeout(Timeout),
    .Retries(1)
  ) dut (
    .clk_i, .rst_ni,
    .rx_valid_i(sends_i),
    .rx_vc_i(word_i[WordW-1]),
    .rx_kind_i(word_i[FlitW+:3]),
    .rx_payload_i(word_i[FlitW-1:0]),
    .rx_credit_o(credit_o),
    .tx_valid_o(comes_o),
    .tx_vc_o(word_o[WordW-1]),
    .tx_kind_o(word_o[FlitW+:3]),
    .tx_payload_o(word_o[FlitW-1:0]),
    .tx_credit_i(frees_i),
    .frame_valid_i,
    .frame_i({body, crc ^ error_i}),
    .frame_valid_o,
    .frame_o({body_o, crc_sent}),
    .reg_valid_i(1'b1),
    .reg_write_i(1'b0),
    .reg_addr_i(muster_pkg::LinkRegStatus),
    .reg_wdata_i(32'd0),
    .reg_rdata_o(status_o),
    .irq_o(down_o),
    .quiescent_o
  );

  (* hierconn *) logic [SeqW-1:0] \dut.sender.replay.base_q ;
  (* hierconn *) logic [SeqW-1:0] \dut.sender.replay.next_q ;
  (* hierconn *) logic [SeqW-1:0] \dut.sender.replay.end_q ;
  (* hierconn *) logic [SeqW-1:0] \dut.receiver.ack_o ;
  (* hierconn *) logic [SeqW-1:0] \dut.receiver.expected_q ;
  (* hierconn *) logic [CountW-1:0] \dut.credits.taken_q ;
  (* hierconn *) logic [CountW-1:0] \dut.credits.given_q ;
  (* hierconn *) logic [CountW-1:0] \dut.credits.seen_q ;
  (* hierconn *) logic [CountW-1:0] \dut.credits.delivered_q ;
  (* hierconn *) logic [CountW-1:0] \dut.credits.count_q ;
  (* hierconn *) logic [CountW-1:0] \dut.receiver.count_o ;
  (* hierconn *) logic [WordW-1:0] \dut.sender.replay.word_q ;
  (* hierconn *) logic \dut.sender.replay.ready_q ;
  (* hierconn *) logic \dut.receiver.good_q ;
  (* hierconn *) logic \dut.receiver.init_q ;
  (* hierconn *) logic \dut.receiver.news_o ;
  (* hierconn *) logic \dut.receiver.echo_o ;
  (* hierconn *) logic \dut.sender.peer_news_q ;
  (* hierconn *) logic \dut.sender.news_q ;
  (* hierconn *) logic \dut.sender.echo_q ;
  (* hierconn *) logic \dut.sender.changed_q ;
  assign inside_o = {
    \dut.sender.replay.base_q , \dut.sender.replay.next_q , \dut.sender.replay.end_q ,
    \dut.receiver.ack_o , \dut.receiver.expected_q , \dut.credits.taken_q , \dut.credits.given_q ,
    \dut.credits.seen_q , \dut.credits.delivered_q , \dut.credits.count_q , \dut.receiver.count_o ,
    \dut.sender.replay.word_q , \dut.sender.replay.ready_q , \dut.receiver.good_q ,
    \dut.receiver.init_q , \dut.receiver.news_o , \dut.receiver.echo_o , \dut.sender.peer_news_q ,
    \dut.sender.news_q , \dut.sender.echo_q , \dut.sender.changed_q };

endmodule

`default_nettype wire
