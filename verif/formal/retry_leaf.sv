// SPDX-License-Identifier: Apache-2.0
`default_nettype none

// A member of a barrier and the channels between it and its switch, for proofs: they lose and
// duplicate any messages, Places messages on the way in each (lossy_wire). At the switch messages
// have the form of a barrier switch, {phase, fail, epoch, data}, of epoch 0.
module retry_leaf #(
  parameter int unsigned DataW = 2,
  parameter int unsigned Places = 1,
  localparam int unsigned MessageW = muster_pkg::RetryW + DataW
) (
  input  wire logic                 clk_i,
  input  wire logic                 rst_ni,
  /// the member arrives, with data, aborts, sends, if it may; messages move on, come
  input  wire logic                 arrive_i,
  input  wire logic [DataW-1:0]     data_i,
  input  wire logic                 abort_i,
  input  wire logic                 put_i,
  input  wire logic [Places-1:0]    up_moves_i,
  input  wire logic [Places-1:0]    down_moves_i,
  input  wire logic                 up_comes_i,
  input  wire logic                 down_comes_i,
  /// a message comes to the switch; one leaves it
  output logic                      msg_o,
  output logic [MessageW-1:0]       message_o,
  input  wire logic                 leaves_i,
  input  wire logic [MessageW-1:0]  message_i,
  /// the member
  output logic                      arrives_o,
  output logic                      released_o,
  output logic [DataW-1:0]          release_data_o,
  output logic                      phase_o,
  output logic                      waits_o,
  output logic                      failed_o
);
  logic says, comes;
  logic [DataW+1:0] said, up_message, down_message;

  retry_member #(.DataW(DataW)) member (
    .clk_i, .rst_ni,
    .arrive_i,
    .data_i,
    .abort_i,
    .comes_i(comes),
    .message_i(down_message),
    .says_o(says),
    .message_o(said),
    .arrives_o,
    .released_o,
    .phase_o,
    .waits_o,
    .failed_o
  );
  assign release_data_o = down_message[DataW-1:0];

  lossy_wire #(.Width(DataW + 2), .Places(Places)) up (
    .clk_i, .rst_ni,
    .put_i(says && put_i),
    .frame_i(said),
    .moves_i(up_moves_i),
    .comes_i(up_comes_i),
    .first_i(1'b0),
    .comes_o(msg_o),
    .frame_o(up_message)
  );
  assign message_o = {up_message[DataW+:2], 2'd0, up_message[DataW-1:0]};

  lossy_wire #(.Width(DataW + 2), .Places(Places)) down (
    .clk_i, .rst_ni,
    .put_i(leaves_i),
    .frame_i({message_i[MessageW-1-:2], message_i[DataW-1:0]}),
    .moves_i(down_moves_i),
    .comes_i(down_comes_i),
    .first_i(1'b0),
    .comes_o(comes),
    .frame_o(down_message)
  );

endmodule

`default_nettype wire
