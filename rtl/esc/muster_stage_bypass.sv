// SPDX-License-Identifier: Apache-2.0
`default_nettype none

// Demultiplexers in front of and multiplexers behind one box of an outer stage (section 2).
// Combinational: a bypassed stage costs no cycle.
//
// Enabled, packets pass the box: the stage before sees its inputs, the stage after its outputs.
// Disabled, link p is wired straight through, valid and packet forward, ready back; the box is
// offered nothing and nothing is taken from it, so it stays quiescent.
module muster_stage_bypass #(
  /// links of the box: 2, 4 or 8, 2 to 8
  parameter int unsigned Size = 4,
  /// bits of a packet, 1 to 256
  parameter int unsigned PacketW = 64
) (
  /// 1: through the box, 0: past it; static while anything moves
  input  wire logic                          enable_i,

  /// from the stage before
  input  wire logic [Size-1:0]               valid_i,
  input  wire logic [Size-1:0][PacketW-1:0]  packet_i,
  output logic [Size-1:0]                    ready_o,

  /// to the inputs of the box
  output logic [Size-1:0]                    box_valid_o,
  output logic [Size-1:0][PacketW-1:0]       box_packet_o,
  input  wire logic [Size-1:0]               box_ready_i,

  /// from the outputs of the box
  input  wire logic [Size-1:0]               box_valid_i,
  input  wire logic [Size-1:0][PacketW-1:0]  box_packet_i,
  output logic [Size-1:0]                    box_ready_o,

  /// to the stage after
  output logic [Size-1:0]                    valid_o,
  output logic [Size-1:0][PacketW-1:0]       packet_o,
  input  wire logic [Size-1:0]               ready_i
);
  if (Size != 2 && Size != 4 && Size != 8) begin : gen_bad_size
    $error("muster_stage_bypass: Size must be 2, 4 or 8");
  end
  if (PacketW < 1 || PacketW > 256) begin : gen_bad_packet
    $error("muster_stage_bypass: PacketW must be 1 to 256");
  end

  assign box_valid_o = enable_i ? valid_i : '0;
  assign box_packet_o = packet_i;
  assign box_ready_o = enable_i ? ready_i : '0;
  assign ready_o = enable_i ? box_ready_i : ready_i;
  assign valid_o = enable_i ? box_valid_i : valid_i;
  assign packet_o = enable_i ? box_packet_i : packet_i;

endmodule

`default_nettype wire
