// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "muster_assert.svh"

// The input-stage policy of a PE (Figures 3, 7, 12): the output of the input-stage box that the
// packet at the head of the PE's queue requests. docs/systems/interchange-box.md is the
// specification.
//
// flag_o, the local hot spot flag, is set at an edge with set_i, else cleared with clear_i; it is 0
// after reset. digit_o is settled from the packet of this cycle and the flag:
//
//   packet                                         straight  isolated BG  isolated HS  hot section
//   synchronization                                link      0            0            0
//   background, flag set, to the hot spot          link      aside        0            0
//   background, flag set, to another section       link      aside        aside        link
//   background, flag set, else                     link      aside        aside        aside
//   release; background, flag not set              link      link         link         link
//
// aside keeps link unless that is 0; a packet of link 0 draws one of 1 .. Size - 1 in every cycle
// in which it is offered: 1 + ((u * (Size - 1)) >> 16), u the draw bits of muster_block_random.sv
// with the first highest, which for Size 2 is always 1.
//
// Example, Size 4, link 0, isolated HS, flag set: a background packet that is not for hot_i
// requests output 1, 2 or 3; one for hot_i requests output 0.
module muster_input_policy #(
  /// n, inputs and outputs of the boxes: 2, 4 or 8, 2 to 8
  parameter int unsigned Size = 4,
  /// bits of a PE's number, 1 to 16
  parameter int unsigned AddrW = 16,
  localparam int unsigned DigitW = $clog2(Size)
) (
  input  wire logic               clk_i,
  input  wire logic               rst_ni,
  /// first value of the random numbers; taken while rst_ni is low, 0 as 1
  input  wire logic [15:0]        seed_i,

  /// 0 straight, 1 isolated background, 2 isolated hot spot, 3 hot section; static
  input  wire logic [1:0]         policy_i,
  /// digit 0 of the PE's number; static
  input  wire logic [DigitW-1:0]  link_i,
  /// bits of a PE's number that name its section; static, or registers of muster_section_choice.sv
  input  wire logic [AddrW-1:0]   section_mask_i,

  /// the PE to which this one synchronizes; static while the flag is set
  input  wire logic [AddrW-1:0]   hot_i,
  /// the PE generates a synchronization message
  input  wire logic               set_i,
  /// the response arrives
  input  wire logic               clear_i,

  /// a packet is at the head of the PE's queue
  input  wire logic               valid_i,
  /// 1 background, 2 synchronization, 3 release
  input  wire logic [1:0]         kind_i,
  input  wire logic [AddrW-1:0]   destination_i,
  /// undefined without valid_i
  output logic [DigitW-1:0]       digit_o,

  output logic                    flag_o,
  /// constant 1: with set_i, clear_i and valid_i low nothing changes
  output logic                    quiescent_o
);
  `MUSTER_POWER_OF_TWO(Size, 2, 8)
  `MUSTER_RANGE(AddrW, 1, 16)

  localparam logic [1:0] PolicyStraight = 2'd0;
  localparam logic [1:0] PolicyIsolatedBackground = 2'd1;
  localparam logic [1:0] PolicyIsolatedHotSpot = 2'd2;
  localparam logic [1:0] KindBackground = 2'd1;
  localparam logic [1:0] KindSynchronization = 2'd2;

  // ---- The flag -----------------------------------------------------------------------------
  logic flag_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) flag_q <= 1'b0;
    else if (set_i) flag_q <= 1'b1;
    else if (clear_i) flag_q <= 1'b0;
  end
  assign flag_o = flag_q;

  // ---- Where the packet belongs -------------------------------------------------------------
  typedef enum logic [1:0] {
    Straight,
    Zero,
    Aside
  } way_e;
  way_e way;
  logic to_hot, to_other_section;

  assign to_hot = destination_i == hot_i;
  assign to_other_section = ((destination_i ^ hot_i) & section_mask_i) != '0;

  always_comb begin
    way = Straight;
    if (policy_i == PolicyStraight) way = Straight;
    else if (kind_i == KindSynchronization) way = Zero;
    else if (kind_i == KindBackground && flag_q) begin
      unique case (policy_i)
        PolicyIsolatedBackground: way = Aside;
        PolicyIsolatedHotSpot: begin
          if (to_hot) way = Zero;
          else way = Aside;
        end
        default: begin
          if (to_hot) way = Zero;
          else if (to_other_section) way = Straight;
          else way = Aside;
        end
      endcase
    end
  end

  // ---- Aside --------------------------------------------------------------------------------
  logic draws;
  logic [15:0] draw, u;
  logic [DigitW-1:0] drawn;
  assign draws = valid_i && (way == Aside) && (link_i == '0);

  muster_block_random random (
    .clk_i, .rst_ni,
    .seed_i,
    .step_i(draws),
    .draw_o(draw)
  );

  for (genvar k = 0; k < 16; k++) begin : gen_reverse
    assign u[15-k] = draw[k];
  end

  // Size - 1 is all ones in binary, so the product is a difference; what is below bit 16 of it is
  // not used.
  /* verilator lint_off UNUSEDSIGNAL */
  logic [16+DigitW-1:0] product;
  /* verilator lint_on UNUSEDSIGNAL */
  assign product = {u, {DigitW{1'b0}}} - (16 + DigitW)'(u);
  assign drawn = product[16+:DigitW] + 1'b1;

  always_comb begin
    digit_o = link_i;
    if (way == Zero) digit_o = '0;
    else if (draws) digit_o = drawn;
  end

  assign quiescent_o = 1'b1;

  `MUSTER_ASSERT(AsideIsNotZero_A, !valid_i || (way != Aside) || (digit_o != '0))
  `MUSTER_ASSERT(OnlySynchronizationOrHotAsZero_A,
                 !valid_i || (digit_o != '0) || (link_i == '0) || (way == Zero))
  `MUSTER_ASSERT(NoFlagNoDetour_A,
                 !valid_i || flag_q || (kind_i == KindSynchronization) || (digit_o == link_i))

endmodule

`default_nettype wire
