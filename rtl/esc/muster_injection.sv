// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "muster_assert.svh"

// The block between the queue of a PE and its link of the Extra Stage Cube under the schemes beyond
// the paper: muster_throttle_hold.sv, muster_adaptive_choice.sv and muster_section_choice.sv, of
// which scheme_i selects one. One for each PE. Specification: docs/systems/interchange-box.md.
//
//   scheme_i   packet_o                digit_o                      section_mask_o
//   0 throttle held back by busy_i     undefined                    0
//   1 adaptive the head                output with fewest packets   0
//   2 sections the head                undefined                    muster_section_choice
//
// valid_o, packet_o and digit_o are settled from the head, busy_i and fill_i of this cycle;
// head_leaves_o also from ready_i; section_mask_o is registers.
//
// There is no quiescent_o: the counter of turns runs in every cycle.
//
// Example, scheme 1, Size 4, link_i 2, fill_i 3 1 4 1 for outputs 0 to 3: digit_o is 3. With
// ready_i, head_leaves_o is 1.
module muster_injection #(
  /// n, outputs of the boxes: 2, 4 or 8, 2 to 8
  parameter int unsigned Size = 4,
  /// bits of a PE's number, 1 to 16
  parameter int unsigned AddrW = 16,
  localparam int unsigned DigitW = $clog2(Size),
  localparam int unsigned PacketW = 64,
  localparam int unsigned TurnW = 15,
  localparam int unsigned CountW = 7
) (
  input  wire logic                           clk_i,
  input  wire logic                           rst_ni,

  /// 0 throttling, 1 adaptive choice, 2 choice of the sections; static
  input  wire logic [1:0]                     scheme_i,
  /// digit 0 of the PE's number; static
  input  wire logic [DigitW-1:0]              link_i,
  /// the PE's turn, and the number of turns less 1; static
  input  wire logic [TurnW-1:0]               turn_i,
  input  wire logic [TurnW-1:0]               turn_mask_i,
  /// N - 1, the bits of a PE's number that are used; static
  input  wire logic [AddrW-1:0]               address_mask_i,

  /// feedback wire of the PE's coordinator
  input  wire logic                           busy_i,
  /// packets in each output buffer of the PE's box of the input stage
  input  wire logic [Size-1:0][CountW-1:0]    fill_i,
  /// from muster_input_policy.sv: the flag, and the output for the packet at packet_o
  input  wire logic                           flag_i,
  input  wire logic [DigitW-1:0]              digit_i,

  /// head of the queue; head_leaves_o: it leaves the queue at this edge
  input  wire logic                           head_valid_i,
  input  wire logic [PacketW-1:0]             head_i,
  output logic                                head_leaves_o,

  /// what the PE offers; ready_i: it is taken at this edge
  output logic                                valid_o,
  output logic [PacketW-1:0]                  packet_o,
  input  wire logic                           ready_i,

  /// scheme 1: output of the box that it asks for
  output logic [DigitW-1:0]                   digit_o,
  /// scheme 2: section_mask_i of the PE's input policy
  output logic [AddrW-1:0]                    section_mask_o
);
  localparam logic [1:0] SchemeThrottle = 2'd0;
  localparam logic [1:0] SchemeSections = 2'd2;
  localparam logic [1:0] KindBackground = 2'd1;
  localparam logic [1:0] KindRelease = 2'd3;

  muster_throttle_hold #(.TurnW(TurnW)) hold (
    .busy_i(busy_i && (scheme_i == SchemeThrottle)),
    .*
  );

  muster_adaptive_choice #(.Size(Size), .CountW(CountW)) choice (
    .link_i,
    .fill_i,
    .straight_i(packet_o[63:62] == KindRelease),
    .digit_o
  );

  muster_section_choice #(.AddrW(AddrW)) sections (
    .clk_i, .rst_ni,
    .address_mask_i,
    .watch_i((scheme_i == SchemeSections) && (link_i == '0) && flag_i && valid_o &&
             (packet_o[63:62] == KindBackground)),
    .aside_i(digit_i != '0),
    .ready_i,
    .section_mask_o
  );

  `MUSTER_ASSERT(HeadWaitsOnlyIfThrottled_A,
                 (scheme_i == SchemeThrottle) || (valid_o == head_valid_i))

endmodule

`default_nettype wire
