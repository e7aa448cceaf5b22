// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "muster_assert.svh"

// The Extra Stage Cube (section 2): boxes, bypasses of the outer stages, and wires. Only the
// index algebra of docs/systems/esc.md over muster_interchange_box.sv.
//
// PE j sends on link j and receives on link j. Packets meet stage m first (the extra one), stage 0
// last; stage i exchanges digit q of the link number in base n, q = i, of stage m q = 0:
//
//   link L is at port (L / n^q) mod n of box (L / n^(q+1)) n^q + L mod n^q, on both sides
//
// Box number `box` of stage `stage` is box k = stage * N/n + box of the network, with the seed
// seed_i ^ (k * 40503 mod 65536). A box of stage i is shown digit i of the routing tag, and bit
// 34 + i of the packet if that is a release (kind 3).
//
// valid_o and packet_o are functions of registers as long as no stage in front of them is bypassed;
// ready_o depends on valid_i and packet_i, and with the input stage bypassed on those of that cycle
// through wires. Which stages are enabled is static while anything moves.
//
// One part can be made dead, as --fault of `muster esc` names it (docs/systems/esc.md): a packet
// that is sent into it is taken and gone, and nothing comes out of it. Each part is a cut of links
// at one side of a box's stage:
//
//   fault_kind_i  part            cut                                                   if stage is
//   1 box         box:stage:at    in front of the stage, the links of the box           enabled
//   2 link        link:m+1:at     in front of stage m                                   enabled
//                 link:stage:at   behind the stage, m .. 1                              either
//                 link:0:at       behind stage 0                                        enabled
//   3 bypass      bypass:stage:at in front of the stage, m or 0                         bypassed
//
// Example, Pes 8, Size 2: stages 3 2 1 0 exchange digits 0 2 1 0; links 0 and 4 share box 0 of
// stage 2, links 6 and 7 share box 3 of stages 3 and 0. With fault_kind_i 1, fault_stage_i 2,
// fault_at_i 0 what comes on link 0 or 4 into stage 2 is lost.
module muster_esc_network #(
  /// N, a power of Size, 4 to 64
  parameter int unsigned Pes = 8,
  /// n: 2, 4 or 8, 2 to 8
  parameter int unsigned Size = 2,
  /// S, packets in an output buffer, 1 to 64
  parameter int unsigned Depth = 4,
  localparam int unsigned PacketW = 64
) (
  input  wire logic                           clk_i,
  input  wire logic                           rst_ni,
  /// seed of the network; taken while rst_ni is low
  input  wire logic [15:0]                    seed_i,

  /// packets pass the boxes of stage m, of stage 0
  input  wire logic                           input_enable_i,
  input  wire logic                           output_enable_i,

  /// 0 none, 1 a box, 2 a link, 3 a bypass is dead; static while anything moves
  input  wire logic [1:0]                     fault_kind_i,
  /// its stage, m + 1 for the links out of the PEs
  input  wire logic [2:0]                     fault_stage_i,
  /// the number of the box or link
  input  wire logic [5:0]                     fault_at_i,

  /// PE j offers packet_i[j]; ready_o[j]: it is taken at this edge
  input  wire logic [Pes-1:0]                 valid_i,
  input  wire logic [Pes-1:0][PacketW-1:0]    packet_i,
  output logic [Pes-1:0]                      ready_o,

  /// packet_o[j] is offered to PE j; ready_i[j]: it takes it at this edge
  output logic [Pes-1:0]                      valid_o,
  output logic [Pes-1:0][PacketW-1:0]         packet_o,
  input  wire logic [Pes-1:0]                 ready_i,

  /// all boxes are quiescent
  output logic                                quiescent_o
);
  localparam int unsigned DigitW = (Size > 1) ? $clog2(Size) : 1;
  localparam int unsigned AddrW = $clog2(Pes);
  localparam int unsigned InputStage = AddrW / DigitW;
  localparam int unsigned Boxes = Pes / Size;
  localparam int unsigned BroadcastLsb = 34;
  localparam logic [1:0] KindRelease = 2'd3;
  localparam logic [1:0] FaultBox = 2'd1;
  localparam logic [1:0] FaultLink = 2'd2;
  localparam logic [1:0] FaultBypass = 2'd3;

  `MUSTER_POWER_OF_TWO(Size, 2, 8)
  `MUSTER_REFUSE(pes, Pes < 4 || Pes > 64 || Size ** InputStage != Pes,
                 "Pes must be a power of Size, 4 to 64")

  // What enters a stage, by link; side 0 is what leaves the network, side m + 1 what enters it.
  for (genvar side = 0; side <= InputStage + 1; side++) begin : gen_side
    logic [Pes-1:0] valid, ready;
    logic [Pes*PacketW-1:0] packet;
  end

  assign gen_side[InputStage+1].valid = valid_i;
  assign gen_side[InputStage+1].packet = packet_i;
  assign ready_o = gen_side[InputStage+1].ready;
  assign valid_o = gen_side[0].valid;
  assign packet_o = gen_side[0].packet;
  assign gen_side[0].ready = ready_i;

  logic [(InputStage+1)*Boxes-1:0] quiescent;
  assign quiescent_o = &quiescent;

  for (genvar stage = 0; stage <= InputStage; stage++) begin : gen_stage
    localparam int unsigned Weight = Size ** ((stage == InputStage) ? 0 : stage);  // n^q

    for (genvar box = 0; box < Boxes; box++) begin : gen_box
      localparam int unsigned Number = stage * Boxes + box;
      localparam int unsigned Link = (box / Weight) * Weight * Size + box % Weight;  // of port 0

      logic [Size-1:0] valid_in, valid_out, ready_in, ready_out, broadcast;
      logic [Size*DigitW-1:0] digit;
      logic [Size*PacketW-1:0] packet_in, packet_out;

      muster_interchange_box #(.Size(Size), .Depth(Depth), .PacketW(PacketW)) interchange_box (
        .clk_i, .rst_ni,
        .seed_i(seed_i ^ 16'(Number * 40503)),
        .valid_i(valid_in),
        .digit_i(digit),
        .broadcast_i(broadcast),
        .packet_i(packet_in),
        .ready_o(ready_in),
        .valid_o(valid_out),
        .packet_o(packet_out),
        .ready_i(ready_out),
        .quiescent_o(quiescent[Number])
      );

      // The wires of its ports, from the side before and to the side after.
      logic [Size-1:0] valid_before, ready_before, valid_after, ready_after;
      logic [Size*PacketW-1:0] packet_before, packet_after;
      // Links that are cut in front of the stage and behind it.
      logic [Size-1:0] cut_before, cut_after;
      logic enabled, fault_here, box_dead;
      assign enabled = (stage == 0) ? output_enable_i :
                       (stage == InputStage) ? input_enable_i : 1'b1;
      assign fault_here = fault_stage_i == 3'(stage);
      assign box_dead = fault_here && (fault_kind_i == FaultBox) && (fault_at_i == 6'(box));
      for (genvar port = 0; port < Size; port++) begin : gen_port
        localparam int unsigned At = Link + port * Weight;
        logic at_link;
        assign at_link = fault_at_i == 6'(At);
        assign cut_before[port] = enabled ? box_dead || ((stage == InputStage) && at_link &&
                                                         (fault_kind_i == FaultLink) &&
                                                         (fault_stage_i == 3'(stage + 1)))
                                          : fault_here && at_link && (fault_kind_i == FaultBypass);
        assign cut_after[port] = fault_here && at_link && (fault_kind_i == FaultLink) &&
                                 (enabled || (stage != 0));
        assign valid_before[port] = gen_side[stage+1].valid[At] && !cut_before[port];
        assign packet_before[port*PacketW+:PacketW] =
            gen_side[stage+1].packet[At*PacketW+:PacketW];
        assign gen_side[stage+1].ready[At] =
            cut_before[port] ? gen_side[stage+1].valid[At] : ready_before[port];
        assign gen_side[stage].valid[At] = valid_after[port] && !cut_after[port];
        assign gen_side[stage].packet[At*PacketW+:PacketW] =
            packet_after[port*PacketW+:PacketW];
        assign ready_after[port] =
            cut_after[port] ? valid_after[port] : gen_side[stage].ready[At];

        assign digit[port*DigitW+:DigitW] = packet_in[port*PacketW+stage*DigitW+:DigitW];
        assign broadcast[port] = (packet_in[port*PacketW+PacketW-2+:2] == KindRelease) &&
                                 packet_in[port*PacketW+BroadcastLsb+stage];
      end

      if (stage == 0 || stage == InputStage) begin : gen_outer
        // Disabled, links are wired straight through, and the box stays quiescent.
        assign valid_in = enabled ? valid_before : '0;
        assign packet_in = packet_before;
        assign ready_out = enabled ? ready_after : '0;
        assign ready_before = enabled ? ready_in : ready_after;
        assign valid_after = enabled ? valid_out : valid_before;
        assign packet_after = enabled ? packet_out : packet_before;
      end else begin : gen_inner
        assign valid_in = valid_before;
        assign packet_in = packet_before;
        assign ready_before = ready_in;
        assign valid_after = valid_out;
        assign packet_after = packet_out;
        assign ready_out = ready_after;
      end
    end
  end

endmodule

`default_nettype wire
